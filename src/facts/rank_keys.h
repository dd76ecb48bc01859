/* rank_keys.h - the compile cache keys that one log looked up. */
#pragma once

#include "model/cache_keys.h"
#include "model/model.h"

enum { LOOKUPS_MAX = 20000, JOB_LOOKUPS_MAX = 100000 }; /* per log, and per job; misses beyond it are counted */

/* A cache result with a key. Several ranks may share it. */
struct rank_lookup {
    uint32_t compile;  /* for lookup_compile() */
    uint32_t key;      /* in the store; before the log is added, in its own keys or KEY_NONE */
    struct slice name; /* the cache and the key's hash, in the facts' arena */
    enum cache cache;
    enum cache_outcome outcome;
    struct slice guards; /* for a guard miss, truncated; ptr NULL: none */
    bool guard_miss;
};

/* For a job, whose facts have no compiles. */
struct key_compile {
    struct slice id, frame;
    struct place place;
    uint32_t member; /* index into facts->members; UINT32_MAX: the log is not a job */
};

/* Lookups that were read from a facts file (facts_file.h), and that several ranks may have. */
struct shared_lookups;

struct rank_keys {
    struct shared_lookups *shared; /* NULL: of a log */
    struct cache_keys *own;        /* NULL: added to the store */
    struct arena own_arena;        /* of these alone: they go when the store has them */
    LIST(struct rank_lookup) lookups;
    /* Of the lookups: for a miss, the compile time; -1: unknown. Empty if they are packed. */
    LIST(int64_t) times_us;
    const unsigned char *packed_us;    /* the same, packed (base/packed.h), of a log whose facts were read; else NULL */
    LIST(struct key_compile) compiles; /* for a job */
    uint64_t more;                     /* misses beyond the limit */
};

/* What the log asked its caches, in the arena. `compiles` leads from a compile's key to its place in the facts. Any thread. */
struct rank_keys *rank_keys_take(const struct model *model, const struct map *compiles, struct arena *arena);
/* The time of the i-th lookup: see times_us. */
int64_t rank_keys_time(const struct rank_keys *keys, size_t i);
/* Lets go of the log's own keys. NULL is fine. */
void rank_keys_forget(struct rank_keys *keys);
