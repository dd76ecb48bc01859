/* text_counts.h - counts in a text, made while a worker decodes its record. */
#pragma once

#include "scan/graph_size.h"

/* Counts in an artifact's text; 0 if it has no such items. */
struct text_counts {
    struct graph_size graph;
    uint64_t graph_hash;   /* noise_hash() of a text that may be a graph before or after a pass; 0: not computed */
    uint32_t kernels;      /* defined by output code */
    uint32_t kernel_line;  /* line of the first kernel definition, from 1 */
    uint32_t instructions; /* of bytecode */
    uint32_t guards, more_guards;     /* in a guard tree: guards in the list, and guards beyond its limit */
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
