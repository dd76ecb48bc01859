/* utf8.h - validates and repairs UTF-8. Pure; any thread. */
#pragma once

#include "base/buf.h"

/* The number of leading bytes that are well formed (no surrogates, no overlong forms). */
size_t utf8_valid_len(struct slice s);
static inline bool utf8_is_valid(struct slice s) {
    return utf8_valid_len(s) == s.len;
}
/* The first characters of s, at most max bytes. */
struct slice utf8_first(struct slice s, size_t max);
/* Adds s, with each ill-formed byte replaced by U+FFFD. */
void utf8_add_clean(struct buf *out, struct slice s);
