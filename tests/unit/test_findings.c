/* findings/findings: the issues of a run. */
#define _GNU_SOURCE
#include "advice/advice.h"
#include "whole.h"

#include "findings/finding.h"

static struct chains chains;
static struct findings findings;

static void clear(void) {
    findings_finish(&findings);
    chains_finish(&chains);
}

static void find(const struct model *model, size_t count) {
    clear();
    chains_find(&chains, model);
    chains_advise(&chains, model);
    findings_find(&findings, model, &chains);
    assert_int_equal(findings.list.count, count);
}

static void assert_finding(const struct model *model, size_t place, const char *kind, const char *title,
                           const char *ids, int64_t time) {
    const struct finding *finding = &findings.list.items[place];
    assert_string_equal(finding_kind_name(finding->kind), kind);
    assert_slice(finding->title, title);
    assert_ids(model, finding->compiles.items, finding->compiles.count, ids);
    assert_int_equal(finding->time_us, time);
    assert_true(finding->why.len > 0 && slice_starts(finding->link, SLICE("#/")));
}

#define BREAK(place)                                                                                                   \
    "Graph break in user code at " place                                                                               \
    "\nGraph Break Reason: Call to print\n  Explanation: It prints.\n  Hint: Do not print.\n\n"                        \
    " For more details about this graph break, please visit: https://x.org/gb/gb0170.html\n"

static void ranked(const struct model *model) {
    find(model, 6);
    assert_finding(model, 1, "error", "`f3` does not compile: E: the reason", "3/0", 5);
    assert_finding(model, 0, "recompile_limit", "`f0` hit the recompile limit: calls that fit no version run eagerly",
                   "0/0 0/1", -1);
    assert_finding(model, 2, "graph_break", "Graph break: Call to print", "1/0", -1);
    assert_finding(model, 3, "recompile", "`f2` recompiled once", "2/0 2/1", 10);
    assert_finding(model, 4, "missing_metrics", "The log has no end of 1 compile", "5/0", -1);
    assert_finding(model, 5, "cache_bypass", "The FX graph cache was bypassed", "1/0", 700);
    assert_string_equal(cost_name(findings.list.items[5].cost), "cacheable");
    assert_slice(findings.list.items[2].link, "#/breaks?n=0");
    assert_slice(findings.list.items[2].advice, "Do not print.");
    assert_slice(findings.list.items[2].message, "It prints.");
    assert_slice(findings.list.items[2].why, "`f1` is split here.");
    assert_slice(findings.list.items[2].id, "GB0170");
    assert_slice(findings.list.items[2].evidence, "PyTorch's hint for GB0170");
    assert_slice(findings.list.items[1].link, "#/c/3%2F0");
    assert_slice(findings.list.items[1].why, "`f3` did not compile. The log goes on: it did not end the program.");
    assert_slice(findings.list.items[1].message, "the reason\nmore");
    assert_slice(findings.list.items[5].why, "no triton. The log has no lookup in the AOTAutograd cache.");
    assert_string_equal(severity_name(findings.list.items[0].severity), "error");
    assert_string_equal(severity_name(findings.list.items[4].severity), "warning");
    assert_string_equal(severity_name(findings.list.items[5].severity), "info");
}

static void sorts_findings(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    log_metrics(&log, 0, 1, "\"fail_type\": \"RecompileLimitExceeded\", \"fail_reason\": \"x\"");
    log_artifact_of(&log, 1, 0, "dynamo_graph_break_reason", "string", BREAK("/home/x/a.py:7"));
    log_artifact_of(&log, 1, 0, "fx_graph_cache_bypass", "json", "{\"cache_bypass_reason\": \"no triton\"}");
    log_metrics(&log, 1, 0, "\"duration_us\": 1000, \"inductor_cumulative_compile_time_us\": 700");
    log_metrics(&log, 2, 0, "\"duration_us\": 1000000");
    log_metrics(&log, 2, 1, "\"duration_us\": 10");
    log_metrics(&log, 3, 0, "\"duration_us\": 5, \"fail_type\": \"E\", \"fail_reason\": \"\\n  the reason\\nmore\"");
    log_record(&log, "\"dynamo_start\": {}, \"frame_id\": 5, \"frame_compile_id\": 0, \"attempt\": 0");
    look_at(&log, ranked);
}

static void none(const struct model *model) {
    find(model, 0);
}

/* A log without a record is not a good log. */
static void nothing_read(const struct model *model) {
    find(model, 1);
    assert_finding(model, 0, "no_records", "The log holds no trace records", "", -1);
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

static void one_error(const struct model *model) {
    find(model, 2);
    assert_finding(model, 0, "error", "`f0` does not compile: E: r", "0/0 1/0", 5);
    assert_finding(model, 1, "error", "`f2` does not compile: E: other", "2/0", -1);
}

static void groups_equal_failures(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "\"duration_us\": 2, \"fail_type\": \"E\", \"fail_reason\": \"r\"");
    log_metrics(&log, 1, 0, "\"duration_us\": 3, \"fail_type\": \"E\", \"fail_reason\": \"r\"");
    log_metrics(&log, 2, 0, "\"fail_type\": \"E\", \"fail_reason\": \"other\"");
    look_at(&log, one_error);
}

static void no_reason(const struct model *model) {
    find(model, 1);
    assert_slice(findings.list.items[0].title, "a frame does not compile: E");
    assert_slice(findings.list.items[0].why,
                 "The log does not say why. A frame did not compile. No compile follows: unless the program catches "
                 "it, it ended the program.");
}

static void takes_a_failure_without_reason(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"compilation_metrics\": {\"fail_type\": \"E\"}, " ID0);
    look_at(&log, no_reason);
}

static void distinct(const struct model *model) {
    assert_int_equal(model->breaks.count, 1);
    assert_int_equal(model->breaks.items[0]->count, 3);
    assert_ids(model, model->breaks.items[0]->compiles.items, model->breaks.items[0]->compiles.count, "0/0 1/0");
    find(model, 1);
    assert_finding(model, 0, "graph_break", "Graph break: Call to print", "0/0 1/0", -1);
    assert_slice(findings.list.items[0].why, "`f0` and `f1` are split here.");
}

/* Compiles of a break are listed and counted once, also if they are interleaved. */
static void lists_each_compile_once(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
    log_artifact_of(&log, 1, 0, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
    log_metrics(&log, 0, 0, "\"duration_us\": 10");
    log_metrics(&log, 1, 0, "\"duration_us\": 20");
    look_at(&log, distinct);
}

static void same_failure_twice(const struct model *model) {
    find(model, 1);
    assert_finding(model, 0, "error", "`f0` does not compile: E", "0/0 1/0 0/0#2", 40);
}

/* An id that already has metrics is a new compile. */
static void counts_each_failed_compile(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 3; i++)
        log_metrics(&log, i & 1, 0,
                    i & 1 ? "\"duration_us\": 20, \"fail_type\": \"E\"" : "\"duration_us\": 10, \"fail_type\": \"E\"");
    look_at(&log, same_failure_twice);
}

static void large_times(const struct model *model) {
    find(model, 2);
    for (size_t i = 0; i < findings.list.count; i++)
        assert_int_equal(findings.list.items[i].time_us, -1); /* no time is known */
}

/* Arbitrary times in a log do not overflow. */
static void adds_arbitrary_times(void **state) {
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
        if (strcmp(finding_kind_name(findings.list.items[i].kind), kind) == 0 &&
            slice_is(findings.list.items[i].title, title)) {
            *found = findings.list.items[i];
            return true;
        }
    return false;
}

