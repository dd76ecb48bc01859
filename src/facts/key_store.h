/* key_store.h - deduplicated compile cache keys of all logs.
 *
 * The lookups of a log are taken when its report is complete, and added to the store when the log is finished. Logs are
 * added in their order, so the store is the same for any number of threads: a log that finishes early waits, and keeps
 * its keys. The store has the limits of model/cache_keys.h; for keys beyond them, only the hash is known. */
#pragma once

#include "facts/rank_facts.h"
#include "facts/rank_keys.h"
#include "model/cache_keys.h"

/* The compile of a lookup of the log. */
struct key_compile lookup_compile(const struct rank_facts *facts, uint32_t compile);

struct stored_key {
    enum cache cache;
    uint32_t components; /* index in the store's keys; KEY_NONE: no log has its components */
};

struct key_store {
    struct arena arena;
    struct cache_keys *keys;
    struct map map;
    LIST(struct stored_key) list;
    struct key_store_queue *queue;
};

struct key_store *key_store_create(void);
/* Reports that the log with this index is finished, even if it has no keys or could not be read. Call it once for each
 * log. Any thread. */
void key_store_add(struct key_store *store, size_t place, struct rank_facts *facts);
/* Adds the key of one lookup and stores its index there. Its components are in the store's keys (KEY_NONE: none are
 * logged). One thread. */
void key_store_note(struct key_store *store, struct rank_lookup *lookup, uint32_t components);
void key_store_destroy(struct key_store *store);

/* The lookups of a job's logs, rank by rank: `facts` are the job's members, in the same order, whose keys are in the
 * store. Earlier logs of a rank, and logs of other jobs, are left out. Copies texts to the job's arena. */
struct rank_keys *job_keys_take(struct rank_facts *job, const struct key_store *store,
                                const struct rank_facts *const *facts, size_t count);
