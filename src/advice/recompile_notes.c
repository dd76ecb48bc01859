/* Notes on values that cannot be symbols: constants, types, lengths, layouts and settings. Such advice promises no
 * savings unless a step has no other difference. */
#include "advice/recompile_advice.h"
#include "scan/guard_text.h"

static bool is_quoted(struct slice text) {
    return text.len > 1 && (text.ptr[0] == '\'' || text.ptr[0] == '"');
}

static bool is_truth(struct slice text) {
    return slice_is(text, "True") || slice_is(text, "False");
}

/* Adds advice on an attribute that is None or False at first: the log does not show where it is set. */
static void add_setting_it(struct buf *text, const struct advising *a, const struct cause *cause,
                           struct slice readable) {
    struct slice had = cause->had;
    if (note_is_attribute(readable) && !note_is_hidden(a, cause) && (slice_is(had, "None") || slice_is(had, "False")))
        buf_add_lit(text, " If a call sets it, set it before the first call.");
}

static bool is_global(struct slice readable) {
    return slice_starts(readable, SLICE("G['"));
}

/* Numbers that are global stay constant, unlike those of arguments; see wrap_literal() of PyTorch. */
static bool is_constant_global(const struct advising *a, const struct cause *cause) {
    if (!is_global(cause->subject) || cause->type != GUARD_VALUE || !is_integer(cause->had) || !is_integer(cause->has))
        return false;
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (step_is_of(&a->chain->steps.items[i], cause) && a->chain->steps.items[i].changes.items[0].symbol.ptr)
            return false;
    return true;
}

/* Whether the constants differ in all open steps of the cause. */
static bool is_constant(const struct advising *a, const struct cause *cause) {
    size_t known = 0;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct guard_change *change = &a->chain->steps.items[i].changes.items[0];
        if (!note_is_open(a, i, cause))
            continue;
        if (change->symbol.ptr)
            return false;
        known += change->had.ptr && change->has.ptr;
    }
    return known > 0;
}

/* Whether other steps of the cause have advice. */
static bool has_fix(const struct advising *a, const struct cause *cause) {
    for (size_t i = 0; i < a->chain->advice.count; i++) {
        const struct advice *advice = &a->chain->advice.items[i];
        if (!advice->expected && advice->type == cause->type && slice_find(advice->text, cause->subject) != SIZE_MAX)
            return true;
    }
    return false;
}

static void note_value(struct advising *a, const struct cause *cause) {
    const char *kind = is_quoted(cause->had) && is_quoted(cause->has) ? "string"
                     : is_truth(cause->had) && is_truth(cause->has)   ? "bool"
                                                                      : NULL;
    struct buf text = {0};
    bool hidden = note_is_hidden(a, cause);
    if (!cause->subject.ptr)
        return;
    if (kind && is_quoted(cause->had) && note_many_strings(a, cause))
        return;
    if (kind) {
        buf_addf(&text, "`%.*s` is a %s, which Dynamo treats as a constant: one version for each value is expected.",
                 SLICE_ARG(cause->subject), kind);
        add_setting_it(&text, a, cause, cause->subject);
        note_explain(a, cause, &text);
    } else if (!hidden && is_constant_global(a, cause)) {
        bool changes = note_is_changed(a, cause);
        buf_add_str(&text, changes ? "Change and read " : "Pass ");
        advice_add_argument(&text, cause->subject);
        /* a called function may belong to an autograd.Function, where a tensor raises an error in the backward */
        bool own = slice_eq(cause->place.function, a->chain->frame.function);
        buf_addf(&text, "%s%s: Dynamo treats an integer that is a global as a constant, %s.",
                 changes ? " outside of the compiled code" : " as an argument", own ? ", or make it a tensor" : "",
                 changes ? "and the compiled code changes it, so the next call fits no version"
                         : "so each of its values gets a version");
        note_cite(a, cause, advice_add(a, cause->type, &text));
    } else if (!hidden && note_is_specialized(a, cause)) {
        buf_addf(&text,
                 "The line where `%.*s` is specialized takes no symbol, for example a Python loop or an operator's "
                 "argument that must be a number, so each value gets a version: change that line, or expect one "
                 "version for each.",
                 SLICE_ARG(cause->subject));
        struct advice *advice = advice_add(a, cause->type, &text);
        advice->partial = true;
        note_cite(a, cause, advice);
    } else if (!has_fix(a, cause) && is_constant(a, cause)) {
        buf_addf(&text, "Dynamo treats `%.*s` as a constant here: one version for each value is expected.",
                 SLICE_ARG(cause->subject));
        note_explain(a, cause, &text);
    } else
        note_other(a, cause);
}

