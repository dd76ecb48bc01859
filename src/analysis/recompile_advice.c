/* Advice on the recompiles of a frame: only if the log has evidence, which is cited. */
#include <stdlib.h>

#include "analysis/chains.h"
#include "base/json.h"
#include "base/mem.h"
#include "scan/guard_text.h"
#include "scan/library.h"

enum { ADVICE_MAX = 6 };

bool recompile_setting(struct buf *out, const struct model *model, uint32_t compile, const char *name) {
    bool found = false;
    for (size_t c = 0; c < model->configs.count && !found; c++) {
        const struct config *config = &model->configs.items[c];
        bool used = false;
        for (size_t u = 0; config->kind == CONFIG_DYNAMO && u < config->users.count && !used; u++)
            used = config->users.items[u] == compile;
        struct arena arena = {0};
        yyjson_val *json = NULL, *value = NULL;
        struct slice text = config->json;
        if (used && json_read(&text, JSON_NUMBERS, &arena, &json) != JSON_BAD)
            value = json_get(json, name);
        if (value && !yyjson_is_null(value)) {
            json_add_value(out, value);
            found = true;
        }
        arena_free(&arena);
    }
    return found;
}

static bool setting_is(const struct model *model, uint32_t compile, const char *name, const char *wanted) {
    struct buf value = {0};
    bool same = recompile_setting(&value, model, compile, name) && slice_is(buf_slice(&value), wanted);
    buf_free(&value);
    return same;
}

struct advising {
    struct chain *chain;
    const struct model *model;
    struct arena *arena;
};

static struct advice *add_advice(struct advising *a, enum guard_type type, struct buf *text) {
    ARENA_GROW(a->arena, &a->chain->advice);
    struct advice *advice = &a->chain->advice.items[a->chain->advice.count++];
    *advice = (struct advice){.type = type, .text = arena_slice(a->arena, buf_slice(text))};
    buf_free(text);
    return advice;
}

static void cite(struct advice *advice, enum evidence_record record, uint32_t compile, struct slice says) {
    if (advice->evidence_count == EVIDENCE_MAX) {
        advice->evidence_more++;
        return;
    }
    advice->evidence[advice->evidence_count++] = (struct evidence){record, compile, says};
}

/* Cites the records of a step. */
static void cite_step(struct advice *advice, const struct step *step) {
    if (step->reason.ptr && step->reason_leads)
        cite(advice, EVIDENCE_REASONS, step->compile, (struct slice){0});
    else
        cite(advice, EVIDENCE_GUARDS, step->compile, (struct slice){0});
    if (step->changes.items[0].symbol.ptr)
        cite(advice, EVIDENCE_SYMBOL, step->compile, step->changes.items[0].symbol);
}

static bool to_number(struct slice text, uint64_t *number) {
    return slice_to_u64(text, number);
}

/* Whether both values are sizes or numbers that PyTorch can make symbolic. It never does for 0 and 1. */
static bool are_symbolic(const struct guard_change *change) {
    uint64_t had, has;
    return to_number(change->had, &had) && to_number(change->has, &has) && had > 1 && has > 1;
}

/* "L['x'].size()[0]" of the change. */
static struct slice expression_of(struct advising *a, const struct guard_change *change) {
    struct guard_fact fact = guard_key_read(change->key);
    struct buf text = {0};
    buf_add(&text, fact.source);
    if (fact.aspect == ASPECT_SIZE)
        buf_addf(&text, ".size()[%.*s]", SLICE_ARG(fact.detail));
    struct slice kept = arena_slice(a->arena, buf_slice(&text));
    buf_free(&text);
    return kept;
}

static bool is_specialized(const struct advising *a, uint32_t compile, struct slice expression) {
    for (const struct shape_record *fact = a->model->compiles.items[compile]->shapes[SHAPE_SPECIALIZATION].first; fact;
         fact = fact->next)
        if (slice_find(fact->source, expression) != SIZE_MAX)
            return true;
    return false;
}

static bool is_marked(const struct advising *a, uint32_t compile, struct slice source) {
    struct slice set = guard_set_get(a->model, a->model->compiles.items[compile], ASPECT_MARK,
                                     SLICE("_dynamo_dynamic_indices"), source);
    return set.len > 0;
}

/* Weights are never dynamic, even if they are marked. */
static bool is_weight(struct slice source) {
    return slice_find(source, SLICE("._parameters[")) != SIZE_MAX ||
           slice_find(source, SLICE("._buffers[")) != SIZE_MAX;
}

