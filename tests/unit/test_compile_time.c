/* savings/compile_time: the parts of compile time, and what to change first, as report.json has them. */
#define _GNU_SOURCE
#include "time_lines.h"
#include "whole.h"

#define PHASES_0                                                                                                       \
    "\"duration_us\": 9000000, \"dynamo_cumulative_compile_time_us\": 9000000, "                                       \
    "\"aot_autograd_cumulative_compile_time_us\": 8000000, "                                                           \
    "\"inductor_cumulative_compile_time_us\": 7000000, "                                                               \
    "\"inductor_code_gen_cumulative_compile_time_us\": 6000000"
#define THREADS(n) ", \"inductor_config\": \"{\\\"compile_threads\\\": " n "}\""

static void log_span(struct buf *log, const char *name, long long from, long long to) {
    log_edge(log, 0, "B", name, from);
    log_edge(log, 0, "E", name, to);
}

/* The code of 0/0, which defines and calls this many C++ kernels. */
static void log_code(struct buf *log, int kernels) {
    struct buf code = {0};
    for (int i = 0; i < kernels; i++)
        buf_addf(&code, "cpp_fused_%d = async_compile.cpp_pybinding(['float*'], r\'\'\'\nvoid kernel() {}\n\'\'\')\n",
                 i);
    buf_add_lit(&code, "def call(args):\n");
    for (int i = 0; i < kernels; i++)
        buf_addf(&code, "    cpp_fused_%d(buf0)\n", i);
    buf_add_byte(&code, 0);
    log_payload(log,
                "\"inductor_output_code\": {\"filename\": \"/tmp/a.py\"}, \"frame_id\": 0, \"frame_compile_id\": 0, "
                "\"attempt\": 0",
                code.ptr);
    buf_free(&code);
}

/* Compile 0/0: three kernels of 1, 2 and 1 s in Inductor's code generation; three probes with 1 s, 0.1 s of it between the
 * first two. What is between the others may be the time of another span. */
static void log_kernels(struct buf *log, const char *threads, int kernels) {
    char fields[700];
    log_edge(log, 0, "B", "dynamo", 0);
    log_edge(log, 0, "B", "code_gen", 900000);
    log_edge(log, 0, "B", "Scheduler.codegen", 1000000);
    log_span(log, "compile_file", 1000000, 1400000);
    log_span(log, "compile_file", 1500000, 1900000);
    log_span(log, "Scheduler.codegen_comment", 1920000, 1950000);
    log_span(log, "compile_file", 2000000, 2100000);
    log_edge(log, 0, "E", "Scheduler.codegen", 2200000);
    log_span(log, "compile_file", 3000000, 4000000);
    log_span(log, "compile_file", 4000000, 6000000);
    log_span(log, "compile_file", 6000000, 7000000);
    log_edge(log, 0, "E", "code_gen", 7000000);
    log_edge(log, 0, "E", "dynamo", 9000000);
    log_code(log, kernels);
    snprintf(fields, sizeof fields, "%s%s", PHASES_0, threads);
    log_metrics(log, 0, 0, fields);
}

static long long sum_of_parts(yyjson_val *time) {
    size_t i, max;
    yyjson_val *line;
    long long sum = 0;
    yyjson_arr_foreach(json_get(time, "parts"), i, max, line) {
        sum += number_in(line, "time_us");
    }
    return sum;
}

static void assert_first(yyjson_val *time, const char *title, long long saves) {
    yyjson_val *first = json_get(time, "first");
    assert_slice(json_get_text(first, "title"), title);
    assert_int_equal(number_in(first, "saves_us"), saves);
}

static void look_one_thread(yyjson_val *time) {
    assert_line(time, "parts", "cpp_kernels", 4000000, 2000000); /* all but the longest kernel */
    assert_line(time, "parts", "cpu_probes", 1120000, 1120000);  /* the last ones are loaded, too: for 0.1 s at most */
    assert_line(time, "parts", "sources", 80000, -1);
    assert_line(time, "parts", "codegen", 800000, -1);
    assert_line(time, "parts", "inductor", 1000000, -1);
    assert_line(time, "parts", "aot", 1000000, -1);
    assert_line(time, "parts", "dynamo", 1000000, -1);
    assert_int_equal(sum_of_parts(time), 9000000);
    assert_text_of(time, "parts", "cpp_kernels", "evidence", "3 spans `compile_file`; `compile_threads` is 1");
    assert_text_of(time, "parts", "cpp_kernels", "action", "TORCHINDUCTOR_COMPILE_THREADS");
    assert_text_of(time, "parts", "codegen", "title", "rest of code and compiler");
    assert_slice(json_get_text(line_of(time, "parts", "inductor"), "title"), "Inductor");
    assert_slice(json_get_text(yyjson_arr_get_first(json_get(time, "parts")), "key"),
                 "cpp_kernels"); /* longest first */
    assert_first(time, "C++ kernels", 2000000);
}

