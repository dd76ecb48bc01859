/* text_counts.h - what is counted in a text while a worker decodes its record. */
#ifndef TLPARSE_SCAN_TEXT_COUNTS_H
#define TLPARSE_SCAN_TEXT_COUNTS_H

#include "base/slice.h"
#include "scan/graph_size.h"

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

#endif
