/* graph_size.h - how large a graph is, by the text of it that a log holds.
 *
 * Two forms are known: the Python that print_readable() writes ("x: "f32[4]" = torch.ops…(…)"), and the lines of a
 * graph's repr ("%x : [num_users=1] = call_function[…]"). Pure; any thread; one pass over the text. */
#ifndef TLPARSE_SCAN_GRAPH_SIZE_H
#define TLPARSE_SCAN_GRAPH_SIZE_H

#include "base/slice.h"

struct graph_size {
    uint32_t graphs;    /* the graph and those within it: bodies of cond, scan, …; 0: the text is no graph */
    uint32_t inputs;    /* of the outermost graph, as the next ones; what compilation_metrics counts */
    uint32_t ops;       /* calls */
    uint32_t nodes;     /* inputs, ops, attributes that are read, and the output */
    uint32_t inner_ops; /* of the graphs within it */
};

struct graph_size graph_size_of(struct slice text);
/* How many kernels output code in Python defines ("name = async_compile.triton(…)"), and how many bytecode instructions a
 * listing by dis has. */
uint32_t kernels_count(struct slice code);
uint32_t instructions_count(struct slice listing);

#endif
