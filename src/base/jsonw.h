/* jsonw.h - writes JSON to a buffer, including commas.
 *
 * Open and close objects and arrays in pairs, at most 60 deep. key is NULL inside an array. One thread. */
#ifndef TLPARSE_BASE_JSONW_H
#define TLPARSE_BASE_JSONW_H

#include "base/json.h"

struct jsonw {
    struct buf *out;
    uint64_t filled; /* bit d: the open object or array at depth d has a member */
    unsigned depth;
    /* Takes what was written so far, and empties the buffer; NULL: the buffer keeps all of it. */
    void (*take)(void *context, struct buf *out);
    void *context;
};

enum { JSONW_FULL_BYTES = 256 * 1024 };
/* For writers of long lists, between two values: lets `take` have a buffer that is full. */
static inline void jsonw_take_if_full(struct jsonw *w) {
    if (w->take && w->out->len >= JSONW_FULL_BYTES)
        w->take(w->context, w->out);
}

void jsonw_object(struct jsonw *w, const char *key);
void jsonw_array(struct jsonw *w, const char *key);
void jsonw_end_object(struct jsonw *w);
void jsonw_end_array(struct jsonw *w);
/* ptr NULL becomes null. */
void jsonw_text(struct jsonw *w, const char *key, struct slice text);
/* Writes at most max bytes and "…": texts of a log may be long, and their beginning matters most. */
void jsonw_cut(struct jsonw *w, const char *key, struct slice text, size_t max);
/* An array of texts. */
void jsonw_texts(struct jsonw *w, const char *key, const struct slice *items, size_t count);
void jsonw_str(struct jsonw *w, const char *key, const char *text);
void jsonw_u64(struct jsonw *w, const char *key, uint64_t n);
void jsonw_i64(struct jsonw *w, const char *key, int64_t n);
/* A negative number becomes null. */
void jsonw_known(struct jsonw *w, const char *key, int64_t n);
/* Always with a decimal point or an exponent, so that readers parse a floating-point number. Infinity and NaN become
 * 0. */
void jsonw_double(struct jsonw *w, const char *key, double n);
void jsonw_bool(struct jsonw *w, const char *key, bool value);
void jsonw_null(struct jsonw *w, const char *key);
/* A text that is JSON. ptr NULL becomes null. */
void jsonw_raw(struct jsonw *w, const char *key, struct slice json);
void jsonw_value(struct jsonw *w, const char *key, yyjson_val *value);
/* A key that is not a constant. Write its value next, with key NULL. */
void jsonw_key(struct jsonw *w, struct slice key);

#endif
