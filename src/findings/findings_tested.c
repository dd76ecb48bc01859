/* findings_tested.c - graph breaks at a line that reads a number, or creates a size, that Python tests on a later line:
 * without the break, the graph would break at the test. The guards of the code after the break show the test.
 *
 * Tried with PyTorch 2.15: with `capture_scalar_outputs` or `capture_dynamic_output_shape_ops`, the graph breaks at the test;
 * with both lines outside of the compiled function, nowhere. */

#include "analysis/break_lines.h"
#include "analysis/identity.h"
#include "findings/findings_failures.h"
#include "scan/error_text.h"
#include "scan/guard_text.h"

enum { COMPILES_MAX = 1024, REASONS_MAX = 64 };

/* Whether the compile is of the code after the break in its function. */
static bool is_after(const struct compile *compile, const struct graph_break *found) {
    uint64_t line, unused;
    struct slice function = resumed_function(compile->frame.function, &line);
    return compile->framed && line == found->place.line && slice_eq(compile->frame.file, found->place.file) &&
           slice_eq(function, resumed_function(found->place.function, &unused));
}

/* Whether the reason is a guard on a value from the broken line, in a later line of the same function that tests it. */
static bool is_tested(struct slice reason, const struct graph_break *found, struct frame *test) {
    struct guard_failure failure = guard_failure_read(reason);
    size_t trace = slice_find(reason, SLICE("User stack trace:"));
    uint64_t unused;
    return (failure.type == GUARD_FLOAT || failure.type == GUARD_VALUE || failure.type == GUARD_RELATION) &&
           slice_starts(failure.source, SLICE("___stack")) && trace != SIZE_MAX &&
           line_tests(guard_reason_code(reason)) && traceback_last_frame(slice_from(reason, trace), test) &&
           slice_eq(test->file, found->place.file) && test->line > found->place.line &&
           slice_eq(resumed_function(test->function, &unused), resumed_function(found->place.function, &unused));
}

static struct slice say(struct findings *findings, const struct frame *test, struct slice code) {
    return finding_say(findings,
                       "Python tests the number at %.*s:%" PRIu64
                       " (`%.*s`): return the tensor, and move both lines out of the compiled function, or, if both "
                       "branches only compute tensors, use `torch.where`. PyTorch's hint, "
                       "`torch._dynamo.config.capture_scalar_outputs = True`, does not help: the graph breaks at that "
                       "test, too.",
                       SLICE_ARG(path_last(test->file)), test->line, SLICE_ARG(code));
}

/* Whether a symbol of the compile in the guard stands for a size of a value from the broken line. */
static bool is_of_stack(const struct compile *compile, struct slice guard) {
    enum { SYMBOLS_MAX = 256 };
    const struct shape_record *symbol = compile->shapes[SHAPE_SYMBOL].first;
    for (size_t i = 0; symbol && i < SYMBOLS_MAX; symbol = symbol->next, i++)
        if (slice_starts(symbol->source, SLICE("L['___stack")) && has_word(guard, symbol->symbol))
            return true;
    return false;
}

/* The later line in the same function that tests such a size; NULL: none. */
static const struct frame *size_test(const struct compile *compile, const struct graph_break *found) {
    enum { GUARDS_MAX = 1024 };
    const struct shape_record *guard = compile->shapes[SHAPE_GUARD].first;
    uint64_t unused;
    for (size_t i = 0; guard && i < GUARDS_MAX; guard = guard->next, i++) {
        const struct frame *frame = guard->user_stack ? guard->user_stack->frame : NULL;
        if (frame && frame->line > found->place.line && slice_eq(frame->file, found->place.file) &&
            line_tests(frame->code) && is_of_stack(compile, guard->text) &&
            slice_eq(resumed_function(frame->function, &unused), resumed_function(found->place.function, &unused)))
            return frame;
    }
    return NULL;
}

static struct slice say_size(struct findings *findings, const struct frame *test) {
    return finding_say(
        findings,
        "Python tests the size at %.*s:%" PRIu64
        " (`%.*s`): keep the size, with a mask and `torch.where` in place of the rows that it selects, "
        "or move both lines out of the compiled function. PyTorch's hint, "
        "`torch._dynamo.config.capture_dynamic_output_shape_ops = True`, does not help: the graph breaks "
        "at that test, too.",
        SLICE_ARG(path_last(test->file)), test->line, SLICE_ARG(slice_trim(test->code)));
}

struct slice failure_tested(struct findings *findings, const struct model *model, const struct graph_break *found,
                            struct slice hint, struct slice *evidence) {
    bool number = slice_find(hint, SLICE("config.capture_scalar_outputs")) != SIZE_MAX,
         size = slice_find(hint, SLICE("config.capture_dynamic_output_shape_ops")) != SIZE_MAX;
    if (found->library || !found->compiles.count || (!number && !size))
        return (struct slice){0};
    for (size_t i = found->compiles.items[0], n = 0; i < model->compiles.count && n < COMPILES_MAX; i++, n++) {
        const struct compile *compile = model->compiles.items[i];
        const struct frame *line = size && is_after(compile, found) ? size_test(compile, found) : NULL;
        struct frame test;
        if (line) {
            *evidence = finding_say(findings, "guard_added_fast of %.*s", SLICE_ARG(compile->key));
            return say_size(findings, line);
        }
        for (size_t r = 0; number && r < compile->reasons.count && r < REASONS_MAX && is_after(compile, found); r++)
            if (is_tested(compile->reasons.items[r], found, &test)) {
                *evidence = finding_say(findings, "recompile_reasons of %.*s", SLICE_ARG(compile->key));
                return say(findings, &test, guard_reason_code(compile->reasons.items[r]));
            }
    }
    return (struct slice){0};
}