static void skipped(const struct model *model) {
    struct finding found = {0};
    find(model, 3);
    assert_true(has("frame_skipped", "`f0` does not compile: RuntimeError: r", &found));
    assert_string_equal(impact_name(found.impact), "every_step");
    assert_slice(found.why, "`f0` runs eagerly, or raises with `fullgraph=True`: suppress_errors is on.");
    assert_true(has("graph_break", "`f1` runs eagerly: Call to print", &found)); /* the failure belongs to the break */
    assert_ids(model, found.compiles.items, found.compiles.count, "1/0 3/0");
    assert_slice(found.why,
                 "`f3` is split here. `f1` runs eagerly: Dynamo skips the frame. It did not trace past this line, "
                 "after which more graph breaks may follow.");
    assert_int_equal(found.severity, SEVERITY_ERROR);
    assert_int_equal(found.cost, COST_LOST);
    assert_int_equal(found.time_us, 47); /* all of 1/0, and the discarded trace of 3/0 */
    assert_true(has("error", "`f2` does not compile: Call to print", &found));
    assert_string_equal(impact_name(found.impact), "stops");
    assert_int_equal(findings.list.items[0].kind, FINDING_ERROR); /* what stops the program comes first */
}

/* A frame that then runs eagerly did not stop the program. A break, its restart and the skipped frame are one finding.
 */
static void reports_skipped_frames(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0,
                "\"fail_type\": \"RuntimeError\", \"fail_reason\": \"r\", \"config_suppress_errors\": true");
    log_artifact_of(&log, 1, 0, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
    log_metrics(&log, 1, 0, "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Call to print\", \"duration_us\": 40");
    log_metrics(&log, 2, 0, "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Call to print\"");
    log_artifact_of(&log, 3, 0, "dynamo_graph_break_reason", "string", BREAK("a.py:7"));
    log_metrics(&log, 3, 0,
                "\"restart_reasons\": [\"Call to print\\n  Explanation: It prints.\"], \"duration_us\": 1000, "
                "\"dynamo_time_before_restart_s\": 0.000007");
    look_at(&log, skipped);
}

static void resumed(const struct model *model) {
    struct finding found = {0};
    find(model, 2);
    assert_true(has("graph_break", "Graph break: Call to print", &found));
    assert_int_equal(found.time_us, 7);
    assert_int_equal(finding_saves_us(&found), 7); /* not the frames that resume after it */
    assert_slice(found.why, "`f0` is split here.");
    assert_true(has("graph_break", "Graph break: Other", &found));
    assert_int_equal(finding_saves_us(&found), -1);
    assert_slice(found.why, "`f6` has no operators outside of its graph breaks: it runs eagerly.");
}

static void log_named(struct buf *log, int frame, const char *name, const char *file, int us) {
    char fields[400];
    snprintf(fields, sizeof fields,
             "\"compilation_metrics\": {\"co_name\": \"%s\", \"co_filename\": \"%s\", \"co_firstlineno\": 3, "
             "\"graph_op_count\": 1, \"duration_us\": %d}, \"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": 0",
             name, file, us, frame);
    log_record(log, fields);
}

/* What resumes after a break must be traced without it, too. A frame without operators, before and after, is not split. */
static void saves_discarded_traces(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(
        &log, 0, 0, "dynamo_graph_break_reason", "string",
        "Graph break in user code at /home/x/a.py:9\nGraph Break Reason: Call to print\n\nUser code "
        "traceback:\n  File \"/home/x/a.py\", line 4, in f\n    g()\n  File \"/home/x/a.py\", line 9, in g\n"
        "    print()\n");
    log_metrics(&log, 0, 0,
                "\"restart_reasons\": [\"Call to print\"], \"duration_us\": 1000, "
                "\"dynamo_time_before_restart_s\": 0.000007");
    log_named(&log, 1, "torch_dynamo_resume_in_g_at_9", "/home/x/a.py", 300);
    log_named(&log, 2, "torch_dynamo_resume_in_g_at_9", "/home/x/a.py", 400);
    log_named(&log, 3, "torch_dynamo_resume_in_f_at_4", "/home/x/a.py", 20);
    log_named(&log, 4, "torch_dynamo_resume_in_g_at_19", "/home/x/a.py", 5000);
    log_named(&log, 5, "torch_dynamo_resume_in_g_at_9", "/home/x/b.py", 6000);
    log_artifact_of(&log, 6, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:30\nGraph Break Reason: Other\n");
    log_record(&log, "\"compilation_metrics\": {\"co_name\": \"f6\", \"graph_op_count\": 0}, \"frame_id\": 6, "
                     "\"frame_compile_id\": 0, \"attempt\": 0");
    log_record(&log, "\"compilation_metrics\": {\"co_name\": \"torch_dynamo_resume_in_f6_at_30\", \"co_filename\": "
                     "\"/home/x/a.py\", \"graph_op_count\": null}, \"frame_id\": 7, \"frame_compile_id\": 0, "
                     "\"attempt\": 0");
    look_at(&log, resumed);
}

#define EXCEPTION(place, raised)                                                                                       \
    "Graph break in user code at " place                                                                               \
    "\nGraph Break Reason: Failed to handle graph break gracefully. Skipping the "                                     \
    "function and falling back to eager. Graph break encountered:\n\nObserved exception\n  Explanation: None.\n"       \
    "  Developer debug context: raised exception " raised                                                              \
    "\n\n For more details about this graph break, please visit: https://x.org/gb/gb0088.html\n\nUser code "           \
    "traceback:\n  File \"/home/x/a.py\", line 3, in <module>\n    f()\n  File \"/home/x/a.py\", line 9, in check\n"   \
    "    raise ValueError(\"no\")\n"

static void exceptions(const struct model *model) {
    struct finding found = {0};
    find(model, 3);
    assert_true(has("user_error", "ValueError: it's no", &found));
    assert_slice(found.why, "Your code raised it while Dynamo traced `f0`, which did not compile. This is not a "
                            "limitation of the compiler. If the program catches it, the code runs eagerly from then "
                            "on.");
    assert_slice(found.place.function, "check");
    assert_int_equal(found.place.line, 9);
    assert_slice(found.code, "raise ValueError(\"no\")");
    assert_int_equal(found.caller.line, 3);
    assert_slice(found.advice,
                 "If the program expects this exception, raise it before it calls the compiled function.");
    assert_true(has("user_error", "RuntimeError: bad sizes", &found));
    assert_int_equal(found.place.line, 12);
    assert_true(has("error", "Backend `mine` raised RuntimeError: <no>", &found));
    assert_slice(found.place.function, "compile"); /* the line that raised it, not the compiled frame */
    assert_int_equal(found.place.line, 44);
    assert_slice(found.code, "raise RuntimeError");
}

/* An exception from the user's code, an operation or a backend is named by type and message, at the line that raised
 * it. */
static void reports_exceptions(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    EXCEPTION("/home/x/a.py:9", "ValueError(\"it's no\")"));
    log_metrics(&log, 0, 0, "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Observed exception\"");
    log_metrics(&log, 1, 0,
                "\"fail_type\": \"TorchRuntimeError\", \"fail_reason\": \"RuntimeError when making fake tensor "
                "call\\n  Explanation: Dynamo failed to run FX node: got RuntimeError('bad sizes')\", "
                "\"fail_user_frame_filename\": \"/home/x/a.py\", \"fail_user_frame_lineno\": 12");
    log_metrics(
        &log, 2, 0,
        "\"fail_type\": \"BackendCompilerFailed\", \"fail_reason\": \"backend='mine' "
        "raised:\\nRuntimeError: <no>\", \"exception_stack_trace\": [\"Traceback:\\n  File "
        "\\\"/x/site-packages/torch/a.py\\\", line 1, in a\\n    b()\\n  File \\\"/home/x/back.py\\\", line 44, "
        "in compile\\n    raise RuntimeError\\nRuntimeError: <no>\"]");
    look_at(&log, exceptions);
}

