/* slice.h - text by value: a pointer and a length.
 *
 * Text of a log is a slice: never NUL-terminated, perhaps no UTF-8, may hold NUL. A slice owns nothing; whoever made
 * the bytes keeps them alive (the header that hands out a slice says for how long). {0} is the empty slice.
 * All functions are pure and may be called from any thread. */
#ifndef TLPARSE_BASE_SLICE_H
#define TLPARSE_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct slice {
    const char *ptr;
    size_t len;
};

/* A slice of a string literal. */
#define SLICE(literal) ((struct slice)SLICE_INIT(literal))
/* The same where C wants a constant: in tables. */
#define SLICE_INIT(literal)                                                                                            \
    { (literal), sizeof(literal) - 1 }
/* For printf: "%.*s", SLICE_ARG(s). */
#define SLICE_ARG(s) (int)(s).len, (s).ptr

static inline struct slice slice_make(const char *ptr, size_t len) {
    return (struct slice){ptr, len};
}

static inline struct slice slice_str(const char *text) {
    return (struct slice){text, text ? strlen(text) : 0};
}

static inline bool slice_eq(struct slice a, struct slice b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool slice_is(struct slice a, const char *text) {
    return slice_eq(a, slice_str(text));
}

static inline bool slice_starts(struct slice a, struct slice prefix) {
    return a.len >= prefix.len && (prefix.len == 0 || memcmp(a.ptr, prefix.ptr, prefix.len) == 0);
}

static inline bool slice_ends(struct slice a, struct slice suffix) {
    return a.len >= suffix.len && (suffix.len == 0 || memcmp(a.ptr + a.len - suffix.len, suffix.ptr, suffix.len) == 0);
}

/* a[from..], or the empty slice behind the end. */
static inline struct slice slice_from(struct slice a, size_t from) {
    if (from == 0)
        return a; /* also where ptr is NULL, to which nothing may be added */
    if (from >= a.len)
        return slice_make(a.len ? a.ptr + a.len : a.ptr, 0);
    return slice_make(a.ptr + from, a.len - from);
}

static inline struct slice slice_first(struct slice a, size_t len) {
    return slice_make(a.ptr, len < a.len ? len : a.len);
}

/* Order of bytes, as memcmp; a prefix comes first. */
int slice_cmp(struct slice a, struct slice b);

/* Where needle begins in a, or SIZE_MAX. */
size_t slice_find(struct slice a, struct slice needle);
/* Where the last byte c stands in a, or SIZE_MAX. */
size_t slice_rfind_byte(struct slice a, char c);

/* Without blanks, tabs, \r and \n at both ends. */
struct slice slice_trim(struct slice a);

/* Takes the next line (without its '\n') off *rest; false when *rest is empty. */
bool slice_next_line(struct slice *rest, struct slice *line);

/* A decimal number of digits only. False when there is none, something else, or it is more than fits. */
bool slice_to_u64(struct slice a, uint64_t *value);

#endif
