/* savings/compile_time_hints: other views of compile time, each with a log that has it and one that must not. */
#define _GNU_SOURCE
#include "time_lines.h"
#include "whole.h"

#define GRAPH "def forward(self, x):\n  y = x.sin()\n  return y"
#define OTHER_GRAPH "def forward(self, x):\n  y = x.cos()\n  return y"
#define INDUCTOR(us, inner)                                                                                            \
    "\"duration_us\": " us ", \"dynamo_cumulative_compile_time_us\": " us ", "                                         \
    "\"aot_autograd_cumulative_compile_time_us\": " inner ", "                                                         \
    "\"inductor_cumulative_compile_time_us\": " inner

/* ---- caches ------------------------------------------------------------------------------------------------------ */

static void look_cold(yyjson_val *time) {
    assert_line(time, "hints", "cold_caches", 6000, 6000);
    assert_text_of(time, "hints", "cold_caches", "why", "4.0 ms of the compile time would remain at least");
    assert_text_of(time, "hints", "cold_caches", "action", "TORCHINDUCTOR_CACHE_DIR");
    assert_no_line(time, "hints", "warm_caches");
}

/* A hit on what this run stored does not make the start a warm one. */
static void look_own_hit(yyjson_val *time) {
    assert_line(time, "hints", "cold_caches", 6000, 6000);
    assert_line(time, "hints", "warm_caches", 5000, -1);
    assert_compiles(time, "hints", "cold_caches", "0/0");
    assert_compiles(time, "hints", "warm_caches", "1/0");
    assert_text_of(time, "hints", "warm_caches", "why", "This run stored the results.");
    assert_text_of(time, "hints", "warm_caches", "title", "1 compile from caches");
}

/* The directory is kept already: only some graphs are new. */
static void look_partly_warm(yyjson_val *time) {
    assert_line(time, "hints", "cold_caches", 6000, -1);
    assert_line(time, "hints", "warm_caches", 5000, -1);
    assert_text_of(time, "hints", "warm_caches", "why", "Earlier runs stored the results.");
    assert_int_equal(json_get_text(line_of(time, "hints", "cold_caches"), "action").len, 0);
}

static void look_mixed(yyjson_val *time) {
    assert_text_of(time, "hints", "warm_caches", "why", "Earlier runs stored results of 1, and this run those of the");
}

/* A compile that found one result and missed another is not one from caches. */
static void look_half(yyjson_val *time) {
    assert_line(time, "hints", "cold_caches", 6000, -1);
    assert_no_line(time, "hints", "warm_caches");
}

static void look_no_caches(yyjson_val *time) {
    assert_no_line(time, "hints", "cold_caches");
    assert_no_line(time, "hints", "warm_caches");
}

static void log_cold(struct buf *log) {
    log_cache(log, 0, 0, "fx_graph_cache_miss", "fa", 6000000);
    log_metrics(log, 0, 0, INDUCTOR("10000", "7000"));
}

static void log_hit(struct buf *log, int frame, const char *key) {
    log_cache(log, frame, 0, "fx_graph_cache_hit", key, 0);
    log_metrics(log, frame, 0, INDUCTOR("5000", "100"));
}

static void caches(void **state) {
    (void)state;
    struct buf cold = {0}, own = {0}, partly = {0}, mixed = {0}, half = {0}, none = {0};
    log_cold(&cold);
    look_at_lines(&cold, look_cold);
    log_cold(&own);
    log_hit(&own, 1, "fa");
    look_at_lines(&own, look_own_hit);
    log_cold(&partly);
    log_hit(&partly, 1, "fb");
    look_at_lines(&partly, look_partly_warm);
    log_cold(&mixed);
    log_hit(&mixed, 1, "fa");
    log_hit(&mixed, 2, "fb");
    look_at_lines(&mixed, look_mixed);
    log_cache(&half, 0, 0, "aotautograd_cache_hit", "ab", 0);
    log_cold(&half);
    look_at_lines(&half, look_half);
    log_metrics(&none, 0, 0, INDUCTOR("10000", "7000"));
    look_at_lines(&none, look_no_caches);
}

/* ---- graph breaks ------------------------------------------------------------------------------------------------ */