/* Whether the step would not have been a recompile with other sizes and numbers: nothing else differs. */
static bool numbers_alone(const struct step *step) {
    if (step->change_count != step->changes.count)
        return false;
    for (size_t i = 0; i < step->changes.count; i++) {
        enum guard_type type = step->changes.items[i].type;
        if ((type != GUARD_SIZE && type != GUARD_VALUE) || !are_symbolic(&step->changes.items[i]))
            return false;
    }
    return step->changes.count > 0;
}

static bool is_of(const struct step *step, const struct cause *cause) {
    return step->changes.count && step->changes.items[0].type == cause->type &&
           slice_eq(step->changes.items[0].source, cause->subject);
}

/* Steps of a size or number that could have become symbolic, and their outcome. */
struct evident {
    const struct step *dynamic; /* the first one that became a symbol */
    const struct step *fixed;   /* the first one that stayed constant because automatic_dynamic_shapes is off */
};

/* Whether the number is kept constant by something that the log does not have, or that no advice addresses: a
 * specialization, a mark. */
static bool is_kept(struct advising *a, const struct step *step, const struct guard_change *change) {
    struct slice source = guard_key_read(change->key).source;
    if (!change->key.ptr || is_weight(change->key) || is_specialized(a, step->compile, expression_of(a, change)) ||
        is_marked(a, step->compile, source) || is_marked(a, step->nearest, source))
        return true;
    bool automatic_off = setting_is(a->model, step->compile, "automatic_dynamic_shapes", "false");
    return !change->symbol.ptr &&
           (!automatic_off ||
            (change->type == GUARD_FLOAT && !setting_is(a->model, step->compile, "specialize_float", "false")));
}

static bool is_evident(struct advising *a, const struct step *step, const struct cause *cause, struct evident *found) {
    const struct guard_change *change = &step->changes.items[0];
    bool alone = cause->type == GUARD_FLOAT ? step->change_count == 1 : numbers_alone(step);
    if (!is_of(step, cause) || !alone || step->nearest == NO_VERSION)
        return false;
    for (size_t i = 0; i < step->changes.count; i++)
        if (is_kept(a, step, &step->changes.items[i]))
            return false;
    if (change->symbol.ptr && found->dynamic)
        return false; /* a version in which it was dynamic did not match, either */
    if (change->symbol.ptr)
        found->dynamic = step;
    else if (!found->fixed)
        found->fixed = step;
    return true;
}

/* A name that the user's code can use. ___stack0 is Dynamo's. */
static bool is_users_name(struct slice readable) {
    return !slice_starts(readable, SLICE("___")) && slice_find(readable, SLICE("(")) == SIZE_MAX;
}

/* The version of PyTorch as a comparable number: 2.15.0+cpu is 215; 0: unknown. */
static uint64_t version_number(struct slice rest) {
    size_t dot = slice_find(rest, SLICE("."));
    uint64_t major, minor;
    if (dot == SIZE_MAX || !slice_to_u64(slice_first(rest, dot), &major))
        return 0;
    rest = slice_from(rest, dot + 1);
    if (!slice_to_u64(slice_first(rest, slice_find(rest, SLICE("."))), &minor) || major > 1000 || minor > 99)
        return 0;
    return major * 100 + minor;
}

/* Of the chain's process, from its metrics: that of the log may come from any process. */
static uint64_t version_of(const struct advising *a) {
    static const struct slice key = SLICE_INIT("\"pytorch_version\":\"");
    for (size_t i = 0; i < a->chain->compiles.count; i++) {
        struct slice metrics = a->model->compiles.items[a->chain->compiles.items[i]]->metrics;
        size_t at = slice_find(metrics, key);
        if (at != SIZE_MAX)
            return version_number(slice_from(metrics, at + key.len));
    }
    return a->model->process_count <= 1 ? version_number(a->model->torch) : 0;
}

enum {
    SOURCES_SINCE = 207,   /* TORCH_COMPILE_DYNAMIC_SOURCES; ignored by older versions */
    DIMENSION_SINCE = 215, /* "L['x']:0"; in older versions, a tensor stands for all of its dimensions */
    SAID_MAX = 4,          /* changes of a step listed in advice */
};