static void texts_of_old_versions(const struct model *model) {
    struct finding found = {0};
    find(model, 5);
    assert_true(has("frame_skipped", "`f0` does not compile: Call to print", &found));
    assert_slice(found.why, "Dynamo cannot trace this line. `f0` runs eagerly, or raises with `fullgraph=True`: "
                            "suppress_errors is on.");
    assert_true(has("error", "`f1` does not compile", &found));
    assert_slice(found.message, "One of these reasons:\n# a\n# b");
    assert_true(has("error", "Backend `mine` raised AssertionError", &found));
    assert_true(has("error", "Backend `mine` raised ImportError: no onnx. Do this:", &found));
    assert_true(has("interrupted", "1 compile was interrupted", &found));
    assert_int_equal(found.compiles.count, 1);
    assert_int_equal(found.compiles.items[0], place_of_compile(model, "5/0"));
}

/* What is suppressed does not raise; a list is no title; and a compile whose last attempt has no graph ended well. */
static void reports_texts_of_old_versions(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0,
                "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Call to print\", \"config_suppress_errors\": true");
    log_metrics(&log, 1, 0, "\"fail_type\": \"Unsupported\", \"fail_reason\": \"One of these reasons:\\n# a\\n# b\"");
    log_metrics(&log, 2, 0,
                "\"fail_type\": \"BackendCompilerFailed\", \"fail_reason\": \"backend='mine' "
                "raised:\\nAssertionError: \"");
    log_metrics(&log, 3, 0,
                "\"fail_type\": \"BackendCompilerFailed\", \"fail_reason\": \"backend='mine' "
                "raised:\\nImportError: no onnx. Do this:\\n(1) Install it.\"");
    log_payload(&log, "\"dynamo_output_graph\": {}, \"frame_id\": 4, \"frame_compile_id\": 0, \"attempt\": 0",
                "class G");
    log_record(&log, "\"compilation_metrics\": {\"has_guarded_code\": false, \"co_name\": \"f4\"}, \"frame_id\": 4, "
                     "\"frame_compile_id\": 0, \"attempt\": 1");
    log_payload(&log, "\"dynamo_output_graph\": {}, \"frame_id\": 5, \"frame_compile_id\": 0, \"attempt\": 0",
                "class G");
    log_record(&log, "\"compilation_metrics\": {\"has_guarded_code\": false, \"co_name\": \"f5\"}, \"frame_id\": 5, "
                     "\"frame_compile_id\": 0, \"attempt\": 0");
    look_at(&log, texts_of_old_versions);
}

#define START(frame) "\"dynamo_start\": {}, \"frame_id\": " frame ", \"frame_compile_id\": 0, \"attempt\": 0"
#define AT_LINE(reason, code)                                                                                          \
    "Graph break in user code at a.py:4\nGraph Break Reason: " reason "\n\nUser code traceback:\n  File \"a.py\", "    \
    "line 4, in f0\n    " code "\n"
#define NO_METHOD                                                                                                      \
    "Unhandled tensor method\n  Explanation: Tensor method `gelu` is not defined on FakeTensor and does not have an "  \
    "explicit handler in TensorVariable.\n  Hint: Report it.\n"
#define LAST "`f0` is split here. The log ends with this compile: nothing after this line was compiled."

static const char *wanted_why, *wanted_advice;

static void broken_last(const struct model *model) {
    find(model, 1);
    assert_slice(findings.list.items[0].why, wanted_why);
    assert_true(slice_starts(findings.list.items[0].advice, slice_str(wanted_advice)));
}

static void check_last(const char *text, const char *later, const char *why, const char *advice) {
    struct buf log = {0};
    log_record(&log, START("0"));
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string", text);
    log_metrics(&log, 0, 0, "");
    if (later) {
        log_record(&log, START("1"));
        log_named(&log, 1, later, "a.py", 5);
    }
    wanted_why = why;
    wanted_advice = advice;
    look_at(&log, broken_last);
}

/* The program went on: it called the backward. */
static void check_backward(const char *text, const char *why) {
    struct buf log = {0};
    log_record(&log, START("0"));
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string", text);
    log_metrics(&log, 0, 0, "");
    log_record(&log, "\"bwd_compilation_metrics\": {\"duration_us\": 7}, " ID0);
    wanted_why = why;
    wanted_advice = "";
    look_at(&log, broken_last);
}

/* A frame that is split before code that the log has no compile of. "return g(x)" leaves no code. */
static void reports_breaks_that_end_the_log(void **state) {
    static const char *const advice = "Check the name of the method: `torch.Tensor` has no `gelu`. Python calls it";
    static const char *const split = "`f0` is split here.";
    (void)state;
    check_last(AT_LINE(NO_METHOD, "return x.gelu().sum()"), NULL, LAST, advice);
    check_last(AT_LINE(NO_METHOD, "return g(x.gelu(max(1, 2)))"), NULL, LAST, advice);
    check_last(AT_LINE(NO_METHOD, "return x.gelu(max(1, 2))"), NULL, split, advice);
    check_last(AT_LINE("Call", "return g(x).sum()"), NULL, split, "");
    check_last(AT_LINE("Call", "y = g(x)"), NULL, LAST, "");
    check_last(AT_LINE("Call", "y = g(x)"), "torch_dynamo_resume_in_f0_at_4", split, "");
    check_last(AT_LINE("Call", "y = g(x)"), "other", split, "");
    check_backward(AT_LINE("Call", "y = g(x)"), split);
}

#define LIBRARY "/usr/lib/python3.11/site-packages/lib/m.py"
static int wanted_fix_us;

static void disabled(const struct model *model) {
    struct finding found = {0};
    find(model, findings.list.count ? findings.list.count : 1);
    assert_true(has("graph_break", "Graph break: Skip", &found));
    assert_int_equal(found.fix_us, wanted_fix_us);
    if (wanted_advice)
        assert_slice(found.advice, wanted_advice);
    else
        assert_null(found.advice.ptr);
}

static void log_frame(struct buf *log, int frame, const char *name, const char *file, int ops, int us, int lost_us) {
    char fields[500];
    if (lost_us)
        log_artifact_of(log, frame, 0, "dynamo_graph_break_reason", "string",
                        "Graph break in user code at " LIBRARY ":53\nGraph Break Reason: Skip\n\nUser code traceback:\n"
                        "  File \"/home/x/a.py\", line 5, in step\n    self.log(x)\n"
                        "  File \"" LIBRARY "\", line 53, in log\n    f()\n");
    snprintf(fields, sizeof fields,
             "\"compilation_metrics\": {\"co_name\": \"%s\", \"co_filename\": \"%s\", \"co_firstlineno\": 3, "
             "\"graph_op_count\": %d, \"duration_us\": %d%s}, \"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": "
             "0",
             name, file, ops, us,
             lost_us ? ", \"restart_reasons\": [\"Skip\"], \"dynamo_time_before_restart_s\": 0.2" : "", frame);
    log_record(log, fields);
}

static void check_disabled(const char *user, int ops, int own_us, int fix_us, const char *advice) {
    struct buf log = {0};
    clear();
    log_frame(&log, 0, user, "/home/x/a.py", 40, 700000, 200000);
    log_frame(&log, 1, "log", LIBRARY, 2, own_us, 0);
    log_frame(&log, 2, "torch_dynamo_resume_in_log_at_53", LIBRARY, ops, own_us, 0);
    wanted_fix_us = fix_us;
    wanted_advice = advice;
    look_at(&log, disabled);
}

/* A function of a library that breaks the graph and has small frames that cost much is better not traced at all. */
static void advises_to_disable_a_library_function(void **state) {
    (void)state;
    check_disabled(
        "step", 9, 300000, 800000,
        "Wrap `log` with `torch.compiler.disable()` once, outside of what is compiled (a method: `self.log = "
        "torch.compiler.disable(self.log)`): the graph breaks where it is called in any case, and Dynamo compiled its "
        "frames 2 times, in 600 ms, for graphs of at most 9 operators.");
    static const char *const outside =
        "Call `self.log` at a.py:5 outside of the compiled function, if little of its work is in "
        "this call: the line that breaks the graph is in a library.";
    check_disabled("step", 10, 300000, 500000, outside); /* it computes something */
    check_disabled("step", 9, 100000, 300000, outside);  /* a small part of the time */
    check_disabled("other", 9, 300000, 200000, NULL);    /* not what calls it */
}

