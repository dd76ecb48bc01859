/* causes.h - why ranks diverge: each root cause once, with the first place that shows it and what follows from it.
 *
 * Compiles of ranks answer to each other by their function and the how manieth compile of it they are, not by their ids: one
 * compile more on a rank shifts all ids behind it. For each such slot, in log order, it is asked in this order: do all ranks have
 * it? Did it fail on some? Do the graphs run the same source lines? Are the inputs of the same sizes? What else differs (guards,
 * collectives, caches, tensors) follows from those where ranks with the same graph have the same of it, and is a cause of its own
 * where they have not. Causes of one kind and place between the same ranks are one.
 *
 * Where each of at least three groups of ranks compiles functions, or takes weights in the same function, that no other group does, and none has more than half of the
 * ranks, they compute parts of one program: that is one cause, and compiles are looked for within the groups.
 *
 * Ranks are called odd when more than half of the compared ones are alike; else there are only groups. All is bounded. One thread. */
#ifndef TLPARSE_RANKS_CAUSES_H
#define TLPARSE_RANKS_CAUSES_H

#include "ranks/cause.h"

void root_causes_find(struct root_causes *causes, const struct rank_facts *const *facts, size_t count,
                      const struct divergences *divergences);
void root_causes_finish(struct root_causes *causes);

#endif
