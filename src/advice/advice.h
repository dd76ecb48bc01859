/* advice.h - advice on recompiles, and texts of the page about a chain.
 *
 * Advice needs evidence: without a record that supports it, there is none. Texts are slices of the model, or in the chains'
 * arena. One thread. */
#pragma once

#include "recompiles/chains.h"

/* Adds advice to all chains, where the log has the evidence. */
void chains_advise(struct chains *chains, const struct model *model);
const char *evidence_record_name(enum evidence_record record); /* "recompile_reasons" */

/* step_parts.c: whether the source is a parameter or buffer of a module. They are never dynamic, even if marked. */
bool is_weight(struct slice source);

/* recompile_lengths.c: adds " In 0/1, `batch` has `mask`, unlike in 0/0.": the keys of dicts whose length changed, if
 * the guards name all of them. */
void chain_add_keys(struct buf *out, const struct model *model, const struct chain *chain);

/* The change of the source by a run of the nearest version, or of another part of its function, and the version that
 * makes it; NULL: the log shows none. Another part, before or after a graph break, may have another source for the
 * object: "L['___stack0'].__self__.n", if its line calls `meter.add`. */
const struct changed *step_changed(const struct model *model, const struct step *step, struct slice source,
                                   uint32_t *version);
/* Adds " The function itself changes `self.step` (side effects of 0/0).": the changes of a step that the function
 * itself makes. */
void chain_add_along(struct buf *out, const struct model *model, const struct chain *chain);

/* chain_words.c: describes the chain in a sentence, for findings. */
/* "`n` changed 3 → 4 → 5 … (7 of 7 recompiles). The limit refused 1 more.", with as many causes as fit. The log may
 * have no reason. */
void chain_add_why(struct buf *out, const struct model *model, const struct chain *chain);
/* module_words.c */
/* Adds " Its versions were compiled for 3 different `Block` modules, …": nothing if they were for one, or if that is
 * unknown. */
void chain_say_modules(struct buf *out, const struct model *model, const struct chain *chain);
/* Whether the nth step is one from a version for the same module. */
bool chain_step_is_own(const struct chain *chain, size_t nth);
/* The class of the chain's modules: "__main__.Block"; ptr NULL: unknown. */
struct slice chain_module_class(const struct model *model, const struct chain *chain);
/* recompile_unknown.c: adds " The log shows no fix: `x.size()[0]` differs in 0/1.", for a chain without chain_advice().
 */
void chain_add_unknown(struct buf *out, const struct model *model, const struct chain *chain);
/* The advice that represents the chain: the first fix that saves a recompile or covers most of them; or else the first
 * fix; or else the explanation why at least half of the recompiles are normal. NULL: the log has no evidence for a fix,
 * and most recompiles have other causes. */
const struct advice *chain_advice(const struct chain *chain);
/* Whether its alternative, the environment variable, also saves the first of its steps. */
bool advice_may_save_first(const struct advice *advice);
/* Whether it mentions TORCH_COMPILE_DYNAMIC_SOURCES. */
bool advice_has_variable(const struct advice *advice);
/* "recompile_reasons of 4/1, 4/2 …; create_symbol of 4/1 (s77)": a few records of each kind. */
void advice_add_evidence(struct buf *out, const struct model *model, const struct advice *advice);
/* The time that fixes can save, in microseconds: that of the recompiles that they are based on, each counted once. 0:
 * nothing. */
int64_t chain_saves_us(const struct model *model, const struct chain *chain);
/* The time that TORCH_COMPILE_DYNAMIC_SOURCES alone saves. Adds the number of recompiles to `recompiles`. */
int64_t chain_variable_saves_us(const struct model *model, const struct chains *chains, size_t nth, size_t *recompiles);
/* Whether every cause is normal: training and evaluation, with and without gradients. */
bool chain_is_expected(const struct chain *chain);
