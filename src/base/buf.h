/* buf.h - a growable byte buffer.
 *
 * {0} is a valid empty buffer, and buf_free() returns it to that state. ptr may be NULL while len is 0. The bytes move
 * when the buffer grows, so slices into it are valid until the next add. One thread at a time. */
#pragma once

#include <assert.h>

#include "base/slice.h"

struct buf {
    char *ptr;
    size_t len;
    size_t cap;
};

void buf_free(struct buf *b);
/* Declares buffers that are freed at the end of their scope: AUTO_BUF text = {0}; */
#define AUTO_BUF __attribute__((cleanup(buf_free))) struct buf
/* The slow path of buf_reserve(): the buffer is too small. */
char *buf_grow(struct buf *b, size_t more);

/* Reserves `more` bytes after len and returns their address. */
static inline char *buf_reserve(struct buf *b, size_t more) {
    return b->ptr && more <= b->cap - b->len ? b->ptr + b->len : buf_grow(b, more);
}

static inline void buf_add(struct buf *b, struct slice s) {
    if (s.len == 0)
        return;
    assert(s.ptr); /* a slice without a pointer must be empty */
    memcpy(buf_reserve(b, s.len), s.ptr, s.len);
    b->len += s.len;
}

static inline void buf_add_str(struct buf *b, const char *text) {
    buf_add(b, slice_str(text));
}

static inline void buf_add_byte(struct buf *b, char c) {
    *buf_reserve(b, 1) = c;
    b->len++;
}

void buf_add_u64(struct buf *b, uint64_t n);
void buf_add_i64(struct buf *b, int64_t n);
__attribute__((format(printf, 2, 3))) void buf_addf(struct buf *b, const char *format, ...);

#define buf_add_lit(b, literal) buf_add((b), SLICE(literal))

/* Adds two to ten parts in order: slices, strings, uint64_t. A part is evaluated after the previous one has been added.
 */
#define BUF_ADD(b, ...)                                                                                                \
    do {                                                                                                               \
        struct buf *const to_ = (b);                                                                                   \
        BUF_PICK_(__VA_ARGS__, BUF_10_, BUF_9_, BUF_8_, BUF_7_, BUF_6_, BUF_5_, BUF_4_, BUF_3_, BUF_2_, BUF_1_, 0)     \
        (__VA_ARGS__);                                                                                                 \
    } while (0)
#define BUF_PICK_(a, b, c, d, e, f, g, h, i, j, picked, ...) picked
#define BUF_1_(x)                                                                                                      \
    _Generic((x), struct slice: buf_add, char *: buf_add_str, const char *: buf_add_str, unsigned long: buf_add_u64,   \
             unsigned long long: buf_add_u64)(to_, x)
#define BUF_2_(x, ...) BUF_1_(x), BUF_1_(__VA_ARGS__)
#define BUF_3_(x, ...) BUF_1_(x), BUF_2_(__VA_ARGS__)
#define BUF_4_(x, ...) BUF_1_(x), BUF_3_(__VA_ARGS__)
#define BUF_5_(x, ...) BUF_1_(x), BUF_4_(__VA_ARGS__)
#define BUF_6_(x, ...) BUF_1_(x), BUF_5_(__VA_ARGS__)
#define BUF_7_(x, ...) BUF_1_(x), BUF_6_(__VA_ARGS__)
#define BUF_8_(x, ...) BUF_1_(x), BUF_7_(__VA_ARGS__)
#define BUF_9_(x, ...) BUF_1_(x), BUF_8_(__VA_ARGS__)
#define BUF_10_(x, ...) BUF_1_(x), BUF_9_(__VA_ARGS__)

static inline struct slice buf_slice(const struct buf *b) {
    return slice_make(b->ptr ? b->ptr : "", b->len);
}
