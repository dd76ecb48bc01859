/* analysis/timeline: chromium events as spans, stacks with their time, and log size by record kind. */
#define _GNU_SOURCE
#include "analysis/timeline.h"
#include "unpack.h"

#define BASE 1733498295000000LL /* within the day of PREFIX, in 2024 */

/* An event at BASE + us. */
static void event(struct buf *log, const char *ph, const char *name, long long us, const char *more) {
    char payload[700];
    snprintf(payload, sizeof payload, "{\"name\": \"%s\", \"ph\": \"%s\", \"ts\": %lld.5, \"pid\": 1, \"tid\": 0%s}",
             name, ph, us + BASE, more);
    log_payload(log, "\"chromium_event\": {}, " ID0, payload);
}

/* The report of the log; *json is its report.json. */
static struct run report_of(struct buf *log, yyjson_doc **json) {
    struct run run = run_log(log);
    *json = read_json(run.dirfd, "report.json");
    return run;
}

static yyjson_val *timeline_in(yyjson_doc *doc) {
    return json_get(yyjson_doc_get_root(doc), "timeline");
}

static void assert_number(yyjson_val *object, const char *key, long long expected) {
    yyjson_val *value = json_get(object, key);
    if (!yyjson_is_int(value) || yyjson_get_sint(value) != expected)
        fail_msg("%s is %lld, not %lld", key, (long long)yyjson_get_sint(value), expected);
}

static yyjson_val *total_of(yyjson_val *timeline, const char *name) {
    size_t i, max;
    yyjson_val *total;
    yyjson_arr_foreach(json_get(timeline, "totals"), i, max, total) {
        if (slice_is(json_get_text(total, "name"), name))
            return total;
    }
    fail_msg("there is no total of %s", name);
    return NULL;
}

static void assert_total(yyjson_val *timeline, const char *name, int count, int total_us, int self_us) {
    yyjson_val *total = total_of(timeline, name);
    assert_number(total, "count", count);
    assert_number(total, "total_us", total_us);
    assert_number(total, "self_us", self_us);
}

static void assert_part(const struct run *run, const char *path, const char *key, const char *expected) {
    struct buf bytes = unpack_file(run->dirfd, path, key);
    assert_buf(&bytes, expected);
    buf_free(&bytes);
}

static void end_report(struct run *run, yyjson_doc *json) {
    yyjson_doc_free(json);
    end_run(run);
}

static void matches_begins_and_ends(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    event(&log, "B", "outer", 0, ", \"args\": {\"compile_id\": \"7/1\", \"a\": 1}");
    event(&log, "B", "inner", 10, "");
    event(&log, "E", "inner", 40, "");
    event(&log, "i", "mark", 50, "");
    event(&log, "E", "outer", 100, ", \"args\": {\"b\": [2]}");
    struct run run = report_of(&log, &json);
    yyjson_val *timeline = timeline_in(json);
    assert_number(timeline, "start_us", BASE);
    assert_number(timeline, "duration_us", 100);
    assert_number(timeline, "spans", 2);
    assert_number(timeline, "instants", 1);
    assert_number(yyjson_arr_get_first(json_get(timeline, "lanes")), "spans", 2);
    assert_number(yyjson_arr_get_first(json_get(timeline, "lanes")), "instants", 1);
    assert_total(timeline, "outer", 1, 100, 70);
    assert_total(timeline, "inner", 1, 30, 30);
    /* start, duration, self, track, name, id, flags, phase; in the order in which they ended */
    assert_part(&run, "data/timeline.0.js", "timeline/0",
                "[10,30,30,0,1,1,0,-1,50,0,0,0,2,1,1,-1,0,100,70,0,0,0,0,-1]");
    assert_part(&run, "data/timeline_args.0.js", "timeline_args/0", "{\"2\":{\"a\":1,\"b\":[2]}}");
    struct buf head = unpack_file(run.dirfd, "data/timeline.js", "timeline");
    assert_has(buf_slice(&head),
               "\"chunks\":1,\"spans\":3,\"names\":[\"outer\",\"inner\",\"mark\"],\"ids\":[\"7/1\",\"0/0\"]");
    buf_free(&head);
    end_report(&run, json);
}

