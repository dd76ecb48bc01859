/* savings/checks: sums over compiles, and contradictions with the log. */
#define _GNU_SOURCE
#include "whole.h"

#include "analysis/timeline.h"
#include "savings/checks.h"

static struct totals totals;
static struct checks checks;

static void work_out(const struct model *model) {
    checks_finish(&checks);
    totals_init(&totals);
    totals_add_report(&totals, model);
    checks_run(&checks, model, &totals);
}

static void assert_check(const char *name, const char *about, int64_t expected, int64_t found) {
    assert_int_equal(checks.list.count, 1);
    const struct check *check = &checks.list.items[0];
    assert_string_equal(check->name, name);
    assert_slice(check->about, about);
    assert_int_equal(check->expected, expected);
    assert_int_equal(check->found, found);
}

static int64_t time_of(const struct model *model, const char *id) {
    return model->compiles.items[place_of_compile(model, id)]->time_us;
}

static void first_that_is_told(const struct model *model) {
    work_out(model);
    assert_int_equal(time_of(model, "0/0"), 5);
    assert_int_equal(time_of(model, "1/0"), 40);
    assert_int_equal(time_of(model, "2/0"), 2000000);
    assert_int_equal(time_of(model, "3/0"), 8);
    assert_int_equal(time_of(model, "4/0"), -1);
    assert_int_equal(totals.time_us, 5 + 40 + 2000000 + 8);
    assert_int_equal(totals.compiles, 5);
    assert_int_equal(checks.list.count, 0);
}

/* The duration, else end minus start, else the frame's time in seconds, else the timer. */
static void takes_the_first_known_time(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "\"duration_us\": 5, \"start_time_us\": 10, \"end_time_us\": 90");
    log_metrics(&log, 1, 0,
                "\"start_time_us\": 1795219764260058, \"end_time_us\": 1795219764260098, "
                "\"entire_frame_compile_time_s\": 0.00003");
    log_metrics(&log, 2, 0, "\"entire_frame_compile_time_s\": 2.0, \"start_time_us\": 9, \"end_time_us\": 3");
    log_metrics(&log, 3, 0, "\"dynamo_cumulative_compile_time_us\": 8");
    log_metrics(&log, 4, 0, "");
    look_at(&log, first_that_is_told);
}

static void all_kinds(const struct model *model) {
    work_out(model);
    assert_int_equal(totals.time_us, 100 + 30 + 7 + 50 + 60);
    assert_int_equal(totals.forward_us, 100 + 7 + 50 + 60);
    assert_int_equal(totals.backward_us, 30);
    assert_int_equal(totals.runtime_us, 900);
    assert_int_equal(totals.restart_us, 20);
    assert_int_equal(totals.restarts, 2);
    assert_int_equal(totals.statuses[STATUS_RESTART], 1);
    assert_int_equal(totals.statuses[STATUS_ERROR], 1);
    assert_int_equal(checks.list.count, 0);
}

/* Run time is not compile time. Time lost to restarts is the time before them, of compiles that succeeded. */
static void sums_all_kinds_of_compiles(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "\"duration_us\": 100");
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 30}, " ID0);
    log_record(&log, "\"bwd_compilation_metrics_runtime\": {\"runtime_cudagraphify_time_us\": 900}, " ID0);
    log_record(&log, "\"compilation_metrics\": {\"start_time_us\": 1, \"end_time_us\": 8}");
    log_metrics(&log, 1, 0,
                "\"duration_us\": 50, \"restart_reasons\": [\"r\"], \"dynamo_time_before_restart_s\": 0.00002");
    log_metrics(&log, 2, 0,
                "\"duration_us\": 60, \"restart_reasons\": [\"r\"], \"dynamo_time_before_restart_s\": 0.00003, "
                "\"fail_type\": \"Unsupported\"");
    look_at(&log, all_kinds);
}

static void two_backwards(const struct model *model) {
    const struct compile *compile = model->compiles.items[place_of_compile(model, "0/0")];
    work_out(model);
    assert_int_equal(totals.backward_us, 50);
    assert_int_equal(compile->phases_us[PHASE_BACKWARD], 50);
    assert_int_equal(compile->backward_phases_us[PHASE_INDUCTOR], 25);
    assert_int_equal(compile->backward_phases_us[PHASE_CODEGEN], 12); /* one of them was loaded from the cache */
    assert_int_equal(compile->phases_us[PHASE_INDUCTOR], 60);
    assert_int_equal(checks.list.count, 0);
}

