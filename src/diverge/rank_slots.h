/* rank_slots.h - which compiles of ranks are compared with each other.
 *
 * A first compile of a function is matched by its function. A recompile is matched by its cause, not by its number: one
 * rank may have recompiled the function for something else before. From the most to the least alike, recompiles of a
 * function on different ranks match if
 *
 *     the same guard fails, and the graph and its guards are the same
 *     the same guard fails for inputs of the same sizes
 *     the same guard fails
 *     a guard on the same property of the same variable fails, with other values
 *     they have the same number, and the log of one has no reason
 *
 * The guard is that of the earliest version, which ranks that do the same have in common. What matches nothing is a
 * recompile of its own. */
#ifndef TLPARSE_DIVERGE_RANK_SLOTS_H
#define TLPARSE_DIVERGE_RANK_SLOTS_H

#include "facts/rank_facts.h"

/* Sets the slots of the facts. Call it when the compared ranks are known. */
void rank_slots_find(struct rank_facts *const *facts, size_t count);

#endif
