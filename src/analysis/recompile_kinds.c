/* Notes on floats, and on kinds of guards for which there is one sentence: a version for each outcome is normal. */
#include "analysis/recompile_advice.h"
#include "base/buf.h"
#include "base/path.h"
#include "base/renames.h"
#include "scan/guard_text.h"
#include "scan/library.h"

/* How a program gets a tensor in place of what it has: an argument is passed, an attribute or a global is kept. */
static void add_tensor(struct buf *text, const struct advising *a, struct slice subject) {
    bool kept =
        slice_rfind_byte(subject, '.') != SIZE_MAX || slice_starts(subject, SLICE("G['")) || !is_at_hand(a, subject);
    buf_add_str(text, kept ? "Make " : "Pass ");
    advice_add_argument(text, subject);
    buf_add_str(text, kept ? " a 0-d tensor (`torch.tensor(…)`)" : " as a 0-d tensor (`torch.tensor(…)`)");
}

/* The first open step that made the number dynamic; NULL: none. */
static const struct step *dynamic_step(const struct advising *a, const struct cause *cause) {
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (note_is_open(a, i, cause) && a->chain->steps.items[i].changes.items[0].symbol.ptr)
            return &a->chain->steps.items[i];
    return NULL;
}

/* Whether the number was a symbol that became a constant again. */
static bool is_specialized_again(struct advising *a, const struct cause *cause) {
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        if (note_is_open(a, i, cause) && step_is_specialized(a, &a->chain->steps.items[i]))
            return true;
    return false;
}

void note_float(struct advising *a, const struct cause *cause) {
    const struct step *dynamic = dynamic_step(a, cause);
    bool again = is_specialized_again(a, cause), known = cause->had.ptr && cause->has.ptr;
    struct buf text = {0};
    if (!cause->subject.ptr || (!dynamic && !again && !known))
        return;
    bool hidden = note_is_hidden(a, cause);
    if (!hidden) {
        add_tensor(&text, a, cause->subject);
        buf_add_lit(&text, ", unless an operator or Python needs the number itself, which breaks the graph then: ");
    }
    buf_addf(&text, "`%.*s` is a float, which Dynamo treats as a constant", SLICE_ARG(cause->subject));
    if (dynamic && !again)
        buf_addf(&text, " until it changes: %.*s made it dynamic (%.*s).", SLICE_ARG(compile_key(a, dynamic->compile)),
                 SLICE_ARG(dynamic->changes.items[0].symbol));
    else
        buf_addf(&text, "%s, so each value gets a version.",
                 again ? " where it cannot become a tensor in the graph" : "");
    if (hidden)
        note_explain(a, cause, &text);
    else
        note_cite(a, cause, advice_add(a, cause->type, &text));
}

static bool has_state(const struct advising *a, uint32_t compile, const char *name, const char *wanted) {
    return slice_is(guard_set_get(a->model, a->model->compiles.items[compile], ASPECT_GLOBAL, (struct slice){0},
                                  slice_str(name)),
                    wanted);
}

/* Inference mode, transforms of torch.func, and kinds of tensors: what dispatch keys are of. */
static void add_keys(struct buf *text, const struct advising *a, const struct cause *cause, struct slice name) {
    const struct step *step = note_step(a, cause);
    struct buf differs = {0};
    guard_keys_differ(&differs, cause->had, cause->has);
    if (guard_keys_are_of_inference(buf_slice(&differs))) {
        buf_add_lit(text, "One version for `torch.inference_mode()` and one for other calls are expected. To have one, "
                          "make the tensors and call the function in one mode");
        bool without = step && step->nearest != NO_VERSION && has_state(a, step->compile, "grad_mode", "False") &&
                       has_state(a, step->nearest, "grad_mode", "False");
        buf_add_str(text, without ? ": always `torch.inference_mode()`, or always `torch.no_grad()`." : ".");
    } else if (slice_find(buf_slice(&differs), SLICE("FuncTorch")) != SIZE_MAX) {
        buf_add_lit(text, "One version for calls under a transform of `torch.func`, such as `vmap`, and one for other "
                          "calls are expected.");
    } else {
        buf_addf(text, "A version fits only one kind of tensor for `%.*s` (%.*s): one for each is expected.",
                 SLICE_ARG(name), SLICE_ARG(buf_slice(&differs)));
    }
    buf_free(&differs);
}

