/* Tests of the comparison of settings that graphs were compiled with, in two runs. */
#include "ranks_run.h"
#include "whole.h"

#include <yyjson.h>

#define IMPORT "import torch._inductor.config\n"
/* The configuration of the metrics: a is this, b is a list, d is 5. */
#define CONFIG(a) "\"inductor_config\": \"{\\\"a\\\": " a ", \\\"b\\\": [1], \\\"d\\\": 5}\""

/* A compile of a function, whose graph was compiled with this program. NULL: the log does not have it. */
static void graph_with(struct buf *log, int frame, const char *program, const char *config) {
    if (program)
        log_artifact_of(log, frame, 0, "fx_graph_runnable", "string", program);
    log_metrics(log, frame, 0, config);
}

static void assert_in_pair(yyjson_doc *doc, size_t place, const char *member, const char *expected) {
    yyjson_val *pair = yyjson_arr_get(yyjson_doc_ptr_get(doc, "/comparison/pairs"), place);
    yyjson_val *found = yyjson_obj_get(yyjson_ptr_get(pair, "/logs/0"), member);
    assert_non_null(found);
    char *text = yyjson_val_write(found, 0, NULL);
    assert_string_equal(text, expected);
    free(text);
}

static void compares_each_function(void **state) {
    (void)state;
    struct buf logs[2] = {{0}, {0}};
    graph_with(&logs[0], 0, IMPORT, CONFIG("1"));
    graph_with(&logs[1], 0, IMPORT "torch._inductor.config.a = 2\n", CONFIG("1"));
    /* the same in both runs */
    for (int run = 0; run < 2; run++)
        graph_with(&logs[run], 1, IMPORT "torch._inductor.config.a = 3\n", CONFIG("1"));
    /* unknown in one run */
    graph_with(&logs[0], 2, NULL, CONFIG("1"));
    graph_with(&logs[1], 2, IMPORT "torch._inductor.config.a = 4\n", CONFIG("1"));
    /* a list, which the program of the other run does not set */
    graph_with(&logs[0], 3, IMPORT "torch._inductor.config.b = [2]\n", CONFIG("1"));
    graph_with(&logs[1], 3, IMPORT, CONFIG("1"));
    /* not set, and no configuration of this kind is logged */
    graph_with(&logs[0], 4, IMPORT, CONFIG("1"));
    graph_with(&logs[1], 4, IMPORT "torch._functorch.config.c = True\n", CONFIG("1"));
    /* only one run has the function */
    graph_with(&logs[1], 5, IMPORT "torch._inductor.config.a = 5\n", CONFIG("1"));
    save_log(&logs[0], "0");
    save_log(&logs[1], "1");
    yyjson_doc *doc = report_of(2, false, 1);
    assert_in_pair(doc, 0, "settings", "[]");
    assert_in_pair(
        doc, 0, "settings_in_effect",
        "[{\"kind\":\"inductor\",\"setting\":\"a\",\"values\":[[{\"value\":1,\"compiles\":[\"0/0\"]}],"
        "[{\"value\":2,\"compiles\":[\"0/0\"]}]]},"
        "{\"kind\":\"inductor\",\"setting\":\"b\",\"values\":[[{\"value\":\"[2]\",\"compiles\":[\"3/0\"]}],"
        "[{\"value\":[1],\"compiles\":[\"3/0\"]}]]},"
        "{\"kind\":\"functorch\",\"setting\":\"c\",\"values\":[[],[{\"value\":true,\"compiles\":[\"4/0\"]}]]}]");
    assert_in_pair(doc, 0, "more_settings_in_effect", "0");
    yyjson_doc_free(doc);
}

/* A configuration that differs is one of `settings`, and a log without programs and keys says nothing of its graphs. */
static void leaves_configurations_to_settings(void **state) {
    (void)state;
    struct buf logs[3] = {{0}, {0}, {0}};
    graph_with(&logs[0], 0, IMPORT, CONFIG("1"));
    graph_with(&logs[1], 0, IMPORT "torch._inductor.config.a = 2\n", CONFIG("2"));
    graph_with(&logs[2], 0, NULL, CONFIG("1"));
    save_log(&logs[0], "0");
    save_log(&logs[1], "1");
    save_log(&logs[2], "2");
    yyjson_doc *doc = report_of(3, false, 1);
    assert_in_pair(doc, 0, "settings", "[{\"kind\":\"inductor\",\"setting\":\"a\",\"values\":[[1],[2]]}]");
    assert_in_pair(doc, 0, "settings_in_effect", "[]");
    assert_in_pair(doc, 1, "settings_in_effect", "null");
    yyjson_doc_free(doc);
}

/* A key shows what it has; without a program, what it does not have is unknown. */
static void takes_values_from_keys(void **state) {
    (void)state;
    static const char *const keys[] = {"{\"key\": \"k\", \"components\": [\"[h1] inductor_config[a]: 1\"]}",
                                       "{\"key\": \"l\", \"components\": [\"[h2] inductor_config[a]: 2\"]}"};
    struct buf logs[2] = {{0}, {0}};
    for (int run = 0; run < 2; run++) {
        log_artifact_of(&logs[run], 0, 0, "fx_graph_cache_miss", "json", keys[run]);
        graph_with(&logs[run], 0, run ? IMPORT "torch._inductor.config.d = 6\n" : NULL, CONFIG("1"));
        save_log(&logs[run], run ? "1" : "0");
    }
    yyjson_doc *doc = report_of(2, false, 1);
    assert_in_pair(doc, 0, "settings_in_effect",
                   "[{\"kind\":\"inductor\",\"setting\":\"a\",\"values\":[[{\"value\":1,\"compiles\":[\"0/0\"]}],"
                   "[{\"value\":2,\"compiles\":[\"0/0\"]}]]}]");
    yyjson_doc_free(doc);
}

