/* node.h - one key of a record, decoded: what a worker found in the payload, for the fold.
 *
 * The decode of a kind returns a node; registry_decode() says of which key it is and lists the nodes of the record. In the arena of the
 * record's block, and never changed once the block is decoded. */
#ifndef TLPARSE_KINDS_NODE_H
#define TLPARSE_KINDS_NODE_H

#include "scan/text_counts.h"
#include "trace/record.h"

struct flow_graphs;  /* kernel_flow.h */
struct graph_trace;  /* graph_trace.h */
struct kernel_scan;  /* kernel_scan.h */
struct kind;         /* kind.h */
struct node_sources; /* kernel_scan.h */

struct node {
    const struct kind *kind; /* NULL: no row of the registry has the key */
    struct slice key;
    yyjson_val *value;       /* of the key, in the envelope */
    const struct node *next; /* of the same record */
    /* A payload that is JSON. */
    yyjson_val *json;         /* NULL: not looked at, or no JSON */
    struct slice json_text;   /* strict JSON: the payload, mended where it had to be */
    struct slice json_pretty; /* indented; ptr NULL where nobody asked */
    /* A payload that is text. NULL: not looked for, or nothing found. */
    const struct calls *calls;          /* collectives of output code */
    const struct text_counts *counts;   /* of any text */
    const struct kernel_scan *kernels;  /* of output code */
    const struct node_sources *sources; /* of Dynamo's graph */
    const struct graph_trace *trace;    /* of a graph or of output code */
    const struct flow_graphs *flow;     /* of a post-grad graph that is not too large */
    uint64_t noise_hash;                /* of the payload; 0: not worked out */
};

/* An empty node. */
static inline struct node *node_new(struct arena *arena) {
    return arena_zalloc(arena, sizeof(struct node));
}

#endif