static void look_threads(yyjson_val *time) {
    assert_line(time, "parts", "cpp_kernels", 4000000, -1);
    assert_int_equal(json_get_text(line_of(time, "parts", "cpp_kernels"), "action").len, 0);
    assert_first(time, "C++ test builds", 1120000);
}

static void kernels(void **state) {
    (void)state;
    static const struct {
        const char *threads;
        int kernels;
        lines_look *look;
    } rows[] = {
        {THREADS("1"), 3, look_one_thread}, {THREADS("1"), 1, look_threads}, /* its spans follow each other */
        {THREADS("1"), 0, look_threads},                                     /* unknown */
        {THREADS("12"), 3, look_threads},   {THREADS("8"), 3, look_threads},
        {THREADS("null"), 3, look_threads}, {"", 3, look_threads}, /* unknown */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf log = {0};
        log_kernels(&log, rows[i].threads, rows[i].kernels);
        look_at_lines(&log, rows[i].look);
    }
}

/* One kernel cannot be compiled in parallel; a compile with other settings may have used threads. */
static void look_no_saving(yyjson_val *time) {
    yyjson_val *line = line_of(time, "parts", "cpp_kernels");
    assert_non_null(line);
    assert_int_equal(number_in(line, "saves_us"), -1);
}

static void threads_need_evidence(void **state) {
    (void)state;
    struct buf one = {0}, mixed = {0};
    log_edge(&one, 0, "B", "dynamo", 0);
    log_edge(&one, 0, "B", "code_gen", 0);
    log_span(&one, "compile_file", 1000000, 4000000);
    log_edge(&one, 0, "E", "code_gen", 6000000);
    log_edge(&one, 0, "E", "dynamo", 9000000);
    log_metrics(&one, 0, 0, PHASES_0 THREADS("1"));
    look_at_lines(&one, look_no_saving);
    log_kernels(&mixed, THREADS("1"), 3);
    log_metrics(&mixed, 1, 0, "\"duration_us\": 5" THREADS("4"));
    look_at_lines(&mixed, look_no_saving);
}

/* What is within the wait for kernels is taken from that phase, whatever it is, and never from others. */
static void look_in_wait(yyjson_val *time) {
    assert_line(time, "parts", "cpp_kernels", 3000, -1);
    assert_line(time, "parts", "codegen", 2000, -1);
    assert_line(time, "parts", "dynamo", 4000, -1);
    assert_line(time, "parts", "triton", 1000, -1);
    assert_text_of(time, "parts", "triton", "title", "rest of kernel compilation");
    assert_slice(json_get_text(line_of(time, "parts", "codegen"), "title"), "code and compiler");
}

/* Without a timer of the wait, its time is that of the code generation around it. */
static void look_in_code(yyjson_val *time) {
    assert_line(time, "parts", "cpp_kernels", 3000, -1);
    assert_line(time, "parts", "codegen", 3000, -1);
    assert_line(time, "parts", "dynamo", 4000, -1);
    assert_no_line(time, "parts", "triton");
}

static void taken_from_their_phase(void **state) {
    (void)state;
    static const struct {
        const char *timer;
        lines_look *look;
    } rows[] = {{", \"triton_compile_time_us\": 4000", look_in_wait}, {"", look_in_code}};
    for (size_t i = 0; i < 2; i++) {
        struct buf log = {0};
        char fields[400];
        log_edge(&log, 0, "B", "dynamo", 0);
        log_edge(&log, 0, "B", "code_gen", 1000);
        log_edge(&log, 0, "B", "async_compile.wait", 2000);
        log_span(&log, "compile_file", 2500, 5500);
        log_edge(&log, 0, "E", "async_compile.wait", 6000);
        log_edge(&log, 0, "E", "code_gen", 7000);
        log_edge(&log, 0, "E", "dynamo", 10000);
        snprintf(fields, sizeof fields,
                 "\"duration_us\": 10000, \"dynamo_cumulative_compile_time_us\": 10000, "
                 "\"inductor_code_gen_cumulative_compile_time_us\": 6000%s",
                 rows[i].timer);
        log_metrics(&log, 0, 0, fields);
        look_at_lines(&log, rows[i].look);
    }
}