#define CLOCK(file)                                                                                                    \
    "Graph break in user code at " file                                                                                \
    ":25\nGraph Break Reason: Skipped\n  Explanation: Dynamo does not know how to trace the builtin `time.time.` "     \
    "This function is a builtin.\n  Hint: If it is a Python builtin, please file an issue on GitHub.\n"

static void builtins(const struct model *model) {
    find(model, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct finding *found = &findings.list.items[i];
        if (found->library)
            assert_null(found->advice.ptr); /* not the user's line */
        else
            assert_slice(found->advice, "Call `time.time` outside of the compiled function.");
    }
}

static void advises_on_builtins(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string", CLOCK("/home/x/a.py"));
    log_metrics(&log, 0, 0, "");
    log_artifact_of(&log, 1, 0, "dynamo_graph_break_reason", "string", CLOCK("/usr/lib/python3.11/contextlib.py"));
    log_metrics(&log, 1, 0, "");
    look_at(&log, builtins);
}

static void library(const struct model *model) {
    find(model, 1);
    struct finding *found = &findings.list.items[0];
    assert_true(found->library && model->breaks.items[0]->library);
    assert_int_equal(found->severity, SEVERITY_INFO);
    assert_slice(found->place.file, "/usr/lib/python3.11/contextlib.py");
    assert_slice(found->caller.file, "/home/x/a.py");
    assert_int_equal(found->caller.line, 5);
    assert_null(found->advice.ptr); /* not the user's line */
}

/* A break inside a library is marked, and lists the user's line that led there. */
static void reports_breaks_in_libraries(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /usr/lib/python3.11/contextlib.py:105\nGraph Break Reason: Call\n  "
                    "Explanation: No.\n  Hint: Avoid it.\n\nUser code traceback:\n"
                    "  File \"/home/x/a.py\", line 5, in f\n    with c():\n"
                    "  File \"/usr/lib/python3.11/contextlib.py\", line 105, in __init__\n    self.gen = f()\n");
    log_metrics(&log, 0, 0, "");
    look_at(&log, library);
}

static void nested(const struct model *model) {
    find(model, 1);
    struct finding *found = &findings.list.items[0];
    assert_slice(found->title, "`f0` runs eagerly: Data-dependent branching");
    assert_slice(found->id, "GB0170");
    assert_true(slice_starts(found->advice, SLICE("If both branches only compute tensors, use `torch.where`, or ")));
    assert_slice(found->why, "`f0` runs eagerly: loops are not supported (GB7000). It did not trace past this line, "
                             "after which more graph breaks may follow.");
}

static void other_ranks(const struct model *model) {
    struct finding found = {0};
    ((struct model *)model)->counters[COUNT_OTHER_RANK] = 2; /* as if such a log was compared as a run */
    find(model, 1);
    assert_true(has("log_fault", "2 records of other ranks are left out", &found));
    assert_slice(found.advice, "Call tlparse with this log alone: each rank then gets a report.");
}

static void reports_other_ranks(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, "");
    look_at(&log, other_ranks);
}

/* The innermost of nested breaks is the cause; the outer one is its consequence. */
static void reports_the_innermost_break(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:7\nGraph Break Reason: Failed to handle graph break "
                    "gracefully. Skipping the function and falling back to eager. Graph break encountered:\n\n"
                    "Data-dependent branching\n  Explanation: It branches.\n  Hint: Please report an issue.\n"
                    "  Hint: Use `torch.cond`.\n\n For more, please visit: https://x.org/gb/gb0170.html\n\n"
                    "*** While handling this graph break, another graph break occurred: ***\n\ngraph break in loop\n"
                    "  Explanation: loops are not supported.\n  Hint: Other.\n\n For more, please visit: "
                    "https://x.org/gb/gb7000.html\n");
    log_metrics(&log, 0, 0, "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Data-dependent branching\"");
    look_at(&log, nested);
}

static void costs(const struct model *model) {
    struct finding found = {0};
    find(model, 4);
    assert_true(has("cudagraph_skip", "CUDA graphs were skipped: mutated inputs", &found));
    assert_slice(found.why, "`f0` and `f1` run without CUDA graphs.");
    assert_ids(model, found.compiles.items, found.compiles.count, "0/0 1/0");
    assert_int_equal(found.severity, SEVERITY_WARNING);
    assert_int_equal(found.time_us, -1); /* compile time is not its cost */
    assert_true(has("restart", "Dynamo restarted a trace: a", &found));
    assert_int_equal(found.time_us, -1); /* the log has one sum for both restarts */
    assert_int_equal(found.cost, COST_LOST_TO_RESTARTS);
    assert_true(has("restart", "Dynamo restarted a trace: b", &found));
    assert_int_equal(found.time_us, -1);
    assert_true(has("slow_compile", "Compiling `f3` took much longer than most others", &found));
    assert_slice(found.why, "20.0 s. The longest phase is code and compiler: 12.0 s. The median compile took 1.00 s.");
    assert_null(found.advice.ptr); /* no cache was used */
}

static void reports_what_costs_time(void **state) {
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

#define SKIP(NAME, LINE)                                                                                               \
    "\"cudagraph_skip_reason\": \"skipping cudagraphs due to skipping cudagraphs due to cpu device (" NAME             \
    "). Found from : \\n   File \\\"/home/x/a.py\\\", line " LINE ", in f\\n    y = x + 1\\n\""

static void skips(const struct model *model) {
    struct finding found = {0};
    find(model, 3);
    assert_true(has("cudagraph_skip", "CUDA graphs were skipped: cpu device (arg0_1)", &found));
    assert_slice(found.why, "`f0` runs without CUDA graphs. The backward of `f1` runs without CUDA graphs.");
    assert_ids(model, found.compiles.items, found.compiles.count, "0/0 0/1 1/0");
    assert_int_equal(found.place.line, 7);
    assert_slice(found.code, "y = x + 1");
    assert_null(found.advice.ptr); /* no record supports advice */
    assert_true(has("cudagraph_skip", "CUDA graphs were skipped: cpu device (primals_1)", &found));
    assert_slice(found.why, "The forward of `f1` runs without CUDA graphs.");
    assert_int_equal(found.place.line, 9);
    assert_true(has("recompile", "`f0` recompiled once", &found));
}

/* One line is one cause, whatever the graph calls its input. Forward and backward are distinguished. */
static void groups_skipped_cudagraphs_by_cause(void **state) {
    (void)state;
    struct buf log = {0};
    log_metrics(&log, 0, 0, SKIP("arg0_1", "7"));
    log_metrics(&log, 0, 1, SKIP("arg1_1", "7"));
    log_metrics(&log, 1, 0, SKIP("primals_1", "9"));
    log_record(&log, "\"bwd_compilation_metrics\": {\"is_forward\": false, " SKIP(
                         "tangents_1", "7") "}, \"frame_id\": 1, \"frame_compile_id\": 0, \"attempt\": 0");
    look_at(&log, skips);
}

static void two_in_the_middle(const struct model *model) {
    struct finding found = {0};
    find(model, 1);
    assert_true(has("slow_compile", "Compiling `f3` took much longer than most others", &found));
    assert_slice(found.why, "20.0 s. The longest phase is Dynamo: 20.0 s. The median compile took 1.50 s.");
}

static void takes_the_median_of_an_even_count(void **state) {
    (void)state;
    static const int64_t took[] = {1000000, 2000000, 1000000, 20000000};
    struct buf log = {0};
    for (int i = 0; i < 4; i++) {
        struct buf metrics = {0};
        buf_addf(&metrics, "\"duration_us\": %lld, \"dynamo_cumulative_compile_time_us\": %lld, \"graph_op_count\": 1",
                 (long long)took[i], (long long)took[i]);
        buf_add_byte(&metrics, 0);
        log_metrics(&log, i, 0, metrics.ptr);
        buf_free(&metrics);
    }
    look_at(&log, two_in_the_middle);
}

static void two_versions(const struct model *model) {
    struct finding found = {0};
    find(model, 3); /* and a recompile */
    assert_true(has("slow_compile", "Compiling `f4` took much longer than most others (4/0)", &found));
    assert_true(has("slow_compile", "Compiling `f4` took much longer than most others (4/1)", &found));
}

static void tells_versions_apart(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 6; i++) {
        struct buf metrics = {0};
        buf_addf(&metrics, "\"duration_us\": %d, \"graph_op_count\": 1", i < 4 ? 1000000 : 20000000);
        buf_add_byte(&metrics, 0);
        log_metrics(&log, i < 5 ? i : 4, i == 5, metrics.ptr);
        buf_free(&metrics);
    }
    look_at(&log, two_versions);
}