static void log_frame(struct buf *log, int frame, const char *name, int ops, const char *more) {
    char fields[500];
    snprintf(fields, sizeof fields,
             "\"compilation_metrics\": {\"co_name\": \"%s\", \"co_filename\": \"a.py\", \"co_firstlineno\": 3, "
             "\"graph_op_count\": %d, \"duration_us\": 100%s}, \"frame_id\": %d, \"frame_compile_id\": 0, "
             "\"attempt\": 0",
             name, ops, more, frame);
    log_record(log, fields);
}

static void look_resumed(yyjson_val *time) {
    assert_line(time, "hints", "graph_breaks", 300, -1);
    assert_compiles(time, "hints", "graph_breaks", "1/0 2/0 3/0");
    assert_text_of(time, "hints", "graph_breaks", "title", "3 compiles after graph breaks");
    assert_text_of(time, "hints", "graph_breaks", "why", " 2 of these compiles have no graph.");
}

static void look_not_resumed(yyjson_val *time) {
    assert_no_line(time, "hints", "graph_breaks");
}

static void resumed(void **state) {
    (void)state;
    struct buf log = {0}, other = {0};
    log_frame(&log, 0, "f", 1, "");
    log_frame(&log, 1, "torch_dynamo_resume_in_f_at_4", 1, "");
    log_frame(&log, 2, "torch_dynamo_resume_in_f_at_5", 0, "");
    log_frame(&log, 3, "torch_dynamo_resume_in_f_at_6", 1, ", \"fail_type\": \"RuntimeError\"");
    look_at_lines(&log, look_resumed);
    log_frame(&other, 0, "not_torch_dynamo_resume_in_f_at_4", 1, "");
    look_at_lines(&other, look_not_resumed);
}

static void look_small(yyjson_val *time) {
    assert_line(time, "hints", "small_graphs", 800, -1);
    assert_compiles(time, "hints", "small_graphs", "0/0 1/0 2/0 3/0 4/0 5/0 6/0 7/0");
    assert_text_of(time, "hints", "small_graphs", "title", "8 first compiles of fewer than 10 operators");
}

static void look_not_small(yyjson_val *time) {
    assert_no_line(time, "hints", "small_graphs");
}

/* First compiles of many frames: few, larger graphs, recompiles, and a small part of the time are something else. */
static void small_graphs(void **state) {
    (void)state;
    static const struct {
        int frames, ops, compile, rest_us;
        lines_look *look;
    } rows[] = {
        {8, 9, 0, 2400, look_small},    {7, 9, 0, 100, look_not_small}, {8, 10, 0, 100, look_not_small},
        {8, 0, 0, 100, look_not_small}, {8, 9, 1, 100, look_not_small}, {8, 9, 0, 2500, look_not_small},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf log = {0};
        char fields[300];
        for (int frame = 0; frame <= rows[i].frames; frame++) {
            bool rest = frame == rows[i].frames;
            snprintf(fields, sizeof fields,
                     "\"compilation_metrics\": {\"co_name\": \"f\", \"graph_op_count\": %d, \"duration_us\": %d}, "
                     "\"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": 0",
                     rest ? 100 : rows[i].ops, rest ? rows[i].rest_us : 100, frame, rest ? 0 : rows[i].compile);
            log_record(&log, fields);
        }
        look_at_lines(&log, rows[i].look);
    }
}

static void look_unfinished(yyjson_val *time) {
    assert_line(time, "hints", "unfinished", 4000, -1);
    assert_compiles(time, "hints", "unfinished", "1/0");
    assert_slice(json_get_text(line_of(time, "hints", "unfinished"), "link"), "#/c/1%2F0");
}

static void look_finished(yyjson_val *time) {
    assert_no_line(time, "hints", "unfinished");
}

/* A compile without an end has no metrics, so its time is not in the total. */
static void unfinished(void **state) {
    (void)state;
    for (int ended = 0; ended < 2; ended++) {
        struct buf log = {0};
        log_metrics(&log, 0, 0, "\"duration_us\": 100");
        log_edge(&log, 1, "B", "dynamo", 1000);
        log_edge(&log, 1, "B", "backend_compile", 2000);
        log_edge(&log, 1, "E", "backend_compile", 5000);
        if (ended) {
            log_edge(&log, 1, "E", "dynamo", 6000);
            log_metrics(&log, 1, 0, "\"duration_us\": 5000");
        }
        look_at_lines(&log, ended ? look_finished : look_unfinished);
    }
}