/* Spans of more time than the metrics: a part is never longer than the compile. */
static void look_clamped(yyjson_val *time) {
    assert_line(time, "parts", "guards", 500, -1);
    assert_int_equal(sum_of_parts(time), 500);
    assert_null(json_get(time, "first"));
}

static void never_exceeds_the_compile(void **state) {
    (void)state;
    struct buf log = {0};
    log_edge(&log, 0, "B", "dynamo", 0);
    log_span(&log, "build_guards", 10, 8000);
    log_edge(&log, 0, "E", "dynamo", 9000);
    log_metrics(&log, 0, 0, "\"duration_us\": 500, \"dynamo_cumulative_compile_time_us\": 900");
    look_at_lines(&log, look_clamped);
}

/* The backward has its own time; what is spent there is not taken from the forward. */
static void look_backward(yyjson_val *time) {
    assert_line(time, "parts", "cpp_kernels", 3000, -1);
    assert_line(time, "parts", "backward", 1000, -1);
    assert_line(time, "parts", "dynamo", 5000, -1);
    assert_text_of(time, "parts", "backward", "title", "rest of backward");
    assert_slice(json_get_text(line_of(time, "parts", "dynamo"), "title"), "Dynamo");
}

static void backward(void **state) {
    (void)state;
    struct buf log = {0};
    log_span(&log, "dynamo", 0, 5000);
    log_metrics(&log, 0, 0, "\"duration_us\": 5000, \"dynamo_cumulative_compile_time_us\": 5000");
    log_edge(&log, 0, "B", "entire_backward_compile", 6000);
    log_span(&log, "compile_file", 6500, 9500);
    log_edge(&log, 0, "E", "entire_backward_compile", 10000);
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 4000, "
                     "\"backward_cumulative_compile_time_us\": 4000}, " ID0);
    look_at_lines(&log, look_backward);
}

/* Discarded traces, autotuning with the kernels that it compiles, and parts that nothing can be done about. */
static void look_discarded(yyjson_val *time) {
    assert_line(time, "parts", "discarded", 2000000, -1);  /* no graph break: nothing to change */
    assert_line(time, "parts", "autotuning", 3000000, -1); /* kernels of templates may be saved, too */
    assert_line(time, "parts", "cache_keys", 500000, -1);
    assert_line(time, "parts", "dynamic_shapes", 250000, -1);
    assert_line(time, "parts", "guards", 125000, -1);
    assert_int_equal(sum_of_parts(time), 9000000);
    assert_first(time, "autotuning", -1);
}

static void other_parts(void **state) {
    (void)state;
    struct buf log = {0};
    log_edge(&log, 0, "B", "dynamo", 0);
    log_span(&log, "insert_deferred_runtime_asserts", 100000, 350000);
    log_edge(&log, 0, "B", "backend_compile", 1000000);
    log_span(&log, "inductor_codecache_torch_key", 1000000, 1500000);
    log_edge(&log, 0, "B", "inductor_compile", 1500000);
    log_edge(&log, 0, "B", "mm_template_autotuning", 2000000);
    log_span(&log, "compile_file", 3000000, 4000000);
    log_edge(&log, 0, "E", "mm_template_autotuning", 5000000);
    log_edge(&log, 0, "E", "inductor_compile", 6000000);
    log_edge(&log, 0, "E", "backend_compile", 7000000);
    log_span(&log, "build_guards", 8000000, 8125000);
    log_edge(&log, 0, "E", "dynamo", 9000000);
    log_metrics(&log, 0, 0,
                "\"duration_us\": 9000000, \"dynamo_cumulative_compile_time_us\": 9000000, "
                "\"aot_autograd_cumulative_compile_time_us\": 6000000, "
                "\"inductor_cumulative_compile_time_us\": 4500000, "
                "\"dynamo_time_before_restart_s\": 2.0, \"restart_reasons\": [\"a break\"]");
    look_at_lines(&log, look_discarded);
}