/* Whether a caller chooses between such types of a value. */
static bool is_plain_type(struct slice type) {
    static const char *const types[] = {"None", "int",   "float",
                                        "list", "tuple", "torch.Tensor",
                                        "dict", "bool",  "torch.nn.parameter.Parameter"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (slice_is(type, types[i]))
            return true;
    return false;
}

/* Whether tensors in the value require a gradient in this compile. */
static bool has_gradient(const struct advising *a, const struct step *step) {
    struct slice of = guard_key_read(step->changes.items[0].key).source, key, value;
    for (uint32_t i = 0; guard_set_fact(a->model, a->model->compiles.items[step->compile], i, &key, &value); i++) {
        struct guard_fact fact = guard_key_read(key);
        if (fact.aspect == ASPECT_GRAD && slice_starts(fact.source, of) && slice_is(value, "True"))
            return true;
    }
    return false;
}

/* A note on an argument that some calls leave out. */
static void note_none(struct advising *a, const struct cause *cause, struct slice name) {
    const struct step *step = note_step(a, cause);
    struct buf text = {0};
    buf_addf(&text,
             "A version fits only one type of `%.*s`: one for %.*s and one for %.*s are expected. To have one, pass "
             "the same type in every call.",
             SLICE_ARG(name), SLICE_ARG(cause->had), SLICE_ARG(cause->has));
    if (step && has_gradient(a, step))
        buf_addf(&text, " In %.*s, it requires a gradient, which needs a version of its own, too: detach it.",
                 SLICE_ARG(compile_key(a, step->compile)));
    note_explain(a, cause, &text);
}

/* The change of the value's length in the step of the cause; NULL: its length is the same. */
static const struct guard_change *other_length(const struct step *step, struct slice name) {
    for (size_t i = 0; step && i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->type == GUARD_LENGTH && change->had.ptr && change->has.ptr &&
            slice_eq(text_between(change->source, SLICE("len("), SLICE(")")), name))
            return change;
    }
    return NULL;
}

static void note_plain_type(struct advising *a, const struct cause *cause, struct slice name) {
    const struct step *step = note_step(a, cause);
    const struct guard_change *length = other_length(step, name);
    struct buf text = {0};
    buf_add_lit(&text, "Pass ");
    advice_add_argument(&text, name);
    buf_addf(&text, " as the same type in every call: a version for %.*s does not fit %.*s.", SLICE_ARG(cause->had),
             SLICE_ARG(cause->has));
    if (length)
        buf_addf(&text,
                 " That alone would not prevent %.*s, in which `%.*s` changed, too: each length needs a version.",
                 SLICE_ARG(compile_key(a, step->compile)), SLICE_ARG(length->source));
    struct advice *advice = advice_add(a, cause->type, &text);
    advice->expected = length != NULL;
    note_cite(a, cause, advice);
}

