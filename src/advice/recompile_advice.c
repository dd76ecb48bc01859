/* Advice on the recompiles of a frame: only with evidence from the log, which is cited. */

#include "advice/recompile_advice.h"
#include "advice/advice.h"
#include "analysis/advice_words.h"
#include "modules/module_instances.h"
#include "scan/library.h"

/* Whether every version has an empty graph: the function only passes on its arguments. */
static bool is_empty(const struct advising *a) {
    for (size_t i = 0; i < a->chain->compiles.count; i++) {
        const struct compile *compile = a->model->compiles.items[a->chain->compiles.items[i]];
        if (!compile->empty && !compile->failed)
            return false;
    }
    return true;
}

/* Whether another mode changed in the step. */
static bool has_other_mode(const struct step *step) {
    for (size_t i = 1; i < step->changes.count; i++)
        if (step->changes.items[i].type == GUARD_GLOBAL_STATE)
            return true;
    return false;
}

/* Whether the mode is the only cause of the step, and the step has no advice yet. */
static bool is_of_mode(const struct advising *a, size_t nth, const struct cause *cause) {
    const struct step *step = &a->chain->steps.items[nth];
    return step_is_of(step, cause) && !has_other_mode(step) && !(nth < STEPS_COMPARED_MAX && a->said[nth]);
}

/* Whether nothing in the step needs a version besides the grad mode and its consequences. */
static bool is_grad_mode_alone(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        enum guard_type type = step->changes.items[i].type;
        if (type != GUARD_GRAD_MODE && type != GUARD_REQUIRES_GRAD && type != GUARD_DISPATCH_KEY)
            return false;
    }
    return step->change_count == step->changes.count;
}

/* The finding names the change. */
static void advise_expected(struct advising *a, const struct cause *cause) {
    struct buf text = {0};
    bool module = cause->type == GUARD_MODULE_MODE, alone = false, only = true;
    if (!cause->subject.ptr || (!module && (!cause->had.ptr || !cause->has.ptr)))
        return;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        alone |= is_of_mode(a, i, cause);
        only &= !is_of_mode(a, i, cause) || is_grad_mode_alone(&a->chain->steps.items[i]);
    }
    if (a->chain->steps.count && !alone)
        return;
    BUF_ADD(&text,
            module ? "One version for training and one for evaluation are expected."
                   : "One version with gradients and one without are expected.",
            module ? ""
            : only ? " To avoid the second, call the function under one grad mode."
                   : " What else changed in that step needs a version anyway.");
    struct advice *advice = advice_add(a, cause->type, &text);
    advice->expected = true;
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (is_of_mode(a, i, cause))
            advice_cite_step(a, advice, &a->chain->steps.items[i]);
}

/* Whether each value of the subject needs a version, whatever the program does. Numbers among them were not made
 * dynamic, or they have advice. */
static bool needs_versions(enum guard_type type) {
    return type == GUARD_VALUE || type == GUARD_FLOAT || type == GUARD_LENGTH || type == GUARD_TYPE ||
           type == GUARD_DTYPE || type == GUARD_DEVICE || type == GUARD_RANK || type == GUARD_GLOBAL_STATE;
}

enum { LIMIT_SAID_MAX = 1024 /* above this, the number of versions no longer is a number of cases */ };

static bool has_advice(const struct chain *chain, enum guard_type type, bool expected) {
    for (size_t i = 0; i < chain->advice.count; i++)
        if (chain->advice.items[i].expected == expected && chain->advice.items[i].type == type &&
            (expected || chain->advice.items[i].saves))
            return true;
    return false;
}

static bool cites(const struct advice *advice, uint32_t compile) {
    for (size_t i = 0; i < advice->evidence_count; i++)
        if (advice->evidence[i].compile == compile && advice->evidence[i].record != EVIDENCE_METRICS)
            return true;
    return advice->evidence_more > 0;
}

/* Whether advice that removes the cause covers at least about half of its steps, even if it promises no savings. */
static bool has_fix(const struct chain *chain, const struct cause *cause) {
    size_t steps = 0, cited = 0;
    for (size_t s = 0; s < chain->steps.count; s++) {
        const struct step *step = &chain->steps.items[s];
        bool found = false;
        for (size_t i = 0; i < chain->advice.count && step_is_of(step, cause) && !found; i++) {
            const struct advice *advice = &chain->advice.items[i];
            found = !advice->expected && !advice->partial && cites(advice, step->compile);
        }
        steps += step_is_of(step, cause);
        cited += found;
    }
    return cited && cited * 2 >= steps;
}

