/* key_store.h - the keys that the compile caches of all logs were asked for, each distinct one once.
 *
 * What a log asked is taken when its report is whole; the store gets it when the log is done with. Logs are added in their order,
 * whichever is done first, so the store is the same for any number of threads: one that comes early waits, with the keys it holds.
 * The store has the bounds of model/cache_keys.h; keys beyond them are known by their hash only. */
#ifndef TLPARSE_RANKS_KEY_STORE_H
#define TLPARSE_RANKS_KEY_STORE_H

#include "model/cache_keys.h"
#include "ranks/facts.h"

enum {
    LOOKUPS_MAX = 20000,
    JOB_LOOKUPS_MAX = 100000
}; /* of a log, and of a job; misses among further ones are counted */

/* An answer of a cache that names the key. */
struct rank_lookup {
    uint32_t compile;    /* for lookup_compile() */
    uint32_t key;        /* in the store; before the log is added, in its own keys or KEY_NONE */
    struct slice name;   /* the cache and the key's hash, in the facts' arena */
    const char *cache;   /* fx_graph, aotautograd */
    const char *result;  /* hit, miss, bypass */
    struct slice guards; /* of a guard miss, bounded; ptr NULL: none */
    bool guard_miss;
    int64_t time_us; /* of a miss: what compiling took; -1: not known */
};

/* Of a job, whose facts have no compiles. */
struct key_compile {
    struct slice id, frame;
    struct place place;
    uint32_t member; /* in facts->members; UINT32_MAX: the log is no job */
};

struct rank_keys {
    struct cache_keys *own; /* NULL: added to the store */
    LIST(struct rank_lookup) lookups;
    LIST(struct key_compile) compiles; /* of a job */
    uint64_t more;                     /* misses beyond the bound */
};

/* What the log asked its caches. Any thread. */
struct rank_keys *rank_keys_take(struct rank_facts *facts, const struct report *report);
/* The compile that a lookup of the log is of. */
struct key_compile lookup_compile(const struct rank_facts *facts, uint32_t compile);
void rank_keys_destroy(struct rank_keys *keys); /* NULL is fine */

struct stored_key {
    const char *cache;
    uint32_t components; /* in the store's keys; KEY_NONE: no log lists them */
};

struct key_store {
    struct cache_keys *keys;
    struct map map;
    LIST(struct stored_key) list;
    struct key_store_queue *queue;
};

struct key_store *key_store_create(void);
/* The log at that place is done with, also one that has no keys or could not be read; called once for each. Any thread. */
void key_store_add(struct key_store *store, size_t place, struct rank_facts *facts);
void key_store_destroy(struct key_store *store);

/* What the logs of a job asked their caches, rank by rank: `facts` are those that the store has, and that are the job's members in the same order. Earlier
 * logs of a rank, and logs of another job, are left out. The job's arena gets copies. */
struct rank_keys *job_keys_take(struct rank_facts *job, const struct key_store *store,
                                const struct rank_facts *const *facts, size_t count);

#endif