/* Traces that a graph break discarded can be saved; those of other restarts cannot. */
static void look_broken(yyjson_val *time) {
    assert_line(time, "parts", "discarded", 5000000, 3000000);
    assert_text_of(time, "parts", "discarded", "action", "Remove what restarted traces");
    assert_text_of(time, "parts", "discarded", "evidence",
                   "`dynamo_time_before_restart_s` of the compiles; `dynamo_gr");
}

static void discarded_by_breaks(void **state) {
    (void)state;
    struct buf log = {0};
    log_payload(&log, "\"artifact\": {\"name\": \"dynamo_graph_break_reason\", \"encoding\": \"string\"}, " ID0,
                "Graph break in user code at a.py:1\nReason: Unsupported: a call\nUser code traceback:\n");
    log_metrics(&log, 0, 0, PHASES_0 ", \"dynamo_time_before_restart_s\": 3.0, \"restart_reasons\": [\"a break\"]");
    log_metrics(&log, 1, 0, PHASES_0 ", \"dynamo_time_before_restart_s\": 2.0, \"restart_reasons\": [\"other\"]");
    look_at_lines(&log, look_broken);
}

/* Configurations of kernels are compared without max_autotune, too: nothing says what to change. */
static void look_benchmarks(yyjson_val *time) {
    yyjson_val *line = line_of(time, "parts", "benchmarks");
    assert_line(time, "parts", "benchmarks", 3000000, -1);
    assert_int_equal(json_get_text(line, "action").len, 0);
    assert_no_line(time, "parts", "autotuning");
    assert_no_line(time, "parts", "cpp_kernels");
    assert_null(json_get(time, "first"));
}

static void benchmarks(void **state) {
    (void)state;
    struct buf log = {0};
    log_edge(&log, 0, "B", "dynamo", 0);
    log_edge(&log, 0, "B", "code_gen", 900000);
    log_edge(&log, 0, "B", "CachingAutotuner.benchmark_all_configs", 1000000);
    log_span(&log, "compile_file", 2000000, 3000000);
    log_edge(&log, 0, "E", "CachingAutotuner.benchmark_all_configs", 4000000);
    log_edge(&log, 0, "E", "code_gen", 7000000);
    log_edge(&log, 0, "E", "dynamo", 9000000);
    log_metrics(&log, 0, 0, PHASES_0);
    look_at_lines(&log, look_benchmarks);
}

/* AOTInductor builds two files of 1 s, with 0.5 s between them, and a third of 2 s. `code`: the record of the wrapper's
 * code comes after the second. */
static void log_wrapper(struct buf *log, bool code) {
    log_edge(log, 0, "B", "dynamo", 0);
    log_edge(log, 0, "B", "code_gen", 900000);
    log_edge(log, 0, "B", "AotCodeCompiler.compile", 1000000);
    log_span(log, "compile_file", 1000000, 2000000);
    log_span(log, "compile_file", 2500000, 3500000);
    if (code)
        log_record(log, "\"graph_dump\": {\"name\": \"inductor_aot_wrapper_code\", \"type\": \"cpp\"}, " ID0);
    log_span(log, "compile_file", 4000000, 6000000);
    log_edge(log, 0, "E", "AotCodeCompiler.compile", 7000000);
    log_record(log, "\"graph_dump\": {\"name\": \"inductor_aot_wrapper_code\", \"type\": \"cpp\"}, " ID0);
    log_edge(log, 0, "E", "code_gen", 7000000);
    log_edge(log, 0, "E", "dynamo", 9000000);
    log_metrics(log, 0, 0, PHASES_0);
}

static void look_first_builds(yyjson_val *time) {
    assert_line(time, "parts", "cpu_probes", 3000000, 3000000);
    assert_line(time, "parts", "aotinductor", 2000000, -1);
}

/* Without the record in the span, no build is known to be a test. */
static void look_all_builds(yyjson_val *time) {
    assert_line(time, "parts", "aotinductor", 4000000, -1);
    assert_no_line(time, "parts", "cpu_probes");
}

static void builds_before_the_wrapper(void **state) {
    (void)state;
    struct buf with = {0}, without = {0};
    log_wrapper(&with, true);
    look_at_lines(&with, look_first_builds);
    log_wrapper(&without, false);
    look_at_lines(&without, look_all_builds);
}

