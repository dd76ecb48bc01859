/* findings_tested.c - graph breaks at a line that reads a number which Python tests at a later line: without the break, the
 * graph breaks at the test. The guards of what comes after the break show the test.
 *
 * Tried with PyTorch 2.15: with `capture_scalar_outputs`, the graph breaks at the test; with both lines outside of the
 * compiled function, nowhere. */
#include <inttypes.h>

#include "analysis/findings_failures.h"
#include "analysis/identity.h"
#include "base/path.h"
#include "scan/error_text.h"
#include "scan/guard_text.h"

enum { COMPILES_MAX = 1024, REASONS_MAX = 64 };

/* Whether the compile is of what comes after the break in its function. */
static bool is_after(const struct compile *compile, const struct graph_break *found) {
    uint64_t line, unused;
    struct slice function = resumed_function(compile->frame.function, &line);
    return compile->framed && line == found->place.line && slice_eq(compile->frame.file, found->place.file) &&
           slice_eq(function, resumed_function(found->place.function, &unused));
}

/* Whether the reason is a guard on a value from the broken line that a later line of the same function tests. */
static bool is_tested(struct slice reason, const struct graph_break *found, struct frame *test) {
    struct guard_failure failure = guard_failure_read(reason);
    size_t trace = slice_find(reason, SLICE("User stack trace:"));
    uint64_t unused;
    return (failure.type == GUARD_FLOAT || failure.type == GUARD_VALUE || failure.type == GUARD_RELATION) &&
           slice_starts(failure.source, SLICE("___stack")) && trace != SIZE_MAX &&
           failure_tests(guard_reason_code(reason)) && traceback_last_frame(slice_from(reason, trace), test) &&
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

struct slice failure_tested(struct findings *findings, const struct model *model, const struct graph_break *found,
                            struct slice hint, struct slice *evidence) {
    if (found->library || !found->compiles.count ||
        slice_find(hint, SLICE("config.capture_scalar_outputs")) == SIZE_MAX)
        return (struct slice){0};
    for (size_t i = found->compiles.items[0], n = 0; i < model->compiles.count && n < COMPILES_MAX; i++, n++) {
        const struct compile *compile = model->compiles.items[i];
        struct frame test;
        for (size_t r = 0; r < compile->reasons.count && r < REASONS_MAX && is_after(compile, found); r++)
            if (is_tested(compile->reasons.items[r], found, &test)) {
                *evidence = finding_say(findings, "recompile_reasons of %.*s", SLICE_ARG(compile->key));
                return say(findings, &test, guard_reason_code(compile->reasons.items[r]));
            }
    }
    return (struct slice){0};
}
