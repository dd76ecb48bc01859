/* made_ranks.h - for unit tests: logs of ranks that are made record by record, and what the report says about them. */
#pragma once

#include "ranks_run.h"

#include <yyjson.h>

/* The log of a rank under construction. */
struct made {
    struct buf log;
    unsigned frame, number;
    uint64_t rank;
};

#define GRAPH_HEAD "class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: \"f32[4]cpu\"):\n"

static inline void record(struct made *made, const char *fields, const char *payload) {
    struct buf envelope = {0};
    buf_addf(&envelope, "%s, \"rank\": %llu, \"frame_id\": %u, \"frame_compile_id\": %u, \"attempt\": 0", fields,
             (unsigned long long)made->rank, made->frame, made->number);
    buf_add_byte(&envelope, 0);
    log_payload(&made->log, envelope.ptr, payload);
    buf_free(&envelope);
}

static inline void metrics(struct made *made, const char *function, unsigned line, const char *more) {
    buf_addf(&made->log,
             PREFIX "{\"compilation_metrics\": {\"co_name\": \"%s\", \"co_filename\": \"/home/u/train.py\", "
                    "\"co_firstlineno\": %u, \"graph_op_count\": 1%s}, \"rank\": %llu, \"frame_id\": %u, "
                    "\"frame_compile_id\": %u, \"attempt\": 0}\n",
             function, line, more, (unsigned long long)made->rank, made->frame, made->number);
}

/* A compile whose graph has these lines. The next one belongs to the next frame. */
static inline void compile(struct made *made, const char *function, unsigned line, const char *size,
                           const char *graph) {
    struct buf fields = {0}, text = {0};
    buf_addf(&fields, "\"dynamo_output_graph\": {\"sizes\": {\"l_x_\": [%s]}}%c", size, 0);
    buf_addf(&text, GRAPH_HEAD "%s        return (y,)\n%c", graph, 0);
    record(made, fields.ptr, text.ptr);
    metrics(made, function, line, "");
    made->frame++;
    buf_free(&fields);
    buf_free(&text);
}

#define LINE(number, code) "        # File: /home/u/train.py:" number " in f, code: " code "\n"
#define USUAL LINE("10", "y = x.sin()") "        y: \"f32[4]cpu\" = x.sin();  x = None\n"
#define OTHER LINE("12", "y = x.cos()") "        y: \"f32[4]cpu\" = x.cos();  x = None\n"
#define LARGE LINE("10", "y = x.sin()") "        y: \"f32[8]cpu\" = x.sin();  x = None\n"

static inline void save(struct made *made) {
    char name[40];
    snprintf(name, sizeof name, "r%llu", (unsigned long long)made->rank);
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(made->log.ptr, 1, made->log.len, file), made->log.len);
    assert_int_equal(fclose(file), 0);
    buf_free(&made->log);
}

static inline yyjson_doc *run(size_t count) {
    static int runs;
    struct ranks_log logs[24];
    char names[24][8], out[16];
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "r%u", (unsigned)i % 100);
        logs[i] = (struct ranks_log){.path = names[i], .has_rank = true, .rank = i};
    }
    snprintf(out, sizeof out, "out%d", runs++);
    return run_ranks(logs, count, 2, out);
}

static inline yyjson_val *at(yyjson_doc *doc, const char *pointer) {
    yyjson_val *value = yyjson_doc_ptr_get(doc, pointer);
    if (!value)
        fail_msg("no %s", pointer);
    return value;
}

static inline const char *str(yyjson_doc *doc, const char *pointer) {
    return yyjson_get_str(at(doc, pointer));
}

static inline size_t causes(yyjson_doc *doc) {
    return yyjson_arr_size(at(doc, "/divergence/root_causes"));
}

static inline void assert_json(yyjson_doc *doc, const char *pointer, const char *expected) {
    char *text = yyjson_val_write(at(doc, pointer), 0, NULL);
    assert_string_equal(text, expected);
    free(text);
}

static inline bool diverges(yyjson_doc *doc, const char *aspect) {
    char pointer[80];
    snprintf(pointer, sizeof pointer, "/divergence/%s/diverges", aspect);
    return yyjson_get_bool(at(doc, pointer));
}

/* A recompile reason of the current compile; several: "a\", \"b". */
static inline void reason(struct made *made, const char *text) {
    struct buf json = {0};
    buf_addf(&json, "[\"%s\"]%c", text, 0);
    record(made, "\"artifact\": {\"name\": \"recompile_reasons\", \"encoding\": \"json\"}", json.ptr);
    buf_free(&json);
}
