/* findings/coverage: which functions run compiled code. */
#define _GNU_SOURCE
#include "advice/advice.h"
#include "whole.h"

#include "findings/coverage.h"

/* The end of a compile: code object NAME at LINE of a.py, and how it ended. */
static void log_end(struct buf *log, int frame, int compile, const char *name, int line, const char *fields) {
    char all[1024];
    snprintf(all, sizeof all,
             "\"compilation_metrics\": {\"co_name\": \"%s\", \"co_filename\": \"a.py\", \"co_firstlineno\": %d, %s}, "
             "\"frame_id\": %d, \"frame_compile_id\": %d, \"attempt\": 0",
             name, line, fields, frame, compile);
    log_record(log, all);
}

#define GRAPH "\"graph_op_count\": 2, \"guard_count\": 3, \"has_guarded_code\": true"
#define NO_OPS "\"graph_op_count\": 0, \"guard_count\": 3, \"has_guarded_code\": true"
#define FAILED(type, reason) "\"fail_type\": \"" type "\", \"fail_reason\": \"" reason "\", \"has_guarded_code\": false"
#define SKIPPED "\"graph_op_count\": null, \"guard_count\": null, \"has_guarded_code\": true"
#define BREAK "Graph break in user code at a.py:7\nGraph Break Reason: Call to print\n  Explanation: It prints.\n"
#define SHAPE "Graph break in user code at a.py:8\nGraph Break Reason: Dynamic shape operator\n  Explanation: It is.\n"
#define BREAKS(frame, text) log_artifact_of(&log, frame, 0, "dynamo_graph_break_reason", "string", text)

static struct coverage coverage;

static void find(const struct model *model) {
    static struct chains chains;
    static struct findings findings;
    coverage_finish(&coverage);
    chains_find(&chains, model);
    chains_advise(&chains, model);
    findings_find(&findings, model, &chains);
    coverage_find(&coverage, model, &findings);
    for (size_t i = 0; i < coverage.functions.count; i++) { /* they outlive the findings in these tests */
        struct covered *covered = &coverage.functions.items[i];
        covered->reason = covered->reason.ptr ? arena_slice(&coverage.arena, covered->reason) : covered->reason;
    }
    findings_finish(&findings);
    chains_finish(&chains);
}

static void assert_function(const struct model *model, size_t at, const char *name, uint64_t line, const char *state,
                            const char *ids, const char *reason) {
    assert_true(at < coverage.functions.count);
    const struct covered *covered = &coverage.functions.items[at];
    assert_slice(covered->place.function, name);
    assert_int_equal(covered->place.line, line);
    assert_string_equal(coverage_state_name(covered->state), state);
    assert_ids(model, covered->compiles.items, covered->compiles.count, ids);
    assert_int_equal(covered->reason.ptr != NULL, reason != NULL);
    if (reason)
        assert_slice(covered->reason, reason);
}

static void each_state(const struct model *model) {
    find(model);
    assert_int_equal(coverage.functions.count, 9);
    assert_function(model, 0, "skipped", 20, "not", "1/0", "Call to print");
    assert_function(model, 1, "failed", 30, "not", "2/0", "`failed` does not compile: E: no");
    assert_function(model, 2, "operator", 80, "not", "7/0", "Dynamic shape operator");
    assert_function(model, 3, "halves", 40, "partly", "3/0 4/0", "Call to print");
    assert_function(model, 4, "limit", 50, "partly", "5/0 5/1",
                    "`limit` hit the recompile limit: calls that fit no version run eagerly");
    assert_function(model, 5, "begun", 9, "unknown", "10/0", NULL);
    assert_function(model, 6, "python", 60, "no_ops", "6/0", NULL);
    assert_function(model, 7, "prints", 70, "no_ops", "8/0", NULL);
    assert_function(model, 8, "whole", 10, "compiled", "0/0 9/0", NULL);
    assert_int_equal(coverage.functions.items[3].graphs, 1);
    assert_int_equal(coverage.functions.items[3].breaks, 1);
    assert_int_equal(coverage.counts[COVERAGE_NOT], 3);
    assert_int_equal(coverage.counts[COVERAGE_NO_OPS], 2);
}

