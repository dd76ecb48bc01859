/* time_lines.h - for unit tests: the lines of compile time in the report of a log. */
#pragma once

#include "support.h"

#include "base/json.h"

typedef void lines_look(yyjson_val *compile_time);

/* Makes the report of the log, frees it, and shows its compile_time; NULL: the report has none. */
static inline void look_at_lines(struct buf *log, lines_look *look) {
    struct run run = run_log(log);
    yyjson_doc *doc = read_json(run.dirfd, "report.json");
    look(json_get(yyjson_doc_get_root(doc), "compile_time"));
    yyjson_doc_free(doc);
    end_run(&run);
}

/* The line with this key; NULL: none. `list` is "parts" or "hints". */
static inline yyjson_val *line_of(yyjson_val *time, const char *list, const char *key) {
    size_t i, max;
    yyjson_val *line;
    yyjson_arr_foreach(json_get(time, list), i, max, line) {
        if (slice_is(json_get_text(line, "key"), key))
            return line;
    }
    return NULL;
}

static inline long long number_in(yyjson_val *line, const char *member) {
    yyjson_val *value = json_get(line, member);
    return yyjson_is_int(value) ? (long long)yyjson_get_sint(value) : -1;
}

/* saves: -1: null. */
static inline void assert_line(yyjson_val *time, const char *list, const char *key, long long us, long long saves) {
    yyjson_val *line = line_of(time, list, key);
    if (!line)
        fail_msg("there is no line %s", key);
    if (number_in(line, "time_us") != us || number_in(line, "saves_us") != saves)
        fail_msg("%s takes %lld and saves %lld", key, number_in(line, "time_us"), number_in(line, "saves_us"));
}

static inline void assert_no_line(yyjson_val *time, const char *list, const char *key) {
    if (line_of(time, list, key))
        fail_msg("there is a line %s of %lld", key, number_in(line_of(time, list, key), "time_us"));
}

static inline void assert_text_of(yyjson_val *time, const char *list, const char *key, const char *member,
                                  const char *part) {
    assert_has(json_get_text(line_of(time, list, key), member), part);
}

/* The compiles of a line: "0/0 0/1". */
static inline void assert_compiles(yyjson_val *time, const char *list, const char *key, const char *expected) {
    struct buf ids = {0};
    size_t i, max;
    yyjson_val *id;
    yyjson_arr_foreach(json_get(line_of(time, list, key), "compiles"), i, max, id) {
        buf_addf(&ids, "%s%.*s", i ? " " : "", SLICE_ARG(json_text(id)));
    }
    assert_buf(&ids, expected);
    buf_free(&ids);
}

#define TIME_BASE 1733498295000000LL /* within the day of PREFIX, in 2024 */

/* A span of frame/0, from TIME_BASE + from to TIME_BASE + to. */
static inline void log_edge(struct buf *log, int frame, const char *ph, const char *name, long long us) {
    char payload[300], fields[200];
    snprintf(payload, sizeof payload, "{\"name\": \"%s\", \"ph\": \"%s\", \"ts\": %lld.0, \"pid\": 1, \"tid\": 0}",
             name, ph, us + TIME_BASE);
    snprintf(fields, sizeof fields, "\"chromium_event\": {}, \"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": 0",
             frame);
    log_payload(log, fields, payload);
}

/* The Dynamo graph of frame/compile. */
static inline void log_graph(struct buf *log, int frame, int compile, const char *graph) {
    char fields[200];
    snprintf(fields, sizeof fields,
             "\"dynamo_output_graph\": {}, \"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": 0", frame, compile);
    log_payload(log, fields, graph);
}

/* A result of a cache for frame/compile: "fx_graph_cache_hit". */
static inline void log_cache(struct buf *log, int frame, int compile, const char *result, const char *key,
                             long long taken_ns) {
    char fields[200], payload[200];
    snprintf(fields, sizeof fields,
             "\"artifact\": {\"name\": \"%s\", \"encoding\": \"json\"}, \"frame_id\": %d, \"frame_compile_id\": %d, "
             "\"attempt\": 0",
             result, frame, compile);
    snprintf(payload, sizeof payload, "{\"key\": \"%s\", \"time_taken_ns\": %lld}", key, taken_ns);
    log_payload(log, fields, payload);
}
