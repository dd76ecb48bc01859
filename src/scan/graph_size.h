/* graph_size.h - counts the nodes of a graph, from its text in the log.
 *
 * Two formats are supported: the Python code that print_readable() writes ("x: "f32[4]" = torch.ops…(…)"), and the
 * lines of a graph's repr ("%x : [num_users=1] = call_function[…]"). Pure; any thread; one pass over the text. */
#pragma once

#include "base/base.h"

struct graph_size {
    uint32_t graphs;    /* the graph and its nested graphs: bodies of cond, scan, …; 0: the text is not a graph */
    uint32_t sizes;     /* inputs of the outermost graph that are sizes ("Sym(s77)"), without tangents */
    uint32_t inputs;    /* inputs, ops and nodes are those of the outermost graph, as in compilation_metrics */
    uint32_t ops;       /* calls */
    uint32_t nodes;     /* inputs, ops, attributes that it reads, and the output */
    uint32_t inner_ops; /* of nested graphs */
};

struct graph_size graph_size_of(struct slice text);
/* The number of bytecode instructions in a listing by dis. */
uint32_t instructions_count(struct slice listing);
