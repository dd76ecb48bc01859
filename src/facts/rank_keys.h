/* rank_keys.h - the compile cache keys that one log looked up. */
#pragma once

#include "model/cache_keys.h"
#include "model/model.h"

enum { LOOKUPS_MAX = 20000, JOB_LOOKUPS_MAX = 100000 }; /* per log, and per job; further misses are counted */

/* A cache result with a key. Several ranks may share it. */
struct rank_lookup {
    uint32_t compile;  /* for lookup_compile() */
    uint32_t key;      /* index in the store; before the log is added, in its own keys, or KEY_NONE */
    struct slice name; /* the cache and the key's hash, in the facts' arena */
    enum cache cache;
    enum cache_outcome outcome;
    struct slice guards; /* for a guard miss, truncated; ptr NULL: none */
    bool guard_miss;
};

/* For a job, because its facts have no compiles. */
struct key_compile {
    struct slice id, frame;
    struct place place;
    uint32_t member; /* Lookups that were read from a facts file (facts_file.h) and that several ranks may share. */
};

/* Lookups that were read from a facts file (facts_file.h), and that several ranks may have. */
struct shared_lookups;

struct rank_keys {
    struct shared_lookups *shared; /* NULL: of a log */
    struct cache_keys *own;        /* NULL: added to the store */
    struct arena own_arena;        /* holds only the keys; freed when the store has them */
    LIST(struct rank_lookup) lookups;
    /* For each lookup: for a miss, the compile time; -1: unknown. Empty if they are packed. */
    LIST(int64_t) times_us;
    const unsigned char *packed_us;    /* the same, packed (base/packed.h), for a log whose facts were read from a
                                        * file; else NULL */
    LIST(struct key_compile) compiles; /* for a job */
    uint64_t more;                     /* misses beyond the limit */
};

/* The cache lookups of the log, in the arena. `compiles` maps a compile's key to its index in the facts. Any thread. */
struct rank_keys *rank_keys_take(const struct model *model, const struct map *compiles, struct arena *arena);
/* The time of the i-th lookup, see times_us. */
int64_t rank_keys_time(const struct rank_keys *keys, size_t i);
/* Frees the log's own keys. NULL is allowed. */
void rank_keys_forget(struct rank_keys *keys);
