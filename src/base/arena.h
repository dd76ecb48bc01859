/* arena.h - memory with a common lifetime.
 *
 * {0} is a valid empty arena. Pieces do not move, and live until arena_free() or arena_reset(). A reset keeps one chunk
 * for reuse. One thread at a time.
 *
 * A list of base/mem.h can live in an arena: use only ARENA_ADD() and ARENA_GROW() to grow it, and do not free its items. Growing
 * moves the items. The space that it leaves behind is at most as large as the list itself, and none if the list is the
 * newest piece of the arena or large enough for its own block. */
#pragma once

#include "base/slice.h"

struct buf;
struct arena_chunk;
struct arena_block;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    char *next;                 /* free bytes of the newest chunk */
    size_t left;
    struct arena_block *blocks; /* of large lists */
    size_t bytes;               /* of all chunks, excluding large lists */
};

void arena_free(struct arena *a);
/* Declares arenas that are freed at the end of their scope. */
#define AUTO_ARENA __attribute__((cleanup(arena_free))) struct arena
void arena_reset(struct arena *a);
/* Aligned for any type. Zeroed if zero is true. */
__attribute__((returns_nonnull)) void *arena_alloc(struct arena *a, size_t bytes);
__attribute__((returns_nonnull)) void *arena_zalloc(struct arena *a, size_t bytes);
/* Gives back what the newest piece has from `end` on. */
void arena_trim(struct arena *a, void *end);
/* Returns room for twice as many items; `*cap` is their current number. Pass NULL and 0 for a new list. */
__attribute__((returns_nonnull)) void *arena_grow(struct arena *a, void *items, size_t *cap, size_t item_bytes);
/* Room for a new list of `count` items, with `cap` set to `count`: a list of that length never grows. */
__attribute__((returns_nonnull)) void *arena_reserve(struct arena *a, size_t count, size_t item_bytes);
/* A copy of `count` items. */
__attribute__((returns_nonnull)) void *arena_copy(struct arena *a, const void *items, size_t count, size_t item_bytes);
#define ARENA_COPY(arena, items, count) arena_copy((arena), (items), (count), sizeof *(items))
/* A copy of the text, owned by the arena. */
struct slice arena_slice(struct arena *a, struct slice s);
/* The same for the text of a buffer, which is freed. */
struct slice arena_keep(struct arena *a, struct buf *text);
/* A NUL-terminated copy. */
char *arena_str(struct arena *a, struct slice s);

/* Makes room for one more item in a list {items, count, cap} that lives in the arena. */
#define ARENA_GROW(arena, list)                                                                                        \
    do {                                                                                                               \
        if ((list)->count == (list)->cap)                                                                              \
            (list)->items = arena_grow((arena), (list)->items, &(list)->cap, sizeof *(list)->items);                   \
        assert((list)->items);                                                                                         \
    } while (0)

/* Adds an item to the list, and grows the list if necessary. */
#define ARENA_ADD(arena, list, ...)                                                                                    \
    do {                                                                                                               \
        ARENA_GROW(arena, list);                                                                                       \
        (list)->items[(list)->count++] = (__VA_ARGS__);                                                                \
    } while (0)
