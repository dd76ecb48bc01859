/* causes.h - why ranks diverge: each root cause once, with the first place that shows it and what follows from it.
 *
 * Compiles of ranks answer to each other by their function and the how manieth compile of it they are, not by their ids: one
 * compile more on a rank shifts all ids behind it. For each such slot, in log order, it is asked in this order: do all ranks have
 * it? Did it fail on some? Do the graphs run the same source lines? Are the inputs of the same sizes? What else differs (guards,
 * collectives, caches, tensors) follows from those where ranks with the same graph have the same of it, and is a cause of its own
 * where they have not. Causes of one kind and place between the same ranks are one.
 *
 * Where each of at least three groups of ranks compiles functions, or takes weights in the same function, that no other group does, and none has more than half of the
 * ranks, they compute parts of one program: that is one cause, and compiles are looked for within the groups.
 *
 * Ranks are called odd when more than half of the compared ones are alike; else there are only groups. All is bounded. One thread. */
#ifndef TLPARSE_RANKS_CAUSES_H
#define TLPARSE_RANKS_CAUSES_H

#include "ranks/diverge.h"

enum {
    ROOT_CAUSES_MAX = 100,
    CONSEQUENCES_MAX = 30,      /* of a cause; more are counted */
    SIDES_MAX = 16,             /* of a cause, that are told */
    CAUSE_CELLS_MAX = 20000000, /* slots times ranks that are looked at */
};

/* The text of a side of CAUSE_STOPPED whose ranks compile nothing more. */
#define STOPS "nothing is compiled after it"

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

void root_causes_find(struct root_causes *causes, const struct rank_facts *const *facts, size_t count,
                      const struct divergences *divergences);
void root_causes_finish(struct root_causes *causes);
/* What a cause holds beside the arena. */
void root_cause_finish(struct root_cause *cause);

/* The side that is not the usual one; of groups the first. */
static inline size_t cause_odd_side(const struct root_cause *cause) {
    return cause->usual == 0 && cause->sides.count > 1 ? 1 : 0;
}

/* causes_text.c: gives the cause its title. */
void cause_name(struct root_causes *causes, struct root_cause *cause, const struct rank_facts *const *facts);

#endif
