/* rank_recompile.h - the reasons of a rank's recompiles: compares them between ranks, and describes them. */
#pragma once

#include "facts/rank_facts.h"

/* The guard of the earliest version that fails; ptr NULL: unknown. */
struct slice rank_recompile_guard(const struct rank_compile *compile);
/* Adds a key that identifies the changed property and variable, without their values. */
void rank_recompile_subject_add(struct buf *out, const struct rank_compile *compile);
/* Whether both recompile because of the same property of the same variable. Also true if the reason of one is unknown.
 */
bool rank_recompile_same_subject(const struct rank_compile *a, const struct rank_compile *b);
/* Whether it recompiles because of a size or a stride. Also true if the reason is unknown. */
bool rank_recompile_is_of_size(const struct rank_compile *compile);
/* Whether the rank recompiles the function because the same guard fails. */
bool rank_recompiles_like(const struct rank_facts *facts, const struct rank_compile *compile);
/* Adds " for the size 6 of `x` at index 0" or, for other guards, " (`k == 3`)"; adds nothing without a reason. */
void rank_recompile_words_add(struct buf *out, const struct rank_compile *compile);
