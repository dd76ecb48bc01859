/* slice.h - text by value: a pointer and a length.
 *
 * Text from a log is a slice. It is not NUL-terminated, may not be UTF-8, and may contain NUL. A slice owns nothing:
 * the owner of the bytes keeps them alive for as long as the header of the function that returns the slice says. {0} is
 * the empty slice. All functions are pure and may be called from any thread. */
#pragma once

#include <assert.h>
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
/* The same for constant initializers, as in tables. */
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
    assert((a.ptr || !a.len) && (b.ptr || !b.len));
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool slice_is(struct slice a, const char *text) {
    return slice_eq(a, slice_str(text));
}

static inline bool slice_starts(struct slice a, struct slice prefix) {
    assert((a.ptr || !a.len) && (prefix.ptr || !prefix.len));
    return a.len >= prefix.len && (prefix.len == 0 || memcmp(a.ptr, prefix.ptr, prefix.len) == 0);
}

static inline bool slice_ends(struct slice a, struct slice suffix) {
    assert((a.ptr || !a.len) && (suffix.ptr || !suffix.len));
    return a.len >= suffix.len && (suffix.len == 0 || memcmp(a.ptr + a.len - suffix.len, suffix.ptr, suffix.len) == 0);
}

/* Removes the prefix, or the suffix. Returns false if the text does not have it. */
static inline bool slice_cut_start(struct slice *a, struct slice prefix) {
    bool found = slice_starts(*a, prefix);
    if (found && prefix.len)
        *a = slice_make(a->ptr + prefix.len, a->len - prefix.len);
    return found;
}

static inline bool slice_cut_end(struct slice *a, struct slice suffix) {
    bool found = slice_ends(*a, suffix);
    a->len -= found ? suffix.len : 0;
    return found;
}

/* The text after the prefix; NULL if the text does not begin with it. */
static inline const char *str_after(const char *text, const char *prefix) {
    size_t len = strlen(prefix);
    return strncmp(text, prefix, len) == 0 ? text + len : NULL;
}

/* a[from..], or the empty slice if from is beyond the end. */
static inline struct slice slice_from(struct slice a, size_t from) {
    if (from == 0)
        return a; /* if ptr is NULL, too: adding to NULL is undefined */
    if (from >= a.len)
        return slice_make(a.len ? a.ptr + a.len : a.ptr, 0);
    return slice_make(a.ptr + from, a.len - from);
}

static inline struct slice slice_first(struct slice a, size_t len) {
    return slice_make(a.ptr, len < a.len ? len : a.len);
}

/* Compares bytes, like memcmp(). A prefix sorts first. */
int slice_cmp(struct slice a, struct slice b);

/* The index of the first needle in a, or SIZE_MAX. */
size_t slice_find(struct slice a, struct slice needle);
/* The text after the first `mark`; ptr is NULL if there is none. */
struct slice slice_after(struct slice a, struct slice mark);
/* The index of the last byte c in a, or SIZE_MAX. */
size_t slice_rfind_byte(struct slice a, char c);

/* Removes spaces, tabs, \r and \n at both ends. */
struct slice slice_trim(struct slice a);

/* Removes the next line from *rest and returns it without '\n'. Returns false if *rest is empty. */
bool slice_next_line(struct slice *rest, struct slice *line);
/* The first line, trimmed. */
struct slice slice_first_line(struct slice text);

/* Parses decimal digits. Returns false if the text is empty, has anything else, or overflows. */
bool slice_to_u64(struct slice a, uint64_t *value);