static void states(void **state) {
    (void)state;
    struct buf log = {0};
    log_end(&log, 0, 0, "whole", 10, GRAPH);
    BREAKS(1, BREAK);
    log_end(&log, 1, 0, "skipped", 20, FAILED("Unsupported", "Call to print\\n  Explanation: It prints."));
    log_end(&log, 2, 0, "failed", 30, FAILED("E", "no"));
    BREAKS(3, BREAK);
    log_end(&log, 3, 0, "halves", 40, NO_OPS);
    log_end(&log, 4, 0, "torch_dynamo_resume_in_halves_at_44", 44, GRAPH);
    log_end(&log, 5, 0, "limit", 50, GRAPH);
    log_end(&log, 5, 1, "limit", 50, FAILED("RecompileLimitExceeded", "x"));
    log_end(&log, 6, 0, "python", 60, SKIPPED);
    BREAKS(7, SHAPE);
    log_end(&log, 7, 0, "operator", 80, NO_OPS);
    BREAKS(8, BREAK);
    log_end(&log, 8, 0, "prints", 70, NO_OPS);
    log_end(&log, 9, 0, "whole", 10, GRAPH); /* after a reset, for example */
    log_record(&log, "\"dynamo_start\": {\"stack\": [{\"line\": 9, \"name\": \"begun\", \"filename\": 0}]}, "
                     "\"frame_id\": 10, \"frame_compile_id\": 0, \"attempt\": 0");
    look_at(&log, each_state);
}

static void rests_belong(const struct model *model) {
    find(model);
    assert_int_equal(coverage.functions.count, 4);
    assert_function(model, 0, "forward", 20, "partly", "1/0 2/0 3/0", "Call to print");
    assert_function(model, 1, "forward", 10, "compiled", "0/0", NULL);
    assert_function(model, 2, "forward", 0, "compiled", "4/0 5/0", NULL);
    assert_function(model, 3, "torch_dynamo_resume_in_x_at_", 7, "compiled", "6/0", NULL);
}

/* The rest after a break belongs to the last function of the name that begins before it. */
static void rests(void **state) {
    (void)state;
    struct buf log = {0};
    log_end(&log, 0, 0, "forward", 10, GRAPH);
    BREAKS(1, BREAK);
    log_end(&log, 1, 0, "forward", 20, GRAPH);
    log_end(&log, 2, 0, "torch_dynamo_resume_in_forward_at_22", 22, GRAPH);
    log_end(&log, 3, 0, "torch_dynamo_resume_in_forward_at_24", 24, GRAPH);
    log_end(&log, 4, 0, "torch_dynamo_resume_in_forward_at_4", 4, GRAPH); /* the function itself is not in the log */
    log_end(&log, 5, 0, "torch_dynamo_resume_in_forward_at_5", 5, GRAPH);
    log_end(&log, 6, 0, "torch_dynamo_resume_in_x_at_", 7, GRAPH);
    look_at(&log, rests_belong);
}

static void skips(const struct model *model) {
    find(model);
    assert_int_equal(coverage.functions.count, 4);
    assert_function(model, 0, "loop", 10, "not", "0/0", "Call to print");
    assert_function(model, 1, "ops", 20, "not", "1/0", "Dynamo skipped the frame; the log does not say why");
    assert_function(model, 2, "silent", 30, "unknown", "2/0", NULL);
    assert_function(model, 3, "nothing", 40, "no_ops", "3/0", NULL);
}

/* Up to 2.6, PyTorch skips a frame with a break in a loop without a word; later, it logs the break. */
static void old_skips(void **state) {
    (void)state;
    struct buf log = {0};
    BREAKS(0, BREAK);
    log_end(&log, 0, 0, "loop", 10, SKIPPED);
    log_end(&log, 1, 0, "ops", 20, "\"graph_op_count\": 4, \"guard_count\": null, \"has_guarded_code\": false");
    log_end(&log, 2, 0, "silent", 30, "\"graph_op_count\": 0, \"guard_count\": null, \"has_guarded_code\": false");
    log_end(&log, 3, 0, "nothing", 40, SKIPPED);
    look_at(&log, skips);
}

