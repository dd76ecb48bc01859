/* Compiles that share an id, and records without one: report.json, links of pages, the list for readers without
 * JavaScript. */
#define _GNU_SOURCE
#include "support.h"

#define FRAME(name) "\"compilation_metrics\": {\"co_name\": \"" name "\", \"graph_op_count\": 1, "
#define START "\"dynamo_start\": {\"stack\": []}, " ID0
#define STACK "\"stack\": [{\"line\": 3, \"name\": \"main\", \"filename\": 0}]"

static yyjson_val *at(yyjson_doc *doc, const char *pointer) {
    yyjson_val *value = yyjson_doc_ptr_get(doc, pointer);
    if (!value)
        fail_msg("there is no %s", pointer);
    return value;
}

static void assert_number(yyjson_doc *doc, const char *pointer, int64_t expected) {
    assert_int_equal(yyjson_get_sint(at(doc, pointer)), expected);
}

static void assert_text(yyjson_doc *doc, const char *pointer, const char *expected) {
    assert_string_equal(yyjson_get_str(at(doc, pointer)), expected);
}

/* 0/0 twice, and a record of 1/0, which was never compiled. */
static struct run two_generations(void) {
    struct buf log = {0};
    log_record(&log, START);
    log_artifact(&log, "one", "string", "first");
    log_record(&log, FRAME("f") "\"duration_us\": 100, \"dynamo_cumulative_compile_time_us\": 90}, " ID0);
    log_record(&log, START);
    log_artifact(&log, "two", "string", "second");
    log_payload(&log, "\"inductor_output_code\": {\"filename\": \"c.py\"}, " ID0, "x = 1");
    log_record(&log, FRAME("g") "\"duration_us\": 1000, \"aot_autograd_cumulative_compile_time_us\": 400}, " ID0);
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 50, \"inductor_compile_time_s\": 0.00001}, " ID0);
    log_payload(&log,
                "\"artifact\": {\"name\": \"lost\", \"encoding\": \"string\"}, \"frame_id\": 1, "
                "\"frame_compile_id\": 0, \"attempt\": 0",
                "text");
    return run_log(&log);
}

static void counts_only_compiles(void **state) {
    (void)state;
    struct run run = two_generations();
    yyjson_doc *doc = read_json(run.dirfd, "report.json");
    assert_number(doc, "/totals/compiles", 2);
    assert_number(doc, "/totals/compiled", 2);
    assert_number(doc, "/totals/statuses/missing", 0);
    assert_text(doc, "/compiles/0/key", "0/0");
    assert_text(doc, "/compiles/1/key", "0/0#2");
    assert_text(doc, "/compiles/2/key", "1/0");
    assert_true(yyjson_is_true(at(doc, "/compiles/1/is_compile")));
    assert_true(yyjson_is_false(at(doc, "/compiles/2/is_compile")));
    yyjson_doc_free(doc);
    end_run(&run);
}

/* One compile has only Dynamo's timer, the other only AOTAutograd's. Sums of timers would include AOTAutograd's in
 * Dynamo's. */
static void sums_self_times_of_phases(void **state) {
    (void)state;
    struct run run = two_generations();
    yyjson_doc *doc = read_json(run.dirfd, "report.json");
    assert_number(doc, "/totals/time_us", 1150);
    assert_number(doc, "/totals/own_us/dynamo", 90);
    assert_number(doc, "/totals/own_us/aot", 400);
    assert_number(doc, "/totals/own_us/backward", 50); /* the total in its metrics, not the timer of a part */
    assert_number(doc, "/totals/own_us/other", 610);
    assert_number(doc, "/compiles/0/own_us/other", 10);
    assert_number(doc, "/compiles/1/own_us/other", 600);
    assert_int_equal(yyjson_get_len(at(doc, "/checks")), 0);
    yyjson_doc_free(doc);
    end_run(&run);
}

static void links_pages_to_their_generation(void **state) {
    (void)state;
    struct run run = two_generations();
    assert_file_has(run.dirfd, "-_0_0_0/compilation_metrics_1.html", "#/c/0%2F0\">[0/0]</a>");
    assert_file_has(run.dirfd, "-_0_0_0/inductor_output_code_c_3.html", "#/c/0%2F0%232\">[0/0#2]</a>");
    assert_file_has(run.dirfd, "index.html", "<h2>2 compiles</h2>");
    assert_file_has(run.dirfd, "index.html", "<h3>[0/0] f · ok</h3>");
    assert_file_has(run.dirfd, "index.html", "<h3>[0/0] g · ok · generation 2</h3>");
    assert_file_has(run.dirfd, "index.html", "<h2>Records outside of compiles</h2>\n<h3>[1/0]</h3>");
    end_run(&run);
}

static void reports_time_lost_to_restarts(void **state) {
    (void)state;
    struct buf log = {0};
    const char *lost = "\"restart_reasons\": [\"break\"], \"dynamo_time_before_restart_s\": 0.25";
    char fields[512];
    for (int failed = 0; failed < 2; failed++) {
        snprintf(fields, sizeof fields,
                 FRAME("f") "\"duration_us\": 900000, %s%s}, \"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": 1",
                 lost, failed ? ", \"fail_type\": \"E\"" : "", failed);
        log_record(&log, fields);
    }
    struct run run = run_log(&log);
    yyjson_doc *doc = read_json(run.dirfd, "report.json");
    assert_number(doc, "/totals/restart_us", 250000);
    assert_number(doc, "/compiles/0/restart_us", 250000);
    assert_true(yyjson_is_null(at(doc, "/compiles/1/restart_us"))); /* it failed: all of it is lost */
    yyjson_doc_free(doc);
    end_run(&run);
}

/* The second record belongs to the compile without an id, the third to the records after it. Each names its index
 * there. */
static void lists_artifacts_without_an_id(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"str\": [\"/home/me/a.py\", 0]");
    log_payload(&log, "\"artifact\": {\"name\": \"one\", \"encoding\": \"string\"}, " STACK, "1");
    log_payload(&log, "\"artifact\": {\"name\": \"two\", \"encoding\": \"string\"}, " STACK, "2");
    log_record(&log, "\"compilation_metrics\": {\"duration_us\": 5}, " STACK);
    log_payload(&log, "\"artifact\": {\"name\": \"three\", \"encoding\": \"string\"}, " STACK, "3");
    struct run run = run_log(&log);
    yyjson_doc *doc = read_json(run.dirfd, "report.json");
    assert_number(doc, "/unattributed/0/records", 4);
    assert_text(doc, "/unattributed/0/stack/0/function", "main");
    assert_text(doc, "/unattributed/0/artifacts/1/name", "two");
    assert_text(doc, "/unattributed/0/artifacts/1/compile", "-/-");
    assert_number(doc, "/unattributed/0/artifacts/1/index", 1);
    assert_text(doc, "/unattributed/0/artifacts/3/name", "three");
    assert_text(doc, "/unattributed/0/artifacts/3/compile", "-/-#2");
    assert_number(doc, "/unattributed/0/artifacts/3/index", 0);
    assert_text(doc, "/compiles/1/artifacts/0/name", "three");
    yyjson_doc_free(doc);
    end_run(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_only_compiles),
        cmocka_unit_test(sums_self_times_of_phases),
        cmocka_unit_test(links_pages_to_their_generation),
        cmocka_unit_test(reports_time_lost_to_restarts),
        cmocka_unit_test(lists_artifacts_without_an_id),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