/* DDP splits a graph, and each piece has its own backward with metrics. */
static void sums_backwards_of_pieces(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "\"duration_us\": 100, \"inductor_cumulative_compile_time_us\": 60");
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 30, \"backward_cumulative_compile_time_us\": 30, "
                     "\"inductor_cumulative_compile_time_us\": 15, "
                     "\"inductor_code_gen_cumulative_compile_time_us\": 12}, " ID0);
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 20, \"backward_cumulative_compile_time_us\": 20, "
                     "\"inductor_cumulative_compile_time_us\": 10}, " ID0);
    look_at(&log, two_backwards);
}

static void nothing_known(const struct model *model) {
    work_out(model);
    assert_int_equal(totals.time_us, -1);
    assert_int_equal(totals.runtime_us, -1);
    assert_int_equal(totals.compiles, 0);
    assert_int_equal(checks.list.count, 0);
}

static void handles_an_empty_log(void **state) {
    struct buf log = {0};
    (void)state;
    look_at(&log, nothing_known);
}

static void phases_too_long(const struct model *model) {
    work_out(model);
    assert_int_equal(checks.list.count, 2); /* of all compiles, and of this one */
    assert_string_equal(checks.list.items[0].name, "phases");
    assert_slice(checks.list.items[1].about, "0/0");
    assert_int_equal(checks.list.items[1].expected, 1000000);
    assert_int_equal(checks.list.items[1].found, 3000000);
}

static void detects_phases_longer_than_the_whole(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0, "\"duration_us\": 1000000, \"dynamo_cumulative_compile_time_us\": 3000000");
    look_at(&log, phases_too_long);
}

static void within(const struct model *model) {
    work_out(model);
    assert_int_equal(checks.list.count, 0);
    assert_int_equal(totals.own[PHASE_INDUCTOR], 0);
    assert_int_equal(totals.own[PHASE_DYNAMO], 100000);
    assert_int_equal(totals.own[PHASE_CODEGEN], 899900);
    assert_int_equal(totals.other_us, 0);
}

/* Nested timers may add up to slightly more than the outer one: the self time is then 0, and nothing counts twice. */
static void counts_nested_timers_once(void **state) {
    struct buf log = {0};
    (void)state;
    log_metrics(&log, 0, 0,
                "\"duration_us\": 1000000, \"dynamo_cumulative_compile_time_us\": 1000000, "
                "\"aot_autograd_cumulative_compile_time_us\": 900000, \"inductor_cumulative_compile_time_us\": 900000, "
                "\"inductor_code_gen_cumulative_compile_time_us\": 900000, \"post_grad_pass_time_us\": 100");
    look_at(&log, within);
}

#define BASE 1733498295000000LL

static void event(struct buf *log, const char *ph, const char *name, long long us, const char *id) {
    char payload[300], fields[200];
    snprintf(payload, sizeof payload, "{\"name\": \"%s\", \"ph\": \"%s\", \"ts\": %lld, \"pid\": 1, \"tid\": 0}", name,
             ph, us + BASE);
    snprintf(fields, sizeof fields, "\"chromium_event\": {}, %s", id);
    log_payload(log, fields, payload);
}

static void spans_contradict(const struct model *model) {
    work_out(model);
    assert_check("timer_spans", "0/0", 5000000, 1000000);
}

static void compares_spans_with_metrics(void **state) {
    struct buf log = {0};
    (void)state;
    event(&log, "B", "entire_frame_compile", 0, ID0);
    event(&log, "B", "inner", 10, ID0);
    event(&log, "E", "inner", 4000000, ID0);
    event(&log, "E", "entire_frame_compile", 5000000, ID0);
    log_metrics(&log, 0, 0, "\"duration_us\": 1000000, \"dynamo_cumulative_compile_time_us\": 1000000");
    look_at(&log, spans_contradict);
}

static void agree(const struct model *model) {
    work_out(model);
    assert_int_equal(checks.list.count, 0);
}

/* What is around the timer, such as the first records of a log, or after it, such as AOTInductor's work with the id of an
 * export, is in no metrics; and lost events prove nothing. */