static void add_setting(struct buf *text, struct slice name) {
    static const struct slice cast = SLICE_INIT("autocast(");
    if (slice_starts(name, cast) && slice_ends(name, SLICE("_enabled")))
        buf_add_lit(text, "One version with autocast and one without are expected.");
    else
        buf_addf(text, "A version fits only the value of `%.*s` that it was compiled under: one for each is expected.",
                 SLICE_ARG(name));
}

static bool has_other_type(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (step->changes.items[i].type == GUARD_TYPE)
            return true;
    return false;
}

/* Reasons in prose, and guards on what PyTorch adds to a tensor. */
static void add_prose(struct buf *text, struct slice guard, const struct step *step) {
    if (slice_starts(guard, SLICE("___check_torch_function_mode_stack()")))
        buf_add_lit(text, "A version fits only one stack of torch function modes (`with torch.device(…)`, "
                          "`torch.set_default_device()`): one for each is expected.");
    else if (slice_starts(guard, SLICE("__dtensor_spec_")))
        buf_add_lit(text, "A version fits only one mesh, shape and placement of a DTensor: one for each is expected.");
    else if (slice_starts(guard, SLICE("___check_metadata_")))
        buf_add_lit(text, "A version fits only one context of a tensor subclass (`__tensor_flatten__()`): one for each "
                          "is expected.");
    else if (slice_starts(guard, SLICE("_dynamo_")))
        buf_add_lit(text, NOTE_MARK);
    else if (slice_starts(guard, SLICE("Cache line invalidated because ")) && step && has_other_type(step))
        buf_add_lit(text, "One version for each class of the object is expected.");
}

/* "d" of "list(d)[0]", the key at a place */
static void add_keys_of(struct buf *text, struct slice name) {
    struct slice listed = text_between(name, SLICE("list("), SLICE(")["));
    buf_addf(text, "A version fits only one set of keys of `%.*s`%s: one for each is expected.",
             SLICE_ARG(listed.len ? listed : name), listed.len ? ", in one order" : "");
}

static void add_kind(struct buf *text, const struct advising *a, const struct cause *cause, struct slice name) {
    switch (cause->type) {
    case GUARD_RELATION:
    case GUARD_DIVISIBILITY:
        buf_addf(text,
                 "The code, or an operator, depends on `%.*s`: one version for calls where it holds and one for others "
                 "are expected.",
                 SLICE_ARG(cause->subject));
        break;
    case GUARD_ALIAS:
        buf_addf(text, "One version for calls where `%.*s` and one for others are expected.",
                 SLICE_ARG(cause->subject));
        break;
    case GUARD_BACKEND:
        buf_add_lit(text, "A version fits only the backend that compiled it: one for each is expected.");
        break;
    case GUARD_DEVICE:
        buf_addf(text, "A version fits only one device of `%.*s`: one for each is expected.", SLICE_ARG(name));
        break;
    case GUARD_DICT:
        add_keys_of(text, name);
        break;
    case GUARD_DISPATCH_KEY:
        if (cause->had.ptr && cause->has.ptr)
            add_keys(text, a, cause, name);
        break;
    case GUARD_GLOBAL_STATE:
        add_setting(text, cause->subject);
        break;
    case GUARD_OTHER:
        add_prose(text, cause->first, note_step(a, cause));
        break;
    case GUARD_GRAD_MODE:
    case GUARD_MODULE_MODE:
        buf_add_lit(text, "A version fits only the modes that it was compiled under: one for each combination is "
                          "expected.");
        break;
    default:
        break;
    }
}

