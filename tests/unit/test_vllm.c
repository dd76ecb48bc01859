/* vllm: calls, groups and subgraphs of a log, in report.json. */
#define _GNU_SOURCE
#include "whole.h"

#include "model/vllm.h"
#include "pages/pages.h"
#include "report/members.h"

#define CONFIG(model) "{\"model\": \"" model "\", \"use_inductor_graph_partition\": false}"
#define START(index, name, from, to, single)                                                                           \
    "{\"piecewise_index\": " index name ", \"compile_range_start\": " from ", \"compile_range_end\": " to              \
    ", \"is_single_size\": " single ", \"is_cudagraph_capture_size\": false}"

static void log_config(struct buf *log, int frame, const char *config) {
    log_artifact_of(log, frame, 0, "vllm_compilation_config", "json", config);
}

static void log_start(struct buf *log, int frame, const char *start) {
    log_artifact_of(log, frame, 0, "vllm_piecewise_compile_start", "json", start);
}

static void log_graph(struct buf *log, int frame, const char *name) {
    char fields[200];
    snprintf(fields, sizeof fields,
             "\"graph_dump\": {\"name\": \"%s\"}, \"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": 0", name,
             frame);
    log_payload(log, fields, "graph");
}

static void log_dynamo(struct buf *log, int frame) {
    char fields[200];
    snprintf(fields, sizeof fields,
             "\"dynamo_output_graph\": {}, \"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": 0", frame);
    log_payload(log, fields, "graph");
}

/* Names and indices in the form in which the page gets them. */
static void assert_json(const struct model *model, const char *expected) {
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    vllm_json_add(&w, NULL, model);
    assert_buf(&json, expected);
    buf_free(&json);
}

static void is_of_two_groups(const struct model *model) {
    assert_true(model->vllm);
    assert_json(
        model,
        "{\"calls\":[{\"config\":{\"model\":\"m\",\"use_inductor_graph_partition\":false},"
        "\"dynamo\":[{\"compile\":\"0/0\",\"index\":0}],\"split_graph\":{\"compile\":\"0/0\",\"index\":3},\"groups\":["
        "{\"label\":\"range [1, "
        "16384]\",\"subgraphs\":[{\"name\":\"submod_0\",\"elapsed_us\":0,\"artifacts\":[{\"compile\":\"0/"
        "0\",\"index\":4},"
        "{\"compile\":\"0/0\",\"index\":5}]},{\"name\":\"subgraph_2\",\"artifacts\":[{\"compile\":\"0/"
        "0\",\"index\":6}]}]},"
        "{\"label\":\"size "
        "8\",\"subgraphs\":[{\"name\":\"submod_0\",\"artifacts\":[{\"compile\":\"0/0\",\"index\":7}]}]}]}]}");
}

static void groups_pieces_by_range(void **state) {
    (void)state;
    struct buf log = {0};
    log_dynamo(&log, 0);
    log_config(&log, 0, CONFIG("m"));
    log_graph(&log, 0, "vllm_piecewise_split_graph");
    log_start(&log, 0, START("0", ", \"submod_name\": \"submod_0\"", "1", "16384", "false"));
    log_graph(&log, 0, "vllm_submod_0");
    log_start(&log, 0, START("2", "", "1", "16384", "false"));
    log_start(&log, 0, START("0", ", \"submod_name\": \"submod_0\"", "8", "8", "true"));
    look_at(&log, is_of_two_groups);
}

static void has_two_calls(const struct model *model) {
    const struct vllm *vllm = model->vllm_facts;
    assert_int_equal(vllm->calls.count, 2);
    assert_json(
        model,
        "{\"calls\":[{\"config\":{\"model\":\"a\",\"use_inductor_graph_partition\":false},\"dynamo\":[{\"compile\":\"0/"
        "0\",\"index\":0}],"
        "\"split_graph\":null,\"groups\":[{\"label\":\"size 1\",\"subgraphs\":[{\"name\":\"subgraph_0\",\"artifacts\":["
        "{\"compile\":\"0/0\",\"index\":3}]}]}]},"
        "{\"config\":{\"model\":\"b\",\"use_inductor_graph_partition\":false},\"dynamo\":[{\"compile\":\"1/"
        "0\",\"index\":0}],"
        "\"split_graph\":null,\"groups\":[{\"label\":\"size 1\",\"subgraphs\":[{\"name\":\"subgraph_0\",\"artifacts\":["
        "{\"compile\":\"1/0\",\"index\":3}]}]}]}]}");
}

/* The second graph is Dynamo's for the second call, although it was written after the first call's last subgraph. */
static void a_configuration_begins_a_call(void **state) {
    (void)state;
    struct buf log = {0};
    for (int frame = 0; frame < 2; frame++) {
        log_dynamo(&log, frame);
        log_config(&log, frame, frame ? CONFIG("b") : CONFIG("a"));
        log_start(&log, frame, START("0", "", "1", "1", "true"));
    }
    look_at(&log, has_two_calls);
}

static void has_one_call_of_nothing(const struct model *model) {
    assert_true(model->vllm);
    assert_json(model, "{\"calls\":[{\"config\":null,\"dynamo\":[],\"split_graph\":null,\"groups\":[]}]}");
}

static void takes_bad_payloads(void **state) {
    (void)state;
    static const char *const bad[] = {"[]",
                                      "{}",
                                      "7",
                                      "no json",
                                      "{\"piecewise_index\": \"0\"}",
                                      START("-1", "", "1", "2", "false"),
                                      START("0", "", "1", "2", "1"),
                                      START("0", "", "null", "2", "false")};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct buf log = {0};
        log_config(&log, 0, i % 2 ? "[1]" : "no json");
        log_start(&log, 0, bad[i]);
        look_at(&log, has_one_call_of_nothing);
    }
}

