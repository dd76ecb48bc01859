/* Exceptions that Dynamo observes in the traced code, and the records that follow them.
 *
 * Dynamo skips a frame that raises, and runs it eagerly. An exception of the program is raised there again; one that
 * only Dynamo's model of Python raises is not. If the log continues after the call, the program did not end. */

#include "analysis/identity.h"
#include "findings/findings_failures.h"
#include "model/export.h"
#include "scan/error_text.h"
#include "scan/guard_text.h"

/* "draft.no_fake" in "call_function draft.no_fake.default(*(…": an operator that is not PyTorch's own. */
static struct slice custom_operator(struct slice reason) {
    static const char *const own[] = {"aten", "prims", "prim", "_c10d_functional", "c10d", "inductor", "higher_order"};
    static const struct slice call = SLICE_INIT("call_function ");
    struct slice name = slice_after(reason, call);
    size_t length = 0, dots = 0, dot = 0;
    for (; length < name.len && (is_word(name.ptr[length]) || name.ptr[length] == '.'); length++)
        if (name.ptr[length] == '.' && ++dots == 2)
            dot = length;
    if (dots != 2 || length >= name.len || name.ptr[length] != '(')
        return (struct slice){0};
    name = slice_first(name, dot);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (slice_starts(name, slice_str(own[i])) && name.ptr[slice_str(own[i]).len] == '.')
            return (struct slice){0};
    return slice_starts(name, SLICE("torch.")) ? (struct slice){0} : name;
}

struct slice failure_fake_advice(struct findings *findings, struct slice text) {
    struct slice target = custom_operator(text);
    return target.len ? finding_say(findings, "Check the fake implementation of `%.*s`: only the compiler runs it.",
                                    SLICE_ARG(target))
                      : target;
}

struct slice failure_exception_title(struct findings *findings, struct slice text) {
    struct buf title = {0}, message = {0};
    struct slice type, rest, line = {0};
    if (!exception_read(text, &type, &message)) {
        buf_free(&message);
        return finding_line(findings, failure_without_frames(findings, text));
    }
    rest = slice_trim(failure_without_frames(findings, buf_slice(&message)));
    slice_next_line(&rest, &line);
    buf_add(&title, finding_cut(findings, type, TITLE_MAX));
    if (line.len)
        BUF_ADD(&title, ": ", finding_cut(findings, line, TITLE_MAX));
    buf_free(&message);
    return finding_keep(findings, &title);
}

/* Whether the node is called from the frame's call site, possibly through torch.compile's wrappers, which the stack of
 * the frame itself may leave out. */
static bool is_called_from(const struct stack_node *node, const struct stack_node *caller) {
    enum { WRAPPERS_MAX = 2 };
    const struct stack_node *parent = node->parent;
    for (size_t i = 0; parent && parent != caller && i < WRAPPERS_MAX; i++)
        if (slice_ends(parent->frame->file, SLICE("/torch/_dynamo/eval_frame.py")) ||
            slice_ends(parent->frame->file, SLICE("/torch/nn/modules/module.py")))
            parent = parent->parent;
    return parent == caller;
}

/* The line of the call of this frame that the later compile is part of; 0: it is not part of the call. */
static uint64_t line_within(const struct compile *frame, const struct compile *later) {
    for (const struct stack_node *node = later->start; node && frame->start; node = node->parent)
        if (node != frame->start && slice_eq(node->frame->file, frame->frame.file) &&
            slice_eq(node->frame->function, frame->frame.function) && is_called_from(node, frame->start->parent))
            return node->frame->line;
    return 0;
}

static bool is_called_by(const struct compile *later, const struct compile *frame) {
    for (const struct stack_node *node = later->stack ? later->stack->parent : NULL; node; node = node->parent)
        if (slice_eq(node->frame->file, frame->frame.file) && slice_eq(node->frame->function, frame->frame.function))
            return true;
    return false;
}

enum called_frames failure_called_frames(const struct model *model, const compile_list *frames) {
    enum { LATER_MAX = 256, FRAMES_MAX = 16 };
    enum called_frames found = CALLED_NONE;
    for (size_t i = 0; i < frames->count && i < FRAMES_MAX; i++) {
        const struct compile *frame = model->compiles.items[frames->items[i]];
        for (size_t k = (size_t)frame->index + 1; k < model->compiles.count && k - frame->index < LATER_MAX; k++) {
            const struct compile *later = model->compiles.items[k];
            if (!later->framed || later->process != frame->process || !is_called_by(later, frame))
                continue;
            if (compile_status(later) != STATUS_EMPTY || compile_ops_unknown(later))
                return CALLED_COMPILED;
            found = CALLED_EMPTY;
        }
        if (frame->index + LATER_MAX < model->compiles.count || frames->count > FRAMES_MAX)
            found = found == CALLED_EMPTY ? CALLED_COMPILED : found; /* others are not examined */
    }
    return found;
}

