/* autograd_graph.h - reads the graph that Compiled Autograd captured: the nodes of the backward, and the gradients that
 * already exist. Comments in the graph name the nodes and the forward's lines. Pure; any thread; one pass. */
#pragma once

#include "base/base.h"

enum { AUTOGRAD_NODES_MAX = 512, AUTOGRAD_PARTS_MAX = 64 /* limits; further nodes and parts are ignored */ };

enum autograd_hook { HOOK_TENSOR_PRE, HOOK_PRE, HOOK_POST, HOOK_POST_ACCUMULATE, HOOK_UNPACK, AUTOGRAD_HOOKS };
/* "tensor_pre_hook" */
const char *autograd_hook_name(enum autograd_hook type);

/* The AOTAutograd backward graph of a node. The captured graph contains its nodes under prefixed names: "mm" of number
 * 2 is "aot2_mm". Calls of AOTAutograd in a process are numbered in order. */
struct autograd_part {
    uint64_t number;
    uint64_t copy;  /* for a graph that occurs several times in the backward: "aot2_1_mm" is from copy 1 */
    uint64_t names; /* backward_names_hash() of the graph */
};

struct autograd_graph {
    /* "torch::autograd::GraphRoot CompiledFunctionBackward0 …", in the order of the backward, in the arena. The
     * compiled function of each forward graph has its own number. */
    struct slice nodes;
    uint32_t existing;              /* number of existing gradients that it adds to */
    uint32_t hooks[AUTOGRAD_HOOKS]; /* calls of hooks, by type */
    uint64_t calls;                 /* a hash of the graph's calls, in order, without hooks and arguments */
    /* The first line of the forward; ptr NULL: not logged, as for a forward that runs eagerly. */
    struct slice file, function, code;
    uint32_t line;
    struct autograd_part *parts; /* each number and copy, once */
    uint32_t part_count;
};

/* NULL: the graph names no nodes, as in old versions of PyTorch. */
struct autograd_graph *autograd_graph_scan(struct slice graph, struct arena *arena);
/* A hash of the names of inputs and nodes in a backward graph, in any order. 0: it has none. */
uint64_t backward_names_hash(struct slice graph);
