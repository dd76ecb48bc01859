#include "codegen/kernel_devices.h"

static const struct slice cpu = SLICE_INIT("cpu");

/* The first node that the kernel computes, found through its buffers; NULL: unknown. */
static const struct flow_node *node_of(const struct flow_graphs *post, const struct kernel_flow *flow, uint32_t index) {
    return flow && flow->kernels[index].count ? &post->nodes[flow->nodes[flow->kernels[index].first]] : NULL;
}

/* A copy between two GPUs does not wait. */
static void find_copy(struct kernel_devices *devices, bool waits, const struct flow_graphs *post,
                      const struct flow_node *node) {
    struct slice source = node && node->count ? post->nodes[post->args[node->first].node].device : (struct slice){0};
    if (!source.len || !node->device.len)
        return;
    devices->from = source;
    devices->to = node->device;
    devices->waits = waits && slice_eq(source, cpu) != slice_eq(node->device, cpu);
}

/* Whether the result has a size that no operand has. */
static bool binds_size(const struct flow_graphs *post, const struct flow_node *node) {
    for (uint32_t a = node->first; a < node->first + node->count; a++)
        if (post->nodes[post->args[a].node].unbacked)
            return false;
    return node->unbacked;
}

/* The reason shared by all nodes with the operator of "torch.ops.aten.nonzero.default". */
static enum kernel_outside why_outside(struct slice name, const struct flow_graphs *post) {
    const struct slice ops = SLICE("torch.ops.");
    enum kernel_outside why = OUTSIDE_NOT;
    slice_cut_start(&name, ops);
    for (uint32_t i = 0; post && i < post->node_count; i++) {
        const struct flow_node *node = &post->nodes[i];
        if (!slice_eq(node->op, name))
            continue;
        enum kernel_outside own = slice_eq(node->device, cpu) ? OUTSIDE_CPU
                                : binds_size(post, node)      ? OUTSIDE_UNBACKED
                                                              : OUTSIDE_OTHER;
        why = why == OUTSIDE_NOT || why == own ? own : OUTSIDE_OTHER;
    }
    return why == OUTSIDE_NOT ? OUTSIDE_OTHER : why;
}

const char *kernel_outside_name(enum kernel_outside why) {
    static const char *const names[] = {
        [OUTSIDE_NOT] = NULL,        [OUTSIDE_CPU] = "cpu",
        [OUTSIDE_COPY] = "copy",     [OUTSIDE_UNBACKED] = "unbacked_size",
        [OUTSIDE_OTHER] = "unknown",
    };
    return names[why];
}

bool kernel_for_cpu(enum kernel_kind kind, struct slice name) {
    return kind == KERNEL_CPP && slice_starts(name, SLICE("cpp_"));
}

struct kernel_devices kernel_devices_find(const struct kernel_scan *scan, uint32_t index,
                                          const struct flow_graphs *post, const struct kernel_flow *flow) {
    const struct scanned_kernel *kernel = &scan->items[index];
    const struct flow_node *node = node_of(post, flow, index);
    struct kernel_devices devices = {0};
    if (kernel->copies)
        find_copy(&devices, kernel->waits, post, node);
    if (!scan->partitions || !kernel->in_call)
        return devices;
    if (kernel->copies)
        devices.outside = OUTSIDE_COPY;
    else if (kernel_for_cpu(kernel->kind, kernel->name) || (node && slice_eq(node->device, cpu)))
        devices.outside = OUTSIDE_CPU;
    else
        devices.outside = kernel->kind == KERNEL_EXTERN ? why_outside(kernel->name, post) : OUTSIDE_OTHER;
    return devices;
}
