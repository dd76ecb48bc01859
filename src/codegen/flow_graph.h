/* flow_graph.h - a post-grad graph for kernel_flow.h: nodes, their operands, and their source lines. Pure; any thread.
 */
#pragma once

#include "scan/node_sources.h"

enum { FLOW_NODES_MAX = 8192, FLOW_ARGS_MAX = 65536 };

enum flow_kind { FLOW_INPUT, FLOW_VIEW, FLOW_COMPUTE };
struct flow_node {
    struct slice name, op; /* op: "aten.mul.Tensor"; empty: none */
    struct slice symbol;   /* "u0" for a number extracted from a tensor */
    struct slice device;   /* "cuda:0"; empty: unknown, or not a tensor */
    enum flow_kind kind;   /* a view computes nothing */
    bool scalar;           /* not a tensor: the code around the kernels computes it */
    bool unbacked;         /* a tensor whose size depends on tensor values: "i64[u0, 2]" */
    bool writes;           /* computes in place of its first operand, according to its operator's name */
    bool constant;         /* an input that the module holds, whose values the code may contain */
    uint32_t first, count; /* range of args */
    uint32_t item;         /* 2 for "mul[2]"; UINT32_MAX: not an item of another node */
    uint32_t source;       /* index into sources, or UINT32_MAX */
};
struct flow_arg {
    uint32_t node, place; /* place: index among the arguments of the call */
};
/* The first graph is the outermost one. The others have the names of functions in the code. */
struct flow_graph {
    struct slice name;
    uint32_t first, count;         /* range of nodes */
    uint32_t result, result_count; /* the results: a range of args */
};
struct flow_graphs {
    struct flow_graph *graphs;
    struct flow_node *nodes;
    struct flow_arg *args;
    struct node_source *sources; /* without the member `node` */
    uint32_t graph_count, node_count, arg_count, source_count;
    size_t bytes; /* of the text */
};

/* Parses a post-grad graph as written by print_readable(). Returns NULL if it has too many nodes. Slices point into
 * the text. */
struct flow_graphs *flow_graphs_scan(struct slice text, struct arena *arena);
struct flow_graphs *flow_graphs_copy(const struct flow_graphs *from, struct arena *arena);

/* inlined_graphs.c - the lines of the functions that a flex attention template inlines: mask_mod and score_mod, which
 * are nested graphs. Pure; any thread. */
enum { INLINED_LINES_MAX = 32 };

/* The lines of the nested graphs of the nodes with this operator, "flex_attention", as indices of sources of the graphs,
 * ascending. Returns their number. 0: there are too many, or several nodes have different lines, so that the kernel's
 * node is unknown. */
uint32_t inlined_lines(const struct flow_graphs *graphs, struct slice op, uint32_t lines[INLINED_LINES_MAX]);
