/* Notes on floats, and on kinds of guards that share a sentence: a version for each outcome is normal. */

#include "advice/recompile_advice.h"
#include "scan/guard_text.h"

/* Adds how a program gets a tensor in place of its number: an argument is passed, an attribute or a global is kept. */
static void add_tensor(struct buf *text, const struct advising *a, struct slice subject) {
    bool kept =
        slice_rfind_byte(subject, '.') != SIZE_MAX || slice_starts(subject, SLICE("G['")) || !is_at_hand(a, subject);
    buf_add_str(text, kept ? "Make " : "Pass ");
    advice_add_argument(text, subject);
    buf_add_str(text, kept ? " a 0-d tensor (`torch.tensor(…)`)" : " as a 0-d tensor (`torch.tensor(…)`)");
    number_kept_add(text, a->model, a->chain, subject);
}

/* The first open step that made the number dynamic; NULL: none. */
static const struct step *dynamic_step(const struct advising *a, const struct cause *cause) {
    for (size_t i = 0; i < a->chain->steps.count; i++)
        if (note_is_open(a, i, cause) && a->chain->steps.items[i].changes.items[0].symbol.ptr)
            return &a->chain->steps.items[i];
    return NULL;
}

/* The first line where Python needs the number, in the open steps; code.ptr NULL: unknown. */
static struct needed needed_in(const struct advising *a, const struct cause *cause) {
    struct needed needed = {0};
    for (size_t i = 0; i < a->chain->steps.count && !needed.code.ptr; i++)
        if (note_is_open(a, i, cause))
            needed = number_needed(a, &a->chain->steps.items[i], a->chain->steps.items[i].changes.items);
    return needed;
}

/* " Keep it a number: at clip_grad.py:157 (`max_norm = float(max_norm)`), a tensor would break the graph." */
static void add_needed(struct buf *text, const struct needed *needed) {
    buf_add_lit(text, " Keep it a number: at ");
    if (needed->file.ptr)
        buf_addf(text, "%.*s:%" PRIu64 " (`%.*s`)", SLICE_ARG(path_last(needed->file)), needed->line,
                 SLICE_ARG(needed->code));
    else
        buf_addf(text, "`%.*s`", SLICE_ARG(needed->code));
    buf_add_str(text,
                needed->of_operator ? ", the operator does not take a tensor." : ", a tensor would break the graph.");
}

/* Adds advice on a float that is both tested and used in computations. Returns false if the log does not show both. */
static bool advise_tested(struct advising *a, const struct cause *cause, const struct needed *needed) {
    const struct step *step = note_step(a, cause);
    struct buf text = {0};
    if (!step || needed->of_operator || !is_at_hand(a, cause->subject) ||
        !number_is_tested_input(a->model, a->model->compiles.items[step->compile], cause->subject, needed->code))
        return false;
    buf_addf(&text, "Pass `%.*s` as a 0-d tensor (`torch.tensor(…)`), and the result of its test",
             SLICE_ARG(cause->subject));
    if (needed->file.ptr)
        buf_addf(&text, " at %.*s:%" PRIu64, SLICE_ARG(path_last(needed->file)), needed->line);
    buf_addf(
        &text,
        " (`%.*s`) as an argument of its own: the graph computes with this float, which Dynamo treats as a constant "
        "where it cannot become a tensor, and a version fits one result of the test.",
        SLICE_ARG(needed->code));
    struct advice *advice = advice_add(a, cause->type, &text);
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        if (note_is_open(a, i, cause) && a->chain->steps.items[i].change_count == 1)
            advice_count_possible(a, advice, &a->chain->steps.items[i]);
    note_cite(a, cause, advice);
    return true;
}

bool note_is_specialized(struct advising *a, const struct cause *cause) {
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        if (note_is_open(a, i, cause) && step_is_specialized(a, &a->chain->steps.items[i]))
            return true;
    return false;
}

void note_float(struct advising *a, const struct cause *cause) {
    const struct step *dynamic = dynamic_step(a, cause);
    bool again = note_is_specialized(a, cause), known = cause->had.ptr && cause->has.ptr;
    struct buf text = {0};
    if (!cause->subject.ptr || (!dynamic && !again && !known))
        return;
    struct needed needed = needed_in(a, cause);
    bool hidden = note_is_hidden(a, cause) || is_librarys(a, cause->subject);
    if (!hidden && needed.code.ptr && advise_tested(a, cause, &needed))
        return;
    if (!hidden && !needed.code.ptr) {
        add_tensor(&text, a, cause->subject);
        buf_add_lit(&text, ", unless an operator or Python needs the number itself, which would break the graph: ");
    }
    buf_addf(&text, "`%.*s` is a float, which Dynamo treats as a constant", SLICE_ARG(cause->subject));
    if (dynamic && !again)
        buf_addf(&text, " until it changes: %.*s made it dynamic (%.*s).", SLICE_ARG(compile_key(a, dynamic->compile)),
                 SLICE_ARG(dynamic->changes.items[0].symbol));
    else
        buf_addf(&text, "%s, so each value gets a version.",
                 again ? " where it cannot become a tensor in the graph" : "");
    if (!hidden && needed.code.ptr)
        add_needed(&text, &needed);
    if (hidden || needed.code.ptr) {
        note_explain(a, cause, &text);
        return;
    }
    struct advice *advice = advice_add(a, cause->type, &text);
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX && !again; i++)
        if (note_is_open(a, i, cause) && a->chain->steps.items[i].change_count == 1)
            advice_count_possible(a, advice, &a->chain->steps.items[i]);
    note_cite(a, cause, advice);
}

