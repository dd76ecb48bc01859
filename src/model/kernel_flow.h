/* kernel_flow.h - what a kernel computes, where the code does not say: from the buffers that it reads and writes.
 *
 * Inductor's C++ kernels for the CPU carry no comment with their nodes. The post-grad graph and the wrapper hold enough to
 * find them: inputs and results of both answer to each other, a call of a library is a node of that operator, and what a
 * kernel writes is computed from what it reads, so that the nodes in between are its own. A kernel for which this leaves a
 * choice, or an operand that it does not read, gets none: nothing is guessed.
 *
 * Pure; any thread. Bounded by FLOW_NODES_MAX and FLOW_ARGS_MAX, and the search by the length of the texts. */
#ifndef TLPARSE_MODEL_KERNEL_FLOW_H
#define TLPARSE_MODEL_KERNEL_FLOW_H

#include "model/kernel_scan.h"

enum { FLOW_NODES_MAX = 8192, FLOW_ARGS_MAX = 65536 };

enum flow_kind { FLOW_INPUT, FLOW_VIEW, FLOW_COMPUTE };
struct flow_node {
    struct slice name, op; /* op: "aten.mul.Tensor"; empty: none */
    enum flow_kind kind;   /* a view computes nothing */
    bool scalar;           /* an input that is no tensor */
    bool constant;         /* an input that the module holds: its values may stand in the code */
    uint32_t first, count; /* in args */
    uint32_t source;       /* in sources, or UINT32_MAX */
};
struct flow_arg {
    uint32_t node, place; /* place: among the arguments of the call */
};
/* The outermost graph is the first; others are named as functions of the code. */
struct flow_graph {
    struct slice name;
    uint32_t first, count;         /* of its nodes */
    uint32_t result, result_count; /* of what it returns: in args */
};
struct flow_graphs {
    struct flow_graph *graphs;
    struct flow_node *nodes;
    struct flow_arg *args;
    struct node_source *sources; /* without `node` */
    uint32_t graph_count, node_count, arg_count, source_count;
    size_t bytes; /* of the text */
};

/* A post-grad graph as print_readable() writes it. NULL where it has too many nodes. Slices of the text. */
struct flow_graphs *flow_graphs_scan(struct slice text, struct arena *arena);
struct flow_graphs *flow_graphs_copy(const struct flow_graphs *from, struct arena *arena);

/* The nodes of each kernel of a scan, in the order of the graph; count 0: not known. */
struct kernel_flow {
    struct {
        uint32_t first, count;
    } * kernels;
    uint32_t *nodes;
};
/* NULL where nothing is found. */
struct kernel_flow *kernel_flow_find(const struct flow_graphs *graphs, const struct kernel_scan *scan,
                                     struct arena *arena);

#endif