/* ---- one graph, equal graphs ------------------------------------------------------------------------------------- */

static void look_largest(yyjson_val *time) {
    assert_line(time, "hints", "largest", 101, -1);
    assert_compiles(time, "hints", "largest", "1/0");
    assert_text_of(time, "hints", "largest", "evidence", "50 %");
}

static void look_not_largest(yyjson_val *time) {
    assert_no_line(time, "hints", "largest");
}

static void largest(void **state) {
    (void)state;
    struct buf log = {0}, half = {0}, few = {0};
    log_metrics(&log, 0, 0, "\"duration_us\": 50");
    log_metrics(&log, 1, 0, "\"duration_us\": 101");
    log_metrics(&log, 2, 0, "\"duration_us\": 50");
    look_at_lines(&log, look_largest);
    log_metrics(&half, 0, 0, "\"duration_us\": 50");
    log_metrics(&half, 1, 0, "\"duration_us\": 100");
    log_metrics(&half, 2, 0, "\"duration_us\": 50");
    look_at_lines(&half, look_not_largest);
    log_metrics(&few, 0, 0, "\"duration_us\": 50");
    log_metrics(&few, 1, 0, "\"duration_us\": 100");
    look_at_lines(&few, look_not_largest);
}

static void look_equal(yyjson_val *time) {
    assert_line(time, "hints", "equal_graphs", 70, -1);
    assert_compiles(time, "hints", "equal_graphs", "2/0");
    assert_text_of(time, "hints", "equal_graphs", "title", "1 compile of an equal graph");
}

static void look_not_equal(yyjson_val *time) {
    assert_no_line(time, "hints", "equal_graphs");
}

static void equal_graphs(void **state) {
    (void)state;
    static const char *const fail = "\"duration_us\": 70, \"fail_type\": \"RuntimeError\"";
    struct buf log = {0}, failed = {0}, later = {0}, cached = {0};
    log_graph(&log, 0, 0, GRAPH);
    log_metrics(&log, 0, 0, "\"duration_us\": 70");
    log_graph(&log, 1, 0, OTHER_GRAPH);
    log_metrics(&log, 1, 0, "\"duration_us\": 70");
    log_graph(&log, 2, 0, GRAPH);
    log_metrics(&log, 2, 0, "\"duration_us\": 70");
    look_at_lines(&log, look_equal);
    log_graph(&failed, 0, 0, GRAPH); /* the earlier one failed: the graph was not compiled before */
    log_metrics(&failed, 0, 0, fail);
    log_graph(&failed, 1, 0, GRAPH);
    log_metrics(&failed, 1, 0, "\"duration_us\": 70");
    look_at_lines(&failed, look_not_equal);
    log_graph(&later, 0, 0, GRAPH); /* the later one failed */
    log_metrics(&later, 0, 0, "\"duration_us\": 70");
    log_graph(&later, 1, 0, GRAPH);
    log_metrics(&later, 1, 0, fail);
    look_at_lines(&later, look_not_equal);
    log_graph(&cached, 0, 0, GRAPH); /* the later one found the code of the first */
    log_cache(&cached, 0, 0, "fx_graph_cache_miss", "fa", 10000);
    log_metrics(&cached, 0, 0, "\"duration_us\": 70");
    log_graph(&cached, 1, 0, GRAPH);
    log_cache(&cached, 1, 0, "fx_graph_cache_hit", "fa", 10000);
    log_metrics(&cached, 1, 0, "\"duration_us\": 70");
    look_at_lines(&cached, look_not_equal);
}

#define SET(name, value) ", \"inductor_config\": \"{\\\"" name "\\\": " value "}\""

static void look_off(yyjson_val *time) {
    assert_line(time, "hints", "caches_off", 15000, 15000);
    assert_compiles(time, "hints", "caches_off", "0/0 1/0");
    assert_text_of(time, "hints", "caches_off", "action", "TORCHINDUCTOR_FX_GRAPH_CACHE");
    assert_line(time, "hints", "equal_graphs", 10000, 7500);
    assert_text_of(time, "hints", "equal_graphs", "action", "TORCHINDUCTOR_FX_GRAPH_CACHE");
}

