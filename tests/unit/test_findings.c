/* model/findings: what to look at first. */
#define _GNU_SOURCE
#include "whole.h"

#include "model/findings.h"

static struct chains chains;
static struct findings findings;

static void clear(void) {
    findings_finish(&findings);
    chains_finish(&chains);
}

static void find(const struct report *report, size_t count) {
    clear();
    chains_find(&chains, report);
    findings_find(&findings, report, &chains);
    assert_int_equal(findings.list.count, count);
}

static void assert_finding(const struct report *report, size_t place, const char *kind, const char *title,
                           const char *ids, int64_t time) {
    const struct finding *finding = &findings.list.items[place];
    assert_string_equal(finding->kind, kind);
    assert_slice(finding->title, title);
    assert_ids(report, finding->compiles.items, finding->compiles.count, ids);
    assert_int_equal(finding->time_us, time);
    assert_true(finding->why.len > 0 && slice_starts(finding->link, SLICE("#/")));
}

#define BREAK(place)                                                                                                   \
    "Graph break in user code at " place                                                                               \
    "\nGraph Break Reason: Call to print\n  Explanation: It prints.\n  Hint: Do not print.\n\n"                        \
    " For more details about this graph break, please visit: https://x.org/gb/gb0170.html\n"

static void ranked(const struct report *report) {
    find(report, 6);
    assert_finding(report, 0, "error", "f3 failed to compile: E", "3/0", 5);
    assert_finding(report, 1, "recompile_limit", "f0 recompiled 1 time, then hit the recompile limit", "0/0 0/1", -1);
    assert_finding(report, 2, "graph_break", "Graph break: Call to print", "1/0", 1000);
    assert_finding(report, 3, "recompile", "f2 recompiled 1 time", "2/0 2/1", 10);
    assert_finding(report, 4, "missing_metrics", "1 compile did not finish", "5/0", -1);
    assert_finding(report, 5, "cache_bypass", "The FX graph cache was bypassed", "1/0", 1000);
    assert_slice(findings.list.items[2].link, "#/breaks?n=0");
    assert_slice(findings.list.items[2].advice, "Do not print.");
    assert_slice(findings.list.items[2].why, "It prints.");
    assert_slice(findings.list.items[0].link, "#/c/3%2F0");
    assert_slice(findings.list.items[0].why, "the reason");
    assert_slice(findings.list.items[5].why, "no triton");
    assert_string_equal(severity_name(findings.list.items[0].severity), "error");
    assert_string_equal(severity_name(findings.list.items[4].severity), "warning");
    assert_string_equal(severity_name(findings.list.items[5].severity), "info");
}

static void ranks_what_it_finds(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_metrics(&log, 0, 1, "\"fail_type\": \"RecompileLimitExceeded\", \"fail_reason\": \"x\"");
    log_artifact_of(&log, 1, 0, "dynamo_graph_break_reason", "string", BREAK("/home/x/a.py:7"));
    log_artifact_of(&log, 1, 0, "fx_graph_cache_bypass", "json", "{\"cache_bypass_reason\": \"no triton\"}");
    log_metrics(&log, 1, 0, "\"duration_us\": 1000");
    log_metrics(&log, 2, 0, "\"duration_us\": 1000000");
    log_metrics(&log, 2, 1, "\"duration_us\": 10");
    log_metrics(&log, 3, 0, "\"duration_us\": 5, \"fail_type\": \"E\", \"fail_reason\": \"\\n  the reason\\nmore\"");
    log_record(&log, "\"dynamo_start\": {}, \"frame_id\": 5, \"frame_compile_id\": 0, \"attempt\": 0");
    look_at(&log, ranked);
}

static void none(const struct report *report) {
    find(report, 0);
}

/* A log without a record is not clean. */
static void nothing_read(const struct report *report) {
    find(report, 1);
    assert_finding(report, 0, "no_records", "The log holds no trace records", "", -1);
    assert_int_equal(findings.list.items[0].severity, SEVERITY_WARNING);
}

static void finds_nothing(void **state) {
    (void)state;
    struct buf log = {0};
    look_at(&log, nothing_read);
    log_line(&log, "text of another program");
    look_at(&log, nothing_read);
    log.len = 0;
    log_metrics(&log, 0, 0, "");
    look_at(&log, none);
}

static void one_error(const struct report *report) {
    find(report, 2);
    assert_finding(report, 0, "error", "f0 failed to compile: E", "0/0 1/0", 5);
    assert_finding(report, 1, "error", "f2 failed to compile: E", "2/0", -1);
}

static void gathers_failures_alike(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "\"duration_us\": 2, \"fail_type\": \"E\", \"fail_reason\": \"r\"");
    log_metrics(&log, 1, 0, "\"duration_us\": 3, \"fail_type\": \"E\", \"fail_reason\": \"r\"");
    log_metrics(&log, 2, 0, "\"fail_type\": \"E\", \"fail_reason\": \"other\"");
    look_at(&log, one_error);
}