/* Adds how many versions may be needed: after the limit is reached, calls run eagerly and leave no record. */
static void add_needed(struct buf *text, const struct chain *chain) {
    if (chain->limit < 0 || chain->limit >= LIMIT_SAID_MAX || recompile_limit_is_accumulated(chain->which_limit))
        return;
    buf_addf(text,
             " The calls need %" PRId64 " versions or more: the log of a run with `torch._dynamo.config.%s = %" PRId64
             "` says how many.",
             chain->limit + 1, recompile_limit_name(chain->which_limit), chain->limit * 8);
}

/* Whether there may be more versions than any limit, so the advice on a line is the only way. */
static bool has_multiplied(const struct chain *chain) {
    for (size_t i = 0; i < chain->advice.count; i++)
        if (chain->advice.items[i].multiplies)
            return true;
    return false;
}

/* The number of causes that made versions, not only compiles that the limit refused. */
static size_t causes_of_versions(const struct chain *chain) {
    size_t count = 0;
    for (size_t i = 0; i < chain->causes.count; i++)
        count += chain->causes.items[i].count > chain->causes.items[i].refused;
    return count;
}

/* If the limit was reached by the versions of several modules, each of which was compiled for itself and alone needs fewer of them. */
static bool add_isolation(struct buf *text, const struct advising *a) {
    const struct chain *chain = a->chain;
    const uint32_t *compiles = chain->compiles.items;
    size_t count = chain->compiles.count;
    const uint32_t *numbers = chain->modules, modules = chain->module_count;
    size_t *versions = mem_zalloc(modules + 1, sizeof *versions), most = 0;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] != MODULE_NONE && ++versions[numbers[i]] > most)
            most = versions[numbers[i]];
    bool fits = version_of(a) >= ISOLATION_SINCE && modules > 1 && chain->limit > 0 &&
                2 * most <= (size_t)chain->limit && module_instances_are_whole(a->model, compiles, count);
    if (fits) /* those that the limit refused are not among the modules that are known */
        buf_add_lit(text,
                    " `torch.compile(…, isolate_recompiles=True)` gives each module versions and a limit of its own.");
    mem_free(versions);
    return fits;
}

/* Adds advice on the cause that reached the limit, if no other advice covers it. */
static void add_limit_cause(struct buf *text, const struct advising *a) {
    const struct chain *chain = a->chain;
    const struct cause *cause = chain->causes.count ? &chain->causes.items[0] : NULL;
    bool open = cause && cause->subject.ptr && !has_advice(chain, cause->type, false) && !has_fix(chain, cause);
    size_t all = chain->recompiles + chain->refused, saves = 0;
    for (size_t i = 0; i < chain->advice.count; i++)
        saves += chain->advice.items[i].saves;
    if (add_isolation(text, a))
        return;
    if (is_lightning_module(chain->frame.file)) {
        buf_add_lit(text,
                    " " ADVICE_LIGHTNING ": the state of the trainer that this function reads then needs no versions.");
        return;
    }
    if (has_multiplied(chain))
        return;
    if (cause && cause->count * 2 < all && saves * 2 < all)
        buf_addf(text, " %zu causes have used it up: raise the limit above the number of versions that the calls need.",
                 causes_of_versions(chain));
    else if (open && cause->type == GUARD_LENGTH && note_is_growing(a, cause)) {
        buf_addf(
            text,
            " Each value of `%.*s` needs a version, and it is greater in each: if it grows with the calls, no limit "
            "is high enough, and what depends on it has to be kept out of the function. Otherwise, raise the limit "
            "above the number of values.",
            SLICE_ARG(cause->subject));
        return;
    } else if (open && needs_versions(cause->type))
        buf_addf(text,
                 " Each value of `%.*s` needs a version: raise the limit above the number of values, or keep what "
                 "depends on it out of the function.",
                 SLICE_ARG(cause->subject));
    else if (open && has_advice(chain, cause->type, true))
        buf_addf(text, " Raise the limit above the number of versions that `%.*s` needs.", SLICE_ARG(cause->subject));
    else {
        buf_add_lit(text, " Remove the cause of the recompiles before raising the limit.");
        return;
    }
    add_needed(text, chain);
}

