/* node.h - one decoded key of a record: the results of a worker's scan of the payload, for the fold.
 *
 * The decode function of a kind returns a node. registry_decode() sets its key and lists the nodes of the record. A
 * node is in the arena of the record's block, and immutable once the block is decoded. */
#pragma once

#include "scan/node_sources.h"
#include "scan/text_counts.h"
#include "trace/record.h"

struct autograd_graph; /* autograd_graph.h */
struct flow_graphs;    /* kernel_flow.h */
struct graph_trace;    /* graph_trace.h */
struct guard_notes;    /* guard_tree.h */
struct kernel_scan;    /* scanned_kernel.h */
struct memory_scan;    /* scanned_memory.h */
struct module_graph;   /* module_graph.h */
struct kind;           /* kind.h */
struct node_sources;   /* node_sources.h */

struct node {
    const struct kind *kind; /* NULL: the registry has no row for the key */
    struct slice key;
    yyjson_val *value;       /* value of the key in the envelope */
    const struct node *next; /* next node of the same record */
    /* Set if the payload is JSON. */
    yyjson_val *json;         /* NULL: not parsed, or not JSON */
    struct slice json_text;   /* strict JSON: the payload, repaired if necessary */
    struct slice json_pretty; /* indented; ptr NULL if it was not requested */
    /* Set if the payload is text. NULL: not scanned, or nothing found. */
    const struct calls *calls;            /* collectives in output code */
    const struct text_counts *counts;     /* of any text */
    const struct kernel_scan *kernels;    /* of output code */
    const struct memory_scan *memory;     /* of output code; NULL: it has no call() in Python */
    const struct node_sources *sources;   /* of a Dynamo graph */
    const struct guard_notes *guards;     /* of a guard tree */
    const struct module_graph *modules;   /* of a Dynamo graph */
    const struct graph_trace *trace;      /* for a graph or output code */
    const struct flow_graphs *flow;       /* for a post-grad graph, unless it is too large */
    const struct autograd_graph *capture; /* for a graph of Compiled Autograd */
    uint32_t changed_inputs;              /* number of inputs that the graph mutates, according to AOTAutograd */
    uint32_t float32_products;            /* for a post-grad graph: see node_sources.h */
    struct slice graph_symbol; /* for a graph without a frame: the first symbolic size among its inputs; or ptr NULL */
    struct node_source float32_first; /* the first of float32_products; file.ptr NULL: unknown */
    uint32_t cuda_capability;         /* for output code; 0: unknown */
    uint64_t noise_hash;              /* of the payload; 0: not computed */
    uint64_t names;                   /* for a backward graph: backward_names_hash() */
};

/* An empty node. */
static inline struct node *node_new(struct arena *arena) {
    return arena_zalloc(arena, sizeof(struct node));
}