static void no_reason(const struct report *report) {
    find(report, 1);
    assert_slice(findings.list.items[0].title, "a frame failed to compile: E");
    assert_slice(findings.list.items[0].why, "The log does not say why.");
}

static void takes_a_failure_without_reason(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"E\"}, " ID0);
    look_at(&log, no_reason);
}

static void distinct(const struct report *report) {
    assert_int_equal(report->breaks.count, 1);
    assert_int_equal(report->breaks.items[0]->count, 3);
    assert_ids(report, report->breaks.items[0]->compiles.items, report->breaks.items[0]->compiles.count, "0/0 1/0");
    find(report, 1);
    assert_finding(report, 0, "graph_break", "Graph break: Call to print", "0/0 1/0", 30);
}

/* Compiles of a break are told once and counted once, in an interleaved log too. */
static void tells_each_compile_once(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
    log_artifact_of(&log, 1, 0, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
    log_metrics(&log, 0, 0, "\"duration_us\": 10");
    log_metrics(&log, 1, 0, "\"duration_us\": 20");
    look_at(&log, distinct);
}

static void same_failure_twice(const struct report *report) {
    find(report, 1);
    assert_finding(report, 0, "error", "f0 failed to compile: E", "0/0 1/0 0/0#2", 40);
}

/* An id whose metrics are there already is a new compile. */
static void counts_each_failed_compile(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 3; i++)
        log_metrics(&log, i & 1, 0,
                    i & 1 ? "\"duration_us\": 20, \"fail_type\": \"E\"" : "\"duration_us\": 10, \"fail_type\": \"E\"");
    look_at(&log, same_failure_twice);
}

static void large_times(const struct report *report) {
    find(report, 2);
    for (size_t i = 0; i < findings.list.count; i++)
        assert_int_equal(findings.list.items[i].time_us, -1); /* no time of anything: unknown */
}

/* Times that a log makes up do not overflow. */
static void adds_any_times(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 3; i++) {
        log_artifact_of(&log, 0, i, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
        log_metrics(&log, 0, i, "\"duration_us\": 9223372036854775806");
    }
    look_at(&log, large_times);
}

static bool has(const char *kind, const char *title, struct finding *found) {
    for (size_t i = 0; i < findings.list.count; i++)
        if (strcmp(findings.list.items[i].kind, kind) == 0 && slice_is(findings.list.items[i].title, title)) {
            *found = findings.list.items[i];
            return true;
        }
    return false;
}

static void skipped(const struct report *report) {
    struct finding found;
    find(report, 4);
    assert_true(has("frame_skipped", "f0 runs eagerly, Dynamo gave it up: BackendCompilerFailed", &found));
    assert_string_equal(impact_name(found.impact), "every_step");
    assert_true(has("frame_skipped", "f1 runs eagerly, Dynamo gave it up: Unsupported", &found));
    assert_true(has("graph_break", "Graph break: Call to print", &found));
    assert_true(has("error", "f2 failed to compile: Unsupported", &found));
    assert_string_equal(impact_name(found.impact), "stops");
    assert_string_equal(findings.list.items[0].kind, "error"); /* what stops goes first */
}

/* A frame that runs eagerly after all is no program that stopped. */
static void tells_frames_given_up(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0,
                "\"fail_type\": \"BackendCompilerFailed\", \"fail_reason\": \"r\", \"config_suppress_errors\": true");
    log_artifact_of(&log, 1, 0, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
    log_metrics(&log, 1, 0, "\"fail_type\": \"Unsupported\", \"fail_reason\": \"r\"");
    log_metrics(&log, 2, 0, "\"fail_type\": \"Unsupported\", \"fail_reason\": \"r\"");
    look_at(&log, skipped);
}

static void costs(const struct report *report) {
    struct finding found;
    find(report, 3);
    assert_true(has("cudagraph_skip", "CUDA graphs were asked for, and skipped", &found));
    assert_slice(found.why, "skipping cudagraphs due to mutated inputs");
    assert_ids(report, found.compiles.items, found.compiles.count, "0/0 1/0");
    assert_int_equal(found.severity, SEVERITY_WARNING);
    assert_true(has("restart", "Dynamo traced 1 frame anew, 2 times in all", &found));
    assert_int_equal(found.time_us, 7);
    assert_true(has("slow_compile", "Compiling f3 took much longer than the other frames", &found));
    assert_slice(found.why, "20.0 s, of which 12.0 s in the phase codegen; half of the compiles took less than 1 s.");
}

