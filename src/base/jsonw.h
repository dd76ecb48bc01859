/* jsonw.h - writes JSON to a buffer, including commas.
 *
 * Open and close objects and arrays in pairs, at most 60 deep. key is NULL inside an array. One thread. */
#pragma once

#include "base/json.h"

struct jsonw {
    struct buf *out;
    uint64_t filled; /* bit d: the open object or array at depth d has a member */
    unsigned depth;
    /* Takes what was written so far, and empties the buffer: at the end of an object, if the buffer is full. NULL: all
     * of it stays in the buffer. */
    void (*take)(void *context, struct buf *out);
    void *context;
};

void jsonw_object(struct jsonw *w, const char *key);
void jsonw_array(struct jsonw *w, const char *key);
void jsonw_end_object(struct jsonw *w);
void jsonw_end_array(struct jsonw *w);
/* A NULL ptr becomes null. */
void jsonw_text(struct jsonw *w, const char *key, struct slice text);
/* Writes at most max bytes and "…": texts from a log can be long, and their beginning matters most. */
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
/* A text that already is JSON. A NULL ptr becomes null. */
void jsonw_raw(struct jsonw *w, const char *key, struct slice json);
void jsonw_value(struct jsonw *w, const char *key, yyjson_val *value);
/* Writes a key that is not a constant. Write its value next, with key NULL. */
void jsonw_key(struct jsonw *w, struct slice key);

/* Writes a value according to its type: text, number, true or false. A negative int64_t means unknown and becomes null.
 * An int does not compile: a C comparison has type int and would be written as 0 or 1. Use jsonw_bool() for those. */
/* clang-format off */
#define JSON_VALUE_(w, key, value)                                                                                     \
    _Generic((value), struct slice: jsonw_text, char *: jsonw_str, const char *: jsonw_str, bool: jsonw_bool,          \
             long: jsonw_known, long long: jsonw_known, unsigned short: jsonw_u64,              \
             unsigned: jsonw_u64, unsigned long: jsonw_u64, unsigned long long: jsonw_u64)(w, key, value)
/* clang-format on */

/* Adds up to six members: JSON_ADD(w, "name", finding->name, "bytes", count * sizeof *list). */
#define JSON_ADD(w, ...)                                                                                               \
    JSON_PICK_(__VA_ARGS__, JSON_6_, 0, JSON_5_, 0, JSON_4_, 0, JSON_3_, 0, JSON_2_, 0, JSON_1_, 0)(w, __VA_ARGS__)
#define JSON_PICK_(a, b, c, d, e, f, g, h, i, j, k, l, picked, ...) picked
#define JSON_1_(w, key, value) JSON_VALUE_(w, key, value)
#define JSON_2_(w, key, value, ...) JSON_1_(w, key, value), JSON_1_(w, __VA_ARGS__)
#define JSON_3_(w, key, value, ...) JSON_1_(w, key, value), JSON_2_(w, __VA_ARGS__)
#define JSON_4_(w, key, value, ...) JSON_1_(w, key, value), JSON_3_(w, __VA_ARGS__)
#define JSON_5_(w, key, value, ...) JSON_1_(w, key, value), JSON_4_(w, __VA_ARGS__)
#define JSON_6_(w, key, value, ...) JSON_1_(w, key, value), JSON_5_(w, __VA_ARGS__)

/* Adds up to eight members of a struct under their own names: JSON_MEMBERS(w, place, file, line, function). */
#define JSON_MEMBERS(w, from, ...)                                                                                     \
    JSON_COUNT_(__VA_ARGS__, JSON_OF_8_, JSON_OF_7_, JSON_OF_6_, JSON_OF_5_, JSON_OF_4_, JSON_OF_3_, JSON_OF_2_,       \
                JSON_OF_1_, 0)                                                                                         \
    (w, from, __VA_ARGS__)
#define JSON_COUNT_(a, b, c, d, e, f, g, h, picked, ...) picked
#define JSON_OF_1_(w, from, name) JSON_VALUE_(w, #name, (from)->name)
#define JSON_OF_2_(w, from, name, ...) JSON_OF_1_(w, from, name), JSON_OF_1_(w, from, __VA_ARGS__)
#define JSON_OF_3_(w, from, name, ...) JSON_OF_1_(w, from, name), JSON_OF_2_(w, from, __VA_ARGS__)
#define JSON_OF_4_(w, from, name, ...) JSON_OF_1_(w, from, name), JSON_OF_3_(w, from, __VA_ARGS__)
#define JSON_OF_5_(w, from, name, ...) JSON_OF_1_(w, from, name), JSON_OF_4_(w, from, __VA_ARGS__)
#define JSON_OF_6_(w, from, name, ...) JSON_OF_1_(w, from, name), JSON_OF_5_(w, from, __VA_ARGS__)
#define JSON_OF_7_(w, from, name, ...) JSON_OF_1_(w, from, name), JSON_OF_6_(w, from, __VA_ARGS__)
#define JSON_OF_8_(w, from, name, ...) JSON_OF_1_(w, from, name), JSON_OF_7_(w, from, __VA_ARGS__)

/* Adds an array of values, given by an expression of the index: JSON_LIST(w, "ids", i, ids.count, ids.items[i]). */
/* NOLINTBEGIN(bugprone-macro-parentheses): `i` is a name that the macro declares. */
#define JSON_LIST(w, key, i, count, value)                                                                             \
    do {                                                                                                               \
        jsonw_array(w, key);                                                                                           \
        for (size_t i = 0; i < (size_t)(count); i++)                                                                   \
            JSON_VALUE_(w, NULL, value);                                                                               \
        jsonw_end_array(w);                                                                                            \
    } while (0)
/* NOLINTEND(bugprone-macro-parentheses) */
