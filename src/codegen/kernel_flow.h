/* kernel_flow.h - finds the nodes that a kernel computes from the buffers that it reads and writes, if the code does
 * not name them.
 *
 * Inductor's C++ kernels for the CPU have no comment with their nodes. The post-grad graph and the wrapper contain
 * enough information to find them: the inputs and results of both correspond, a library call is a node with that
 * operator, and a kernel computes its outputs from its inputs, so the nodes in between belong to the kernel. If several
 * solutions are possible, nodes in all of them are certain and the others are "perhaps". A kernel that would need an
 * operand that it does not read gets no nodes. Each kernel without nodes gets a reason: nothing is guessed.
 *
 * Pure; any thread. Limited by FLOW_NODES_MAX and FLOW_ARGS_MAX. The work of the search is limited by the length of
 * the texts. */
#pragma once

#include "codegen/flow_graph.h"
#include "codegen/scanned_kernel.h"

/* Why the nodes of a kernel are unknown or incomplete. */
enum flow_why {
    FLOW_KNOWN,
    FLOW_NOT_CALLED,
    FLOW_PARAMETERS, /* it is unknown which of its arguments it writes */
    FLOW_RESULTS,    /* the values that it writes are not in the graph */
    FLOW_OPERANDS,   /* its results seem to need a value that it does not read */
    FLOW_COPIES,     /* it only copies values to another layout, for which there is no node */
    FLOW_SHARED,     /* several kernels between two known values: some nodes may belong to any of them (`perhaps`) */
};

/* The nodes of each kernel of a scan, in graph order. */
struct kernel_flow {
    struct kernel_nodes {
        uint32_t first, count;                 /* nodes that it computes; count 0: unknown */
        uint32_t through_first, through_count; /* views through which it reads, and means for which it divides the
                                                * sum */
        uint32_t perhaps_first, perhaps_count; /* further nodes that it may compute */
        enum flow_why why;
    } * kernels;
    uint32_t *nodes;
};
/* NULL if the code or the graph is too large. */
struct kernel_flow *kernel_flow_find(const struct flow_graphs *graphs, const struct kernel_scan *scan,
                                     struct arena *arena);
