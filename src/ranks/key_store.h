/* key_store.h - the keys that the compile caches of all logs were asked for, each distinct one once.
 *
 * What a log asked is taken when its report is whole; the store gets it when the log is done with. Logs are added in their order,
 * whichever is done first, so the store is the same for any number of threads: one that comes early waits, with the keys it holds.
 * The store has the bounds of model/cache_keys.h; keys beyond them are known by their hash only. */
#ifndef TLPARSE_RANKS_KEY_STORE_H
#define TLPARSE_RANKS_KEY_STORE_H

#include "model/cache_keys.h"
#include "ranks/facts.h"
#include "ranks/rank_keys.h"

/* The compile that a lookup of the log is of. */
struct key_compile lookup_compile(const struct rank_facts *facts, uint32_t compile);

struct stored_key {
    enum cache cache;
    uint32_t components; /* in the store's keys; KEY_NONE: no log lists them */
};

struct key_store {
    struct arena arena;
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
