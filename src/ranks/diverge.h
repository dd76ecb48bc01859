/* diverge.h - where ranks part.
 *
 * Per aspect each rank has a list of items (a key and a value). Ranks with equal lists form a group; where there is more than
 * one, the first place at which the lists differ is told, with what each group has there. Only of compile ids, collectives and
 * executions the order counts, too. Pure. Texts are the facts'. */
#ifndef TLPARSE_RANKS_DIVERGE_H
#define TLPARSE_RANKS_DIVERGE_H

#include "base/map.h"
#include "ranks/facts.h"

enum aspect {
    ASPECT_COMPILE_IDS,
    ASPECT_STATUS,
    ASPECT_GRAPHS,
    ASPECT_GUARDS,
    ASPECT_RECOMPILES,
    ASPECT_CACHE,
    ASPECT_COLLECTIVES,
    ASPECT_TENSOR_META,
    ASPECT_EXECUTION_ORDER,
    ASPECT_CONFIGURATION, /* of what rank_settings_compare() found; ranks without a configuration are in no group */
    ASPECTS,
    ASPECT_COMPILE_TIME = ASPECTS, /* of root causes only (causes.h) */
};
const char *aspect_name(enum aspect aspect);  /* "compile_ids" */
const char *aspect_title(enum aspect aspect); /* "Compile ids" */
const char *aspect_why(enum aspect aspect);   /* why it matters, a sentence */

struct item {
    struct slice key;   /* "2/0"; what is compared */
    struct slice shown; /* the same as the rank's report has it */
    struct slice value; /* what is compared, when hash is 0 */
    uint64_t hash;      /* what is compared, when it is not */
    size_t at;          /* its place in the rank's list */
};

struct side {
    bool ended;   /* this group's list ends here */
    size_t alike; /* the first group that has the same here: its own place where none before has */
    struct slice key, value;
};

struct group {
    LIST(uint32_t) ranks; /* places in the facts, in order */
    struct side side;     /* at the first place where the groups part */
};

/* Where a rank's collectives are read from. */
enum calls_from { CALLS_SCHEDULES, CALLS_CODE, CALLS_GRAPHS };
const char *calls_from_name(enum calls_from from); /* "schedules", "output_code", "dynamo_graphs" */
/* From schedules, where every rank whose graphs have collectives logged some; else from what all ranks have. */
enum calls_from calls_from(const struct rank_facts *const *facts, size_t count);
const struct rank_graph *rank_calls(const struct rank_facts *facts, enum calls_from from, size_t *count);

/* Cache results in words: "hit, miss"; of many the first. */
void cache_words_add(struct buf *out, const struct rank_outcomes *outcomes);

/* Whether the rank took a graph out of a cache. The order of execution names such a graph by the compile that stored it, perhaps one
 * of another rank, or not at all. */
bool rank_ran_cached(const struct rank_facts *facts);

struct divergence {
    bool known; /* any rank has an item */
    bool
        passed_over; /* none has one that can be compared, though logs say something: of compiles that not all ranks finished */
    LIST(uint32_t) silent;     /* ranks that are compared and did not log it: in no group */
    enum calls_from from;      /* of collectives */
    LIST(uint32_t) uncertain;  /* of the order of execution: ranks that ran graphs of a cache, in no group either */
    LIST(struct group) groups; /* in the order of their first ranks; one: all alike */
    size_t first;              /* where they part */
};

/* Ranks that are not compared, and those that did not log it, are in no group. */
void diverge_find(struct divergence *divergence, const struct rank_facts *const *facts, size_t count,
                  enum aspect aspect, struct arena *arena);

struct root_causes;  /* cause.h */
struct cache_misses; /* cache_misses.h */

/* All aspects of the same facts, and why they differ. */
struct divergences {
    struct divergence of[ASPECTS];
    struct root_causes *causes;
    const struct cache_misses *misses; /* of whoever made them */
    struct arena arena;                /* of the sides' texts that are not the facts' */
};

#endif
