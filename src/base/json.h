/* json.h - JSON that goes out, and JSON that came in badly.
 *
 * Reading is yyjson's business; this holds what a log needs besides: memory for documents from an arena, a second chance
 * for texts that Python writes and strict parsers refuse (lone surrogates, NaN, bytes that are no UTF-8), and a writer of
 * strings that always gives valid UTF-8. Pure, any thread (one arena a thread). */
#ifndef TLPARSE_BASE_JSON_H
#define TLPARSE_BASE_JSON_H

#include <yyjson.h>

#include "base/arena.h"
#include "base/buf.h"

/* yyjson's own loops add to a NULL pointer where there is nothing to go through, which is undefined behaviour. */
#undef yyjson_arr_foreach
#define yyjson_arr_foreach(arr, idx, max, val)                                                                         \
    for ((idx) = 0, (max) = yyjson_arr_size(arr), (val) = (max) ? unsafe_yyjson_get_first(arr) : NULL; (idx) < (max);  \
         (idx)++, (val) = unsafe_yyjson_get_next(val))
#undef yyjson_obj_foreach
#define yyjson_obj_foreach(obj, idx, max, key, val)                                                                    \
    for ((idx) = 0, (max) = yyjson_obj_size(obj), (key) = (max) ? unsafe_yyjson_get_first(obj) : NULL,                 \
        (val) = (max) ? (key) + 1 : NULL;                                                                              \
         (idx) < (max); (idx)++, (key) = unsafe_yyjson_get_next(val), (val) = (key) + 1)

/* What a text turned out to be. */
enum json_state {
    JSON_BAD,    /* no JSON, even with a second chance */
    JSON_STRICT, /* strict JSON as it stands */
    JSON_MENDED, /* strict JSON once mended: *text then is the mended text, in the arena */
};

enum json_numbers {
    JSON_NUMBERS,     /* numbers are numbers; those beyond 64 bits stay raw */
    JSON_NUMBERS_RAW, /* every number keeps its text */
};

/* Parses *text into a document that lives in the arena (not to be freed). */
enum json_state json_read(struct slice *text, enum json_numbers numbers, struct arena *arena, yyjson_val **root);

/* Adds "text" with its quotes, escaped; bytes that are no UTF-8 become U+FFFD. */
void json_add_string(struct buf *out, struct slice text);
/* The same, or null where text.ptr is NULL. */
void json_add_string_or_null(struct buf *out, struct slice text);
/* Adds a parsed value, on one line. */
void json_add_value(struct buf *out, yyjson_val *value);
/* Adds a parsed value, indented by two blanks; on one line where it is so deep that indentation would drown it: its text,
 * from which it was parsed, says how long is too long. */
void json_add_pretty(struct buf *out, yyjson_val *value, struct slice text);

/* Members by name; NULL or the empty slice where they are missing or of another type. */
yyjson_val *json_get(yyjson_val *object, const char *key);
struct slice json_get_text(yyjson_val *object, const char *key);
struct slice json_text(yyjson_val *value);
/* False where it is no whole number of at least 0 (3.0 is one). */
bool json_to_u64(yyjson_val *value, uint64_t *number);
bool json_to_double(yyjson_val *value, double *number);
/* As Python sees it: false for a missing value, null, false, 0, "", [] and {}. */
bool json_truthy(yyjson_val *value);

#endif