/* Whether the graph of the frame has operations of the other frame's function, so the frame calls it. */
static bool traced_into(const struct compile *frame, const struct compile *callee) {
    for (uint32_t i = 0; frame->trace && i < frame->trace->count; i++)
        if (slice_eq(frame->trace->steps[i].file, callee->frame.file) &&
            slice_eq(frame->trace->steps[i].function, callee->frame.function))
            return true;
    return false;
}

bool failure_went_on(const struct model *model, const struct compile *frame) {
    enum { LATER_MAX = 256 };
    const struct compile *next = NULL;
    for (size_t k = (size_t)frame->index + 1; !next && k < model->compiles.count && k - frame->index < LATER_MAX; k++)
        if (model->compiles.items[k]->framed && model->compiles.items[k]->process == frame->process)
            next = model->compiles.items[k];
    if (!next || !next->started || next->order <= frame->order || !next->start || !frame->start ||
        !traced_into(frame, next))
        return false;
    /* It is called from deeper in the stack */
    for (const struct stack_node *node = next->start->parent; node; node = node->parent)
        if (node->parent == frame->start->parent)
            return true;
    return false;
}

/* The line of the frame with the break, or with the call of the function that has the break; 0: unknown. */
static uint64_t line_of_break(const struct compile *frame, const struct graph_break *found) {
    for (size_t i = 0; found && i < found->stack.count; i++)
        if (slice_eq(found->stack.items[i].file, frame->frame.file) &&
            slice_eq(found->stack.items[i].function, frame->frame.function))
            return found->stack.items[i].line;
    return 0;
}

/* "gelu" of "Tensor method `gelu` is not defined on FakeTensor and …"; empty: the break is another one. */
static struct slice missing_method(const struct graph_break *found) {
    struct slice name = text_between(found->explanation, SLICE("Tensor method `"), SLICE("` is not defined on "));
    bool missing = slice_is(found->reason, "Unhandled tensor method");
    return missing && name.len == word_length(name) ? name : (struct slice){0};
}

/* Whether the line continues after its call of the method: "return x.gelu().sum()". */
static bool goes_on_after(struct slice code, struct slice method) {
    size_t at = method.len ? slice_find(code, method) : SIZE_MAX, depth = 0;
    for (size_t i = at == SIZE_MAX ? code.len : at + method.len; i < code.len; i++) {
        depth += code.ptr[i] == '(';
        if (code.ptr[i] == ')' && (!depth || !--depth))
            return depth == 0 && slice_trim(slice_from(code, i + 1)).len > 0;
    }
    return false;
}

/* Whether more code of the frame follows, which Dynamo compiles when the program reaches it. None follows if the frame
 * returns the result of the line. */
static bool has_code_after(const struct graph_break *found, const struct compile *frame) {
    uint64_t unused;
    struct slice function = resumed_function(frame->frame.function, &unused);
    for (size_t i = 0; i < found->stack.count; i++) {
        const struct frame *at = &found->stack.items[i];
        struct slice code = slice_trim(at->code);
        if (slice_eq(at->file, frame->frame.file) && slice_eq(at->function, function))
            return code.len && (!slice_starts(code, SLICE("return")) ||
                                (i + 1 == found->stack.count && goes_on_after(code, missing_method(found))));
    }
    return false;
}

/* Whether an earlier call compiled the rest after a break in the function. */
static bool is_resumed(const struct model *model, const struct compile *frame) {
    uint64_t line;
    struct slice function = resumed_function(frame->frame.function, &line);
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct place *other = &model->compiles.items[i]->frame;
        if (slice_eq(resumed_function(other->function, &line), function) && line &&
            slice_eq(other->file, frame->frame.file) && model->compiles.items[i] != frame)
            return true;
    }
    return false;
}

/* Whether another process compiled anything after it. */
static bool is_followed(const struct model *model, const struct compile *last) {
    for (size_t i = 0; i < model->compiles.count; i++)
        if (model->compiles.items[i]->framed && model->compiles.items[i]->order > last->order)
            return true;
    return false;
}

bool failure_is_last(const struct model *model, const struct graph_break *found, const compile_list *split) {
    const struct compile *last = split->count ? model->compiles.items[split->items[split->count - 1]] : NULL;
    return last && last->has_metrics && last->started && !last->failed && !last->has_backward_metrics &&
           aftermath_of(model, split, NULL) == AFTER_NOTHING && !is_followed(model, last) &&
           has_code_after(found, last) && !is_resumed(model, last);
}

bool failure_is_unfinished(const struct model *model, const struct graph_break *found, uint32_t place) {
    const struct compile *frame = model->compiles.items[place];
    const compile_list one = {.items = &place, .count = 1};
    return frame->started && !frame->failed && aftermath_of(model, &one, found) == AFTER_NOTHING &&
           has_code_after(found, frame) && !is_resumed(model, frame);
}