/* A span without a phase has its parent's; the compile as a whole is marked. */
static void knows_phases(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    event(&log, "B", "dynamo", 0, "");
    event(&log, "B", "entire_frame_compile", 1, "");
    event(&log, "B", "backend_compile", 2, "");
    event(&log, "B", "create_aot_dispatcher_function", 3, "");
    event(&log, "X", "inductor_compile", 4, ", \"dur\": 1");
    event(&log, "X", "compile_file", 5, ", \"dur\": 1");
    event(&log, "E", "create_aot_dispatcher_function", 7, "");
    event(&log, "E", "backend_compile", 8, "");
    event(&log, "E", "entire_frame_compile", 9, "");
    event(&log, "E", "dynamo", 10, "");
    event(&log, "X", "gc", 11, ", \"dur\": 1");
    event(&log, "B", "entire_backward_compile", 20, "");
    event(&log, "E", "entire_backward_compile", 30, "");
    log_record(&log, "\"compilation_metrics\": {\"co_name\": \"forward\", \"duration_us\": 10}, " ID0);
    struct run run = report_of(&log, &json);
    assert_part(&run, "data/timeline.0.js", "timeline/0",
                "[4,1,1,0,4,0,0,5,"     /* inductor_compile: inductor */
                "5,1,1,0,5,0,0,1,"      /* compile_file: as create_aot_dispatcher_function */
                "3,4,2,0,3,0,0,1,"      /* create_aot_dispatcher_function: as backend_compile */
                "2,6,2,0,2,0,0,1,"      /* backend_compile: aot */
                "1,8,2,0,1,0,0,0,"      /* entire_frame_compile: dynamo */
                "0,10,2,0,0,0,4,0,"     /* dynamo: the whole compile */
                "11,1,1,0,6,0,0,-1,"    /* gc: no phase */
                "20,10,10,0,7,0,4,8]"); /* entire_backward_compile: the whole backward */
    struct buf head = unpack_file(run.dirfd, "data/timeline.js", "timeline");
    assert_has(buf_slice(&head), "\"ids\":[\"0/0\"],\"functions\":[\"forward\"],\"phases\":[\"dynamo\",\"aot\",");
    buf_free(&head);
    end_report(&run, json);
}

static void keeps_unfinished_spans(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    event(&log, "B", "killed", 0, "");
    event(&log, "B", "lost", 10, "");
    event(&log, "B", "within", 20, "");
    event(&log, "E", "lost", 50, ""); /* also ends "within" */
    event(&log, "E", "never begun", 55, "");
    event(&log, "B", "child", 60, "");
    event(&log, "i", "last", 90, "");
    struct run run = report_of(&log, &json);
    yyjson_val *timeline = timeline_in(json);
    assert_number(timeline, "no_end", 3);
    assert_number(timeline, "no_begin", 1);
    assert_total(timeline, "killed", 1, 90, 20);
    assert_total(timeline, "within", 1, 30, 30);
    assert_total(timeline, "child", 1, 30, 30);
    end_report(&run, json);
}