/* Whether the sentence needs the name of what the guard is on. */
static bool needs_name(enum guard_type type) {
    return type == GUARD_DEVICE || type == GUARD_DICT;
}

void note_kind(struct advising *a, const struct cause *cause) {
    struct buf text = {0}, name = {0};
    note_name_add(&name, a, cause);
    if ((name.len || !needs_name(cause->type)) && (cause->subject.ptr || cause->type == GUARD_OTHER))
        add_kind(&text, a, cause, buf_slice(&name));
    buf_free(&name);
    if (slice_starts(buf_slice(&text), SLICE("Mark ")))
        note_cite(a, cause, advice_add(a, cause->type, &text));
    else if (text.len)
        note_explain(a, cause, &text);
    else
        buf_free(&text);
}

/* The first change of the step that dynamic numbers do not prevent; NULL: there is none, or a number stayed constant. */
static const struct guard_change *other_than_numbers(const struct step *step) {
    if (!step->changes.items[0].symbol.ptr)
        return NULL;
    for (size_t i = 1; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        bool number = change->type == GUARD_SIZE || (change->type == GUARD_VALUE && change->symbol.ptr);
        if (number && !change->symbol.ptr)
            return NULL;
        if (!number && change->type != GUARD_STRIDE)
            return change->source.ptr ? change : NULL;
    }
    return NULL;
}

static bool is_zero_or_one(struct slice value) {
    return slice_is(value, "0") || slice_is(value, "1");
}

void note_other(struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    const struct guard_change *other = step ? other_than_numbers(step) : NULL;
    bool least = step && step->nearest != NO_VERSION && step->change_count == 1 && cause->type == GUARD_VALUE &&
                 step->changes.items[0].symbol.ptr && is_zero_or_one(step->changes.items[0].had);
    struct buf text = {0};
    if (least) {
        buf_addf(&text, "`%.*s` was %.*s in %.*s: before PyTorch 2.15, an integer of 0 or 1 is always a constant.",
                 SLICE_ARG(cause->subject), SLICE_ARG(step->changes.items[0].had),
                 SLICE_ARG(compile_key(a, step->nearest)));
        note_explain(a, cause, &text);
    }
    if (!other)
        return;
    buf_addf(&text, "Dynamic numbers do not save %.*s: `%.*s` differs, too.", SLICE_ARG(compile_key(a, step->compile)),
             SLICE_ARG(other->source));
    note_explain(a, cause, &text);
}

/* "config.kind" for an attribute that was None, False or not set; nothing for others, and for private ones. */
static void add_unset(struct buf *out, const struct guard_change *change) {
    static const struct slice members = SLICE_INIT(".__dict__");
    struct guard_fact fact = guard_key_read(change->key);
    bool value = change->type == GUARD_TYPE || change->type == GUARD_VALUE;
    if (value && (slice_is(change->had, "None") || slice_is(change->had, "False")))
        guard_readable_add(out, fact.source);
    else if (fact.aspect == ASPECT_KEY && slice_is(change->had, "False") && slice_ends(fact.source, members)) {
        guard_readable_add(out, slice_first(fact.source, fact.source.len - members.len));
        buf_addf(out, ".%.*s", (int)(fact.detail.len - 2), fact.detail.ptr + 1);
    }
    if (slice_rfind_byte(buf_slice(out), '.') == SIZE_MAX || slice_find(buf_slice(out), SLICE("._")) != SIZE_MAX)
        out->len = 0;
}

/* Adds the one attribute that was set in the step, where sizes changed otherwise. Returns false if there is none. */
static bool add_set_beside(struct buf *out, const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->type == GUARD_SIZE && change->symbol.ptr)
            continue;
        bool second = out->len;
        if (!second)
            add_unset(out, change);
        if (second || !out->len)
            return false;
    }
    return out->len && step->change_count == step->changes.count && step->nearest != NO_VERSION;
}

/* The weight whose size changed; NULL: none. */
static const struct guard_change *other_weight(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (step->changes.items[i].type == GUARD_SIZE && is_weight(guard_key_read(step->changes.items[i].key).source))
            return &step->changes.items[i];
    return NULL;
}