static void accepts_consistent_logs(void **state) {
    struct buf log = {0};
    (void)state;
    event(&log, "B", "dynamo", 0, ID0);
    event(&log, "B", "entire_frame_compile", 4000000, ID0);
    event(&log, "E", "entire_frame_compile", 5000000, ID0);
    event(&log, "E", "dynamo", 5000000, ID0);
    event(&log, "B", "compile_fx_aot", 6000000, ID0);
    event(&log, "E", "compile_fx_aot", 9000000, ID0);
    log_metrics(&log, 0, 0, "\"duration_us\": 1000000, \"dynamo_cumulative_compile_time_us\": 1000000");
    look_at(&log, agree);
    event(&log, "B", "entire_frame_compile", 0, ID0);
    event(&log, "E", "entire_frame_compile", 5000000, ID0);
    log_line(&log, PREFIX "{\"chromium_event\": ");
    log_metrics(&log, 0, 0, "\"duration_us\": 1000000, \"dynamo_cumulative_compile_time_us\": 1000000");
    look_at(&log, agree);
}

static void passes_once(const struct model *model) {
    work_out(model);
    assert_int_equal(checks.list.count, 0);
    assert_int_equal(totals.own[PHASE_JOINT], 600000);
    assert_int_equal(totals.own[PHASE_AOT], 200000);
}

/* The timer of passes also runs for the passes of subgraphs, which are called within them. */
static void counts_passes_of_subgraphs_once(void **state) {
    struct buf log = {0};
    (void)state;
    event(&log, "B", "entire_frame_compile", 0, ID0);
    event(&log, "B", "backend_compile", 100000, ID0);
    event(&log, "B", "_recursive_joint_graph_passes", 200000, ID0);
    event(&log, "B", "_recursive_joint_graph_passes", 300000, ID0);
    event(&log, "E", "_recursive_joint_graph_passes", 700000, ID0);
    event(&log, "E", "_recursive_joint_graph_passes", 800000, ID0);
    event(&log, "E", "backend_compile", 900000, ID0);
    event(&log, "E", "entire_frame_compile", 1000000, ID0);
    log_metrics(&log, 0, 0,
                "\"duration_us\": 1000000, \"start_time_us\": 1733498295000000, \"end_time_us\": 1733498296000000, "
                "\"dynamo_cumulative_compile_time_us\": 1000000, \"aot_autograd_cumulative_compile_time_us\": 800000, "
                "\"joint_graph_pass_time_us\": 1000000");
    look_at(&log, passes_once);
}

static void open_spans(const struct model *model) {
    const struct timeline *timeline = model->timeline;
    assert_int_equal(timeline->unfinished.count, 2);
    assert_slice(timeline->totals.items[timeline->unfinished.items[0].name].name, "dynamo");
    assert_slice(timeline->totals.items[timeline->unfinished.items[1].name].name, "inner");
    assert_slice(timeline->ids.items[timeline->unfinished.items[1].id], "0/0");
    assert_int_equal(timeline->unfinished.items[1].start_us, 10);
}

static void none_open(const struct model *model) {
    assert_int_equal(model->timeline->unfinished.count, 0);
}

static void finds_unfinished_spans(void **state) {
    struct buf log = {0};
    (void)state;
    event(&log, "B", "dynamo", 0, ID0);
    event(&log, "B", "inner", 10, ID0);
    event(&log, "B", "done", 20, ID0);
    event(&log, "E", "done", 30, ID0);
    log_line(&log, PREFIX "{\"chromium_event\": "); /* the log is truncated here */
    look_at(&log, open_spans);
    event(&log, "B", "dynamo", 0, ID0);
    log_line(&log, PREFIX "{\"chromium_event\": "); /* may have been its end */
    log_metrics(&log, 0, 0, "");
    look_at(&log, none_open);
    event(&log, "B", "dynamo", 0, ID0);
    event(&log, "E", "dynamo", -2 * BASE, ID0); /* its end event, with an invalid time */
    look_at(&log, none_open);
}

static int end(void **state) {
    checks_finish(&checks);
    return remove_scratch(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_first_known_time),
        cmocka_unit_test(sums_all_kinds_of_compiles),
        cmocka_unit_test(sums_backwards_of_pieces),
        cmocka_unit_test(handles_an_empty_log),
        cmocka_unit_test(detects_phases_longer_than_the_whole),
        cmocka_unit_test(counts_nested_timers_once),
        cmocka_unit_test(compares_spans_with_metrics),
        cmocka_unit_test(counts_passes_of_subgraphs_once),
        cmocka_unit_test(accepts_consistent_logs),
        cmocka_unit_test(finds_unfinished_spans),
    };
    return cmocka_run_group_tests(tests, make_scratch, end);
}
