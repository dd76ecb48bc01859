/* Output code and a post-grad graph, separated by a line "====": what a kernel computes is in the graph, in order, and
 * within limits. */
#define _GNU_SOURCE /* memfd_create */
#include "codegen/kernel_flow.h"
#include "fuzz.h"

static void check_scan(const struct kernel_scan *scan, struct slice code) {
    MUST(scan->count <= KERNELS_IN_CODE_MAX && scan->step_count <= CODE_STEPS_MAX);
    for (uint32_t i = 0; i < scan->count; i++) {
        const struct scanned_kernel *kernel = &scan->items[i];
        MUST(kernel->kind < KERNEL_KINDS && fuzz_inside(kernel->name, code) && kernel->name.len);
        MUST(kernel->kind != KERNEL_EXTERN || (kernel->calls == 1 && kernel->ops.len));
        MUST(!kernel->call_line == !kernel->calls);
    }
    for (uint32_t i = 0; i < scan->step_count; i++) {
        const struct code_step *step = &scan->steps[i];
        MUST(fuzz_inside(step->left, code) && fuzz_inside(step->right, code) && fuzz_inside(step->name, code));
        MUST(step->kind != CODE_CALL || step->kernel < scan->count);
    }
}

/* The items are ascending and in the graph. Returns the index after them. */
static uint32_t check_nodes(const struct kernel_flow *flow, const struct flow_graphs *graphs, uint32_t first,
                            uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        MUST(flow->nodes[first + i] < graphs->node_count);
        MUST(!i || flow->nodes[first + i - 1] < flow->nodes[first + i]);
    }
    return first + count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct slice mark = SLICE("====\n");
    struct slice text = {(const char *)data, size};
    struct arena arena = {0};
    size_t at = slice_find(text, mark);
    struct slice code = slice_first(text, at == SIZE_MAX ? size : at);
    struct slice graph = at == SIZE_MAX ? text : slice_from(text, at + mark.len);
    struct kernel_scan *scan = kernels_scan(code, &arena);
    check_scan(scan, code);
    struct flow_graphs *graphs = flow_graphs_scan(graph, &arena);
    for (uint32_t i = 0; graphs && i < graphs->node_count; i++) {
        const struct flow_node *node = &graphs->nodes[i];
        MUST(fuzz_inside(node->name, graph) && node->first + node->count <= graphs->arg_count);
        for (uint32_t a = node->first; a < node->first + node->count; a++)
            MUST(graphs->args[a].node < i); /* an earlier one */
    }
    struct kernel_flow *flow = graphs ? kernel_flow_find(flow_graphs_copy(graphs, &arena), scan, &arena) : NULL;
    for (uint32_t i = 0; flow && i < scan->count; i++) {
        const struct kernel_nodes *kernel = &flow->kernels[i];
        check_nodes(flow, graphs, kernel->first, kernel->count);
        check_nodes(flow, graphs, kernel->perhaps_first, kernel->perhaps_count);
        MUST(kernel->why <= FLOW_SHARED && (!kernel->perhaps_count || kernel->why == FLOW_SHARED));
        MUST(kernel->why != FLOW_KNOWN || kernel->count);
    }
    arena_free(&arena);
    return 0;
}
