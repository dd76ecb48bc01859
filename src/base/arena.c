#include "base/arena.h"

#include <assert.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

enum {
    ALIGN = 16,
    CHUNK_BYTES = 64 * 1024,
    KEEP_BYTES = 4 << 20,
    BLOCK_BYTES = 32 * 1024, /* a list of this size gets its own block */
    FIRST_BYTES = 64,        /* first size of a list with at least FIRST_ITEMS items */
    FIRST_ITEMS = 2,
};

struct arena_chunk {
    struct arena_chunk *older;
    size_t bytes; /* after the header */
    _Alignas(ALIGN) char data[];
};

/* Doubly linked, so that realloc can move it. */
struct arena_block {
    struct arena_block *next, *previous;
    _Alignas(ALIGN) char data[];
};

static void free_blocks(struct arena *a) {
    while (a->blocks) {
        struct arena_block *next = a->blocks->next;
        mem_free(a->blocks);
        a->blocks = next;
    }
}

void arena_free(struct arena *a) {
    free_blocks(a);
    struct arena_chunk *chunk = a->chunks;
    while (chunk) {
        struct arena_chunk *older = chunk->older;
        mem_free(chunk);
        chunk = older;
    }
    *a = (struct arena){0};
}

void arena_reset(struct arena *a) {
    struct arena_chunk *keep = NULL, *chunk = a->chunks;
    free_blocks(a);
    while (chunk) {
        struct arena_chunk *older = chunk->older;
        if (chunk->bytes <= KEEP_BYTES && (!keep || chunk->bytes > keep->bytes)) {
            mem_free(keep);
            keep = chunk;
        } else {
            mem_free(chunk);
        }
        chunk = older;
    }
    *a = (struct arena){0};
    if (keep) {
        keep->older = NULL;
        *a = (struct arena){.chunks = keep, .next = keep->data, .left = keep->bytes, .bytes = keep->bytes};
    }
}

/* The size that a piece occupies. Even an empty piece has an address. */
static size_t rounded(size_t bytes) {
    if (bytes > SIZE_MAX / 2)
        mem_exhausted();
    return bytes ? (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1) : ALIGN;
}

void *arena_alloc(struct arena *a, size_t bytes) {
    bytes = rounded(bytes);
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
        a->bytes += room;
        a->next = chunk->data;
        a->left = room;
    }
    void *piece = a->next;
    a->next += bytes;
    a->left -= bytes;
    return piece;
}

void arena_trim(struct arena *a, void *end) {
    char *next = a->chunks->data + rounded((size_t)((char *)end - a->chunks->data));
    assert((char *)end > a->chunks->data && next <= a->next);
    a->left += (size_t)(a->next - next);
    a->next = next;
}

void *arena_zalloc(struct arena *a, size_t bytes) {
    return memset(arena_alloc(a, bytes), 0, bytes);
}

/* Pass NULL to create a block. */
static void *grow_block(struct arena *a, struct arena_block *block, size_t bytes) {
    bool is_new = !block;
    block = mem_realloc(block, 1, sizeof *block + rounded(bytes));
    if (is_new)
        *block = (struct arena_block){.next = a->blocks};
    if (block->next)
        block->next->previous = block;
    if (block->previous)
        block->previous->next = block;
    else
        a->blocks = block;
    return block->data;
}

void *arena_grow(struct arena *a, void *items, size_t *cap, size_t item_bytes) {
    size_t first = item_bytes * FIRST_ITEMS < FIRST_BYTES ? FIRST_BYTES / item_bytes : FIRST_ITEMS, count, bytes;
    if (__builtin_mul_overflow(*cap, 2, &count) || __builtin_mul_overflow(count ? count : first, item_bytes, &bytes))
        mem_exhausted();
    size_t old = *cap * item_bytes;
    *cap = count ? count : first;
    if (old >= BLOCK_BYTES)
        return grow_block(a, (struct arena_block *)((char *)items - offsetof(struct arena_block, data)), bytes);
    size_t more = rounded(bytes) - rounded(old);
    if (bytes < BLOCK_BYTES && old && (char *)items + rounded(old) == a->next && more <= a->left) {
        a->next += more;
        a->left -= more;
        return items;
    }
    void *grown = bytes < BLOCK_BYTES ? arena_alloc(a, bytes) : grow_block(a, NULL, bytes);
    return old ? memcpy(grown, items, old) : grown;
}

void *arena_reserve(struct arena *a, size_t count, size_t item_bytes) {
    size_t bytes;
    if (__builtin_mul_overflow(count, item_bytes, &bytes))
        mem_exhausted();
    return bytes < BLOCK_BYTES ? arena_alloc(a, bytes) : grow_block(a, NULL, bytes);
}

struct slice arena_slice(struct arena *a, struct slice s) {
    if (s.len == 0)
        return SLICE("");
    return slice_make(memcpy(arena_alloc(a, s.len), s.ptr, s.len), s.len);
}

void *arena_copy(struct arena *a, const void *items, size_t count, size_t item_bytes) {
    void *copy = arena_alloc(a, count * item_bytes);
    if (count)
        memcpy(copy, items, count * item_bytes);
    return copy;
}

struct slice arena_keep(struct arena *a, struct buf *text) {
    struct slice kept = arena_slice(a, buf_slice(text));
    buf_free(text);
    return kept;
}

char *arena_str(struct arena *a, struct slice s) {
    char *text = arena_alloc(a, s.len + 1);
    if (s.len)
        memcpy(text, s.ptr, s.len);
    text[s.len] = 0;
    return text;
}
