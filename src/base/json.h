/* json.h - tolerant JSON input, and JSON output.
 *
 * yyjson parses. This module adds what logs need: documents in an arena, a second attempt for JSON that Python writes
 * but strict parsers reject (unpaired surrogates, NaN, invalid UTF-8), and a string writer whose output is always valid
 * UTF-8. Pure, any thread (one arena per thread). */
#pragma once

#include <yyjson.h>

#include "base/arena.h"
#include "base/buf.h"

/* yyjson's own loops add to a NULL pointer for empty input, which is undefined behavior. */
#undef yyjson_arr_foreach
#define yyjson_arr_foreach(arr, idx, max, val)                                                                         \
    for ((idx) = 0, (max) = yyjson_arr_size(arr), (val) = (max) ? unsafe_yyjson_get_first(arr) : NULL; (idx) < (max);  \
         (idx)++, (val) = unsafe_yyjson_get_next(val))
#undef yyjson_obj_foreach
#define yyjson_obj_foreach(obj, idx, max, key, val)                                                                    \
    for ((idx) = 0, (max) = yyjson_obj_size(obj), (key) = (max) ? unsafe_yyjson_get_first(obj) : NULL,                 \
        (val) = (max) ? (key) + 1 : NULL;                                                                              \
         (idx) < (max); (idx)++, (key) = unsafe_yyjson_get_next(val), (val) = (key) + 1)

/* The allocator for every call of yyjson that takes one: it never returns NULL (mem.h), so no value is lost silently.
 */
extern const yyjson_alc json_allocator;

/* The result of parsing a text. */
enum json_state {
    JSON_BAD,      /* not JSON, even at the second attempt */
    JSON_STRICT,   /* strict JSON */
    JSON_REPAIRED, /* strict JSON after repair: *text is then the repaired text, in the arena */
};

enum json_numbers {
    JSON_NUMBERS,     /* numbers are parsed; those beyond 64 bits stay raw */
    JSON_NUMBERS_RAW, /* every number keeps its text */
};

/* Limits on texts from a log. A parsed value takes many times the memory of its text, and other parsers, such as
 * Python's json, reject values that are nested much deeper. */
enum { JSON_VALUES_MAX = 4 << 20, JSON_DEPTH_MAX = 256 };

/* Parses *text into a document in the arena. Do not free it. Values nested deeper than JSON_DEPTH_MAX become strings
 * with their text (JSON_REPAIRED). A text with too many values is JSON_BAD: see json_has_too_many_values(). */
enum json_state json_read(struct slice *text, enum json_numbers numbers, struct arena *arena, yyjson_val **root);
/* The same for JSON that this program wrote: no limits. */
enum json_state json_read_own(struct slice *text, enum json_numbers numbers, struct arena *arena, yyjson_val **root);
bool json_has_too_many_values(struct slice text);

/* Adds "text" with quotes, escaped. Invalid UTF-8 becomes U+FFFD. */
void json_add_string(struct buf *out, struct slice text);
/* The same, or null if text.ptr is NULL. */
void json_add_string_or_null(struct buf *out, struct slice text);
/* Adds a parsed value, on one line. */
void json_add_value(struct buf *out, yyjson_val *value);
/* Adds a parsed value, indented by two spaces. A value so deeply nested that indentation would dominate stays on one
 * line. The limit is proportional to the length of `text`, from which the value was parsed, plus 64 KiB. */
void json_add_pretty(struct buf *out, yyjson_val *value, struct slice text);

/* Members by name. NULL or an empty slice if the member is missing or has another type. */
yyjson_val *json_get(yyjson_val *object, const char *key);
struct slice json_get_text(yyjson_val *object, const char *key);
struct slice json_text(yyjson_val *value);
/* Returns false unless the value is a non-negative integer (3.0 is one). */
bool json_to_u64(yyjson_val *value, uint64_t *number);
bool json_to_double(yyjson_val *value, double *number);
/* Python's truth value: false for a missing value, null, false, 0, "", [] and {}. */
bool json_truthy(yyjson_val *value);