static void misses(const struct model *model) {
    struct finding found = {0};
    find(model, 2);
    assert_true(has("cache_miss", "The FX graph cache missed the same key again", &found));
    assert_ids(model, found.compiles.items, found.compiles.count, "1/0");
    assert_true(has("cache_miss", "The FX graph cache has the graph, but for other sizes", &found));
    assert_ids(model, found.compiles.items, found.compiles.count, "3/0");
    assert_slice(found.why, "[3/0] found entries with its key, and none whose guards hold for these inputs "
                            "(`cache_status_detailed`: `guard_miss`). Guards of an entry: `s0 > 16`.");
    assert_int_equal(found.time_us, 2500); /* the time that the miss reports, not the whole compile */
}

/* A first miss, or another key, is not an issue. */
static void reports_meaningful_misses(void **state) {
    (void)state;
    struct buf log = {0};
    static const char *const keys[] = {"\"key\": \"k\"", "\"key\": \"k\"", "\"key\": \"other\"",
                                       ("\"key\": \"third\", \"cache_status_detailed\": \"guard_miss\", "
                                        "\"cache_status_guard_expr\": \"s0 > 16\", \"time_taken_ns\": 2500000")};
    for (int i = 0; i < 4; i++) {
        char json[200];
        snprintf(json, sizeof json, "{%s}", keys[i]);
        log_artifact_of(&log, i, 0, "fx_graph_cache_miss", "json", json);
        log_metrics(&log, i, 0, "");
    }
    look_at(&log, misses);
}

static void sizes(const struct model *model) {
    struct finding found = {0};
    find(model, 1);
    assert_true(has("specialization", "`x.size()[0]` was dynamic and is specialized to 8", &found));
    assert_slice(found.place.file, "/home/x/a.py");
    assert_int_equal(found.place.line, 5);
    assert_ids(model, found.compiles.items, found.compiles.count, "0/0 0/1");
    assert_int_equal(found.time_us, -1); /* the compiles took their time for something else */
}

/* The place is the user's line, not torch's. Tensors of torch itself are not a finding. */
static void reports_specialized_sizes(void **state) {
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

static void one_cause(const struct model *model) {
    struct finding found = {0};
    find(model, 2);
    assert_false(has("specialization", "`n` was dynamic and is specialized to 5.0", &found));
    assert_true(has("specialization", "`m` was dynamic and is specialized to 5.0", &found)); /* no step belongs to it */
    assert_true(has("recompile", "`f0` recompiled 2 times", &found));
    assert_slice(found.why, "`n` changed 3 → 5 → 7 (2 of 2 recompiles). In [0/1] `n` was dynamic and is specialized "
                            "to 5.0, at a.py:5.");
}

/* line 0: without a stack */
static void log_fixed_at(struct buf *log, const char *source, int compile, int line) {
    char record[400], stack[100] = "";
    if (line)
        snprintf(stack, sizeof stack, "{\"filename\": \"/home/x/a.py\", \"line\": %d, \"name\": \"f\"}", line);
    snprintf(record, sizeof record,
             "\"symbolic_shape_specialization\": {\"symbol\": \"s0\", \"sources\": [\"%s\"], \"value\": \"5.000\", "
             "\"reason\": \"r\", \"user_stack\": [%s]}, "
             "\"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0",
             source, stack, compile);
    log_record(log, record);
}

static void log_fixed(struct buf *log, const char *source) {
    log_fixed_at(log, source, 1, 5);
}

static void only_of_a_graph(const struct model *model) {
    struct finding found = {0};
    find(model, 3);
    assert_true(has("specialization", "`k` was dynamic and is specialized to 5.0", &found));
    assert_ids(model, found.compiles.items, found.compiles.count, "0/0");
}

/* "The graph is valid for this value only" is not true of a compile that failed. */
static void a_failed_compile_specializes_nothing(void **state) {
    struct buf log = {0};
    (void)state;
    log_fixed_at(&log, "L['k']", 0, 5);
    log_metrics(&log, 0, 0, "");
    log_fixed_at(&log, "L['k']", 1, 5);
    log_metrics(&log, 0, 1, "\"fail_type\": \"E\", \"fail_reason\": \"r\"");
    look_at(&log, only_of_a_graph);
}

/* Recompiles for a specialized number are part of its finding. */
static void joins_specializations(void **state) {
    struct buf log = {0};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char fields[200], tree[200];
        snprintf(fields, sizeof fields,
                 "\"dynamo_cpp_guards_str\": {}, \"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0", i);
        snprintf(tree, sizeof tree, "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- EQUALS_MATCH: L['n'] == %d\n",
                 3 + 2 * i);
        log_payload(&log, fields, tree);
        if (i == 1) {
            log_fixed(&log, "L['n']");
            log_fixed(&log, "L['m']");
        }
        log_metrics(&log, 0, i, "");
    }
    look_at(&log, one_cause);
}

static void one_cause_of_all(const struct model *model) {
    struct finding found = {0};
    find(model, 2);
    assert_true(has("recompile", "`f0` recompiled 2 times", &found));
    assert_slice(
        found.why,
        "`n` changed 3 → 5 (1 of 2 recompiles); `k` changed 1 → 2 (1 of 2 recompiles). In [0/1] `n` was dynamic "
        "and is specialized to 5.0, and in [0/2] to 5.0, at a.py:5.");
    assert_true(has("specialization", "`n` was dynamic and is specialized to 5.0", &found)); /* at another line */
    assert_int_equal(found.place.line, 9);
    assert_ids(model, found.compiles.items, found.compiles.count, "0/2");
}

static void one_cause_of_all_known(const struct model *model) {
    struct finding found = {0};
    find(model, 1);
    assert_false(has("specialization", "`n` was dynamic and is specialized to 5.0", &found));
}

/* Two recompiles, the first for a number that is specialized at line 5 in both versions, and at `line` in the second. */
static void log_fixed_twice(struct buf *log, int line) {
    for (int i = 0; i < 3; i++) {
        char fields[200], tree[200];
        snprintf(fields, sizeof fields,
                 "\"dynamo_cpp_guards_str\": {}, \"frame_id\": 0, \"frame_compile_id\": %d, \"attempt\": 0", i);
        snprintf(tree, sizeof tree,
                 "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- EQUALS_MATCH: L['n'] == %d\n| +- EQUALS_MATCH: "
                 "L['k'] == %d\n",
                 i ? 5 : 3, i == 2 ? 2 : 1);
        log_payload(log, fields, tree);
        for (int twice = 0; twice < 2 && i; twice++) /* a restarted trace */
            log_fixed_at(log, "L['n']", i, 5);
        if (i == 2)
            log_fixed_at(log, "L['n']", i, line);
        log_metrics(log, 0, i, "");
    }
}

/* A specialization without a recompile has the same cause as one that led to a recompile: the same number at the same
 * line, or without a stack. */
static void joins_specializations_without_a_recompile(void **state) {
    struct buf log = {0};
    (void)state;
    log_fixed_twice(&log, 9);
    look_at(&log, one_cause_of_all);
    log_fixed_twice(&log, 0);
    look_at(&log, one_cause_of_all_known);
}