/* Whether the caller of the compiled function has the value. Of a function in a library, it passes the arguments; what
 * is inside of them, such as the tensors of a cache, is created by the library. */
static bool is_at_hand(const struct advising *a, struct slice readable) {
    return !is_library_file(a->chain->frame.file) || slice_rfind_byte(readable, '.') == SIZE_MAX;
}

/* Adds mark_dynamic() for each change. Returns false unless all of them are sizes of something that the user's code
 * can name. */
static bool add_marks(struct buf *text, const struct advising *a, const struct step *step) {
    size_t before = text->len;
    for (size_t i = 0; i < step->changes.count; i++) {
        struct guard_fact fact = guard_key_read(step->changes.items[i].key);
        struct buf name = {0};
        guard_readable_add(&name, fact.source);
        bool fits = fact.aspect == ASPECT_SIZE && is_users_name(buf_slice(&name)) && is_at_hand(a, buf_slice(&name));
        if (fits)
            buf_addf(text, "%s`torch._dynamo.mark_dynamic(%.*s, %.*s)`", i ? " and " : "Call ",
                     SLICE_ARG(buf_slice(&name)), SLICE_ARG(fact.detail));
        buf_free(&name);
        if (!fits) {
            text->len = before;
            return false;
        }
    }
    buf_add_lit(text, " before the first call");
    return true;
}

static bool has_other_dimensions(const struct advising *a, const struct step *step, struct slice source) {
    struct slice none = {0};
    return !slice_is(guard_set_get(a->model, a->model->compiles.items[step->compile], ASPECT_RANK, none, source), "1");
}

/* Adds the environment variable with the source of each change. Returns whether one is a tensor that becomes dynamic
 * in all dimensions. */
static bool add_sources(struct buf *text, const struct advising *a, const struct step *step, const char *set) {
    bool dimensions = version_of(a) >= DIMENSION_SINCE, whole = false;
    struct buf sources = {0};
    for (size_t i = 0; i < step->changes.count; i++) {
        struct guard_fact fact = guard_key_read(step->changes.items[i].key);
        struct buf one = {0};
        buf_add(&one, fact.source);
        if (fact.aspect == ASPECT_SIZE && dimensions)
            buf_addf(&one, ":%.*s", SLICE_ARG(fact.detail));
        else if (fact.aspect == ASPECT_SIZE)
            whole |= has_other_dimensions(a, step, fact.source);
        if (slice_find(buf_slice(&sources), buf_slice(&one)) == SIZE_MAX) {
            buf_add_str(&sources, sources.len ? "," : "");
            buf_add(&sources, buf_slice(&one));
        }
        buf_free(&one);
    }
    buf_addf(text, "%s `TORCH_COMPILE_DYNAMIC_SOURCES=\"%.*s\"`", set, SLICE_ARG(buf_slice(&sources)));
    buf_free(&sources);
    return whole;
}

/* Adds what makes every number of the step dynamic in the first version. Returns false if this version of PyTorch has
 * no way. An unmarked size is constant, even if it equals a marked one. */
static bool add_saving(struct buf *text, const struct advising *a, const struct step *step) {
    if (step->changes.count > SAID_MAX)
        return false;
    bool marks = add_marks(text, a, step), sources = version_of(a) >= SOURCES_SINCE;
    if (sources && add_sources(text, a, step, marks ? ", or set" : "Set"))
        buf_add_lit(text, ", which makes every dimension dynamic");
    return marks || sources;
}

/* The changes of a step but the first. */
static void add_others(struct buf *text, const struct step *step) {
    for (size_t i = 1; i < step->changes.count; i++)
        buf_addf(text, "%s`%.*s`",
                 i == 1                         ? " "
                 : i + 1 == step->changes.count ? " and "
                                                : ", ",
                 SLICE_ARG(step->changes.items[i].source));
    if (step->changes.count > 1)
        buf_add_lit(text, " changed as well.");
}

static struct slice key_text(const struct advising *a, uint32_t compile) {
    return a->model->compiles.items[compile]->key;
}

/* Cites steps of the cause, either those that stayed constant or those that became dynamic. */
static void cite_evident(struct advising *a, struct advice *advice, const struct cause *cause, bool fixed) {
    struct evident found = {0};
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (is_of(step, cause) && is_evident(a, step, cause, &found) && !step->changes.items[0].symbol.ptr == fixed)
            cite_step(advice, step);
    }
}

