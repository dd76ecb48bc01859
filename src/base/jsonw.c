#include "base/jsonw.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"

enum { DEPTH_MAX = 60, FULL_BYTES = 256 * 1024 };

/* Writes the comma before a member, and its key. */
static void begin(struct jsonw *w, const char *key) {
    uint64_t bit = UINT64_C(1) << w->depth;
    if (w->filled & bit)
        buf_add_byte(w->out, ',');
    w->filled |= bit;
    if (key) {
        size_t len = strlen(key);
        char *to = buf_reserve(w->out, len + 3);
        to[0] = '"';
        memcpy(to + 1, key, len);
        memcpy(to + 1 + len, "\":", 2);
        w->out->len += len + 3;
    }
}

static void open(struct jsonw *w, const char *key, char bracket) {
    begin(w, key);
    buf_add_byte(w->out, bracket);
    w->depth++;
    assert(w->depth < DEPTH_MAX);
    w->filled &= ~(UINT64_C(1) << w->depth);
}

static void end(struct jsonw *w, char bracket) {
    assert(w->depth > 0);
    w->depth--;
    buf_add_byte(w->out, bracket);
}

void jsonw_object(struct jsonw *w, const char *key) {
    open(w, key, '{');
}

void jsonw_array(struct jsonw *w, const char *key) {
    open(w, key, '[');
}

void jsonw_end_object(struct jsonw *w) {
    end(w, '}');
    if (w->take && w->out->len >= FULL_BYTES)
        w->take(w->context, w->out);
}

void jsonw_end_array(struct jsonw *w) {
    end(w, ']');
}

void jsonw_text(struct jsonw *w, const char *key, struct slice text) {
    begin(w, key);
    json_add_string_or_null(w->out, text);
}

void jsonw_cut(struct jsonw *w, const char *key, struct slice text, size_t max) {
    if (text.len <= max) {
        jsonw_text(w, key, text);
        return;
    }
    AUTO_BUF cut = {0};
    BUF_ADD(&cut, utf8_first(text, max), "…");
    jsonw_text(w, key, buf_slice(&cut));
}

void jsonw_texts(struct jsonw *w, const char *key, const struct slice *items, size_t count) {
    jsonw_array(w, key);
    for (size_t i = 0; i < count; i++)
        jsonw_text(w, NULL, items[i]);
    jsonw_end_array(w);
}

void jsonw_str(struct jsonw *w, const char *key, const char *text) {
    jsonw_text(w, key, slice_str(text));
}

void jsonw_u64(struct jsonw *w, const char *key, uint64_t n) {
    begin(w, key);
    buf_add_u64(w->out, n);
}

void jsonw_i64(struct jsonw *w, const char *key, int64_t n) {
    begin(w, key);
    buf_add_i64(w->out, n);
}

void jsonw_known(struct jsonw *w, const char *key, int64_t n) {
    begin(w, key);
    if (n < 0)
        buf_add_lit(w->out, "null");
    else
        buf_add_u64(w->out, (uint64_t)n);
}

void jsonw_double(struct jsonw *w, const char *key, double n) {
    char text[40];
    begin(w, key);
    snprintf(text, sizeof text, "%.17g", isfinite(n) ? n : 0);
    buf_add_str(w->out, text);
    if (!strpbrk(text, ".e"))
        buf_add_lit(w->out, ".0");
}

void jsonw_bool(struct jsonw *w, const char *key, bool value) {
    begin(w, key);
    buf_add_str(w->out, value ? "true" : "false");
}

void jsonw_null(struct jsonw *w, const char *key) {
    begin(w, key);
    buf_add_lit(w->out, "null");
}

void jsonw_raw(struct jsonw *w, const char *key, struct slice json) {
    begin(w, key);
    buf_add(w->out, json.ptr ? json : SLICE("null"));
}

void jsonw_value(struct jsonw *w, const char *key, yyjson_val *value) {
    begin(w, key);
    json_add_value(w->out, value);
}

void jsonw_key(struct jsonw *w, struct slice key) {
    begin(w, NULL);
    json_add_string(w->out, key);
    buf_add_byte(w->out, ':');
    w->filled &= ~(UINT64_C(1) << w->depth); /* the value of this key takes no comma and sets the bit again */
}