static void generated(const struct model *model) {
    find(model);
    assert_int_equal(coverage.functions.count, 1);
    assert_int_equal(coverage.functions.items[0].compiles.count, 2);
    assert_string_equal(coverage_state_name(coverage.functions.items[0].state), "compiled");
}

/* Graphs that PyTorch generates, as for Compiled Autograd, are one function. */
static void generated_graphs(void **state) {
    (void)state;
    struct buf log = {0};
    for (int i = 0; i < 2; i++) {
        char all[400];
        snprintf(all, sizeof all,
                 "\"compilation_metrics\": {\"co_name\": \"forward\", \"co_filename\": \"<eval_with_key>.%d\", "
                 "\"co_firstlineno\": %d, " GRAPH "}, \"frame_id\": %d, \"frame_compile_id\": 0, \"attempt\": 0",
                 i + 3, i + 4, i);
        log_record(&log, all);
    }
    look_at(&log, generated);
}

#define START(frame, compile, name, line, under)                                                                       \
    "\"dynamo_start\": {\"stack\": [{\"line\": 3, \"name\": \"main\", \"filename\": 0}, " under "{\"line\": " line     \
    ", \"name\": \"" name "\", \"filename\": 0}]}, \"frame_id\": " frame ", \"frame_compile_id\": " compile            \
    ", \"attempt\": 0"
#define STEP "{\"line\": 11, \"name\": \"model\", \"filename\": 0}, "

static void fallen(const struct model *model) {
    find(model);
    assert_int_equal(coverage.functions.count, 4);
    assert_function(model, 0, "other", 40, "not", "3/0", "`other` does not compile: F: never");
    assert_function(model, 1, "model", 10, "partly", "0/0 0/1", "`model` does not compile: E: no");
    assert_function(
        model, 2, "inner", 20, "partly", "1/0",
        "Dynamo compiles it on its own only since a call of `model` did not compile; graphs of `model` contain it");
    assert_function(model, 3, "helper", 30, "unknown", "2/0",
                    "Dynamo compiles it on its own only since a call of `model` did not compile; the log does not say "
                    "whether graphs of `model` contain it");
    assert_int_equal(coverage.counts[COVERAGE_NOT], 1);
    assert_int_equal(coverage.counts[COVERAGE_UNKNOWN], 1);
}

/* What a function calls is in its graphs. It is compiled, and fails, on its own where a call of the function failed. */
static void fallen_callers(void **state) {
    (void)state;
    struct buf log = {0};
    log_record(&log, "\"str\": [\"a.py\", 0]");
    log_record(&log, START("0", "0", "model", "10", ""));
    log_payload(&log,
                "\"dynamo_output_graph\": {\"sizes\": {}}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0",
                "class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: \"f32[2]\"):\n"
                "         # File: a.py:21 in inner, code: x.sin()\n        y: \"f32[2]\" = L_x_.sin()\n");
    log_end(&log, 0, 0, "model", 10, GRAPH);
    log_record(&log,
               START("3", "0", "other", "40", STEP)); /* before the failure: it was called from the graph's code */
    log_end(&log, 3, 0, "other", 40, FAILED("F", "never"));
    log_record(&log, START("0", "1", "model", "10", ""));
    log_end(&log, 0, 1, "model", 10, FAILED("E", "no"));
    log_record(&log, START("1", "0", "inner", "20", STEP));
    log_end(&log, 1, 0, "inner", 20, FAILED("E", "no"));
    log_record(&log, START("2", "0", "helper", "30", STEP));
    log_end(&log, 2, 0, "helper", 30, FAILED("E", "no"));
    look_at(&log, fallen);
}

static int end(void **state) {
    coverage_finish(&coverage);
    return remove_scratch(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states),           cmocka_unit_test(rests),          cmocka_unit_test(old_skips),
        cmocka_unit_test(generated_graphs), cmocka_unit_test(fallen_callers),
    };
    return cmocka_run_group_tests(tests, make_scratch, end);
}