static void refuses_invalid_times(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    event(&log, "B", "f", -BASE, "");
    event(&log, "B", "f", -2 * BASE, "");
    event(&log, "X", "f", 30LL * 86400 * 1000000, ", \"dur\": 5");
    event(&log, "X", "f", 0, ", \"dur\": -5");
    event(&log, "X", "f", 0, ", \"dur\": 1e300");
    log_payload(&log, "\"chromium_event\": {}", "{\"name\": \"f\", \"ph\": \"B\", \"ts\": \"soon\"}");
    log_payload(&log, "\"chromium_event\": {}", "{\"name\": \"f\", \"ph\": \"B\"}");
    event(&log, "X", "good", 100, ", \"dur\": 5");
    event(&log, "X", "earlier", 90, ", \"dur\": 5");
    event(&log, "C", "counter", 0, "");
    log_payload(&log, "\"chromium_event\": {}", "[1]");
    struct run run = report_of(&log, &json);
    yyjson_val *timeline = timeline_in(json);
    assert_number(timeline, "bad_times", 7);
    assert_number(timeline, "other_events", 2);
    assert_number(timeline, "spans", 2);
    assert_number(timeline, "start_us", BASE + 90);
    assert_number(timeline, "duration_us", 15);
    assert_part(&run, "data/timeline.0.js", "timeline/0", "[0,5,5,0,0,0,0,-1,-10,5,5,0,1,0,0,-1]");
    end_report(&run, json);
}

/* A complete event is logged when it ends, after the events within it. A span within one with its name counts once. */
static void nests_complete_events(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    event(&log, "B", "top", 0, "");
    event(&log, "X", "a", 10, ", \"dur\": 10");
    event(&log, "X", "a", 20, ", \"dur\": 10");
    event(&log, "X", "b", 5, ", \"dur\": 40");
    event(&log, "B", "top", 60, "");
    event(&log, "E", "top", 70, "");
    event(&log, "E", "top", 100, "");
    struct run run = report_of(&log, &json);
    yyjson_val *timeline = timeline_in(json);
    assert_total(timeline, "a", 2, 20, 20);
    assert_total(timeline, "b", 1, 40, 20);
    assert_total(timeline, "top", 2, 100, 60);
    end_report(&run, json);
}

static void distinguishes_lanes(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    log_payload(&log, "\"chromium_event\": {}",
                "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": 0, \"args\": {\"name\": \"main\"}}");
    log_payload(&log, "\"chromium_event\": {}",
                "{\"name\": \"f\", \"ph\": \"B\", \"ts\": 1733498295000000, \"pid\": 1, \"tid\": \"w\"}");
    event(&log, "B", "f", 5, "");
    event(&log, "E", "f", 8, "");
    log_payload(&log, "\"chromium_event\": {}",
                "{\"name\": \"f\", \"ph\": \"E\", \"ts\": 1733498295000009, \"pid\": 1, \"tid\": \"w\"}");
    struct run run = report_of(&log, &json);
    yyjson_val *tracks = json_get(timeline_in(json), "lanes"), *second = yyjson_arr_get(tracks, 1);
    assert_int_equal(yyjson_arr_size(tracks), 2);
    assert_slice(json_get_text(yyjson_arr_get(tracks, 0), "process"), "main");
    assert_slice(json_get_text(second, "tid"), "w");
    assert_number(second, "busy_us", 9);
    assert_number(yyjson_arr_get(tracks, 0), "busy_us", 3);
    end_report(&run, json);
}

static void bounds_kept_spans(void **state) {
    (void)state;
    struct buf log = {0}, args = {0};
    yyjson_doc *json;
    for (int i = 0; i < TIMELINE_DEPTH_MAX + 3; i++)
        event(&log, "B", "deep", i, "");
    for (int i = 0; i < TIMELINE_LANES_MAX + 2; i++) {
        char payload[200];
        snprintf(payload, sizeof payload,
                 "{\"name\": \"f\", \"ph\": \"X\", \"ts\": %lld, \"dur\": 1, \"pid\": 2, \"tid\": %d}", BASE, i);
        log_payload(&log, "\"chromium_event\": {}", payload);
    }
    buf_add_lit(&args, ", \"args\": {\"long\": \"");
    for (int i = 0; i < 400; i++)
        buf_add_byte(&args, 'x');
    buf_add_lit(&args, "\"}");
    buf_add_byte(&args, 0);
    event(&log, "X", "long", 0, args.ptr);
    struct run run = report_of(&log, &json);
    yyjson_val *timeline = timeline_in(json);
    assert_number(timeline, "left_out", 3 + 3); /* "deep" has the first lane */
    assert_int_equal(yyjson_arr_size(json_get(timeline, "lanes")), TIMELINE_LANES_MAX);
    struct buf part = unpack_file(run.dirfd, "data/timeline_args.0.js", "timeline_args/0");
    assert_has(buf_slice(&part), "xxx…\"}");
    assert_true(part.len < 400);
    buf_free(&part);
    buf_free(&args);
    end_report(&run, json);
}