/* Kernels of different graphs are not compiled in parallel. */
static void look_one_each(yyjson_val *time) {
    assert_line(time, "parts", "cpp_kernels", 4000000, -1);
    assert_int_equal(json_get_text(line_of(time, "parts", "cpp_kernels"), "action").len, 0);
    assert_null(json_get(time, "first"));
}

static void one_kernel_each(void **state) {
    (void)state;
    struct buf log = {0};
    for (int frame = 0; frame < 2; frame++) {
        log_edge(&log, frame, "B", "dynamo", frame * 9000000LL);
        log_edge(&log, frame, "B", "code_gen", frame * 9000000LL + 1);
        log_edge(&log, frame, "B", "compile_file", frame * 9000000LL + 1000000);
        log_edge(&log, frame, "E", "compile_file", frame * 9000000LL + 3000000);
        log_edge(&log, frame, "E", "code_gen", frame * 9000000LL + 7000000);
        log_edge(&log, frame, "E", "dynamo", frame * 9000000LL + 8999999);
        log_metrics(&log, frame, 0, PHASES_0 THREADS("1"));
    }
    look_at_lines(&log, look_one_each);
}

/* Other time of a run with nothing to change, and times that are not known. */
static void look_plain(yyjson_val *time) {
    assert_line(time, "parts", "not_logged", 30000000, -1);
    assert_int_equal(yyjson_arr_size(json_get(time, "hints")), 0);
    assert_null(json_get(time, "first"));
}

static void look_none(yyjson_val *time) {
    assert_null(time);
}

/* 0 is a known time without parts. */
static void look_zero(yyjson_val *time) {
    assert_non_null(time);
    assert_int_equal(yyjson_arr_size(json_get(time, "parts")), 0);
    assert_int_equal(yyjson_arr_size(json_get(time, "hints")), 0);
}

static void little_is_logged(void **state) {
    (void)state;
    struct buf plain = {0}, unknown = {0}, empty = {0}, zero = {0};
    log_metrics(&plain, 0, 0, "\"duration_us\": 30000000");
    look_at_lines(&plain, look_plain);
    log_metrics(&unknown, 0, 0, "");
    look_at_lines(&unknown, look_none);
    log_record(&empty, "\"str\": [\"a.py\", 0]");
    look_at_lines(&empty, look_none);
    log_metrics(&zero, 0, 0, "\"duration_us\": 0");
    look_at_lines(&zero, look_zero);
}

/* At most 20 compiles are listed; the rest is counted. */
static void look_many(yyjson_val *time) {
    yyjson_val *line = line_of(time, "parts", "discarded");
    assert_int_equal(yyjson_arr_size(json_get(line, "compiles")), 20);
    assert_int_equal(number_in(line, "more_compiles"), 3);
    assert_line(time, "parts", "discarded", 2300, -1);
}

static void lists_few_compiles(void **state) {
    (void)state;
    struct buf log = {0};
    for (int frame = 0; frame < 23; frame++)
        log_metrics(&log, frame, 0,
                    "\"duration_us\": 1000, \"dynamo_cumulative_compile_time_us\": 1000, "
                    "\"dynamo_time_before_restart_s\": 0.0001, \"restart_reasons\": [\"a break\"]");
    look_at_lines(&log, look_many);
}

/* A failure comes before all times. */
static void look_failure(yyjson_val *time) {
    yyjson_val *first = json_get(time, "first");
    assert_true(yyjson_is_true(json_get(first, "issue")));
    assert_line(time, "parts", "discarded", 2000000, -1);
}

static void failure_first(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, PHASES_0 ", \"dynamo_time_before_restart_s\": 2.0, \"restart_reasons\": [\"a break\"]");
    log_metrics(&log, 1, 0, "\"duration_us\": 5, \"fail_type\": \"InternalTorchDynamoError\", \"fail_reason\": \"x\"");
    look_at_lines(&log, look_failure);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels),
        cmocka_unit_test(threads_need_evidence),
        cmocka_unit_test(taken_from_their_phase),
        cmocka_unit_test(never_exceeds_the_compile),
        cmocka_unit_test(backward),
        cmocka_unit_test(other_parts),
        cmocka_unit_test(discarded_by_breaks),
        cmocka_unit_test(benchmarks),
        cmocka_unit_test(one_kernel_each),
        cmocka_unit_test(builds_before_the_wrapper),
        cmocka_unit_test(little_is_logged),
        cmocka_unit_test(lists_few_compiles),
        cmocka_unit_test(failure_first),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