static void note_type(struct advising *a, const struct cause *cause) {
    struct buf text = {0}, name = {0};
    note_name_add(&name, a, cause);
    bool plain = is_plain_type(cause->had) && is_plain_type(cause->has) && is_at_hand(a, buf_slice(&name)) &&
                 !note_is_attribute(buf_slice(&name)) && is_users_name(buf_slice(&name));
    if (plain && (slice_is(cause->had, "None") || slice_is(cause->has, "None")))
        note_none(a, cause, buf_slice(&name));
    else if (plain)
        note_plain_type(a, cause, buf_slice(&name));
    else if (name.len) {
        bool gradient = slice_ends(buf_slice(&name), SLICE(".grad")) &&
                        (slice_is(cause->had, "None") || slice_is(cause->has, "None"));
        buf_addf(&text, "A version fits only one type of `%.*s`: one for %s expected.", SLICE_ARG(buf_slice(&name)),
                 gradient ? "calls that find no gradients (`None`), as after `zero_grad()`, and one for others are"
                          : "each is");
        if (!gradient)
            add_setting_it(&text, a, cause, buf_slice(&name));
        note_explain(a, cause, &text);
    }
    buf_free(&name);
}

/* Whether the step differs only in strides and their consequences. */
static bool is_of_layout(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        bool follows = change->type == GUARD_RELATION && slice_find(change->source, SLICE(".stride()[")) != SIZE_MAX;
        if (change->type != GUARD_STRIDE && !follows)
            return false;
    }
    return step->change_count == step->changes.count && step->nearest != NO_VERSION;
}

/* Whether the step differs only in conditions on strides of this tensor, which were dynamic because its layout had
 * changed. A copy has no base, whose sizes and strides a condition could involve. */
static bool is_on_layout_of(const struct step *step, struct slice name, bool copied) {
    static const struct slice base = SLICE_INIT("._base"), call = SLICE_INIT("()[");
    for (size_t i = 0; i < step->changes.count; i++) {
        struct slice rest = step->changes.items[i].source;
        if (step->changes.items[i].type != GUARD_RELATION)
            return false;
        for (size_t at; (at = slice_find(rest, call)) != SIZE_MAX; rest = slice_from(rest, at + call.len)) {
            bool stride = slice_ends(slice_first(rest, at), SLICE(".stride"));
            struct slice of = slice_first(rest, at - (stride ? strlen(".stride") : at < 5 ? at : strlen(".size")));
            bool is_base = slice_ends(of, base);
            of = is_base ? slice_first(of, of.len - base.len) : of;
            if ((is_base ? !copied : !stride) || !slice_ends(of, name) ||
                (of.len > name.len && is_word(of.ptr[of.len - name.len - 1])))
                return false;
        }
    }
    return step->changes.count && step->change_count == step->changes.count && step->nearest != NO_VERSION;
}

/* Whether the changed stride is in a dimension of size 1, which `.contiguous()` does not change. */
static bool is_of_one(const struct advising *a, const struct step *step) {
    struct guard_fact fact = guard_key_read(step->changes.items[0].key);
    const uint32_t versions[] = {step->compile, step->nearest};
    AUTO_BUF size = {0};
    bool one = false;
    buf_addf(&size, "%.*s.size()[%.*s]", SLICE_ARG(fact.source), SLICE_ARG(fact.detail));
    for (size_t i = 0; i < sizeof versions / sizeof *versions && fact.aspect == ASPECT_STRIDE; i++)
        one = one ||
              slice_is(guard_set_value(a->model, a->model->compiles.items[versions[i]], buf_slice(&size), NULL), "1");
    return one;
}

static bool is_channels_last(const struct advising *a, uint32_t compile, struct slice source) {
    const struct compile *of = a->model->compiles.items[compile];
    return slice_is(guard_set_get(a->model, of, ASPECT_RANK, (struct slice){0}, source), "4") &&
           slice_is(guard_set_get(a->model, of, ASPECT_STRIDE, SLICE("1"), source), "1") &&
           !slice_is(guard_set_get(a->model, of, ASPECT_STRIDE, SLICE("3"), source), "1");
}

/* The difference in the step besides strides that does not follow from a size; NULL: none. */
static const struct guard_change *beside_layout(const struct step *step) {
    for (size_t i = 1; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->type != GUARD_STRIDE && change->type != GUARD_RELATION && change->type != GUARD_DIVISIBILITY &&
            change->type != GUARD_SIZE && change->source.ptr)
            return change;
    }
    return NULL;
}

