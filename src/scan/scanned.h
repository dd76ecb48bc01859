/* scanned.h - what the scanners found in the payload of one record, while a worker decodes it.
 *
 * In the arena of the record's block. */
#ifndef TLPARSE_SCAN_SCANNED_H
#define TLPARSE_SCAN_SCANNED_H

#include "base/slice.h"
#include "scan/graph_size.h"

struct flow_graphs;  /* kernel_flow.h */
struct graph_trace;  /* graph_trace.h */
struct kernel_scan;  /* kernel_scan.h */
struct node_sources; /* kernel_scan.h */

/* What is counted in an artifact's text as it passes; 0 where it holds no such thing. */
struct text_counts {
    struct graph_size graph;
    uint64_t graph_hash;              /* noise_hash() of what may be a graph before or after a pass; 0: not taken */
    uint32_t kernels;                 /* that output code defines */
    uint32_t instructions;            /* of bytecode */
    uint32_t guards, more_guards;     /* of a tree of guards; those that are not in the list */
    struct slice list;                /* the list of guards as JSON, in the block's arena; not kept in the model */
    struct slice packed;              /* the guards as facts (guard_facts.h), the same */
    uint64_t list_offset, list_bytes; /* where it lies in the folder's stream of texts */
};

/* Collectives by kind, as the reference counts them. */
enum collective {
    COLLECTIVE_ALL_REDUCE,
    COLLECTIVE_REDUCE_SCATTER,
    COLLECTIVE_ALL_GATHER,
    COLLECTIVE_BROADCAST,
    COLLECTIVE_ALL_TO_ALL,
    COLLECTIVE_REDUCE,
    COLLECTIVES
};
struct calls {
    uint32_t counts[COLLECTIVES];
    uint32_t waits;
};

/* NULL: not looked for, or nothing found. */
struct scanned {
    const struct calls *calls;          /* collectives of output code */
    const struct text_counts *counts;   /* counts of any text */
    const struct kernel_scan *kernels;  /* of output code */
    const struct node_sources *sources; /* of Dynamo's graph */
    const struct graph_trace *trace;    /* of a graph or of output code */
    const struct flow_graphs *flow;     /* of a post-grad graph that is not too large */
};

#endif
