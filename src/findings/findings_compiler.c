/* Errors of the C++ compiler and of Triton: whose code it is, and advice. */

#include "findings/findings_failures.h"
#include "scan/compiler_error.h"
#include "scan/triton_error.h"

/* Inductor wrote code that does not compile. A version with constant sizes may avoid it, if an earlier one compiled. */
static void describe_generated(struct findings *findings, const struct model *model, const struct compile *compile,
                               struct finding *finding) {
    const struct compile *earlier = failure_static_version(model, compile);
    finding->why = SLICE("Inductor wrote this C++ code: the error is in PyTorch, not in your code.");
    if (!earlier)
        return;
    finding->advice = finding_say(findings,
                                  "Try `torch.compile(dynamic=False)`: [%.*s] compiled, with constant sizes, and this "
                                  "compile has dynamic ones.",
                                  SLICE_ARG(earlier->key));
    finding->evidence = SLICE("the compiler's output, and the symbols of the compile");
}

/* The only line that launches the kernel: "add_kernel[grid](x)"; NULL: none, or several. */
static const struct graph_step *launch_of(const struct compile *compile, struct slice kernel, struct arena *arena) {
    const struct graph_step *found = NULL;
    struct buf call = {0};
    buf_addf(&call, "%.*s[", SLICE_ARG(kernel));
    struct slice text = arena_keep(arena, &call);
    for (uint32_t i = 0; compile->trace && i < compile->trace->count; i++) {
        const struct graph_step *step = &compile->trace->steps[i];
        if (slice_find(step->code, text) == SIZE_MAX || (found && found->line == step->line))
            continue;
        if (found)
            return NULL;
        found = step;
    }
    return found;
}

/* Whether this is one of Inductor's own kernels, by its prefix: triton_poi_fused_add_0, triton_mm,
 * triton_tem_fused_mm_0. */
static bool is_inductors(struct slice kernel) {
    return slice_starts(kernel, SLICE("triton_"));
}

/* Describes an error in a Triton kernel, of the user or of Inductor. */
static bool describe_triton(struct findings *findings, const struct compile *compile, struct slice reason,
                            struct finding *finding) {
    struct triton_error found;
    struct buf why = {0};
    if (!triton_error_read(reason, &found))
        return false;
    struct slice message = finding_line(findings, found.message), kernel = finding_line(findings, found.kernel),
                 code = finding_line(findings, found.code);
    if (kernel.len)
        finding->title = finding_say(findings, "The Triton kernel `%.*s` does not compile: %.*s", SLICE_ARG(kernel),
                                     SLICE_ARG(message));
    else
        finding->title = finding_say(findings, "A Triton kernel does not compile: %.*s", SLICE_ARG(message));
    if (code.len)
        finding->message =
            finding_say(findings, "Line %" PRIu64 "%s%.*s: %.*s", found.line, found.function.len ? " of " : "",
                        SLICE_ARG(finding_line(findings, found.function)), SLICE_ARG(code));
    if (is_inductors(kernel)) {
        buf_add_lit(&why, "Inductor wrote this kernel: the error is in PyTorch or Triton, not in your code.");
    } else if (kernel.len) {
        const struct graph_step *launch = launch_of(compile, kernel, &findings->arena);
        buf_add_lit(
            &why,
            "The kernel is not PyTorch's. Triton compiles it in eager mode as well: look for the error there first.");
        if (launch) {
            finding->place = (struct place){.file = launch->file, .function = launch->function, .line = launch->line};
            finding->code = launch->code;
        }
    }
    finding->why = finding_keep(findings, &why);
    return true;
}

bool failure_describe_compiler(struct findings *findings, const struct model *model, const struct compile *compile,
                               struct slice reason, struct finding *finding) {
    struct compiler_error found;
    if (describe_triton(findings, compile, reason, finding))
        return true;
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