static void with_a_setting(const struct model *model) {
    struct finding found = {0};
    find(model, 3);
    assert_true(has("graph_break", "Graph break: A", &found));
    assert_slice(found.advice,
                 "Set torch._dynamo.config.trace_autograd_ops=True. It has no effect if the function returns the loss "
                 "itself (return `loss.detach()`), or if a graph break follows, such as in `optimizer.step()`. "
                 "Gradients are then inputs: if they accumulate, calls that find none need a version of their own.");
    assert_true(has("graph_break", "Graph break: B", &found));
    assert_slice(found.advice, "Set torch._dynamo.config.verbose=True");
    assert_true(has("graph_break", "Graph break: C", &found));
    assert_slice(found.advice, "Set torch._dynamo.other=1"); /* the log does not have this setting */
}

/* One of PyTorch's hints omits "config", so it would set nothing. */
static void names_settings_in_full(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:1\nGraph Break Reason: A\n  Hint: Set "
                    "torch._dynamo.trace_autograd_ops=True\n");
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:2\nGraph Break Reason: B\n  Hint: Set "
                    "torch._dynamo.config.verbose=True\n");
    log_artifact_of(
        &log, 0, 0, "dynamo_graph_break_reason", "string",
        "Graph break in user code at /home/x/a.py:3\nGraph Break Reason: C\n  Hint: Set torch._dynamo.other=1\n");
    log_metrics(&log, 0, 0, "\"dynamo_config\": \"{\\\"trace_autograd_ops\\\": false, \\\"verbose\\\": false}\"");
    look_at(&log, with_a_setting);
}

static void own_advice(const struct model *model) {
    struct finding found = {0};
    find(model, 3);
    assert_true(has("graph_break", "Graph break: Tensor.item", &found));
    assert_true(slice_starts(found.advice, SLICE("Set `torch._dynamo.config.capture_scalar_outputs = True`. Where ")));
    assert_true(has("graph_break", "Graph break: Backend compiler exception", &found));
    assert_slice(found.advice,
                 "Pass `timestep` as a Python number (`int(…)`): the operator needs the value of the tensor. Where "
                 "Python computes with the number, each value may need a version.");
    assert_true(has("graph_break", "Graph break: unsupported builtin list.append", &found));
    assert_null(found.advice.ptr);
}

/* Breaks for which the log has no hint, or none that helps; texts of PyTorch 2.6 say more than the reason. */
static void has_advice_of_its_own(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:1\nGraph Break Reason: Tensor.item\n");
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:2\nGraph Break Reason: Backend compiler exception\n  "
                    "Explanation: Backend compiler `x` failed with aten._local_scalar_dense.default\n\nWhile executing "
                    "%a : [num_users=1] = call_function[target=operator.getitem](args = (%l_self_alphas, "
                    "%l_timestep_), kwargs = {})\n  Hint: Report an issue to the backend compiler repo.\n");
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:3\nGraph Break Reason: Graph break due to unsupported "
                    "builtin list.append. This function is either a Python builtin (e.g. _warnings.warn) or a "
                    "third-party C/C++ Python extension (perhaps created with pybind).\n");
    log_metrics(&log, 0, 0, "");
    look_at(&log, own_advice);
}

static void without_effect(const struct model *model) {
    struct finding found = {0};
    find(model, 1);
    assert_true(has("graph_break", "Graph break: A", &found));
    assert_int_equal(found.advice.len, 0);
}

/* Compiled Autograd breaks the graph at calls of autograd with trace_autograd_ops, too. */
static void advises_no_setting_without_effect(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:1\nGraph Break Reason: A\n  Hint: Set "
                    "torch._dynamo.trace_autograd_ops=True\n");
    log_metrics(&log, 0, 0,
                "\"dynamo_config\": \"{\\\"trace_autograd_ops\\\": false, \\\"compiled_autograd\\\": true}\"");
    look_at(&log, without_effect);
}

static void with_notes(const struct model *model) {
    struct finding found = {0};
    find(model, 8);
    assert_true(has("graph_break", "Graph break: Tested", &found));
    assert_true(slice_starts(found.advice, SLICE("If both branches only compute")));
    assert_true(has("graph_break", "Graph break: Truth", &found));
    assert_true(slice_starts(found.advice, SLICE("Keep a tensor, ")));
    assert_true(slice_ends(found.advice, SLICE("which breaks the graph again.")));
    assert_true(has("graph_break", "Graph break: Library test", &found));
    assert_int_equal(found.advice.len, 0);
    assert_true(has("graph_break", "Graph break: In a library", &found));
    assert_true(found.library);
    assert_slice(found.advice,
                 "Enable `torch._dynamo.config.capture_dynamic_output_shape_ops = True`. Where Python tests the "
                 "resulting size, write a comparison: `if n > 0` breaks the graph there, and `if n` raises an "
                 "error. Neither happens after `torch._check(n > 0)`, if that always holds. A loop over the rows of "
                 "the result breaks the graph, too.");
    assert_true(has("graph_break", "Graph break: Library code", &found)); /* the user cannot change it */
    assert_int_equal(found.advice.len, 0);
    assert_true(has("graph_break", "Graph break: Delayed", &found));
    assert_true(slice_starts(found.advice, SLICE("Set torch._dynamo.config.allow_rnn=True to enable it. `RNN` and")));
    assert_slice(found.evidence, "PyTorch's explanation for GB0148");
    assert_true(has("graph_break", "Graph break: Named", &found)); /* it does not say to set it */
    assert_int_equal(found.advice.len, 0);
    assert_true(has("graph_break", "Graph break: Numpy", &found)); /* nothing to add */
    assert_slice(found.advice, "Set `torch._dynamo.config.trace_numpy = True`.");
}

#define AT(file, line, reason, code)                                                                                   \
    "Graph break in user code at " file ":" line "\nGraph Break Reason: " reason                                       \
    "\n  Hint: Set `torch._dynamo.config.capture_scalar_outputs = True`\n\nUser code traceback:\n  File \"" file       \
    "\", "                                                                                                             \
    "line " line ", in f\n    " code "\n"

/* A setting can be set whoever wrote the line. Hints say what was found when they were followed. */
static void advises_settings(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /usr/lib/python3/site-packages/g/a.py:1\nGraph Break Reason: In a "
                    "library\n  Hint: Enable `torch._dynamo.config.capture_dynamic_output_shape_ops = True`\n");
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /usr/lib/python3/site-packages/g/a.py:2\nGraph Break Reason: Library "
                    "code\n  Hint: Do not call it.\n");
    log_artifact_of(
        &log, 0, 0, "dynamo_graph_break_reason", "string",
        "Graph break in user code at /home/x/a.py:3\nGraph Break Reason: Delayed\n  Explanation: It breaks. "
        "Reason: no RNN. Set torch._dynamo.config.allow_rnn=True to enable it\n\n"
        " For more, please visit: https://x.org/gb/gb0148.html\n");
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:4\nGraph Break Reason: Named\n  Explanation: "
                    "torch._dynamo.config.allow_rnn is off.\n");
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:5\nGraph Break Reason: Numpy\n  Hint: Set "
                    "`torch._dynamo.config.trace_numpy = True`.\n");
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    AT("/home/x/a.py", "6", "Tested", "if x.sum().item() > 2:"));
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    AT("/home/x/a.py", "7", "Truth", "y = bool((x == 1).all())"));
    log_artifact_of(&log, 0, 0, "dynamo_graph_break_reason", "string",
                    AT("/usr/lib/python3/site-packages/g/a.py", "8", "Library test", "while x.item():"));
    log_metrics(&log, 0, 0, "");
    look_at(&log, with_notes);
}

static void cut(const struct model *model) {
    struct finding found = {0};
    find(model, 2);
    assert_true(has("log_fault", "The last record of the log is cut off or damaged", &found));
    assert_int_equal(found.severity, SEVERITY_WARNING);
    assert_slice(found.link, "#/log");
    assert_true(has("missing_metrics", "The log has no end of 1 compile", &found));
    assert_true(slice_find(found.why, SLICE("Its last artifact is `aot_joint_graph`.")) != SIZE_MAX);
}

