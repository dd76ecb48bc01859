/* recompile_reasons.h - the logged reasons for a step of a chain. Internal to recompile_*.c. */
#pragma once

#include "recompiles/chains.h"

/* The chain's compile at this place. */
const struct compile *chain_compile(const struct model *model, const struct chain *chain, size_t place);
/* The index in the chain of the compile "0/1", before `end`; SIZE_MAX: none. */
size_t chain_place(const struct model *model, const struct chain *chain, size_t end, struct slice id);
/* The key of the reason's subject, from the guards of one of the compiles; ptr NULL: neither has it. */
struct slice reason_key(const struct model *model, const struct compile *from, const struct compile *to,
                        const struct guard_failure *failure);
/* "x.size()[0]" for tensor 'x', in the notation of guard_change.source. */
struct slice reason_subject(const struct guard_failure *failure, struct arena *arena);
/* Completes a reason with the guards of the two compiles. `from` may be NULL; `to` may have no guards. */
void reason_complete(const struct model *model, const struct chain *chain, const struct compile *from,
                     const struct compile *to, struct guard_failure *failure, struct arena *arena);

/* recompile_nearest.c: the nearest versions to the chain's compile at `place`, the latest first. A version without
 * known differences counts as different in one guard. A newer version is nearer than one that did not read the values
 * in which the newer one differs. Texts of the comparison stay in the arena. */
struct near_versions {
    size_t places[1 + ALSO_NEAR_MAX];
    size_t count; /* 0: the guards are unknown */
};
struct near_versions versions_nearest(const struct model *model, const struct chain *chain, size_t place,
                                      struct arena *arena);
/* The index of the reason that the chain's compile `to` has for the version at `place`; SIZE_MAX: none. */
size_t reason_of_version(const struct model *model, const struct chain *chain, size_t to, size_t place);

/* recompile_refused.c: for a compile without known guards: its reasons for the nearest versions. As in PyTorch's list,
 * the newest version comes first. */
struct near_reasons {
    size_t nth[NEAREST_MAX];
    size_t count; /* at least 1 if there is a reason */
};
struct near_reasons reasons_nearest(const struct model *model, const struct chain *chain, size_t place);
/* Whether a version that fails for this reason has arguments of another structure. */
bool reason_is_structure(const struct guard_failure *failure);
