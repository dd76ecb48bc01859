/* causes.h - why ranks diverge: each root cause once, with the first place that shows it, and its consequences.
 *
 * Compiles of ranks are matched by function, and recompiles by their cause (rank_slots.h), not by id or number: an
 * additional compile on a rank shifts those of all later ones. For each such slot, in log order, these questions are asked: Do
 * all ranks have it? Did it fail on some? Do the graphs run the same source lines? Do the inputs have the same sizes?
 * Further differences (guards, collectives, caches, tensors) are consequences of these if ranks with the same graph
 * agree, and separate causes otherwise. Causes with the same kind and place between the same ranks are merged.
 *
 * If each of at least three groups of ranks compiles functions, or uses weights in the same function, that no other
 * group does, and none has more than half of the ranks, the groups compute parts of one program. That is one cause,
 * and compiles are then compared within the groups.
 *
 * Ranks are outliers if more than half of the compared ranks agree and they differ from these. Otherwise there are
 * only groups. Everything is limited. One thread. */
#ifndef TLPARSE_DIVERGE_CAUSES_H
#define TLPARSE_DIVERGE_CAUSES_H

#include "diverge/cause.h"

/* alike: of ranks_alike(). */
void root_causes_find(struct root_causes *causes, const struct rank_facts *const *facts, const uint32_t *alike,
                      size_t count, const struct divergences *divergences);
void root_causes_finish(struct root_causes *causes);

#endif
