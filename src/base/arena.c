#include "base/arena.h"

#include <stdlib.h>

#include "base/mem.h"

enum { ALIGN = 16, CHUNK_BYTES = 64 * 1024, KEEP_BYTES = 4 << 20 };

struct arena_chunk {
    struct arena_chunk *older;
    size_t bytes; /* behind the header */
    _Alignas(ALIGN) char data[];
};

void arena_free(struct arena *a) {
    struct arena_chunk *chunk = a->chunks;
    while (chunk) {
        struct arena_chunk *older = chunk->older;
        free(chunk);
        chunk = older;
    }
    *a = (struct arena){0};
}

void arena_reset(struct arena *a) {
    struct arena_chunk *keep = NULL, *chunk = a->chunks;
    while (chunk) {
        struct arena_chunk *older = chunk->older;
        if (chunk->bytes <= KEEP_BYTES && (!keep || chunk->bytes > keep->bytes)) {
            free(keep);
            keep = chunk;
        } else {
            free(chunk);
        }
        chunk = older;
    }
    *a = (struct arena){0};
    if (keep) {
        keep->older = NULL;
        *a = (struct arena){.chunks = keep, .next = keep->data, .left = keep->bytes};
    }
}

void *arena_alloc(struct arena *a, size_t bytes) {
    if (bytes > SIZE_MAX / 2)
        mem_exhausted();
    bytes = bytes ? (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1) : ALIGN; /* a piece of nothing has a place, too */
    if (bytes > a->left) {
        size_t room = a->chunks ? a->chunks->bytes * 2 : CHUNK_BYTES;
        if (room > 1 << 20)
            room = 1 << 20;
        if (room < bytes)
            room = bytes;
        struct arena_chunk *chunk = mem_alloc(sizeof *chunk + room);
        chunk->older = a->chunks;
        chunk->bytes = room;
        a->chunks = chunk;
        a->next = chunk->data;
        a->left = room;
    }
    void *piece = a->next;
    a->next += bytes;
    a->left -= bytes;
    return piece;
}

void *arena_zalloc(struct arena *a, size_t bytes) {
    return memset(arena_alloc(a, bytes), 0, bytes);
}

struct slice arena_slice(struct arena *a, struct slice s) {
    if (s.len == 0)
        return SLICE("");
    return slice_make(memcpy(arena_alloc(a, s.len), s.ptr, s.len), s.len);
}

char *arena_str(struct arena *a, struct slice s) {
    char *text = arena_alloc(a, s.len + 1);
    if (s.len)
        memcpy(text, s.ptr, s.len);
    text[s.len] = 0;
    return text;
}
