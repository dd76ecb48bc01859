#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

void buf_free(struct buf *b) {
    mem_free(b->ptr);
    *b = (struct buf){0};
}

char *buf_grow(struct buf *b, size_t more) {
    size_t need;
    if (__builtin_add_overflow(b->len, more, &need))
        mem_exhausted();
    size_t cap = b->cap ? b->cap : 256;
    while (cap < need)
        cap = cap > SIZE_MAX / 2 ? need : cap * 2;
    b->ptr = mem_realloc(b->ptr, cap, 1);
    b->cap = cap;
    return b->ptr + b->len;
}

void buf_add_u64(struct buf *b, uint64_t n) {
    char digits[20];
    size_t i = sizeof digits;
    do
        digits[--i] = (char)('0' + n % 10);
    while (n /= 10);
    buf_add(b, slice_make(digits + i, sizeof digits - i));
}

void buf_add_i64(struct buf *b, int64_t n) {
    if (n < 0)
        buf_add_byte(b, '-');
    buf_add_u64(b, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

void buf_addf(struct buf *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    size_t room = b->cap - b->len; /* most texts fit, so they are formatted once */
    int len = vsnprintf(room ? b->ptr + b->len : NULL, room, format, args);
    va_end(args);
    if (len > 0) {
        if ((size_t)len >= room)
            vsnprintf(buf_reserve(b, (size_t)len + 1), (size_t)len + 1, format, again);
        b->len += (size_t)len;
    }
    va_end(again);
}