static void begins_new_chunks(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    for (int i = 0; i < 20000; i++)
        event(&log, "X", "f", i, ", \"dur\": 1");
    struct run run = report_of(&log, &json);
    assert_true(file_exists(run.dirfd, "data/timeline.1.js"));
    assert_false(file_exists(run.dirfd, "data/timeline.2.js"));
    assert_total(timeline_in(json), "f", 20000, 20000, 20000);
    end_report(&run, json);
}

/* Two processes whose events have the same pid and thread, as PyTorch writes them, at the same time. */
/* An event of "f" that the process logs; all say that their pid is 0. */
static void event_of_process(struct buf *log, int process, const char *phase, int tid, long long us) {
    struct buf payload = {0};
    unsigned char md5[MD5_BYTES];
    buf_addf(&payload, "{\"name\": \"f\", \"pid\": 0, \"tid\": %d, \"ph\": \"%s\", \"ts\": %lld}", tid, phase,
             us + BASE);
    md5_of(buf_slice(&payload), md5);
    buf_addf(log, "V1206 15:18:15.925000 %d torch/a.py:1] {\"chromium_event\": {}, \"has_payload\": \"", process);
    md5_add_hex(log, md5);
    buf_addf(log, "\"}\n\t%.*s\n", SLICE_ARG(buf_slice(&payload)));
    buf_free(&payload);
}

/* What a process left open lasts until its own last event, on any thread, not until those of later processes. */
static void unfinished_spans_end_with_their_process(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    event_of_process(&log, 11, "B", 0, 1000);
    event_of_process(&log, 11, "i", 1, 1300);
    event_of_process(&log, 12, "B", 0, 900000);
    event_of_process(&log, 12, "E", 0, 900005);
    struct run run = report_of(&log, &json);
    assert_number(timeline_in(json), "no_end", 1);
    assert_total(timeline_in(json), "f", 3, 305, 305); /* 300, 5, and the instant */
    end_report(&run, json);
}

static void processes_have_separate_lanes(void **state) {
    static const struct {
        const char *phase;
        long long us;
    } events[] = {{"B", 1000}, {"B", 1010}, {"E", 1100}, {"E", 1200}};
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    for (size_t i = 0; i < 4; i++)
        event_of_process(&log, i % 2 ? 12 : 11, events[i].phase, 0, events[i].us);
    struct run run = report_of(&log, &json);
    assert_total(timeline_in(json), "f", 2, 290, 290); /* 100 and 190: neither is within the other */
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(timeline_in(json), "lanes")), 2);
    end_report(&run, json);
}

