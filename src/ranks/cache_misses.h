/* cache_misses.h - why a compile cache missed in one log what another log has: the nearest key there, and what differs.
 *
 * Of runs a miss is compared with the runs before it ("why did the warm start miss?"), of ranks with all others ("why do they not
 * share?"). A key of the same graph explains a miss; where there is none, one of the same function says that its graph is another
 * one. Only keys whose components a log lists can be compared; equal keys are known by their hashes.
 *
 * A run that is a job of ranks asks what its ranks ask, each of them.
 *
 * A key is looked at once for each log, or rank of a job, that missed it, with at most KEYS_OF_OTHERS_MAX others, and KEY_PAIRS_MAX pairs in all, so the
 * time does not grow with the square of the logs. One thread. Texts live in the facts and the store. */
#ifndef TLPARSE_RANKS_CACHE_MISSES_H
#define TLPARSE_RANKS_CACHE_MISSES_H

#include "base/jsonw.h"
#include "ranks/key_store.h"

enum {
    KEY_PAIRS_MAX = 2000000,
    KEYS_OF_OTHERS_MAX = 16,       /* with which a key is compared */
    CACHE_MISSES_MAX = 20000,      /* of all logs, that are kept; further ones are counted with their cause */
    CACHE_MISSES_OF_LOG_MAX = 500, /* in a log's own data */
    CACHE_MISS_CAUSES_MAX = 100,
    CACHE_MISS_MEMBERS_MAX = 16, /* of a cause, that are listed */
};

enum cache_miss_kind {
    MISS_COMPONENTS, /* the graph is there under another key */
    MISS_GRAPH,      /* the function is there, with another graph */
    MISS_SAME_KEY,   /* the key is there; its entry was not found */
    MISS_GUARDS,     /* entries of the key are there, and their guards do not hold */
    MISS_NEW,        /* an earlier run has neither the graph nor the function */
};

struct key_owner {
    uint32_t log, compile; /* its place in the facts; for lookup_compile() */
    enum cache_outcome outcome;
};

struct cache_miss {
    enum cache_miss_kind kind;
    uint32_t key; /* in the store */
    const struct rank_lookup *lookup;
    struct key_owner owner, nearest;  /* nearest.log UINT32_MAX: none */
    struct key_comparison comparison; /* of MISS_COMPONENTS and MISS_GRAPH */
};

/* Misses of one cache for the same thing, of runs in one run. */
struct miss_cause {
    LIST(uint32_t) misses; /* in the list; the first is the example */
    uint64_t count;
    int64_t time_us; /* -1: not known */
};

struct cache_misses {
    struct arena arena;
    bool runs;
    LIST(struct cache_miss) list;
    LIST(struct miss_cause) causes;
    uint64_t more; /* misses that are not kept, or were not compared */
};

void cache_misses_find(struct cache_misses *misses, struct key_store *store, const struct rank_facts *const *facts,
                       size_t count);
/* The member cache_misses of all logs, where there are any. */
void cache_misses_write(struct jsonw *w, const struct cache_misses *misses, const struct rank_facts *const *facts);
/* The same of one of the logs, empty where it has none, or is a job. */
void cache_misses_write_log(struct jsonw *w, const struct cache_misses *misses, const struct rank_facts *const *facts,
                            size_t log);
void cache_misses_finish(struct cache_misses *misses);

#endif
