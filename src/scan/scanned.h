/* scanned.h - what the scanners found in the payload of a record while a worker decoded it.
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

/* Counts in an artifact's text; 0 if it has no such items. */
struct text_counts {
    struct graph_size graph;
    uint64_t graph_hash;   /* noise_hash() of a text that may be a graph before or after a pass; 0: not computed */
    uint32_t kernels;      /* defined by output code */
    uint32_t instructions; /* of bytecode */
    uint32_t guards, more_guards;     /* in a guard tree; those that are not in the list */
    struct slice list;                /* the list of guards as JSON, in the block's arena; not kept in the model */
    struct slice packed;              /* the guards as facts (guard_facts.h), likewise */
    uint64_t list_offset, list_bytes; /* position in the folder's text stream */
};

/* Collectives by kind, with the reference's rules for counting. */
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

/* NULL: not scanned, or nothing found. */
struct scanned {
    const struct calls *calls;          /* collectives in output code */
    const struct text_counts *counts;   /* counts of any text */
    const struct kernel_scan *kernels;  /* of output code */
    const struct node_sources *sources; /* of a Dynamo graph */
    const struct graph_trace *trace;    /* of a graph or of output code */
    const struct flow_graphs *flow;     /* of a post-grad graph, unless it is too large */
};

#endif
