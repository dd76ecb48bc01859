/* cause.h - a root cause of a divergence, and the list of causes, also as JSON. */
#pragma once

#include "base/jsonw.h"
#include "diverge/diverge.h"

enum {
    ROOT_CAUSES_MAX = 100,
    CONSEQUENCES_MAX = 30,      /* per cause; more are counted */
    SIDES_MAX = 16,             /* stored per cause; further ones are counted */
    CAUSE_CELLS_MAX = 20000000, /* limit on the number of slots times ranks */
};

enum root_cause_kind {
    CAUSE_CONFIGURATION,
    CAUSE_UNFINISHED,
    CAUSE_PARTS,     /* at least three groups of ranks compute different parts, such as the stages of a pipeline */
    CAUSE_EXTRA,     /* some ranks compile a function that others do not */
    CAUSE_OTHER,     /* instead of another one */
    CAUSE_RECOMPILE, /* some ranks recompile it */
    CAUSE_STOPPED,   /* some ranks stop compiling */
    CAUSE_BACKWARD,  /* some ranks do not compile the backward */
    CAUSE_STATUS,
    CAUSE_GRAPH_BREAK, /* the graph breaks on some ranks only */
    CAUSE_SOURCE,      /* the log has different code for the same line of a file, or the same code on different lines */
    CAUSE_BRANCH,      /* graphs of different source lines */
    CAUSE_OPERATIONS,  /* the same source lines, but different operations */
    CAUSE_SIZES,
    CAUSE_DYNAMIC, /* the same, except that some ranks have symbols where others have numbers */
    CAUSE_TENSORS, /* the same sizes, but different dtype, layout or device */
    CAUSE_GRAPH,   /* a different graph, but the log does not show the difference */
    CAUSE_REASON,
    CAUSE_GUARDS,
    CAUSE_COLLECTIVES,
    CAUSE_CACHE,
    CAUSE_TENSOR_META,
    CAUSE_TIME, /* the same compile takes much longer on some ranks */
    CAUSE_COMPILE_ORDER,
    CAUSE_EXECUTION_ORDER,
    CAUSE_KINDS
};
const char *root_cause_kind_name(enum root_cause_kind kind); /* "branch" */

/* The state of one side of a cause. */
struct cause_side {
    LIST(uint32_t) ranks; /* indices into the facts, in order */
    struct slice compile; /* key of the compile in the report of the first rank; ptr NULL: none */
    struct place place;   /* file.ptr NULL: none */
    struct slice text;    /* ptr NULL: none */
    struct slice guard;   /* for a branch: the only guard that differs between the sides; ptr NULL: none */
    bool stops;           /* for CAUSE_STOPPED and CAUSE_BACKWARD: ranks of this side compile less than the others */
};

struct consequence {
    enum aspect aspect;
    struct slice compile; /* key in the report of the first rank that has it */
    struct slice first;   /* description */
};

struct root_cause {
    enum root_cause_kind kind;
    enum aspect aspect;
    struct slice title;
    struct place place;
    struct slice compile;
    struct place frame; /* frame of that compile: `place` may be in the frame, in a function that it calls, or in its
                         * caller */
    uint32_t *side_of;  /* for each of the facts: its side, or UINT32_MAX */
    size_t rank_count;  /* number of facts */
    LIST(struct cause_side) sides;
    int64_t usual; /* the side with more than half of the ranks, or -1 */
    LIST(struct consequence) consequences;
    uint64_t more;
    bool dynamic;    /* for a configuration: the settings that differ make sizes dynamic */
    size_t slow;     /* for a time: the side that takes longer */
    size_t order;    /* the position of the slot at which it was found */
    bool calls;      /* its collectives differ: */
    size_t calls_at; /* the position of the last slot in which collectives differ */
    bool went_on;    /* all ranks ran that slot, and compiled another function afterwards */
    /* During the search: the position of the first and latest compile of the cause on each side. */
    int64_t first_at[2], last_at[2];
};

struct root_causes {
    struct arena arena;
    LIST(struct root_cause *) list;
    uint64_t more; /* beyond ROOT_CAUSES_MAX */
};

/* The side that is not the usual one; for groups, the first. */
static inline size_t cause_outlier_side(const struct root_cause *cause) {
    return cause->usual == 0 && cause->sides.count > 1 ? 1 : 0;
}

/* causes.c - why ranks diverge: lists each root cause once, with the first place that shows it, and its consequences.
 *
 * Compiles of ranks are matched by function, and recompiles by their cause (diverge.h), not by id or number: an
 * additional compile on a rank shifts the ids of all later compiles. For each such slot, in log order, these questions
 * are asked: Do all ranks have it? Did it fail on some? Do the graphs run the same source lines? Do the inputs have the
 * same sizes? Further differences (guards, collectives, caches, tensors) are consequences if ranks with the same graph
 * agree, and separate causes otherwise. Causes with the same kind and place between the same ranks are merged.
 *
 * Groups of ranks compute parts of one program if there are at least three, none has more than half of the ranks, and
 * each compiles functions, or uses weights in the same function, that no other group does. That is one cause, and
 * compiles are then compared within the groups.
 *
 * Ranks are outliers if they differ from a majority of more than half of the compared ranks. Without a majority, there
 * are only groups. Everything is limited. One thread. */
/* alike: the result of ranks_alike(). */
void root_causes_find(struct root_causes *causes, const struct rank_facts *const *facts, const uint32_t *alike,
                      size_t count, const struct divergences *divergences);
void root_causes_finish(struct root_causes *causes);

/* causes_json.c - shared by the writers of report.json for several ranks. Pure; one thread. */
/* "rank": its number, or null. */
static inline void rank_number_write(struct jsonw *w, const struct rank_facts *facts) {
    jsonw_known(w, "rank", facts->has_rank ? (int64_t)facts->rank : -1);
}

/* "root_causes", a member of "divergence". */
void causes_json_write(struct jsonw *w, const struct rank_facts *const *facts, const struct root_causes *causes);
