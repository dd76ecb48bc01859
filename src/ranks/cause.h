/* cause.h - one root cause of a divergence, and the list of them. */
#ifndef TLPARSE_RANKS_CAUSE_H
#define TLPARSE_RANKS_CAUSE_H

#include "ranks/diverge.h"

enum {
    ROOT_CAUSES_MAX = 100,
    CONSEQUENCES_MAX = 30,      /* of a cause; more are counted */
    SIDES_MAX = 16,             /* of a cause, that are told */
    CAUSE_CELLS_MAX = 20000000, /* slots times ranks that are looked at */
};

enum root_cause_kind {
    CAUSE_CONFIGURATION,
    CAUSE_UNFINISHED,
    CAUSE_PARTS,     /* at least three groups of ranks compute something of their own each, as stages of a pipeline */
    CAUSE_EXTRA,     /* some ranks compile a function that others do not */
    CAUSE_OTHER,     /* in place of another one */
    CAUSE_RECOMPILE, /* some ranks recompile it */
    CAUSE_STOPPED,   /* the rest of the compiles is not there on some ranks */
    CAUSE_STATUS,
    CAUSE_GRAPH_BREAK, /* the graph breaks on some ranks, and goes on on others */
    CAUSE_SOURCE,      /* the log has other code for the same line of the same file, or the same code at other lines */
    CAUSE_BRANCH,      /* graphs of different source lines */
    CAUSE_OPERATIONS,  /* of the same lines, with different operations */
    CAUSE_SIZES,
    CAUSE_DYNAMIC, /* the same, but that some have symbols for what are numbers on others */
    CAUSE_TENSORS, /* the same sizes, but another dtype, layout or device */
    CAUSE_GRAPH,   /* another graph; the log does not say where */
    CAUSE_REASON,
    CAUSE_GUARDS,
    CAUSE_COLLECTIVES,
    CAUSE_CACHE,
    CAUSE_TENSOR_META,
    CAUSE_TIME, /* the same compile takes much longer */
    CAUSE_COMPILE_ORDER,
    CAUSE_EXECUTION_ORDER,
    CAUSE_KINDS
};
const char *root_cause_kind_name(enum root_cause_kind kind); /* "branch" */

/* What one side of a cause has. */
struct cause_side {
    LIST(uint32_t) ranks; /* places in the facts, in order */
    struct slice compile; /* the key in the report of the first of them; ptr NULL: none */
    struct place place;   /* file.ptr NULL: none */
    struct slice text;    /* ptr NULL: nothing to say */
    bool stops;           /* of CAUSE_STOPPED: its ranks compile nothing more */
};

struct consequence {
    enum aspect aspect;
    struct slice compile; /* of the first rank that has it */
    struct slice first;   /* in words */
};

struct root_cause {
    enum root_cause_kind kind;
    enum aspect aspect;
    struct slice title;
    struct place place;
    struct slice compile;
    struct place frame; /* of that compile: `place` may be in it, in what it calls, or be what calls it */
    uint32_t *side_of;  /* of each of the facts: its side, or UINT32_MAX */
    size_t rank_count;  /* how many facts there are */
    LIST(struct cause_side) sides;
    int64_t usual; /* the side of more than half of the ranks, or -1 */
    LIST(struct consequence) consequences;
    uint64_t more;
    bool dynamic; /* of a configuration: the settings that differ make sizes dynamic */
    size_t slow;  /* of a time: the side that takes longer */
    size_t order; /* the slot that it was found at */
    /* While causes are looked for: where on a side the latest compile of the cause stands. */
    int64_t first_at[2], last_at[2];
};

struct root_causes {
    struct arena arena;
    LIST(struct root_cause *) list;
    uint64_t more; /* beyond ROOT_CAUSES_MAX */
};

/* The side that is not the usual one; of groups the first. */
static inline size_t cause_odd_side(const struct root_cause *cause) {
    return cause->usual == 0 && cause->sides.count > 1 ? 1 : 0;
}

#endif
