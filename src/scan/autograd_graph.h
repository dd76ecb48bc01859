/* autograd_graph.h - reads the graph that Compiled Autograd captured: the nodes of the backward, and the gradients that
 * exist before it. Comments of the graph name both nodes and the forward's lines. Pure; any thread; one pass. */
#pragma once

#include "base/base.h"

enum { AUTOGRAD_NODES_MAX = 512, AUTOGRAD_PARTS_MAX = 64 /* further ones do not count */ };

enum autograd_hook { HOOK_TENSOR_PRE, HOOK_PRE, HOOK_POST, HOOK_POST_ACCUMULATE, HOOK_UNPACK, AUTOGRAD_HOOKS };
/* "tensor_pre_hook" */
const char *autograd_hook_name(enum autograd_hook type);

/* The backward graph of AOTAutograd that a node is: its nodes are in the captured graph under their names there,
 * "mm" of number 2 as "aot2_mm". Each call of AOTAutograd in a process has the next number. */
struct autograd_part {
    uint64_t number;
    uint64_t copy;  /* of a graph that is in the backward several times: "aot2_1_mm" is of copy 1 */
    uint64_t names; /* as of backward_names_hash() */
};

struct autograd_graph {
    /* "torch::autograd::GraphRoot CompiledFunctionBackward0 …", in the order of the backward, in the arena. The compiled
     * function of each forward graph has a number of its own. */
    struct slice nodes;
    uint32_t existing;              /* gradients that exist already, to which it adds */
    uint32_t hooks[AUTOGRAD_HOOKS]; /* calls of hooks, by type */
    uint64_t calls;                 /* a hash of what the graph calls, in order, without hooks and arguments */
    /* The first line of the forward; ptr NULL: not logged, as of a forward that runs eagerly. */
    struct slice file, function, code;
    uint32_t line;
    struct autograd_part *parts; /* each number and copy once */
    uint32_t part_count;
};

/* NULL: the graph names no node, as graphs of old versions of PyTorch. */
struct autograd_graph *autograd_graph_scan(struct slice graph, struct arena *arena);
/* A hash of the names of inputs and nodes of a backward graph, in any order. 0: it has none. */
uint64_t backward_names_hash(struct slice graph);