static bool has_state(const struct advising *a, uint32_t compile, const char *name, const char *wanted) {
    return slice_is(guard_set_get(a->model, a->model->compiles.items[compile], ASPECT_GLOBAL, (struct slice){0},
                                  slice_str(name)),
                    wanted);
}

/* Adds the meaning of dispatch keys: inference mode, transforms of torch.func, and kinds of tensors. */
static void add_keys(struct buf *text, const struct advising *a, const struct cause *cause, struct slice name) {
    const struct step *step = note_step(a, cause);
    AUTO_BUF differs = {0};
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

/* Whether the guard is on a mark that the program sets, and could set equally in every call. */
static bool is_of_mark(const struct cause *cause) {
    return cause->type == GUARD_OTHER && slice_starts(cause->first, SLICE("_dynamo_"));
}

/* Adds advice on reasons in prose, and on guards on attributes that PyTorch adds to tensors. */
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

/* Adds "d" for "list(d)[0]", the key at a position. */
static void add_keys_of(struct buf *text, struct slice name) {
    struct slice listed = text_between(name, SLICE("list("), SLICE(")["));
    buf_addf(text, "A version fits only one set of keys of `%.*s`%s: one for each is expected.",
             SLICE_ARG(listed.len ? listed : name), listed.len ? ", in one order" : "");
}

/* Adds advice on operators that contain functions, such as torch.cond. */
static void add_backend(struct buf *text, const struct advising *a) {
    bool alone = slice_find(a->chain->frame.file, SLICE("/torch/_higher_order_ops/")) != SIZE_MAX;
    buf_add_str(text, alone ? "PyTorch compiles this operator by itself when it traces for export, each time with a "
                              "backend object of its own: one version for each is expected."
                            : "A version fits only the backend that compiled it: one for each is expected.");
}

/* Whether other advice changes the inputs for which versions of the function are made. */
static bool is_advised(const struct advising *a) {
    for (size_t i = 0; i < a->chain->advice.count; i++)
        if (!a->chain->advice.items[i].expected && !a->chain->advice.items[i].of_limit)
            return true;
    return false;
}

/* Whether it is a condition on a memory layout, and other advice may lead to versions without it. */
static bool is_of_other_versions(const struct advising *a, const struct cause *cause) {
    return cause->type == GUARD_RELATION && slice_find(cause->subject, SLICE(".stride()[")) != SIZE_MAX &&
           is_advised(a);
}

static void add_condition(struct buf *text, const struct advising *a, const struct cause *cause) {
    BUF_ADD(text, "The code, or an operator, depends on `", cause->subject, "`",
            is_of_other_versions(a, cause)
                ? ". This is a condition on a memory layout, which a version may not have after the change "
                  "above."
                : ": one version for calls where it holds and one for others are expected.");
}

static void add_kind(struct buf *text, const struct advising *a, const struct cause *cause, struct slice name) {
    switch (cause->type) {
    case GUARD_RELATION:
    case GUARD_DIVISIBILITY:
        add_condition(text, a, cause);
        break;
    case GUARD_ALIAS:
        buf_addf(text, "One version for calls where `%.*s` and one for others are expected.",
                 SLICE_ARG(cause->subject));
        break;
    case GUARD_BACKEND:
        add_backend(text, a);
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

/* Adds a note on code that computes with a size repeatedly, such as a scan that halves it, and has many conditions on
 * it. */
static bool note_conditions(struct advising *a, const struct cause *cause) {
    enum { MANY = 3 };
    const struct step *step = note_step(a, cause);
    if (!step)
        return false;
    struct slice says = step->changes.items[0].has; /* x.size()[1] = 7 */
    size_t equal = slice_find(says, SLICE(" = ")), count = 0;
    if ((cause->type != GUARD_RELATION && cause->type != GUARD_DIVISIBILITY) || equal == SIZE_MAX ||
        slice_find(says, SLICE(", ")) != SIZE_MAX || step->nearest == NO_VERSION)
        return false;
    for (size_t i = 0; i < step->changes.count; i++)
        count += slice_eq(step->changes.items[i].has, says);
    if (count < MANY)
        return false;
    struct buf text = {0};
    buf_addf(&text,
             "Pad `%.*s` to a few values: %zu conditions on it in %.*s do not hold for %.*s, so that other values may "
             "need versions of their own, too, also if it is dynamic from the start.",
             SLICE_ARG(slice_first(says, equal)), count, SLICE_ARG(compile_key(a, step->nearest)),
             SLICE_ARG(slice_from(says, equal + 3)));
    note_cite(a, cause, advice_add(a, cause->type, &text));
    return true;
}

/* Whether the sentence needs the name of the guard's subject. */
static bool needs_name(enum guard_type type) {
    return type == GUARD_DEVICE || type == GUARD_DICT;
}

void note_kind(struct advising *a, const struct cause *cause) {
    struct buf text = {0}, name = {0};
    if (note_conditions(a, cause))
        return;
    note_name_add(&name, a, cause);
    if ((name.len || !needs_name(cause->type)) && (cause->subject.ptr || cause->type == GUARD_OTHER))
        add_kind(&text, a, cause, buf_slice(&name));
    buf_free(&name);
    if (text.len && (is_of_mark(cause) || is_of_other_versions(a, cause)))
        note_cite(a, cause, advice_add(a, cause->type, &text));
    else if (text.len)
        note_explain(a, cause, &text);
    else
        buf_free(&text);
}
