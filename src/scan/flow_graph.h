/* flow_graph.h - a post-grad graph as kernel_flow.h needs it: nodes, what they are computed from, and their source lines. Pure; any thread. */
#ifndef TLPARSE_SCAN_FLOW_GRAPH_H
#define TLPARSE_SCAN_FLOW_GRAPH_H

#include "base/arena.h"
#include "base/slice.h"

enum { FLOW_NODES_MAX = 8192, FLOW_ARGS_MAX = 65536 };

enum flow_kind { FLOW_INPUT, FLOW_VIEW, FLOW_COMPUTE };
struct flow_node {
    struct slice name, op; /* op: "aten.mul.Tensor"; empty: none */
    struct slice symbol;   /* "u0" of a number that is taken out of a tensor */
    enum flow_kind kind;   /* a view computes nothing */
    bool scalar;           /* it is no tensor: the code around the kernels works it out */
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

#endif