/* The program of f does not set what the whole run sets: f may have reset it. */
static void leaves_out_what_may_be_reset(void **state) {
    (void)state;
    struct buf logs[2] = {{0}, {0}};
    graph_with(&logs[0], 0, IMPORT, CONFIG("8"));
    graph_with(&logs[1], 0, IMPORT "torch._inductor.config.a = 2\n", CONFIG("8"));
    for (int run = 0; run < 2; run++) {
        graph_with(&logs[run], 1, IMPORT "torch._inductor.config.a = 8\n", CONFIG("8"));
        save_log(&logs[run], run ? "1" : "0");
    }
    yyjson_doc *doc = report_of(2, false, 1);
    assert_in_pair(doc, 0, "settings_in_effect", "[]");
    yyjson_doc_free(doc);
}

/* With an unknown compile, a run that shares a value may have all of the other's. */
static void doubts_with_unknown_compiles(void **state) {
    (void)state;
    for (int unknown = 0; unknown < 2; unknown++) {
        struct buf logs[2] = {{0}, {0}};
        graph_with(&logs[0], 0, IMPORT, CONFIG("1"));
        if (unknown)
            log_metrics(&logs[0], 0, 1, CONFIG("1"));
        graph_with(&logs[1], 0, IMPORT, CONFIG("1"));
        log_artifact_of(&logs[1], 0, 1, "fx_graph_runnable", "string", IMPORT "torch._inductor.config.a = 2\n");
        log_metrics(&logs[1], 0, 1, CONFIG("1"));
        save_log(&logs[0], "0");
        save_log(&logs[1], "1");
        yyjson_doc *doc = report_of(2, false, 1);
        assert_in_pair(doc, 0, "settings_in_effect",
                       unknown ? "[]"
                               : "[{\"kind\":\"inductor\",\"setting\":\"a\",\"values\":[[{\"value\":1,\"compiles\":["
                                 "\"0/0\"]}],[{\"value\":1,\"compiles\":[\"0/0\"]},{\"value\":2,\"compiles\":[\"0/"
                                 "1\"]}]]}]");
        yyjson_doc_free(doc);
    }
}

/* A mode sets exactly its settings. */
static void names_the_mode(void **state) {
    (void)state;
    static const char *const set[] = {"triton.cudagraphs = True\n",
                                      "triton.cudagraphs = True\ntorch._inductor.config.d = 6\n"};
    for (int more = 0; more < 2; more++) {
        struct buf logs[2] = {{0}, {0}}, program = {0};
        const char *config = "\"inductor_config\": \"{\\\"triton.cudagraphs\\\": false, \\\"d\\\": 5}\"";
        buf_addf(&program, IMPORT "torch._inductor.config.%s%c", set[more], 0);
        graph_with(&logs[0], 0, IMPORT, config);
        graph_with(&logs[1], 0, program.ptr, config);
        buf_free(&program);
        save_log(&logs[0], "0");
        save_log(&logs[1], "1");
        yyjson_doc *doc = report_of(2, false, 1);
        yyjson_val *list = yyjson_doc_ptr_get(doc, "/comparison/pairs/0/logs/0/settings_in_effect");
        assert_int_equal(yyjson_arr_size(list), more ? 2 : 1);
        const char *mode = yyjson_get_str(yyjson_ptr_get(yyjson_arr_get_last(list), "/values/1/0/mode"));
        if (more)
            assert_null(mode);
        else
            assert_string_equal(mode, "reduce-overhead");
        yyjson_doc_free(doc);
    }
}

/* All compiles of one value are counted, of all functions. */
static void counts_compiles(void **state) {
    (void)state;
    struct buf logs[2] = {{0}, {0}};
    for (int run = 0; run < 2; run++) {
        for (int i = 0; i < 120; i++) {
            log_artifact_of(&logs[run], i / 60, i % 60, "fx_graph_runnable", "string",
                            run ? IMPORT "torch._inductor.config.a = 2\n" : IMPORT);
            log_metrics(&logs[run], i / 60, i % 60, CONFIG("1"));
        }
        save_log(&logs[run], run ? "1" : "0");
    }
    yyjson_doc *doc = report_of(2, false, 1);
    yyjson_val *value = yyjson_doc_ptr_get(doc, "/comparison/pairs/0/logs/0/settings_in_effect/0/values/1/0");
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(value, "compiles")), 100);
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(value, "more_compiles")), 20);
    yyjson_doc_free(doc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_each_function),
        cmocka_unit_test(leaves_configurations_to_settings),
        cmocka_unit_test(takes_values_from_keys),
        cmocka_unit_test(leaves_out_what_may_be_reset),
        cmocka_unit_test(doubts_with_unknown_compiles),
        cmocka_unit_test(names_the_mode),
        cmocka_unit_test(counts_compiles),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
