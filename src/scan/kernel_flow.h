/* kernel_flow.h - what a kernel computes, where the code does not say: from the buffers that it reads and writes.
 *
 * Inductor's C++ kernels for the CPU carry no comment with their nodes. The post-grad graph and the wrapper hold enough to
 * find them: inputs and results of both answer to each other, a call of a library is a node of that operator, and what a
 * kernel writes is computed from what it reads, so that the nodes in between are its own. Where this leaves a choice, nodes that
 * every choice has are certain and others are "perhaps"; a kernel that needs an operand that it does not read gets none, and each
 * without nodes says why: nothing is guessed.
 *
 * Pure; any thread. Bounded by FLOW_NODES_MAX and FLOW_ARGS_MAX, and the search by the length of the texts. */
#ifndef TLPARSE_SCAN_KERNEL_FLOW_H
#define TLPARSE_SCAN_KERNEL_FLOW_H

#include "scan/kernel_scan.h"

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

/* Why the nodes of a kernel are not known, or not all of them. */
enum flow_why {
    FLOW_KNOWN,
    FLOW_NOT_CALLED,
    FLOW_PARAMETERS, /* nothing says which of its arguments it writes */
    FLOW_RESULTS,    /* what it writes is not found in the graph */
    FLOW_OPERANDS,   /* its results need a value that it does not read, as far as one can see */
    FLOW_COPIES,     /* it only lays out anew what no node computes */
    FLOW_SHARED,     /* several kernels between two known values: some nodes may be of either (`perhaps`) */
};

/* The nodes of each kernel of a scan, in the order of the graph. */
struct kernel_flow {
    struct kernel_nodes {
        uint32_t first, count;                 /* that it computes; count 0: not known */
        uint32_t perhaps_first, perhaps_count; /* that it may compute besides */
        enum flow_why why;
    } * kernels;
    uint32_t *nodes;
};
/* NULL where the code or the graph is too large. */
struct kernel_flow *kernel_flow_find(const struct flow_graphs *graphs, const struct kernel_scan *scan,
                                     struct arena *arena);

#endif