static void advise_symbolic(struct advising *a, const struct cause *cause) {
    struct evident found = {0};
    struct buf text = {0};
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        if (is_of(&a->chain->steps.items[i], cause))
            is_evident(a, &a->chain->steps.items[i], cause, &found);
    const struct step *first = found.fixed ? found.fixed : found.dynamic;
    if (!first)
        return;
    const struct guard_change *change = &first->changes.items[0];
    if (!found.fixed) {
        if (cause->type == GUARD_FLOAT ||
            !add_saving(&text, a, first)) { /* a float cannot be made dynamic from the start */
            buf_free(&text);
            return;
        }
        buf_addf(&text, ": %.*s made `%.*s` dynamic (%.*s).", SLICE_ARG(key_text(a, first->compile)),
                 SLICE_ARG(change->source), SLICE_ARG(change->symbol));
        add_others(&text, first);
        cite_evident(a, add_advice(a, cause->type, &text), cause, false);
        return;
    }
    buf_add_lit(&text, "Leave `dynamic` unset");
    if (cause->type == GUARD_VALUE && version_of(a) >= SOURCES_SINCE)
        buf_addf(&text, ", or set `TORCH_COMPILE_DYNAMIC_SOURCES=\"%.*s\"`",
                 SLICE_ARG(guard_key_read(change->key).source));
    buf_addf(&text,
             ": `automatic_dynamic_shapes` is off, as `torch.compile(dynamic=False)` sets it, so every value of `%.*s` "
             "gets its own version.",
             SLICE_ARG(change->source));
    struct advice *advice = add_advice(a, cause->type, &text);
    cite(advice, EVIDENCE_METRICS, first->compile, SLICE("automatic_dynamic_shapes false"));
    cite_evident(a, advice, cause, true);
}

/* "2 <= L['x'].size()[0]" and "2 <= L['x'].size()[0] <= 16": guards of a dynamic size that must not be 0 or 1. */
static bool is_lower_bound(struct slice condition, struct slice *expression) {
    static const struct slice begin = SLICE_INIT("2 <= ");
    if (!slice_starts(condition, begin))
        return false;
    struct slice rest = slice_from(condition, begin.len);
    *expression = slice_first(rest, guard_code_find(rest, SLICE(" <= ")));
    return slice_ends(*expression, SLICE("]")) && slice_find(*expression, SLICE(".size()[")) != SIZE_MAX &&
           guard_code_find(*expression, SLICE(" ")) == SIZE_MAX;
}

/* Whether the frame is called with inputs that can be marked. A backward graph of Compiled Autograd is not. */
static bool is_called(const struct advising *a) {
    return a->model->compiles.items[a->chain->compiles.items[0]]->autograd_id == PART_MISSING &&
           !slice_starts(a->chain->frame.file, SLICE("<"));
}

/* A dynamic size that was 0 or 1. mark_unbacked() would make one version of both, but a frame that compares such a size
 * with anything runs eagerly then, and the log does not show all comparisons: x.size(0) > 1 adds no guard to those of a
 * dynamic size. */
static void explain_zero_one(struct advising *a, const struct cause *cause) {
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        struct slice expression;
        uint64_t size = UINT64_MAX;
        if (!is_of(step, cause) || step->change_count != 1 || step->nearest == NO_VERSION ||
            !is_lower_bound(guard_key_read(step->changes.items[0].key).source, &expression))
            continue;
        struct slice value = guard_set_value(a->model, a->model->compiles.items[step->compile], expression, NULL);
        if (!to_number(value, &size) || size > 1)
            continue;
        struct buf text = {0};
        buf_add_lit(&text, "PyTorch makes a separate version for sizes of 0 and 1: `");
        guard_readable_add(&text, expression);
        buf_addf(&text, "` is dynamic in %.*s and was %llu here.", SLICE_ARG(key_text(a, step->nearest)),
                 (unsigned long long)size);
        struct advice *advice = add_advice(a, GUARD_SIZE, &text);
        advice->expected = true;
        cite_step(advice, step);
        cite(advice, EVIDENCE_GUARDS, step->nearest, (struct slice){0});
        return;
    }
}