static void look_on(yyjson_val *time) {
    assert_no_line(time, "hints", "caches_off");
    assert_line(time, "hints", "equal_graphs", 10000, -1);
    assert_int_equal(json_get_text(line_of(time, "hints", "equal_graphs"), "action").len, 0);
}

/* Only where the log says that the cache is off can a result be loaded instead. */
static void caches_off(void **state) {
    (void)state;
    static const struct {
        const char *set;
        lines_look *look;
    } rows[] = {
        {SET("fx_graph_cache", "false"), look_off},
        {SET("force_disable_caches", "true"), look_off},
        {", \"compiler_config\": \"{\\\"force_disable_caches\\\": true}\"", look_off},
        {SET("fx_graph_cache", "true"), look_on},
        {SET("force_disable_caches", "false"), look_on},
        {"", look_on}, /* unknown */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf log = {0};
        for (int frame = 0; frame < 2; frame++) {
            char fields[700];
            log_graph(&log, frame, 0, GRAPH);
            snprintf(fields, sizeof fields, "\"graph_op_count\": 1, %s%s", INDUCTOR("10000", "7500"), rows[i].set);
            log_metrics(&log, frame, 0, fields);
        }
        look_at_lines(&log, rows[i].look);
    }
}

/* ---- overheads --------------------------------------------------------------------------------------------------- */

static void look_logging(yyjson_val *time) {
    assert_line(time, "hints", "logging", 900, -1); /* 600 of 0/0 and its backward, 200 after the reset, 100 */
    assert_compiles(time, "hints", "logging", "0/0 0/0#2 1/0");
}

static void look_no_overhead(yyjson_val *time) {
    assert_no_line(time, "hints", "logging");
    assert_no_line(time, "hints", "gc");
}

/* The sum for an id grows: a backward repeats the time of its forward, a compile after a reset that before. */
static void logging(void **state) {
    (void)state;
    struct buf log = {0}, little = {0};
    log_metrics(&log, 0, 0, "\"duration_us\": 5000, \"structured_logging_overhead_us\": 400");
    log_record(&log,
               "\"bwd_compilation_metrics\": {\"duration_us\": 1000, \"structured_logging_overhead_us\": 600}, " ID0);
    log_metrics(&log, 0, 0, "\"duration_us\": 5000, \"structured_logging_overhead_us\": 800");
    log_metrics(&log, 1, 0, "\"duration_us\": 5000, \"structured_logging_overhead_us\": 100");
    look_at_lines(&log, look_logging);
    log_metrics(&little, 0, 0, "\"duration_us\": 5000, \"structured_logging_overhead_us\": 50");
    look_at_lines(&little, look_no_overhead);
}

static void look_gc(yyjson_val *time) {
    assert_line(time, "hints", "gc", 700, 700);
    assert_text_of(time, "hints", "gc", "action", "TORCH_DYNAMO_RUN_GC_AFTER_COMPILE=0");
}

/* Only the member itself counts: not a longer name, a text that names it, or a member of another object. */
static void garbage(void **state) {
    (void)state;
    struct buf log = {0}, other = {0};
    log_metrics(&log, 0, 0,
                "\"duration_us\": 5000, \"recompile_reason\": \"gc_time_us is mentioned\", \"x_gc_time_us\": 9, "
                "\"gc_time_us\": 700");
    look_at_lines(&log, look_gc);
    log_metrics(&other, 0, 0,
                "\"duration_us\": 5000, \"x_gc_time_us\": 900, \"other\": {\"gc_time_us\": 900, "
                "\"structured_logging_overhead_us\": 900}, \"gc_time_us\": null");
    look_at_lines(&other, look_no_overhead);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches),     cmocka_unit_test(resumed), cmocka_unit_test(small_graphs),
        cmocka_unit_test(unfinished), cmocka_unit_test(largest), cmocka_unit_test(equal_graphs),
        cmocka_unit_test(caches_off), cmocka_unit_test(logging), cmocka_unit_test(garbage),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