/* Whether every open step of the cause has another difference. Names it for the first step. */
static bool note_beside_layout(struct advising *a, const struct cause *cause, struct slice name) {
    const struct guard_change *first = NULL;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct guard_change *other = beside_layout(&a->chain->steps.items[i]);
        if (note_is_open(a, i, cause) && !other)
            return false;
        first = note_is_open(a, i, cause) && !first ? other : first;
    }
    const struct step *step = note_step(a, cause);
    struct buf text = {0};
    if (!first || !step)
        return false;
    buf_addf(&text, "One memory layout of `%.*s` does not save %.*s: `%.*s` differs, too.", SLICE_ARG(name),
             SLICE_ARG(compile_key(a, step->compile)), SLICE_ARG(first->source));
    note_explain(a, cause, &text);
    return true;
}

static void note_layout(struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    struct slice source = step ? guard_key_read(step->changes.items[0].key).source : (struct slice){0};
    struct buf text = {0}, name = {0};
    note_name_add(&name, a, cause);
    if (name.len && note_beside_layout(a, cause, buf_slice(&name))) {
        buf_free(&name);
        return;
    }
    if (!source.ptr || step->nearest == NO_VERSION || note_is_hidden(a, cause) || !is_at_hand(a, buf_slice(&name))) {
        buf_free(&name);
        return;
    }
    buf_add_lit(&text, "Pass ");
    advice_add_argument(&text, buf_slice(&name));
    buf_add_lit(&text, " in one memory layout");
    uint32_t last = is_channels_last(a, step->compile, source) ? step->compile
                  : is_channels_last(a, step->nearest, source) ? step->nearest
                                                               : NO_VERSION;
    bool copied = last == NO_VERSION && is_of_one(a, step);
    if (last != NO_VERSION)
        buf_addf(&text, ", `torch.contiguous_format` or `torch.channels_last`, which %.*s has",
                 SLICE_ARG(compile_key(a, last)));
    else if (copied)
        buf_add_lit(&text, ", with `.clone(memory_format=torch.contiguous_format)`, because `.contiguous()` keeps the "
                           "stride of a dimension of size 1");
    buf_add_lit(&text, ": a version fits only the strides that it was compiled for.");
    struct advice *advice = advice_add(a, cause->type, &text);
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if ((step_is_of(&a->chain->steps.items[i], cause) && is_of_layout(&a->chain->steps.items[i])) ||
            (last == NO_VERSION && is_on_layout_of(&a->chain->steps.items[i], buf_slice(&name), copied)))
            advice_cite_step(a, advice, &a->chain->steps.items[i]);
    if (!advice->steps)
        note_cite(a, cause, advice);
    buf_free(&name);
}

/* Whether weights of a module changed in the same way. */
static bool has_weights(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (step->changes.items[i].type == GUARD_DTYPE &&
            slice_find(guard_key_read(step->changes.items[i].key).source, SLICE("._parameters[")) != SIZE_MAX)
            return true;
    return false;
}

static void note_dtype(struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    struct buf text = {0}, name = {0};
    note_name_add(&name, a, cause);
    buf_addf(&text, "A version fits only one dtype of `%.*s`: one for each is expected.", SLICE_ARG(buf_slice(&name)));
    if (step && has_weights(step))
        buf_addf(&text, " In %.*s, parameters of the module have another dtype, too.",
                 SLICE_ARG(compile_key(a, step->compile)));
    note_explain(a, cause, &text);
    buf_free(&name);
}

static const struct {
    const char *name, *set;
} settings[] = {{"default_dtype", "torch.set_default_dtype()"},
                {"deterministic_algorithms", "torch.use_deterministic_algorithms()"},
                {"num_threads", "torch.set_num_threads()"},
                {"cuda_matmul_precision", "torch.set_float32_matmul_precision()"},
                {"allow_tf32", "torch.set_float32_matmul_precision()"}};