static void advise_limit(struct advising *a) {
    struct chain *chain = a->chain;
    const struct compile *compile = a->model->compiles.items[chain->limit_compile];
    const struct failure *failure = recompile_limit_failure(a->model, compile);
    bool raised = slice_find(failure->type, SLICE("FailOnRecompileLimitHit")) != SIZE_MAX ||
                  slice_find(failure->reason, SLICE("fullgraph=True")) != SIZE_MAX;
    const char *by = slice_find(failure->reason, SLICE("fullgraph=True")) != SIZE_MAX ? " (`fullgraph=True`)"
                   : slice_find(failure->reason, SLICE("fail_on_recompile_limit_hit")) != SIZE_MAX
                       ? " (`torch._dynamo.config.fail_on_recompile_limit_hit`)"
                       : "";
    struct buf text = {0}, says = {0};
    buf_addf(&text, "%.*s reached the recompile limit", SLICE_ARG(compile->key));
    if (chain->limit >= 0)
        buf_addf(&text, " (`torch._dynamo.config.%s = %" PRId64 "`)", recompile_limit_name(chain->which_limit),
                 chain->limit);
    if (raised)
        buf_addf(&text, ": a call that fits no version now raises an error%s.", by);
    else if (!compile->framed) /* up to PyTorch 2.6 */
        buf_add_lit(&text, ": a call that fits no version now runs eagerly, or raises an error with `fullgraph=True`.");
    else
        buf_add_lit(&text, ": a call that fits no version now runs eagerly.");
    add_limit_cause(&text, a);
    struct advice *advice = advice_add(a, GUARD_OTHER, &text);
    advice->of_limit = true;
    if (failure->type.ptr)
        advice_cite(advice, EVIDENCE_METRICS, chain->limit_compile, failure->type);
    if (chain->limit >= 0) {
        buf_addf(&says, "%s %" PRId64, recompile_limit_name(chain->which_limit), chain->limit);
        advice_cite(advice, EVIDENCE_METRICS, chain->limit_compile, arena_slice(a->arena, buf_slice(&says)));
    }
    buf_free(&says);
}

static void advise_on_number(struct advising *a, const struct cause *cause) {
    switch (cause->type) {
    case GUARD_VALUE:
        if (a->empty || !advise_module_integer(a, cause))
            advise_symbolic(a, cause);
        break;
    case GUARD_FLOAT:
        if (a->empty || !advise_learning_rate(a, cause))
            advise_symbolic(a, cause);
        break;
    case GUARD_SIZE:
        advise_symbolic(a, cause);
        explain_zero_one(a, cause);
        break;
    case GUARD_RELATION:
        explain_zero_one(a, cause);
        advise_equal(a, cause);
        break;
    default:
        break;
    }
}

static void advise(struct advising *a, const struct cause *cause) {
    if (cause->type == GUARD_MODULE_MODE || cause->type == GUARD_GRAD_MODE)
        advise_expected(a, cause);
    else if (!is_called(a, cause))
        return;
    else if (cause->type == GUARD_IDENTITY)
        advise_objects(a, cause);
    else if (cause->type == GUARD_OTHER)
        advise_deallocated(a, cause);
    else
        advise_on_number(a, cause);
}

/* Whether advice covers all steps of the cause. */
static bool is_advised(const struct advising *a, const struct cause *cause) {
    size_t steps = 0;
    for (size_t s = 0; s < a->chain->steps.count && s < STEPS_COMPARED_MAX; s++) {
        if (note_is_open(a, s, cause))
            return false;
        steps += step_is_of(&a->chain->steps.items[s], cause);
    }
    return steps > 0;
}

static void advise_chain(struct chain *chain, const struct model *model, struct arena *arena) {
    struct advising a = {.chain = chain, .model = model, .arena = arena};
    a.empty = is_empty(&a);
    advise_wrapped(&a);
    advise_loops(&a);
    advise_items(&a);
    for (size_t i = 0; i < chain->causes.count && chain->advice.count < ADVICE_MAX; i++)
        if (!has_multiplied(chain) || !is_advised(&a, &chain->causes.items[i]))
            advise(&a, &chain->causes.items[i]);
    if (chain->advice.count < ADVICE_MAX)
        advise_isolation(&a);
    advise_other_versions(&a);
    if (chain->advice.count < ADVICE_MAX)
        advise_own(&a);
    if (chain->advice.count < ADVICE_MAX)
        advise_stack(&a);
    advise_mixed(&a);
    for (size_t i = 0; i < chain->causes.count && chain->advice.count < ADVICE_MAX; i++)
        if (!is_advised(&a, &chain->causes.items[i]) && is_called(&a, &chain->causes.items[i]))
            advise_note(&a, &chain->causes.items[i]);
    if (chain->advice.count < ADVICE_MAX)
        advise_states(&a);
    if (chain->advice.count < ADVICE_MAX)
        advise_rest(&a);
    for (size_t i = 0; i < chain->advice.count; i++) {
        struct advice *advice = &chain->advice.items[i];
        advice->saves -= advice->but_first && advice->saves;
        advice->saves = advice->expected ? 0 : advice->saves;
    }
    if (chain->limit_hit)
        advise_limit(&a);
}

void chains_advise(struct chains *chains, const struct model *model) {
    for (size_t i = 0; i < chains->list.count; i++)
        advise_chain(&chains->list.items[i], model, &chains->arena);
    recompile_join_sources(chains, model);
}
