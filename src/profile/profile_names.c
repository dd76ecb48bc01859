#include "base/word.h"
#include "profile/profile_parts.h"

/* "addmm" for "aoti_torch_cpu_addmm_out", the function of AOTInductor */
static struct slice shim_base(struct slice name) {
    struct slice rest = name;
    if (!slice_cut_start(&rest, SLICE("aoti_torch_")))
        return name;
    size_t device = slice_find(rest, SLICE("_"));
    rest = slice_from(rest, device == SIZE_MAX ? 0 : device + 1);
    slice_cut_end(&rest, SLICE("_out"));
    return rest;
}

/* "addmm" for "aten::addmm" */
static struct slice operator_base(struct slice name) {
    size_t colon = slice_rfind_byte(name, ':');
    return colon == SIZE_MAX ? shim_base(name) : slice_from(name, colon + 1);
}

/* "cpp_fused_add_0" for "graph_2_cpp_fused_add_0" */
static struct slice kernel_base(struct slice name) {
    struct slice rest = name;
    if (!slice_cut_start(&rest, SLICE("graph_")))
        return shim_base(name);
    size_t digits = digits_length(rest);
    if (!digits || digits == rest.len || rest.ptr[digits] != '_')
        return name;
    return slice_from(rest, digits + 1);
}

/* The operator of a library call in code: "addmm" for "extern_kernels.addmm", "scale" for "torch.ops.mylib.scale.default". */
static struct slice call_base(struct slice name) {
    struct slice rest = name, bias = SLICE("bias_");
    bool namespaced = slice_cut_start(&rest, SLICE("torch.ops."));
    size_t dot = slice_find(rest, SLICE("."));
    if (dot == SIZE_MAX)
        return shim_base(name);
    bool external = slice_is(slice_first(rest, dot), "extern_kernels");
    rest = slice_from(rest, dot + 1);
    dot = slice_find(rest, SLICE("."));
    if (dot != SIZE_MAX)
        rest = slice_first(rest, dot);
    if (external && !namespaced)
        slice_cut_start(&rest, bias);
    return rest;
}

struct slice profile_kernel_base(const struct kernel *kernel) {
    return kernel->kind == KERNEL_EXTERN ? call_base(kernel->name) : kernel->name;
}

/* dynamo_timed() gives each phase of the compiler an event; newer versions give the phases of its log another one. */
static bool is_compiler(struct slice name) {
    return slice_ends(name, SLICE(" (dynamo_timed)")) || slice_is(name, "dynamo") ||
           slice_is(name, "entire_frame_compile") || slice_is(name, "entire_backward_compile") ||
           slice_is(name, "compiled_autograd");
}

struct name_role profile_name_role(struct slice name) {
    struct slice rest = name;
    if (slice_cut_start(&rest, SLICE("Torch-Compiled Region: "))) {
        size_t space = slice_find(rest, SLICE(" "));
        return (struct name_role){.role = ROLE_REGION, .detail = slice_first(rest, space)};
    }
    if (slice_cut_start(&rest, SLICE("## Call CompiledFxGraph ")) && slice_cut_end(&rest, SLICE(" ##")))
        return (struct name_role){.role = ROLE_GRAPH, .detail = slice_is(rest, "None") ? (struct slice){0} : rest};
    if (slice_is(name, "AOTIModelContainerRunner::boxed_run") || slice_is(name, "AOTIModelContainerRunner::run"))
        return (struct name_role){.role = ROLE_GRAPH, .package = true};
    if (slice_is(name, "TorchDynamo Cache Lookup"))
        return (struct name_role){.role = ROLE_LOOKUP};
    if (slice_is(name, "Pregraph bytecode") || slice_is(name, "AOTDispatcher Runtime Wrapper Prologue"))
        return (struct name_role){.role = ROLE_PROLOGUE};
    slice_cut_start(&rest, SLICE("autograd::engine::evaluate_function: "));
    if (slice_is(rest, "CompiledFunction") || slice_is(rest, "CompiledFunctionBackward"))
        return (struct name_role){.role = ROLE_WRAPPER};
    if (slice_cut_start(&rest, SLICE("ProfilerStep#")) && rest.len && digits_length(rest) == rest.len)
        return (struct name_role){.role = ROLE_STEP};
    if (is_compiler(name))
        return (struct name_role){.role = ROLE_COMPILER};
    bool namespaced = slice_find(name, SLICE("::")) != SIZE_MAX;
    return (struct name_role){.role = ROLE_OPERATOR,
                              .launches_graph = slice_find(name, SLICE("GraphLaunch")) != SIZE_MAX,
                              .generated = !namespaced && kernel_base(name).len < name.len &&
                                           slice_starts(name, SLICE("graph_")),
                              .base = namespaced ? operator_base(name) : kernel_base(name)};
}