struct slice failure_missing_method(struct findings *findings, const struct graph_break *found) {
    struct slice name = missing_method(found);
    struct slice on = name.len
                        ? slice_from(found->explanation, slice_find(found->explanation, SLICE("` is not defined on ")) +
                                                             sizeof "` is not defined on " - 1)
                        : name;
    on = slice_first(on, word_length(on));
    if (!on.len)
        return on;
    if (slice_is(on, "FakeTensor")) /* a class derived from it */
        on = SLICE("torch.Tensor");
    return finding_say(findings,
                       "Check the name of the method: `%.*s` has no `%.*s`. Python calls it outside of the graph, and "
                       "raises AttributeError, unless the program has set it on this tensor.",
                       SLICE_ARG(on), SLICE_ARG(name));
}

enum aftermath aftermath_of(const struct model *model, const compile_list *list, const struct graph_break *found) {
    enum { LATER_MAX = 4096, FRAMES_MAX = 16 };
    if (!list->count)
        return AFTER_NOTHING;
    const struct compile *last = model->compiles.items[list->items[list->count - 1]];
    int64_t place = last->failure >= 0 ? last->failure : last->backward_failure;
    uint32_t framed = place >= 0 ? model->failures.items[place].framed : last->order + 1;
    size_t from = list->count > FRAMES_MAX ? list->count - FRAMES_MAX : 0;
    for (size_t i = (size_t)last->index + 1; i < model->compiles.count && i - last->index < LATER_MAX; i++) {
        const struct compile *later = model->compiles.items[i];
        uint64_t line = 0;
        if (!later->framed || !later->started || later->order < framed || later->process != last->process)
            continue;
        for (size_t k = from; found && k < list->count && !line; k++) {
            const struct compile *frame = model->compiles.items[list->items[k]];
            line = line_within(frame, later);
            if (line && line_of_break(frame, found) && line > line_of_break(frame, found))
                return AFTER_INSIDE;
        }
        if (!line)
            return AFTER_OUTSIDE;
    }
    return AFTER_NOTHING;
}

/* " run eagerly from then on, …": after an exception, Dynamo skips the code object in all of its versions. */
static void add_from_then_on(struct buf *why, const struct model *model, const compile_list *eager, size_t names) {
    bool versions = false;
    for (size_t i = 0; i < eager->count; i++)
        versions |= model->compiles.items[eager->items[i]]->frame_compile_id > 0;
    buf_addf(why, "%s eagerly from then on%s.", names == 1 ? " runs" : " run",
             versions ? ", also in calls that fit an earlier version" : "");
}

/* The highest frame id in the process up to this compile: each new frame gets the next id. */
static int64_t last_frame_id(const struct model *model, const struct compile *compile) {
    enum { EARLIER_MAX = 1024 };
    int64_t most = compile->frame_id;
    for (size_t i = compile->index; i-- > 0 && compile->index - i < EARLIER_MAX;) {
        const struct compile *earlier = model->compiles.items[i];
        if (!earlier->framed || earlier->process != compile->process || earlier->resets != compile->resets)
            continue;
        most = earlier->frame_id > most ? earlier->frame_id : most;
        if (earlier->frame_compile_id == 0)
            return most;
    }
    return most;
}

/* Adds functions that were part of its graphs and have separate frames since then. Returns whether there are any. */
static bool add_since(struct findings *findings, struct buf *why, const struct model *model,
                      const compile_list *eager) {
    enum { LATER_MAX = 1024 };
    const struct compile *last = model->compiles.items[eager->items[eager->count - 1]];
    const int64_t known = last_frame_id(model, last);
    compile_list since = {0};
    int64_t us = 0;
    for (size_t i = (size_t)last->index + 1; i < model->compiles.count && i - last->index < LATER_MAX; i++) {
        const struct compile *later = model->compiles.items[i];
        if (!later->framed || later->process != last->process || later->resets != last->resets ||
            later->frame_id <= known || later->time_us <= 0 || !is_called_by(later, last))
            continue;
        us += later->time_us;
        failure_add_place(findings, &since, later->index);
    }
    if (!since.count)
        return false;
    buf_add_lit(why, " What it calls has frames of its own since then: ");
    finding_add_functions(why, model, since.items, since.count);
    buf_addf(why, ", %zu compile%s, ", since.count, since.count == 1 ? "" : "s");
    finding_add_duration(why, us);
    buf_add_byte(why, '.');
    return true;
}

