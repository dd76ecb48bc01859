/* redact_known.h - known paths and values of settings in a log, to find them within other texts.
 *
 * Each position is looked up by binary search, so the time to search a text depends little on the number of known
 * texts. If a text has the first KNOWN_ENOUGH bytes of a known text, their common part is found, because a log may
 * truncate a value.
 *
 * One thread. Life cycle: {0}, redact_known_add…, redact_known_at…, redact_known_free. */
#pragma once

#include "base/base.h"

enum { KNOWN_ENOUGH = 128 };

struct redact_known {
    struct redact_known_item {
        char *text;
        size_t len;
        uint32_t within; /* the longest other item that is a prefix of this one, or UINT32_MAX */
    } * items;
    size_t count, cap;
    bool is_sorted;
    unsigned char starts[(1 << 16) / 8]; /* set of the first two bytes */
    struct map seen;
};

/* Returns false if the text is already known, or shorter than two bytes. */
bool redact_known_add(struct redact_known *known, struct slice text);
/* The length of the longest known text at the beginning of `rest`, else 0. With `words`, the next characters must not
 * continue its last word. */
size_t redact_known_at(struct redact_known *known, struct slice rest, bool words);
void redact_known_free(struct redact_known *known);