static void reports_where_a_log_ends(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"dynamo_start\": {}, " ID0);
    log_payload(&log, "\"aot_joint_graph\": {}, " ID0, "graph");
    buf_add_lit(&log, "V1121 00:06:07.735000 23075 torch/x.py:1] {\"artifact\": {\"na");
    look_at(&log, cut);
}

#define BASE 1733498295000000LL /* within the day of the records, in 2024 */

static void log_event(struct buf *log, const char *phase, const char *name, int ts, int frame) {
    char fields[200], payload[200];
    snprintf(fields, sizeof fields, "\"chromium_event\": {}, \"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": 0",
             frame);
    snprintf(payload, sizeof payload, "{\"name\": \"%s\", \"ph\": \"%s\", \"ts\": %lld, \"pid\": 0, \"tid\": 0}", name,
             phase, BASE + ts);
    log_payload(log, fields, payload);
}

static void open_end(const struct model *model) {
    find(model, 2);
    struct finding *found = &findings.list.items[0];
    assert_finding(model, 0, "unfinished", "The log ends during a compile", "1/0", 5000000);
    assert_int_equal(found->cost, COST_UNFINISHED);
    assert_int_equal(found->severity, SEVERITY_ERROR);
    assert_true(slice_starts(found->why, SLICE("The log ends 5.00 s into [1/0] a frame, inside `codegen` (`dynamo` › "
                                               "`backend`). No other compile took longer than 1.00 s.")));
    assert_int_equal(findings.list.items[1].kind, FINDING_ERROR); /* costs more, but comes after it */
}

/* A log that ends within a compile is reported first, and once. */
static void reports_where_a_compile_stopped(void **state) {
    (void)state;
    struct buf log = {0};
    log_event(&log, "B", "dynamo", 0, 0);
    log_event(&log, "E", "dynamo", 1000000, 0);
    log_metrics(&log, 0, 0, "\"duration_us\": 1000000, \"fail_type\": \"E\"");
    log_event(&log, "B", "dynamo", 2000000, 1);
    log_record(&log, "\"dynamo_start\": {}, \"frame_id\": 1, \"frame_compile_id\": 0, \"attempt\": 0");
    log_event(&log, "B", "backend", 3000000, 1);
    log_event(&log, "B", "codegen", 7000000, 1);
    look_at(&log, open_end);
}

static void all_ended(const struct model *model) {
    find(model, 1);
    assert_finding(model, 0, "missing_metrics", "1 compile has no compilation metrics", "0/0", -1);
    assert_slice(findings.list.items[0].why,
                 "A frame: its events end, so it is finished; the code was loaded (`fx_graph_bundled_cache_hit`).");
    assert_int_equal(findings.list.items[0].severity, SEVERITY_INFO);
}

/* A compile whose code was loaded has no metrics, but did not stop. */
static void distinguishes_loaded_and_unfinished_compiles(void **state) {
    (void)state;
    struct buf log = {0};
    log_event(&log, "B", "dynamo", 0, 0);
    log_record(&log, "\"dynamo_start\": {}, " ID0);
    log_artifact_of(&log, 0, 0, "fx_graph_bundled_cache_hit", "json", "{}");
    log_event(&log, "E", "dynamo", 10, 0);
    look_at(&log, all_ended);
}

static void bypassed(const struct model *model) {
    struct finding found = {0};
    find(model, 2);
    assert_true(has("cache_bypass", "The FX graph and AOTAutograd caches were bypassed", &found));
    assert_slice(found.why, "FX graph: no cond. AOTAutograd: cond. Neither cache keeps this graph, so each process "
                            "compiles it.");
    assert_true(has("cache_bypass", "The AOTAutograd cache was bypassed", &found));
    assert_slice(found.why, "no. The FX graph cache still hit in 1 of 2 lookups.");
    assert_int_equal(found.time_us, 300); /* AOTAutograd without Inductor */
}

/* A bypass names the cache, and the result of the other one. */
static void names_the_bypassed_cache(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "aotautograd_cache_bypass", "json", "{\"cache_bypass_reason\": \"cond\"}");
    log_artifact_of(&log, 0, 0, "fx_graph_cache_bypass", "json", "{\"cache_bypass_reason\": \"no cond\"}");
    log_metrics(&log, 0, 0, "");
    log_artifact_of(&log, 1, 0, "aotautograd_cache_bypass", "json", "{\"cache_bypass_reason\": \"no\"}");
    log_artifact_of(&log, 1, 0, "fx_graph_cache_hit", "json", "{}");
    log_artifact_of(&log, 1, 0, "fx_graph_cache_miss", "json", "{\"key\": \"k\"}");
    log_metrics(&log, 1, 0,
                "\"duration_us\": 5000, \"aot_autograd_cumulative_compile_time_us\": 1000, "
                "\"inductor_cumulative_compile_time_us\": 700");
    look_at(&log, bypassed);
}

static void near_miss(const struct model *model) {
    struct finding found = {0};
    find(model, 1);
    assert_true(has("cache_miss", "The FX graph cache missed a graph that was compiled before", &found));
    assert_ids(model, found.compiles.items, found.compiles.count, "2/0");
    assert_slice(found.why, "The key of [2/0] differs from that of [0/0]: `inputs[0]` is `shape=(6)` and was "
                            "`shape=(4)`; `config[new]` differs.");
}

/* The nearest earlier key has the same graph. Differences are found by hash, because texts contain addresses. */
static void explains_why_a_key_missed(void **state) {
    (void)state;
    struct buf log = {0};
    static const char *const keys[] =
        {"\"[a] gm: def f()\", \"[b] inputs[0]: T(float, shape=(4), cpu)\", \"[c] fn: <f at 0x1>\"",
         "\"[z] gm: def g()\", \"[y] inputs[0]: T(float, shape=(9), cpu)\", \"[c] fn: <f at 0x2>\"",
         ("\"[a] gm: def f()\", \"[d] inputs[0]: T(float, shape=(6), cpu)\", \"[c] fn: <f at 0x3>\", "
          "\"[e] config[new]: 1\"")};
    for (int i = 0; i < 3; i++) {
        char json[300];
        snprintf(json, sizeof json, "{\"key\": \"k%d\", \"components\": [%s]}", i, keys[i]);
        log_artifact_of(&log, i, 0, "fx_graph_cache_miss", "json", json);
        log_metrics(&log, i, 0, "");
    }
    look_at(&log, near_miss);
}

static void same_event(const struct model *model) {
    find(model, 0);
}

/* A record that occurs twice in the log is one miss. */
static void counts_a_repeated_event_once(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 2; i++) {
        log_artifact_of(&log, i, 0, "fx_graph_cache_miss", "json",
                        "{\"key\": \"k\", \"cache_event_time\": 1754336056523673252}");
        log_metrics(&log, i, 0, "");
    }
    look_at(&log, same_event);
}

/* Logs of several processes are read one after the other: the first one read need not be the first lookup. */
static void orders_misses_by_time(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 0, 0, "fx_graph_cache_miss", "json",
                    "{\"key\": \"k\", \"cache_event_time\": 1754336056523673252}");
    log_metrics(&log, 0, 0, "");
    log_artifact_of(&log, 1, 0, "fx_graph_cache_miss", "json",
                    "{\"key\": \"k\", \"cache_event_time\": 1754336055000000000}");
    log_metrics(&log, 1, 0, "");
    look_at(&log, same_event);
}

static void names_skipped(const struct model *model) {
    find(model, 1);
    assert_slice(findings.list.items[0].why,
                 "`f1` is split here. `sub` runs eagerly, and so does all that it calls: the log has no frame that was "
                 "compiled below it.");
}

