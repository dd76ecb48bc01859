/* Numbers that a Python loop runs over: Dynamo unrolls the loop, so each number needs a version, dynamic or not. */

#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "model/equal_sizes.h"
#include "scan/error_text.h"
#include "scan/guard_text.h"
#include "scan/library.h"

enum { RECORDS_MAX = 256 /* specializations searched per compile */ };

/* The arguments of range() in the line of a for loop, or of a comprehension; ptr NULL: another line. */
static struct slice range_of(struct slice code) {
    static const struct slice calls = SLICE_INIT(" in range(");
    size_t at = slice_find(code, calls);
    if (at == SIZE_MAX || slice_find(slice_first(code, at), SLICE("for ")) == SIZE_MAX)
        return (struct slice){0};
    struct slice rest = slice_from(code, at + calls.len);
    size_t depth = 1, i = 0;
    while (i < rest.len && depth) {
        depth += rest.ptr[i] == '(';
        depth -= rest.ptr[i] == ')';
        i++;
    }
    return depth ? (struct slice){0} : slice_first(rest, i - 1);
}

/* The number of arguments that are not constants. `name`: the last one; ptr NULL: it is not a plain name, such as n //
 * 2. */
static size_t names_in(struct slice arguments, struct slice *name) {
    size_t names = 0;
    while (arguments.len) {
        size_t comma = slice_find(arguments, SLICE(","));
        struct slice one = slice_trim(slice_first(arguments, comma));
        if (!is_integer(one)) {
            bool plain = guard_operand_length(one) == one.len && slice_find(one, SLICE("(")) == SIZE_MAX;
            *name = plain ? one : (struct slice){0};
            names++;
        }
        arguments = comma == SIZE_MAX ? (struct slice){0} : slice_from(arguments, comma + 1);
    }
    return names;
}

/* Whether the line that uses the number first loops over it. A statement uses no numbers other than those of range(),
 * which may have other names in the calling function. */
static bool is_loop_over(struct slice code, struct slice number) {
    struct slice name = {0};
    size_t names = names_in(range_of(code), &name);
    return names && ((slice_starts(code, SLICE("for ")) && slice_ends(code, SLICE(":"))) ||
                     (names == 1 && slice_eq(name, number)));
}

/* The line in the step's reason, if it loops over the number. */
static struct loop loop_in_reason(const struct step *step, const struct guard_change *change) {
    struct frame frame = {0};
    if (change->type != GUARD_VALUE || change != step->changes.items || !step->reason.ptr || !step->reason_leads)
        return (struct loop){0};
    struct slice code = guard_reason_code(step->reason);
    if (!is_loop_over(code, change->source))
        return (struct loop){0};
    size_t trace = slice_find(step->reason, SLICE("User stack trace:"));
    if (trace != SIZE_MAX)
        traceback_last_frame(slice_from(step->reason, trace), &frame);
    return (struct loop){code, {.file = frame.file, .function = frame.function, .line = frame.line}};
}

/* The line at which the number was specialized, if that loops over a range. */
static struct loop loop_in_records(const struct advising *a, const struct step *step, struct slice expression) {
    const struct compile *compile = a->model->compiles.items[step->compile];
    const struct shape_record *fact = compile->shapes[SHAPE_SPECIALIZATION].first;
    for (size_t i = 0; fact && i < RECORDS_MAX; fact = fact->next, i++) {
        if (slice_find(fact->source, expression) == SIZE_MAX)
            continue;
        const struct stack_node *node = specialization_stack(compile, fact);
        struct slice name;
        if (node && names_in(range_of(node->frame->code), &name))
            return (
                struct loop){node->frame->code,
                             {.file = node->frame->file, .function = node->frame->function, .line = node->frame->line}};
    }
    return (struct loop){0};
}

struct loop loop_over(struct advising *a, const struct step *step, const struct guard_change *change) {
    if ((change->type != GUARD_VALUE && change->type != GUARD_SIZE) || is_weight(change->key))
        return (struct loop){0};
    struct loop loop = loop_in_reason(step, change);
    return loop.code.ptr ? loop : loop_in_records(a, step, change_expression(a, change));
}

/* "`for _ in range(n)` (raft.py:520)" */
static void add_loop(struct buf *text, const struct loop *loop) {
    struct slice code = loop->code;
    if (slice_ends(code, SLICE(":")))
        code = slice_first(code, code.len - 1);
    buf_addf(text, "`%.*s`", SLICE_ARG(code));
    if (loop->place.file.ptr)
        buf_addf(text, " (%.*s:%" PRIu64 ")", SLICE_ARG(path_last(loop->place.file)), loop->place.line);
}

/* Adds "each value of `n` gets a version"; for range(n // 2), each number of iterations. */
static void add_versions(struct buf *text, const struct guard_change *change, const struct loop *loop) {
    struct slice name = {0};
    if (change->type == GUARD_SIZE || (names_in(range_of(loop->code), &name) == 1 && name.ptr))
        buf_addf(text, "value of `%.*s`", SLICE_ARG(change->source));
    else
        buf_add_lit(text, "number of iterations");
}

static struct advice *advise_loop(struct advising *a, const struct guard_change *change, const struct loop *loop) {
    bool size = change->type == GUARD_SIZE, library = loop->place.file.ptr && is_library_file(loop->place.file);
    struct buf text = {0};
    if (!library)
        buf_add_str(&text, size                  ? "Pad to a few sizes, or compile the body of the loop alone: "
                           : a->chain->limit_hit ? "Compile the body of the loop alone, or raise the recompile limit: "
                                                 : "Compile the body of the loop alone, or expect several versions: ");
    buf_add_lit(&text, "Dynamo unrolls ");
    add_loop(&text, loop);
    buf_add_str(&text, library ? ": one version for each " : ", so each ");
    add_versions(&text, change, loop);
    buf_add_str(&text, library ? " is expected." : " gets a version, dynamic or not.");
    struct advice *advice = advice_add(a, change->type, &text);
    advice->expected = library;
    advice->partial = true;
    return advice;
}

/* The first number of the step that a loop runs over; NULL: none. */
static const struct guard_change *looped_change(struct advising *a, const struct step *step, struct loop *loop) {
    for (size_t i = 0; i < step->changes.count; i++) {
        *loop = loop_over(a, step, &step->changes.items[i]);
        if (loop->code.ptr)
            return &step->changes.items[i];
    }
    return NULL;
}

void advise_loops(struct advising *a) {
    struct map seen = {0}; /* line and number → index in the advice */
    AUTO_BUF key = {0};
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        struct loop loop;
        bool added;
        const struct guard_change *change =
            a->said[i] || recompile_failed(a->model, step->compile) ? NULL : looped_change(a, step, &loop);
        if (!change)
            continue;
        key.len = 0;
        buf_addf(&key, "%.*s %.*s", SLICE_ARG(change->source), SLICE_ARG(loop.code));
        uint32_t index = *map_put(&seen, buf_slice(&key), (uint32_t)a->chain->advice.count, &added);
        if (added && a->chain->advice.count == ADVICE_MAX)
            break;
        if (added)
            advise_loop(a, change, &loop);
        advice_cite_part(a, &a->chain->advice.items[index], step);
    }
    map_free(&seen);
}
