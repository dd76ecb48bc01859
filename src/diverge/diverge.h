/* diverge.h - where ranks diverge.
 *
 * For each aspect, a rank has a list of items (key and value). Ranks with equal lists form a group. If there are
 * several groups, the first difference is reported, with the item of each group. The order of items only matters for
 * compile ids, collectives and the execution order. Pure. Texts belong to the facts. */
#pragma once

#include "facts/rank_facts.h"
#include "sink/files.h"

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
    ASPECT_CONFIGURATION, /* from rank_settings_compare(); ranks without a configuration are in no group */
    ASPECTS,
    ASPECT_COMPILE_TIME = ASPECTS, /* only for root causes (cause.h) */
};
const char *aspect_name(enum aspect aspect);  /* "compile_ids" */
const char *aspect_title(enum aspect aspect); /* "Compile ids" */
const char *aspect_why(enum aspect aspect);   /* why it matters: a sentence */

struct item {
    struct slice key;   /* "2/0": what is compared */
    struct slice shown; /* as shown in the rank's report */
    struct slice value; /* compared if hash is 0 */
    uint64_t hash;      /* compared if it is not 0 */
    size_t at;          /* index in the rank's list */
};

struct side {
    bool ended;   /* this group's list ends here */
    size_t alike; /* the first group with the same item here, possibly this group */
    struct slice key, value;
};

struct group {
    LIST(uint32_t) ranks; /* indices into the facts, in order */
    struct side side;     /* the group's item at the first difference */
};

/* The source of a rank's collectives. */
enum calls_from { CALLS_SCHEDULES, CALLS_CODE, CALLS_GRAPHS };
const char *calls_from_name(enum calls_from from); /* "schedules", "output_code", "dynamo_graphs" */
const struct rank_graph *rank_calls(const struct rank_facts *facts, enum calls_from from, size_t *count);

/* Adds the cache results: "hit, miss"; truncated if there are many. */
void cache_words_add(struct buf *out, const struct rank_outcomes *outcomes);

/* Whether the rank loaded a graph from a cache. The execution order identifies such a graph by the compile that stored
 * it, possibly on another rank, or not at all. */
bool rank_ran_cached(const struct rank_facts *facts);

struct divergence {
    bool known;            /* some rank has an item */
    bool passed_over;      /* there is data, but no comparable item: all of it belongs to compiles that some ranks
                            * did not finish */
    LIST(uint32_t) silent; /* compared ranks without data, which are in no group */
    enum calls_from from;  /* for collectives */
    LIST(uint32_t)
    uncertain;                 /* for the execution order: ranks that ran graphs from a cache, which are also in no
                                * group */
    LIST(struct group) groups; /* in the order of their first ranks; one group: no divergence */
    size_t first;              /* position of the first difference */
};

/* Ranks that are not compared, and those without data, are in no group. alike: the result of ranks_alike(). */
void diverge_find(struct divergence *divergence, const struct rank_facts *const *facts, const uint32_t *alike,
                  size_t count, enum aspect aspect, struct arena *arena);

struct root_causes;  /* cause.h */
struct cache_misses; /* cache_misses.h */

/* All aspects of the same facts, and the root causes of their differences. */
struct divergences {
    struct divergence of[ASPECTS];
    struct root_causes *causes;
    const struct cache_misses *misses; /* borrowed */
    struct arena arena;                /* for texts of sides that are not in the facts */
};

/* divergences.c - all differences between ranks: the aspects (diverge.h) and their root causes (cause.h). */
void divergences_find(struct divergences *divergences, const struct rank_facts *const *facts, size_t count);
void divergences_finish(struct divergences *divergences);

/* rank_place.c - the comparison from the perspective of one rank, for its own page: <dir>/data/ranks.js
 * (doc/report-data.md, "Several ranks").
 *
 * Written after all ranks have been compared, when the reports of ranks are already complete. One thread. */
/* Writes it for each log with its own folder, whether compared or not. Facts are in the order of ranks. */
void rank_places_write(const struct rank_facts *const *facts, size_t count, const struct divergences *divergences,
                       struct files *files);

/* rank_slots.c - matches compiles of different ranks, to compare them.
 *
 * A first compile of a function is matched by its function. A recompile is matched by its cause, not by its number: one
 * rank may have recompiled the function for another reason before. From the most to the least similar, recompiles of a
 * function on different ranks match if
 *
 *     the same guard fails, and the graph and its guards are the same
 *     the same guard fails for inputs of the same sizes
 *     the same guard fails
 *     a guard on the same property of the same variable fails, with other values
 *     they have the same number, and the log of one has no reason
 *
 * The guard is that of the earliest version, which ranks that do the same share. A recompile without a match gets its
 * own slot. */
/* Sets the slots of the facts. Call it when the compared ranks are known. */
void rank_slots_find(struct rank_facts *const *facts, size_t count);