static void tells_what_costs_time(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0,
                "\"cudagraph_skip_reason\": \"skipping cudagraphs due to mutated inputs\", \"duration_us\": 1000000");
    log_metrics(&log, 1, 0,
                "\"cudagraph_skip_reason\": \"skipping cudagraphs due to mutated inputs\", \"duration_us\": 1000000");
    log_metrics(
        &log, 2, 0,
        "\"restart_reasons\": [\"a\", \"b\"], \"dynamo_time_before_restart_s\": 0.000007, \"duration_us\": 1000000");
    log_metrics(
        &log, 3, 0,
        "\"duration_us\": 20000000, \"dynamo_cumulative_compile_time_us\": 20000000, "
        "\"aot_autograd_cumulative_compile_time_us\": 15000000, \"inductor_cumulative_compile_time_us\": 14000000, "
        "\"inductor_code_gen_cumulative_compile_time_us\": 12000000");
    look_at(&log, costs);
}

static void misses(const struct report *report) {
    struct finding found;
    find(report, 2);
    assert_true(has("cache_miss", "The FX graph cache missed the same key again", &found));
    assert_ids(report, found.compiles.items, found.compiles.count, "1/0");
    assert_true(has("cache_miss", "The FX graph cache has the graph, but for other sizes", &found));
    assert_ids(report, found.compiles.items, found.compiles.count, "3/0");
}

/* A first miss says nothing, nor does another key. */
static void tells_misses_that_say_something(void **state) {
    (void)state;
    struct buf log = {0};
    static const char *const keys[] = {"\"key\": \"k\"", "\"key\": \"k\"", "\"key\": \"other\"",
                                       "\"key\": \"third\", \"cache_status_detailed\": \"guard_miss\""};
    for (int i = 0; i < 4; i++) {
        char json[100];
        snprintf(json, sizeof json, "{%s}", keys[i]);
        log_artifact_of(&log, i, 0, "fx_graph_cache_miss", "json", json);
        log_metrics(&log, i, 0, "");
    }
    look_at(&log, misses);
}

static void sizes(const struct report *report) {
    struct finding found;
    find(report, 1);
    assert_true(has("specialization", "L['x'].size()[0] was dynamic, and was fixed to 8", &found));
    assert_slice(found.place.file, "/home/x/a.py");
    assert_int_equal(found.place.line, 5);
    assert_ids(report, found.compiles.items, found.compiles.count, "0/0 0/1");
}

/* The place is the user's line, not torch's; tensors of torch's own are no finding. */
static void tells_sizes_that_were_fixed(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 3; i++) {
        char record[600];
        snprintf(record, sizeof record,
                 "\"symbolic_shape_specialization\": {\"symbol\": \"s0\", \"sources\": [\"%s\"], \"value\": \"8\", "
                 "\"reason\": \"r\", "
                 "\"user_stack\": [{\"filename\": \"/home/x/a.py\", \"line\": 5, \"name\": \"f\"}, "
                 "{\"filename\": \"/usr/lib/python3/site-packages/torch/x.py\", \"line\": 6, \"name\": \"g\"}]}, "
                 "\"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0",
                 i == 2 ? "__meta_utils_unknown_tensor6.size()[2]" : "L['x'].size()[0]", i);
        log_record(&log, record);
    }
    look_at(&log, sizes);
}

static void cut(const struct report *report) {
    struct finding found = {0};
    find(report, 2);
    assert_true(has("log_fault", "1 record of the log cannot be read as written", &found));
    assert_int_equal(found.severity, SEVERITY_WARNING);
    assert_slice(found.link, "#/log");
    assert_true(has("missing_metrics", "1 compile did not finish", &found));
    assert_true(slice_find(found.why, SLICE("its last artifact is aot_joint_graph")) != SIZE_MAX);
}

static void tells_where_a_log_ends(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"dynamo_start\": {}, " ID0);
    log_payload(&log, "\"aot_joint_graph\": {}, " ID0, "graph");
    buf_add_lit(&log, "V1121 00:06:07.735000 23075 torch/x.py:1] {\"artifact\": {\"na");
    look_at(&log, cut);
}

static int end(void **state) {
    clear();
    return remove_scratch(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_what_it_finds),
        cmocka_unit_test(finds_nothing),
        cmocka_unit_test(gathers_failures_alike),
        cmocka_unit_test(takes_a_failure_without_reason),
        cmocka_unit_test(tells_each_compile_once),
        cmocka_unit_test(counts_each_failed_compile),
        cmocka_unit_test(adds_any_times),
        cmocka_unit_test(tells_frames_given_up),
        cmocka_unit_test(tells_what_costs_time),
        cmocka_unit_test(tells_misses_that_say_something),
        cmocka_unit_test(tells_sizes_that_were_fixed),
        cmocka_unit_test(tells_where_a_log_ends),
    };
    return cmocka_run_group_tests(tests, make_scratch, end);
}