/* PyTorch 2.6 has a text of its own where the function was to be inlined. */
static void names_a_function_that_is_not_inlined(void **state) {
    (void)state;
    struct buf log = {0};
    log_artifact_of(&log, 1, 0, "dynamo_graph_break_reason", "string",
                    "Graph break in user code at /home/x/a.py:7\nGraph Break Reason: 'inline in skipfiles: "
                    "Pattern.sub | sub /usr/lib/python3.11/re/__init__.py, skipped according trace_rules.lookup "
                    "SKIP_DIRS'\n");
    log_metrics(&log, 1, 0, "");
    look_at(&log, names_skipped);
}

static void log_part(struct buf *log, const char *name, int frame, int compile, const char *fields) {
    char all[600];
    snprintf(all, sizeof all,
             "\"compilation_metrics\": {\"co_name\": \"%s\", \"co_filename\": \"/home/x/a.py\", "
             "\"co_firstlineno\": 3, \"graph_op_count\": 1, %s}, \"frame_id\": %d, \"frame_compile_id\": %d, "
             "\"attempt\": 0",
             name, fields, frame, compile);
    log_record(log, all);
}

/* A break, and two versions of what resumes after it. */
static void add_resumed(struct buf *log, const char *reason) {
    log_artifact_of(log, 1, 0, "dynamo_graph_break_reason", "string", BREAK("/home/x/a.py:7"));
    log_part(log, "f", 1, 0,
             "\"restart_reasons\": [\"Call to print\"], \"dynamo_time_before_restart_s\": 0.25, "
             "\"duration_us\": 400000");
    log_part(log, "torch_dynamo_resume_in_f_at_7", 2, 0, "\"duration_us\": 300000");
    log_artifact_of(log, 2, 1, "recompile_reasons", "json", reason);
    log_part(log, "torch_dynamo_resume_in_f_at_7", 2, 1, "\"duration_us\": 200000");
}

static const struct finding *split_of(const struct model *model) {
    clear();
    chains_find(&chains, model);
    chains_advise(&chains, model);
    findings_find(&findings, model, &chains);
    for (size_t i = 0; i < findings.list.count; i++)
        if (findings.list.items[i].kind == FINDING_GRAPH_BREAK)
            return &findings.list.items[i];
    return NULL;
}

static void gains_a_version(const struct model *model) {
    const struct finding *split = split_of(model);
    assert_int_equal(finding_saves_us(split), 250000 + 200000 + 300000);
    assert_true(
        slice_find(split->why, SLICE("at least 1 of them without operators or for values from before the break "
                                     "(200 ms). The other took 300 ms. A fix makes it a part of the graph before the "
                                     "break, which saves some of that.")) != SIZE_MAX);
}

static void gains_no_version(const struct model *model) {
    const struct finding *split = split_of(model);
    assert_int_equal(finding_saves_us(split), 250000 + 500000);
    assert_true(slice_find(split->why, SLICE("2 compiles (500 ms). A fix makes them a part of the graph before the "
                                             "break, which saves some of that.")) != SIZE_MAX);
}

/* What resumes a function has code that is compiled without the break, too, except for values that only it has. */
static void counts_what_only_a_break_makes(void **state) {
    (void)state;
    struct buf log = {0};
    add_resumed(&log, "[\"2/0: ___stack0 == 3\"]");
    look_at(&log, gains_a_version);
    log = (struct buf){0};
    add_resumed(&log, "[\"2/0: tensor 'x' size mismatch at index 0. expected 4, actual 5\"]");
    look_at(&log, gains_no_version);
}

#define SKIPPED                                                                                                        \
    "Failed to handle graph break gracefully. Skipping the function and falling back to eager. Graph break "           \
    "encountered:\n\n"

/* A break at a line of f. */
static void log_break(struct buf *log, int frame, int line, const char *skipped, const char *what) {
    char text[700];
    snprintf(text, sizeof text,
             "Graph break in user code at /home/x/a.py:%d\nGraph Break Reason: %sCall to %s\n  Explanation: It does.\n"
             "  Hint: Do not %s.\n\nUser code traceback:\n  File \"/home/x/a.py\", line %d, in f\n    %s(x)\n",
             line, skipped, what, what, line, what);
    log_artifact_of(log, frame, 0, "dynamo_graph_break_reason", "string", text);
}

static struct slice advice_at(uint64_t line) {
    for (size_t i = 0; i < findings.list.count; i++)
        if (findings.list.items[i].place.line == line && findings.list.items[i].advice.len)
            return findings.list.items[i].advice;
    return (struct slice){0};
}

static void orders_by_line(const struct model *model) {
    assert_non_null(split_of(model));
    assert_slice(advice_at(7),
                 "Fix the graph break at a.py:9 first: without this one, it makes more of the function run "
                 "eagerly. Do not print.");
    assert_slice(advice_at(12), "Do not print.");
}

/* A frame never comes to a line before the one after which it was resumed. */
static void orders_fixes_of_later_lines_only(void **state) {
    (void)state;
    struct buf log = {0};
    log_break(&log, 1, 7, "", "print");
    log_part(&log, "f", 1, 0, "\"restart_reasons\": [\"Call to print\"], \"duration_us\": 400000");
    log_break(&log, 2, 9, SKIPPED, "open");
    log_part(&log, "torch_dynamo_resume_in_f_at_7", 2, 0,
             "\"fail_type\": \"Unsupported\", \"fail_reason\": \"Call to open\"");
    log_break(&log, 3, 12, "", "print");
    log_part(&log, "torch_dynamo_resume_in_f_at_11", 3, 0, "\"duration_us\": 300000");
    look_at(&log, orders_by_line);
}

static int end(void **state) {
    clear();
    return remove_scratch(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_findings),
        cmocka_unit_test(finds_nothing),
        cmocka_unit_test(groups_equal_failures),
        cmocka_unit_test(takes_a_failure_without_reason),
        cmocka_unit_test(lists_each_compile_once),
        cmocka_unit_test(counts_each_failed_compile),
        cmocka_unit_test(adds_arbitrary_times),
        cmocka_unit_test(reports_skipped_frames),
        cmocka_unit_test(reports_what_costs_time),
        cmocka_unit_test(groups_skipped_cudagraphs_by_cause),
        cmocka_unit_test(reports_other_ranks),
        cmocka_unit_test(takes_the_median_of_an_even_count),
        cmocka_unit_test(tells_versions_apart),
        cmocka_unit_test(reports_meaningful_misses),
        cmocka_unit_test(reports_specialized_sizes),
        cmocka_unit_test(a_failed_compile_specializes_nothing),
        cmocka_unit_test(joins_specializations),
        cmocka_unit_test(names_settings_in_full),
        cmocka_unit_test(advises_no_setting_without_effect),
        cmocka_unit_test(has_advice_of_its_own),
        cmocka_unit_test(joins_specializations_without_a_recompile),
        cmocka_unit_test(reports_where_a_log_ends),
        cmocka_unit_test(reports_exceptions),
        cmocka_unit_test(reports_texts_of_old_versions),
        cmocka_unit_test(reports_breaks_in_libraries),
        cmocka_unit_test(reports_breaks_that_end_the_log),
        cmocka_unit_test(advises_to_disable_a_library_function),
        cmocka_unit_test(advises_on_builtins),
        cmocka_unit_test(reports_the_innermost_break),
        cmocka_unit_test(reports_where_a_compile_stopped),
        cmocka_unit_test(distinguishes_loaded_and_unfinished_compiles),
        cmocka_unit_test(saves_discarded_traces),
        cmocka_unit_test(advises_settings),
        cmocka_unit_test(names_the_bypassed_cache),
        cmocka_unit_test(explains_why_a_key_missed),
        cmocka_unit_test(counts_a_repeated_event_once),
        cmocka_unit_test(orders_misses_by_time),
        cmocka_unit_test(names_a_function_that_is_not_inlined),
        cmocka_unit_test(counts_what_only_a_break_makes),
        cmocka_unit_test(orders_fixes_of_later_lines_only),
    };
    return cmocka_run_group_tests(tests, make_scratch, end);
}
