/* Errors of the C++ compiler: whose code it is, and what to do. */
#include <inttypes.h>

#include "analysis/findings_failures.h"
#include "scan/compiler_error.h"

/* The nearest earlier version of the function that compiled without symbols for sizes; NULL: none. */
static const struct compile *static_version(const struct model *model, const struct compile *compile) {
    enum { EARLIER_MAX = 1024 };
    for (uint32_t i = compile->index; i-- > 0 && compile->index - i < EARLIER_MAX;) {
        const struct compile *earlier = model->compiles.items[i];
        if (earlier->process == compile->process && earlier->frame_id == compile->frame_id &&
            earlier->epoch == compile->epoch && !earlier->failed && earlier->graph.graphs &&
            !earlier->shapes[SHAPE_SYMBOL].count)
            return earlier;
    }
    return NULL;
}

/* Inductor wrote what does not compile. A version with constant sizes may avoid it, if an earlier one compiled. */
static void describe_generated(struct findings *findings, const struct model *model, const struct compile *compile,
                               struct finding *finding) {
    const struct compile *earlier = compile->shapes[SHAPE_SYMBOL].count ? static_version(model, compile) : NULL;
    finding->why = SLICE("Inductor wrote this C++ code: the error is in PyTorch, not in your code.");
    if (!earlier)
        return;
    finding->advice = finding_say(findings,
                                  "Try `torch.compile(dynamic=False)`: [%.*s] compiled, with constant sizes, and this "
                                  "compile has dynamic ones.",
                                  SLICE_ARG(earlier->key));
    finding->evidence = SLICE("the compiler's output, and the symbols of the compile");
}

bool failure_describe_compiler(struct findings *findings, const struct model *model, const struct compile *compile,
                               struct slice reason, struct finding *finding) {
    struct compiler_error found;
    if (!compiler_error_read(reason, &found))
        return false;
    struct slice message = finding_line(findings, found.message);
    finding->title = finding_say(findings, "%s: %.*s",
                                 found.generated ? "Inductor's C++ code does not compile" : "The C++ compiler failed",
                                 SLICE_ARG(message));
    finding->message = finding_message(findings, found.excerpt);
    if (found.missing.ptr) {
        finding->why = SLICE("The compiler did not find it on this machine: the code is not at fault.");
        finding->advice =
            finding_say(findings, "Install what has `%.*s`%s.", SLICE_ARG(finding_line(findings, found.missing)),
                        slice_is(found.missing, "Python.h") ? ", Python's files for development" : "");
        finding->evidence = SLICE("the compiler's output");
    } else if (found.killed) {
        finding->why = SLICE("The system ended the compiler, as it does when memory runs out.");
    } else if (found.generated) {
        describe_generated(findings, model, compile, finding);
    }
    return true;
}