/* An exception on a line without a `raise`: Dynamo may be wrong. It counts as a graph break, as PyTorch calls it. */
static void describe_observed(struct findings *findings, struct finding *finding, struct buf *why, enum aftermath after,
                              bool several) {
    finding->kind = FINDING_GRAPH_BREAK;
    finding->title = finding_say(findings, "Dynamo could not trace this line: %.*s", SLICE_ARG(finding->title));
    switch (after) {
    case AFTER_NOTHING:
        failure_add_sentence(why, "The line raises it again there, unless only Dynamo is wrong.");
        failure_add_sentence(why, several ? "The log has no compile after the last of them."
                                          : "The log has no later compile.");
        return;
    case AFTER_OUTSIDE:
        failure_add_sentence(why, "The log goes on: the program caught the exception, or only Dynamo raised it.");
        break;
    case AFTER_INSIDE:
        failure_add_sentence(why, "The log goes on after this line: nothing was raised to the program.");
        break;
    }
    finding->impact = IMPACT_EVERY_STEP;
}

/* Describes an exception of an operation that Dynamo ran with fake tensors: "RuntimeError("… failed to run FX node with
 * fake tensors: …: got ValueError('no')")" is about the latter. */
static void describe_fake(struct findings *findings, const struct model *model, struct finding *finding,
                          const struct graph_break *found, struct buf *why) {
    static const struct slice got = SLICE_INIT(": got ");
    struct slice type;
    AUTO_BUF message = {0};
    bool read = exception_read(found->raised, &type, &message);
    struct slice text = read ? buf_slice(&message) : found->raised;
    size_t at = slice_find(text, got);
    if (at != SIZE_MAX)
        finding->title = failure_exception_title(findings, slice_trim(slice_from(text, at + got.len)));
    finding->message = finding_message(findings, failure_without_frames(findings, text));
    struct static_advice constant =
        failure_static_sizes(findings, model, found->compiles.items, found->compiles.count, text);
    finding->advice = constant.advice.len ? constant.advice : failure_fake_advice(findings, text);
    if (finding->advice.len)
        finding->evidence = constant.advice.len ? constant.evidence : SLICE("the exception's message");
    if (constant.why.len)
        BUF_ADD(why, constant.why, " ");
}

bool raised_describe(struct findings *findings, struct finding *finding, const struct model *model,
                     const struct graph_break *found, const compile_list *split, const compile_list *eager) {
    bool assertion = graph_break_is_assertion(found), own = graph_break_is_raised(found);
    const compile_list *compiles = eager->count ? eager : split;
    if (!assertion && (!found->raised.len || !eager->count))
        return false;
    enum aftermath after = aftermath_of(model, compiles, found);
    struct buf why = {0};
    finding->kind = FINDING_USER_ERROR;
    finding->severity = SEVERITY_ERROR;
    finding->impact = after == AFTER_NOTHING ? IMPACT_STOPS : IMPACT_EVERY_STEP;
    finding->id = found->gb_id;
    finding->title = assertion
                       ? finding_say(findings, "Assertion fails: %.*s",
                                     SLICE_ARG(slice_first(slice_from(finding->code, sizeof "assert " - 1), TITLE_MAX)))
                       : failure_exception_title(findings, found->raised);
    bool fake = graph_break_is_fake(found);
    struct buf constant = {0};
    if (fake)
        describe_fake(findings, model, finding, found, &constant);
    BUF_ADD(&why,
            assertion               ? "The condition is False while Dynamo traces "
            : own && found->library ? "A library raised it while Dynamo traced "
            : own                   ? "Your code raised it while Dynamo traced "
            : fake ? "The operation raised it when Dynamo ran it with fake tensors, which have sizes and no data. "
                   : "Dynamo raised it when it traced this line. ",
            buf_slice(&constant));
    buf_free(&constant);
    size_t names = finding_add_functions(&why, model, compiles->items, compiles->count);
    if (!assertion && !own) {
        add_from_then_on(&why, model, compiles, names);
        describe_observed(findings, finding, &why, after, compiles->count > 1);
        finding->why = finding_keep(findings, &why);
        return true;
    }
    buf_add_str(&why, assertion ? ": Dynamo stops at the line, and Python raises AssertionError there."
                                : ", which did not compile.");
    if (!found->library)
        failure_add_sentence(&why, "This is not a limitation of the compiler.");
    if (after != AFTER_NOTHING)
        failure_add_sentence(&why, "The log goes on: it did not end the program.");
    if (eager->count) {
        buf_add_str(&why, after != AFTER_NOTHING ? " The code" : " If the program catches it, the code");
        add_from_then_on(&why, model, eager, 1);
        if (!add_since(findings, &why, model, eager) && own && after != AFTER_NOTHING)
            finding->handled = true;
    }
    if (eager->count && (own || assertion)) {
        finding->advice =
            SLICE("If the program expects this exception, raise it before it calls the compiled function.");
        finding->evidence =
            after != AFTER_NOTHING ? SLICE("the exception, and the compiles after it") : SLICE("the exception");
    }
    finding->why = finding_keep(findings, &why);
    return true;
}