static void adds_up_ranks(void **state) {
    (void)state;
    struct timeline *a = timeline_create(NULL), *b = timeline_create(NULL), *sum = timeline_create(NULL);
    char first[] = "{\"name\": \"f\", \"ph\": \"X\", \"ts\": 1000, \"dur\": 7}",
         second[] = "{\"name\": \"f\", \"ph\": \"X\", \"ts\": 400, \"dur\": 3}";
    yyjson_doc *docs[] = {yyjson_read(first, sizeof first - 1, 0), yyjson_read(second, sizeof second - 1, 0)};
    timeline_event(a, yyjson_doc_get_root(docs[0]), 1, true, (struct slice){0}, true);
    timeline_event(b, yyjson_doc_get_root(docs[1]), 1, true, (struct slice){0}, true);
    timeline_sum_add(sum, a, true, 3, SLICE("rank_3"));
    timeline_sum_add(sum, b, true, 4, SLICE("rank_4"));
    assert_int_equal(sum->totals.items[0].count, 2);
    assert_int_equal(sum->totals.items[0].total_us, 10);
    assert_int_equal(sum->base_us + sum->first_us, 400);
    assert_int_equal(sum->last_us - sum->first_us, 607);
    assert_int_equal(sum->tracks.count, 2);
    assert_int_equal(sum->tracks.items[1].rank, 4);
    assert_slice(sum->tracks.items[1].dir, "rank_4");
    yyjson_doc_free(docs[0]);
    yyjson_doc_free(docs[1]);
    timeline_destroy(a);
    timeline_destroy(b);
    timeline_destroy(sum);
}

/* An event of a thread that compiles a C++ kernel: PyTorch gives it the numbers of the thread that waits, and no compile. */
static void worker_event(struct buf *log, const char *ph, long long us) {
    event(log, ph, "compile_file", us, ", \"args\": {\"compile_id\": null}");
}

static void threads_have_lanes_of_their_own(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    const char *id = ", \"args\": {\"compile_id\": \"7/1\"}";
    for (int compile = 0; compile < 2; compile++) {
        long long at = 1000 * compile;
        event(&log, "B", "entire_frame_compile", at, id);
        worker_event(&log, "B", at + 10);
        event(&log, "B", "async_compile.wait", at + 20, id);
        worker_event(&log, "B", at + 30);
        worker_event(&log, "E", at + 50);
        if (!compile) /* of the second compile's threads, one has no end */
            worker_event(&log, "E", at + 60);
        event(&log, "E", "async_compile.wait", at + 70, "");
        event(&log, "E", "entire_frame_compile", at + 100, "");
    }
    struct run run = report_of(&log, &json);
    yyjson_val *timeline = timeline_in(json), *lanes = json_get(timeline, "lanes");
    assert_int_equal(yyjson_arr_size(lanes), 3);
    assert_slice(json_get_text(yyjson_arr_get(lanes, 2), "thread"), "compile worker 2");
    assert_number(timeline, "no_begin", 0);
    assert_number(timeline, "no_end", 1);
    assert_total(timeline, "async_compile.wait", 2, 100, 100);
    end_report(&run, json);
}

static void bounds_threads(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    event(&log, "B", "entire_frame_compile", 0, ", \"args\": {\"compile_id\": \"7/1\"}");
    for (int i = 0; i < 1000; i++)
        worker_event(&log, "B", i + 1);
    struct run run = report_of(&log, &json);
    assert_int_equal(yyjson_arr_size(json_get(timeline_in(json), "lanes")), 1 + TIMELINE_WORKERS_MAX);
    end_report(&run, json);
}

static void handles_logs_without_spans(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    log_record(&log, "\"dynamo_start\": {}, " ID0);
    struct run run = report_of(&log, &json);
    assert_true(yyjson_is_null(json_get(timeline_in(json), "start_us")));
    assert_number(timeline_in(json), "spans", 0);
    assert_false(file_exists(run.dirfd, "data/timeline.js"));
    end_report(&run, json);
}

