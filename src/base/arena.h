/* arena.h - memory for what dies together.
 *
 * {0} is a valid empty arena. Pieces stay where they are until arena_free() or arena_reset(), which end all of them;
 * reset keeps one chunk for the next round. One thread at a time. */
#ifndef TLPARSE_BASE_ARENA_H
#define TLPARSE_BASE_ARENA_H

#include "base/slice.h"

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    char *next;                 /* free bytes of the newest chunk */
    size_t left;
};

void arena_free(struct arena *a);
void arena_reset(struct arena *a);
/* Aligned for any type; zeroed when zero is asked for. */
void *arena_alloc(struct arena *a, size_t bytes);
void *arena_zalloc(struct arena *a, size_t bytes);
/* A copy of the text, owned by the arena. */
struct slice arena_slice(struct arena *a, struct slice s);
/* A NUL-terminated copy. */
char *arena_str(struct arena *a, struct slice s);

#endif