/* What changed is what the finding names. */
static void advise_expected(struct advising *a, const struct cause *cause) {
    struct buf text = {0};
    bool module = cause->type == GUARD_MODULE_MODE;
    if (!cause->subject.ptr || (!module && (!cause->had.ptr || !cause->has.ptr)))
        return;
    buf_add_str(&text, module ? "One version for training and one for evaluation are expected."
                              : "One version with gradients and one without are expected. To avoid the second, call "
                                "the function under one grad mode.");
    struct advice *advice = add_advice(a, cause->type, &text);
    advice->expected = true;
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (is_of(&a->chain->steps.items[i], cause))
            cite_step(advice, &a->chain->steps.items[i]);
}

/* Whether only values of attributes differ in a step of the cause. If anything else does, there is a recompile anyway.
 */
static bool has_attributes_alone(const struct advising *a, const struct cause *cause) {
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        bool alone = is_of(step, cause) && step->change_count == step->changes.count;
        for (size_t c = 1; c < step->changes.count && alone; c++)
            alone = step->changes.items[c].type == GUARD_VALUE &&
                    slice_rfind_byte(step->changes.items[c].source, '.') != SIZE_MAX;
        if (alone)
            return true;
    }
    return !a->chain->steps.count;
}

/* Handles PyTorch's own hint on integers of modules. Returns whether the cause is one; the advice is given if it saves
 * a recompile. */
static bool advise_module_integer(struct advising *a, const struct cause *cause) {
    if (slice_find(cause->example, SLICE("allow_unspec_int_on_nn_module")) == SIZE_MAX)
        return false;
    if (!has_attributes_alone(a, cause))
        return true;
    struct buf text = {0};
    size_t dot = slice_rfind_byte(cause->subject, '.');
    buf_addf(&text, "Make `%.*s` a buffer", SLICE_ARG(cause->subject));
    if (dot != SIZE_MAX)
        buf_addf(&text, " (`self.register_buffer(\"%.*s\", torch.tensor(…))`)",
                 SLICE_ARG(slice_from(cause->subject, dot + 1)));
    buf_add_lit(&text,
                ", or set `torch._dynamo.config.allow_unspec_int_on_nn_module = True`: it is an integer attribute of "
                "an `nn.Module`, which Dynamo treats as a constant.");
    struct advice *advice = add_advice(a, cause->type, &text);
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (is_of(&a->chain->steps.items[i], cause))
            cite_step(advice, &a->chain->steps.items[i]);
    return true;
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
        buf_addf(&text, " (`torch._dynamo.config.%s = %lld`)", recompile_limit_name(chain->which_limit),
                 (long long)chain->limit);
    if (raised)
        buf_addf(&text, ": a call that fits no version now raises an error%s.", by);
    else if (!compile->framed) /* up to PyTorch 2.6 */
        buf_add_lit(&text, ": a call that fits no version now runs eagerly, or raises an error with `fullgraph=True`.");
    else
        buf_add_lit(&text, ": a call that fits no version now runs eagerly.");
    buf_add_lit(&text, " Remove the cause of the recompiles before raising the limit.");
    struct advice *advice = add_advice(a, GUARD_OTHER, &text);
    advice->of_limit = true;
    if (failure->type.ptr)
        cite(advice, EVIDENCE_METRICS, chain->limit_compile, failure->type);
    if (chain->limit >= 0) {
        buf_addf(&says, "%s %lld", recompile_limit_name(chain->which_limit), (long long)chain->limit);
        cite(advice, EVIDENCE_METRICS, chain->limit_compile, arena_slice(a->arena, buf_slice(&says)));
    }
    buf_free(&says);
}

void recompile_advise(struct chain *chain, const struct model *model, struct arena *arena) {
    struct advising a = {chain, model, arena};
    for (size_t i = 0; i < chain->causes.count && chain->advice.count < ADVICE_MAX; i++) {
        const struct cause *cause = &chain->causes.items[i];
        if (!is_called(&a) && cause->type != GUARD_MODULE_MODE && cause->type != GUARD_GRAD_MODE)
            continue;
        switch (cause->type) {
        case GUARD_VALUE:
            if (!advise_module_integer(&a, cause))
                advise_symbolic(&a, cause);
            break;
        case GUARD_SIZE:
        case GUARD_FLOAT:
            advise_symbolic(&a, cause);
            break;
        case GUARD_RELATION:
            explain_zero_one(&a, cause);
            break;
        case GUARD_MODULE_MODE:
        case GUARD_GRAD_MODE:
            advise_expected(&a, cause);
            break;
        default:
            break;
        }
    }
    if (chain->limit_hit)
        advise_limit(&a);
}
