/* guard_store.h - deduplicated guard facts of all ranks.
 *
 * Ranks usually have the same guards, so they share the stored guards, and each text is stored once.
 * Rank-specific values (base/noise.h, the rank, its device, the name of its process group) are removed. A log adds at
 * most RANK_GUARD_FACTS_MAX facts; further compiles have none. Any thread may add guards. Descriptions are written on
 * one thread after all guards were added, and do not depend on the order of additions. */
#pragma once

#include "model/model.h"

enum {
    RANK_GUARD_FACTS_MAX = 65536, /* per log */
    GUARD_SIDES_MAX = 16,         /* compared sides */
    GUARDS_TOLD = 3,              /* per side */
};

struct guard_store;
struct rank_guards;

struct guard_store *guard_store_create(void);
void guard_store_destroy(struct guard_store *store);
/* The compile's guards, identified by their hash in the log (struct compile, guards_hash). `room` is the number of
 * facts that the log may still add. NULL: not logged, or no room. Valid as long as the store. */
const struct rank_guards *guard_store_take(struct guard_store *store, uint64_t hash, const struct model *model,
                                           const struct compile *compile, size_t *room);
/* The i-th fact, in log order. Returns false if there are fewer. */
bool rank_guards_fact(const struct rank_guards *guards, uint32_t i, struct slice *key, struct slice *value);
struct guard_text {
    struct slice key, value;
};
/* The same as guard_store_take() for facts that rank_guards_fact() returned in another process. */
const struct rank_guards *guard_store_add(struct guard_store *store, uint64_t hash, const struct guard_text *texts,
                                          size_t count);
/* The guards with this hash; NULL: none. */
const struct rank_guards *guard_store_find(struct guard_store *store, uint64_t hash);
/* Adds to words[s] the guards of sides[s] in which the sides differ: "kind == 'mean', no guard on xs[2] and 1 more".
 * Returns the number of sources whose guards differ; 0 if the texts show no difference, or if a side is NULL. */
size_t guard_words_add(const struct rank_guards *const *sides, size_t count, struct buf *words);