static void is_not_of_vllm(const struct model *model) {
    assert_false(model->vllm);
    assert_null(model->vllm_facts);
    assert_json(model, "");
}

static void other_logs_have_none(void **state) {
    (void)state;
    struct buf log = {0};
    log_dynamo(&log, 0);
    log_graph(&log, 0, "vllm_patterns.1");
    look_at(&log, is_not_of_vllm);
}

/* Logs records at other times than the usual one. */
static void log_at(struct buf *log, const char *time, const char *name, const char *encoding, const char *payload) {
    struct buf line = {0};
    log_artifact_of(&line, 0, 0, name, encoding, payload);
    memcpy(line.ptr + 6, time, 15); /* "V1206 HH:MM:SS.ffffff" */
    buf_add(log, buf_slice(&line));
    buf_free(&line);
}

static void took_some_time(const struct model *model) {
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    vllm_json_add(&w, NULL, model);
    assert_has(buf_slice(&json), "{\"name\":\"subgraph_0\",\"elapsed_us\":1500000,");
    assert_has(buf_slice(&json), "{\"name\":\"subgraph_1\",\"elapsed_us\":2000001,");
    assert_has(buf_slice(&json), "{\"name\":\"subgraph_2\",\"artifacts\"");
    buf_free(&json);
}

static void times_pieces(void **state) {
    (void)state;
    struct buf log = {0};
    log_at(&log, "10:00:00.000000", "vllm_piecewise_compile_start", "json", START("0", "", "1", "4", "false"));
    log_at(&log, "10:00:01.500000", "fx_graph_runnable", "string", "x");
    log_at(&log, "23:59:59.000000", "vllm_piecewise_compile_start", "json", START("1", "", "1", "4", "false"));
    log_at(&log, "23:59:59.100000", "before_post_grad_graph", "string", "x");
    log_at(&log, "00:00:01.000001", "fx_graph_runnable", "string", "x"); /* the next day */
    log_at(&log, "00:10:00.000000", "vllm_piecewise_compile_start", "json", START("2", "", "1", "4", "false"));
    look_at(&log, took_some_time);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_pieces),
        cmocka_unit_test(groups_pieces_by_range),
        cmocka_unit_test(a_configuration_begins_a_call),
        cmocka_unit_test(takes_bad_payloads),
        cmocka_unit_test(other_logs_have_none),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
