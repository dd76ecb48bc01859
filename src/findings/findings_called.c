/* findings_called.c - errors of functions that Dynamo ran while tracing.
 *
 * Dynamo runs some functions with constant arguments, such as importlib.metadata.version(), and keeps the result as a constant.
 * An exception of such a function ends the compile: Dynamo does not run the `except` of the traced code for it. */

#include "analysis/advice_words.h"
#include "findings/findings_failures.h"
#include "recompiles/chains.h"
#include "scan/library.h"

bool frame_has_own_name(const struct frame *called) {
    return called->function.len && called->function.ptr[0] != '_' && called->function.ptr[0] != '<' &&
           !slice_is(called->function, "inner") && !slice_is(called->function, "forward") &&
           !slice_is(called->function, "wrapped_func") && !slice_is(called->function, "wrapper");
}

/* "metric.update" in "y = metric.update(out)"; empty: the line does not have exactly one call. */
static struct slice only_call(struct slice code) {
    size_t end = slice_find(code, SLICE("(")), start = end;
    if (end == SIZE_MAX || slice_find(slice_from(code, end + 1), SLICE("(")) != SIZE_MAX)
        return (struct slice){0};
    while (start > 0 && (code.ptr[start - 1] == '.' || word_length(slice_make(code.ptr + start - 1, 1))))
        start--;
    return slice_make(code.ptr + start, end - start);
}

/* "`degree` at prog.py:36": the call in the line, or the function, unless its name is not specific. */
void failure_add_called(struct buf *text, const struct frame *called, const struct frame *user) {
    struct slice call = only_call(user->code);
    if (call.len || frame_has_own_name(called))
        buf_addf(text, "`%.*s`", SLICE_ARG(call.len ? call : called->function));
    else
        buf_add_lit(text, "what is called");
    buf_addf(text, " at %.*s:%" PRIu64, SLICE_ARG(path_last(user->file)), user->line);
}

struct slice failure_short_path(struct slice file) {
    static const struct slice mark = SLICE_INIT("-packages/"), python = SLICE_INIT("/lib/python3.");
    size_t at = slice_find(file, mark), of_python = slice_find(file, python);
    if (at != SIZE_MAX)
        return slice_from(file, at + mark.len);
    struct slice rest = of_python == SIZE_MAX ? (struct slice){0} : slice_from(file, of_python + python.len);
    size_t slash = slice_find(rest, SLICE("/"));
    return slash != SIZE_MAX ? slice_from(rest, slash + 1) : path_last(file);
}

/* Whether a LightningModule's training loop calls the frame. */
static bool is_of_lightning(const struct compile *compile) {
    enum { DEPTH_MAX = 256 };
    const struct stack_node *node = compile->stack;
    for (size_t depth = 0; node && depth < DEPTH_MAX; node = node->parent, depth++)
        if (slice_find(node->frame->file, SLICE("-packages/lightning/pytorch/")) != SIZE_MAX ||
            slice_find(node->frame->file, SLICE("-packages/pytorch_lightning/")) != SIZE_MAX)
            return true;
    return false;
}

static struct slice kept_out(struct findings *findings, const struct compile *compile, const struct place *place,
                             const struct place *caller) {
    const struct place *user = is_library_file(place->file) ? caller : place;
    if (!user->file.ptr)
        return (struct slice){0};
    if (is_of_lightning(compile))
        return finding_say(findings, ADVICE_LIGHTNING ". Then what %.*s:%" PRIu64 " calls is not compiled.",
                           SLICE_ARG(path_last(user->file)), user->line);
    return finding_say(findings,
                       "Call what %.*s:%" PRIu64 " calls before the compiled function, and pass its result, or wrap it "
                       "with `torch.compiler.disable()` once, outside of what is compiled.",
                       SLICE_ARG(path_last(user->file)), user->line);
}

bool failure_in_called(struct findings *findings, const struct compile *compile, const struct failure *failure,
                       const struct place *place, const struct place *caller, struct static_advice *said) {
    if (!failure->called.file.ptr || failure->backward ||
        slice_find(failure->called.file, SLICE("/torch/")) != SIZE_MAX)
        return false;
    struct slice module = failure_short_path(failure->called.file);
    static const struct slice package = SLICE_INIT("/__init__.py");
    module.len -= slice_ends(module, package) ? package.len : 0;
    said->why =
        finding_say(findings,
                    "Dynamo ran `%.*s` of %.*s while it traced this line, and the exception was raised in it, at "
                    "%.*s:%" PRIu64 ". An `except` in the code that Dynamo traces does not catch it there.",
                    SLICE_ARG(failure->called.function), SLICE_ARG(module),
                    SLICE_ARG(failure_short_path(failure->raised_at.file)), failure->raised_at.line);
    said->advice = kept_out(findings, compile, place, caller);
    said->evidence = SLICE("the traceback of the error");
    return true;
}
