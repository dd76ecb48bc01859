/* cache_misses.h - why a compile cache missed an entry that another log has: the nearest key there, and the
 * differences.
 *
 * A miss of a run is compared with earlier runs ("why did the warm start miss?"), a miss of a rank with all other ranks
 * ("why do they not share entries?"). A key of the same graph explains a miss. Without one, a key of the same function
 * shows that its graph differs. Only keys with logged components can be compared; PyTorch 2.15 logs those of
 * AOTAutograd only at level debug. Equal keys are found by their hashes.
 *
 * For a run that is a job of ranks, the lookups of each of its ranks are compared.
 *
 * A key is compared once per log, or rank of a job, that missed it: with at most KEYS_OF_OTHERS_MAX others, and in at
 * most KEY_PAIRS_MAX pairs in total, so the run time is not quadratic in the number of logs. One thread. Texts are in
 * the facts and the store. */
#pragma once

#include "base/jsonw.h"
#include "facts/key_store.h"

enum {
    KEY_PAIRS_MAX = 2000000,
    KEYS_OF_OTHERS_MAX = 16,       /* other keys that a key is compared with */
    CACHE_MISSES_MAX = 20000,      /* stored for all logs; further misses are only counted with their cause */
    CACHE_MISSES_OF_LOG_MAX = 500, /* in the data of one log */
    CACHE_MISS_CAUSES_MAX = 100,
    CACHE_MISS_MEMBERS_MAX = 16, /* listed per cause */
};

enum cache_miss_kind {
    MISS_COMPONENTS, /* the graph has a different key */
    MISS_GRAPH,      /* the function has a different graph */
    MISS_SAME_KEY,   /* the key exists, but its entry was not found */
    MISS_GUARDS,     /* the key has entries, but their guards fail */
    MISS_NEW,        /* no earlier run has the graph or the function */
    MISS_NOT_LOGGED, /* the function has a different key, whose components are not in the log */
};

struct key_owner {
    uint32_t log, compile; /* log: index into the facts; compile: for lookup_compile() */
    enum cache_outcome outcome;
};

struct cache_miss {
    enum cache_miss_kind kind;
    uint32_t key; /* in the store */
    const struct rank_lookup *lookup;
    struct key_owner owner, nearest;  /* nearest.log UINT32_MAX: none */
    struct key_comparison comparison; /* for MISS_COMPONENTS and MISS_GRAPH */
};

/* Misses of one cache with the same cause, for comparisons within one run. */
struct miss_cause {
    LIST(uint32_t) misses; /* indices in the list; the first one is the example */
    uint64_t count;
    int64_t time_us; /* -1: unknown */
};

struct cache_misses {
    struct arena arena;
    bool runs;
    LIST(struct cache_miss) list;
    LIST(struct miss_cause) causes;
    uint64_t more; /* misses that are not stored or were not compared */
};

void cache_misses_find(struct cache_misses *misses, struct key_store *store, const struct rank_facts *const *facts,
                       size_t count);
/* Writes the member cache_misses for all logs, unless there are none. */
void cache_misses_write(struct jsonw *w, const struct cache_misses *misses, const struct rank_facts *const *facts);
/* Writes the misses of one log; an empty list if it has none or is a job. */
void cache_misses_write_log(struct jsonw *w, const struct cache_misses *misses, const struct rank_facts *const *facts,
                            size_t log);
void cache_misses_finish(struct cache_misses *misses);