/* The setting that the log's name refers to; NULL: another. */
static const char *setting_of(struct slice name) {
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (slice_is(name, settings[i].name))
            return settings[i].set;
    return NULL;
}

static void note_setting(struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    const char *set = setting_of(cause->subject);
    struct buf text = {0};
    if (!step || !set) {
        note_kind(a, cause);
        return;
    }
    buf_addf(&text,
             "Call `%s` before the first call only: `%.*s` changed before %.*s, and a version fits only the setting "
             "that it was compiled under.",
             set, SLICE_ARG(cause->subject), SLICE_ARG(compile_key(a, step->compile)));
    struct advice *advice = advice_add(a, cause->type, &text);
    if (cause->count == 1 && step->change_count == 1 && step->nearest != NO_VERSION)
        advice_cite_step(a, advice, step);
    else
        note_cite(a, cause, advice);
}

static void note_gradient(struct advising *a, const struct cause *cause) {
    struct buf text = {0}, name = {0};
    note_name_add(&name, a, cause);
    if (name.len) {
        buf_addf(&text, "One version for `%.*s` that requires a gradient and one for others are expected.",
                 SLICE_ARG(buf_slice(&name)));
        if (is_at_hand(a, buf_slice(&name)) && is_users_name(buf_slice(&name)) && !note_is_attribute(buf_slice(&name)))
            buf_addf(&text, " Pass `%.*s.detach()` where none is needed.", SLICE_ARG(buf_slice(&name)));
        note_explain(a, cause, &text);
    }
    buf_free(&name);
}

static void note_rank(struct advising *a, const struct cause *cause) {
    struct buf text = {0}, name = {0};
    note_name_add(&name, a, cause);
    buf_addf(&text, "A version fits only one number of dimensions of `%.*s`: one for each is expected.",
             SLICE_ARG(buf_slice(&name)));
    note_explain(a, cause, &text);
    buf_free(&name);
}

void advise_states(struct advising *a) {
    struct advice *advice = NULL;
    for (size_t i = 0; i < a->chain->causes.count; i++) {
        const struct cause *cause = &a->chain->causes.items[i];
        if (!note_is_state(a, cause) || !is_called(a, cause) || !note_step(a, cause))
            continue;
        if (!advice) {
            struct buf text = {0};
            if (cause->type == GUARD_LENGTH && note_is_first_state(a->chain->frame.file, cause))
                buf_add_lit(&text, NOTE_FIRST_STATE);
            else
                buf_addf(&text, "The function reads attributes such as `%.*s`: one version for each state is expected.",
                         SLICE_ARG(cause->source));
            advice = advice_add(a, cause->type, &text);
            advice->expected = true;
        }
        note_cite(a, cause, advice);
    }
}

void advise_note(struct advising *a, const struct cause *cause) {
    if (note_is_state(a, cause))
        return;
    const struct step *step = cause->type == GUARD_SIZE ? NULL : note_step(a, cause); /* see note_size() */
    if (step && note_modules(a, step) && (!note_step(a, cause) || a->chain->advice.count == ADVICE_MAX))
        return;
    switch (cause->type) {
    case GUARD_VALUE:
        note_value(a, cause);
        break;
    case GUARD_FLOAT:
        note_float(a, cause);
        break;
    case GUARD_TYPE:
        note_type(a, cause);
        break;
    case GUARD_LENGTH:
        note_length(a, cause);
        break;
    case GUARD_STRIDE:
        note_layout(a, cause);
        break;
    case GUARD_DTYPE:
        note_dtype(a, cause);
        break;
    case GUARD_SIZE:
        note_size(a, cause);
        break;
    case GUARD_RANK:
        note_rank(a, cause);
        break;
    case GUARD_REQUIRES_GRAD:
        note_gradient(a, cause);
        break;
    case GUARD_GLOBAL_STATE:
        note_setting(a, cause);
        break;
    default:
        note_kind(a, cause);
        break;
    }
}