static void reports_time_and_bytes(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    log_record(&log, "\"str\": [\"a.py\", 0]");
    log_record(&log, "\"dynamo_start\": {\"stack\": [{\"line\": 1, \"name\": \"main\", \"filename\": 0}, {\"line\": 2, "
                     "\"name\": \"f\", \"filename\": 0}]}, " ID0);
    log_record(&log, "\"compilation_metrics\": {\"duration_us\": 30}, " ID0);
    log_record(&log, "\"dynamo_start\": {\"stack\": [{\"line\": 1, \"name\": \"main\", \"filename\": 0}]}, "
                     "\"frame_id\": 1, \"frame_compile_id\": 0, \"attempt\": 0");
    log_record(
        &log,
        "\"compilation_metrics\": {\"duration_us\": 5}, \"frame_id\": 1, \"frame_compile_id\": 0, \"attempt\": 0");
    log_payload(
        &log,
        "\"artifact\": {\"name\": \"big\", \"encoding\": \"string\"}, \"frame_id\": 1, \"frame_compile_id\": 0, "
        "\"attempt\": 0",
        "a payload that is longer than all the others together, which are short: so this compile id comes first");
    struct run run = report_of(&log, &json);
    yyjson_val *stacks = json_get(yyjson_doc_get_root(json), "stacks");
    assert_number(yyjson_arr_get(stacks, 0), "time_us", 35);
    assert_number(yyjson_arr_get(stacks, 1), "time_us", 30);
    yyjson_val *log_json = json_get(yyjson_doc_get_root(json), "log"), *by = json_get(log_json, "by_compile"),
               *first = yyjson_arr_get(by, 0);
    assert_int_equal(yyjson_arr_size(by), 2);
    assert_slice(json_get_text(first, "id"), "1/0");
    assert_number(first, "records", 3);
    assert_int_equal(yyjson_arr_size(json_get(first, "kinds")), 3);
    assert_number(json_get(log_json, "by_compile_rest"), "compiles", 0);
    uint64_t bytes = 0, kinds = 0;
    for (size_t i = 0; i < 2; i++)
        bytes += yyjson_get_uint(json_get(yyjson_arr_get(by, i), "bytes"));
    for (size_t i = 0; i < yyjson_arr_size(json_get(log_json, "kinds")); i++)
        kinds += yyjson_get_uint(json_get(yyjson_arr_get(json_get(log_json, "kinds"), i), "bytes"));
    assert_int_equal(bytes, kinds);
    end_report(&run, json);
}

/* An event without a compile id, as AOTInductor and export log them. */
static void event_of_none(struct buf *log, const char *ph, const char *name, long long us) {
    char payload[300];
    snprintf(payload, sizeof payload, "{\"name\": \"%s\", \"ph\": \"%s\", \"ts\": %lld, \"pid\": 0, \"tid\": 0}", name,
             ph, us + BASE);
    log_payload(log, "\"chromium_event\": {}", payload);
}

static void metrics_of_none(struct buf *log, long long start_us, long long end_us, const char *more) {
    char text[300];
    snprintf(text, sizeof text, "\"compilation_metrics\": {\"start_time_us\": %lld, \"end_time_us\": %lld%s}",
             start_us + BASE, end_us + BASE, more);
    log_record(log, text);
}

/* What AOTInductor logs: its metrics precede the end of the outermost span, and have no timers. */
static void aot_events(struct buf *log, long long at, bool lose_an_end) {
    event_of_none(log, "B", "compile_fx_aot", at);
    event_of_none(log, "B", "create_aot_dispatcher_function", at + 10);
    event_of_none(log, "E", "create_aot_dispatcher_function", at + 40);
    event_of_none(log, "B", "inductor_compile", at + 50);
    event_of_none(log, "B", "_recursive_post_grad_passes", at + 60);
    if (!lose_an_end)
        event_of_none(log, "E", "_recursive_post_grad_passes", at + 100);
    event_of_none(log, "B", "GraphLowering.compile_to_fn", at + 110);
    event_of_none(log, "B", "Scheduler.codegen", at + 120);
    event_of_none(log, "E", "Scheduler.codegen", at + 700);
    event_of_none(log, "E", "GraphLowering.compile_to_fn", at + 800);
    event_of_none(log, "E", "inductor_compile", at + 850);
    metrics_of_none(log, at + 5, at + 905, "");
    event_of_none(log, "E", "compile_fx_aot", at + 910);
}

