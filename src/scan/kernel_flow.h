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

#include "scan/flow_graph.h"
#include "scan/kernel_scan.h"

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
