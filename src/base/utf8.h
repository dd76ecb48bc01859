/* utf8.h - validates and repairs UTF-8. Pure; any thread. */
#pragma once

#include "base/buf.h"

/* The number of leading bytes that are well formed (no surrogates, no overlong forms). */
size_t utf8_valid_len(struct slice s);
static inline bool utf8_is_valid(struct slice s) {
    return utf8_valid_len(s) == s.len;
}
/* At most max bytes, cut at a character boundary. */
struct slice utf8_first(struct slice s, size_t max);
/* Adds s. Each ill-formed byte becomes U+FFFD. */
void utf8_add_clean(struct buf *out, struct slice s);
