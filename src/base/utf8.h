/* utf8.h - is this text UTF-8, and if not, make it so. Pure; any thread. */
#ifndef TLPARSE_BASE_UTF8_H
#define TLPARSE_BASE_UTF8_H

#include "base/buf.h"

/* How many bytes from the start are well formed (no surrogates, no overlong forms). */
size_t utf8_valid_len(struct slice s);
static inline bool utf8_is_valid(struct slice s) {
    return utf8_valid_len(s) == s.len;
}
/* At most max bytes, cut where a character begins. */
struct slice utf8_first(struct slice s, size_t max);
/* Adds s; each ill-formed byte becomes U+FFFD. */
void utf8_add_clean(struct buf *out, struct slice s);

#endif