static bool has_other_mark(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (slice_find(step->changes.items[i].source, SLICE("._dynamo_")) != SIZE_MAX)
            return true;
    return false;
}

/* Versions for modules of one class, with weights of other sizes: one sentence for all of them. */
static bool note_modules(struct advising *a, const struct step *step) {
    const struct guard_change *weight = other_weight(step);
    struct advice *advice = NULL;
    if (!weight || step->nearest == NO_VERSION || has_other_mark(step))
        return false;
    struct buf text = {0};
    buf_addf(&text,
             "%.*s is for another module than %.*s, with weights of another size (`%.*s`), which are never dynamic",
             SLICE_ARG(compile_key(a, step->compile)), SLICE_ARG(compile_key(a, step->nearest)),
             SLICE_ARG(weight->source));
    struct slice source = guard_key_read(weight->key).source; /* `self`: each module was compiled by itself */
    if (version_of(a) >= ISOLATION_SINCE && slice_starts(source, SLICE("L['self']")))
        buf_add_lit(&text, "; `torch.compile(…, isolate_recompiles=True)` gives each module versions of its own");
    buf_add_lit(&text, ": one version for each is expected.");
    advice = advice_add(a, GUARD_SIZE, &text);
    advice->expected = true;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        if (!a->said[i] && !a->fixed[i] && other_weight(&a->chain->steps.items[i]))
            advice_cite_part(a, advice, &a->chain->steps.items[i]);
    return true;
}

static void add_size(struct buf *text, struct advising *a, const struct step *step) {
    const struct guard_change *constant = specialized_change(a, step);
    if (has_other_mark(step))
        buf_add_lit(text, NOTE_MARK);
    else if (constant)
        buf_addf(text,
                 "The line where `%.*s` is specialized needs a number, as a Python loop does, so each size gets a "
                 "version: change that line, or pad to a few sizes.",
                 SLICE_ARG(constant->source));
}

void note_size(struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    struct buf text = {0}, name = {0};
    if (!step)
        return;
    if (add_set_beside(&name, step))
        buf_addf(&text,
                 "In %.*s, `%.*s` is set, unlike in %.*s. If a call sets it, set it before the first call: only sizes "
                 "change then, which can be dynamic.",
                 SLICE_ARG(compile_key(a, step->compile)), SLICE_ARG(buf_slice(&name)),
                 SLICE_ARG(compile_key(a, step->nearest)));
    else if (note_modules(a, step)) {
        buf_free(&name);
        return;
    } else
        add_size(&text, a, step);
    if (text.len)
        note_cite(a, cause, advice_add(a, cause->type, &text));
    else
        note_other(a, cause);
    buf_free(&name);
}

static bool is_of_stack(const struct guard_change *change) {
    return slice_find(change->source, SLICE("___stack")) != SIZE_MAX;
}

/* Whether the step differs in a value from before the graph break after which the function goes on. */
static bool has_stack(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (is_of_stack(&step->changes.items[i]))
            return true;
    return false;
}

bool step_is_of_stack(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (!is_of_stack(&step->changes.items[i]))
            return false;
    return step->changes.count > 0;
}

void advise_stack(struct advising *a) {
    struct place frame = a->chain->frame;
    size_t at = slice_rfind_byte(frame.function, '_');
    struct advice *advice = NULL;
    if (!name_is_resumed(frame.function) || at == SIZE_MAX || is_library_file(frame.file))
        return;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (a->said[i] || a->fixed[i] || !has_stack(step))
            continue;
        if (!advice) {
            struct buf text = {0};
            buf_addf(&text,
                     "Fix the graph break at %.*s:%.*s first: without it, its values (`___stack…`) have no guards.",
                     SLICE_ARG(path_last(frame.file)), SLICE_ARG(slice_from(frame.function, at + 1)));
            advice = advice_add(a, step->changes.items[0].type, &text);
        }
        advice_cite_part(a, advice, step);
    }
}
