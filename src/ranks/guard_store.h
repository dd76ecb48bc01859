/* guard_store.h - what the guards of all ranks state, each distinct tree of guards once.
 *
 * Ranks mostly have the same guards, so what is kept of them is shared by those that have it, and a text is kept once for all. What is a rank's own (base/noise.h,
 * its number, its device, the name of its process group) is left out. A log brings at most RANK_GUARD_FACTS_MAX facts; compiles beyond
 * have none. Taking is safe from any thread; words are one thread's, when all are taken, and do not depend on the order of taking. */
#ifndef TLPARSE_RANKS_GUARD_STORE_H
#define TLPARSE_RANKS_GUARD_STORE_H

#include "base/buf.h"
#include "model/model.h"

enum {
    RANK_GUARD_FACTS_MAX = 65536, /* of a log */
    GUARD_SIDES_MAX = 16,         /* that are compared */
    GUARDS_TOLD = 3,              /* of a side */
};

struct guard_store;
struct rank_guards;

struct guard_store *guard_store_create(void);
void guard_store_destroy(struct guard_store *store);
/* The compile's guards, whose hash is that of the log (struct folder, guards_hash). `room` is how many facts the log may still bring. NULL:
 * the log does not say, or there is no room. Lives as long as the store. */
const struct rank_guards *guard_store_take(struct guard_store *store, uint64_t hash, const struct model *model,
                                           const struct compile *compile, size_t *room);
/* Adds to words[s] what sides[s] has where not all sides have the same: "kind == 'mean', no guard on xs[2] and 1 more". Returns how many sources
 * of guards differ: 0 where the texts say nothing of it, or a side is NULL. */
size_t guard_words_add(const struct rank_guards *const *sides, size_t count, struct buf *words);

#endif