static yyjson_val *compile_at(yyjson_doc *json, size_t nth) {
    return yyjson_arr_get(json_get(yyjson_doc_get_root(json), "compiles"), nth);
}

/* Metrics without timers: the phases are those of the spans in that time, separate for each compile. */
static void derives_phases_from_spans(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    aot_events(&log, 0, false);
    aot_events(&log, 10000, false);
    event_of_none(&log, "B", "fullgraph_capture", 20000); /* an export: it ends before its metrics */
    event_of_none(&log, "E", "fullgraph_capture", 20300);
    metrics_of_none(&log, 19990, 20310, "");
    struct run run = report_of(&log, &json);
    for (size_t i = 0; i < 2; i++) {
        yyjson_val *own = json_get(compile_at(json, i), "own_us"), *whole = json_get(compile_at(json, i), "phases_us");
        assert_number(own, "aot", 100); /* the call of the backend, without Inductor */
        assert_number(own, "post_grad", 40);
        assert_number(own, "codegen", 690);
        assert_number(own, "inductor", 70);
        assert_null(json_get(own, "other"));
        assert_number(whole, "aot", 900);
        assert_number(whole, "inductor", 800);
        assert_number(whole, "codegen", 690);
    }
    assert_number(json_get(compile_at(json, 2), "own_us"), "dynamo", 300);
    assert_number(json_get(compile_at(json, 2), "own_us"), "other", 20);
    assert_number(json_get(json_get(yyjson_doc_get_root(json), "totals"), "own_us"), "codegen", 1380);
    end_report(&run, json);
}

/* Timers take precedence over spans. If an end is missing, or the spans are from another time, there are no phases. */
static void ignores_other_spans(void **state) {
    (void)state;
    struct buf log = {0};
    yyjson_doc *json;
    aot_events(&log, 0, true);
    metrics_of_none(&log, 2000, 3000, "");
    event_of_none(&log, "B", "fullgraph_capture", 4000);
    metrics_of_none(&log, 4001, 4100, ""); /* within a phase that continues */
    event_of_none(&log, "E", "fullgraph_capture", 4200);
    event_of_none(&log, "B", "fullgraph_capture", 5000);
    event_of_none(&log, "E", "fullgraph_capture", 5100);
    metrics_of_none(&log, 5000, 5200, ", \"aot_autograd_cumulative_compile_time_us\": 60");
    struct run run = report_of(&log, &json);
    for (size_t i = 0; i < 2; i++) {
        yyjson_val *own = json_get(compile_at(json, i), "own_us");
        assert_int_equal(yyjson_obj_size(own), 1);
        assert_non_null(json_get(own, "other"));
    }
    assert_number(json_get(compile_at(json, 2), "own_us"), "dynamo", 99);
    assert_number(json_get(compile_at(json, 3), "own_us"), "aot", 60);
    assert_null(json_get(json_get(compile_at(json, 3), "own_us"), "dynamo"));
    end_report(&run, json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_begins_and_ends),
        cmocka_unit_test(knows_phases),
        cmocka_unit_test(keeps_unfinished_spans),
        cmocka_unit_test(refuses_invalid_times),
        cmocka_unit_test(nests_complete_events),
        cmocka_unit_test(distinguishes_lanes),
        cmocka_unit_test(bounds_kept_spans),
        cmocka_unit_test(begins_new_chunks),
        cmocka_unit_test(processes_have_separate_lanes),
        cmocka_unit_test(unfinished_spans_end_with_their_process),
        cmocka_unit_test(adds_up_ranks),
        cmocka_unit_test(threads_have_lanes_of_their_own),
        cmocka_unit_test(bounds_threads),
        cmocka_unit_test(handles_logs_without_spans),
        cmocka_unit_test(reports_time_and_bytes),
        cmocka_unit_test(derives_phases_from_spans),
        cmocka_unit_test(ignores_other_spans),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
