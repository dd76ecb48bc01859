/* arena.h - memory for what dies together.
 *
 * {0} is a valid empty arena. Pieces stay where they are until arena_free() or arena_reset(), which end all of them;
 * reset keeps one chunk for the next round. One thread at a time.
 *
 * A list of base/mem.h can live in an arena: it grows with ARENA_GROW() alone, and nobody frees its items. Growing moves
 * them; what they leave behind is as much again at most, and nothing where the list is the arena's newest piece, or so
 * large that it has a block of its own. */
#ifndef TLPARSE_BASE_ARENA_H
#define TLPARSE_BASE_ARENA_H

#include "base/slice.h"

struct arena_chunk;
struct arena_block;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    char *next;                 /* free bytes of the newest chunk */
    size_t left;
    struct arena_block *blocks; /* of large lists */
};

void arena_free(struct arena *a);
void arena_reset(struct arena *a);
/* Aligned for any type; zeroed when zero is asked for. */
void *arena_alloc(struct arena *a, size_t bytes);
void *arena_zalloc(struct arena *a, size_t bytes);
/* Room for twice as many items of that size, of which `*cap` are there; NULL and 0 begin a list. */
void *arena_grow(struct arena *a, void *items, size_t *cap, size_t item_bytes);
/* A copy of the text, owned by the arena. */
struct slice arena_slice(struct arena *a, struct slice s);
/* A NUL-terminated copy. */
char *arena_str(struct arena *a, struct slice s);

/* Makes room for one more item in a list {items, count, cap} that lives in the arena. */
#define ARENA_GROW(arena, list)                                                                                        \
    do {                                                                                                               \
        if ((list)->count == (list)->cap)                                                                              \
            (list)->items = arena_grow((arena), (list)->items, &(list)->cap, sizeof *(list)->items);                   \
    } while (0)

#endif
