/* lowering/stages: the stages of a compile from bytecode to kernels; and the symbols of its shapes. */
#define _GNU_SOURCE
#include "whole.h"

#include "lowering/stages.h"
#include "report/members.h"

#define GRAPH "def forward(self, x):\n  y = x.sin()\n  return y"
#define STEPS_MAX 12

/* A log of compile 0/0, and what its stages are. */
struct row {
    const char *name;
    const char *log[STEPS_MAX]; /* steps: see log_step() */
    const char *expected;       /* "dynamo done 1, …" for the shown stages; NULL: see `look` */
    void (*look)(const struct stages *stages);
};

/* ---- logs ------------------------------------------------------------------------------------------------------- */

static void log_kind(struct buf *log, const char *kind, int attempt, const char *payload) {
    char fields[200];
    snprintf(fields, sizeof fields, "\"%s\": {}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": %d", kind,
             attempt);
    log_payload(log, fields, payload);
}

static void log_inductor(struct buf *log) {
    log_artifact_of(log, 0, 0, "fx_graph_runnable", "string", "import torch");
    log_artifact_of(log, 0, 0, "before_post_grad_graph", "string", GRAPH);
    log_kind(log, "inductor_post_grad_graph", 0, GRAPH);
    log_kind(log, "inductor_output_code", 0, "k = async_compile.triton('k', '''");
}

/* "inductor": a compile by Inductor. "again KIND": a graph of the second attempt. "code": code without kernels. "cache_…": a cache result.
 * "metrics FIELDS", "backward FIELDS": the metrics of the compile or of its backward. Otherwise the kind of a graph. */
static void log_step(struct buf *log, const char *step) {
    struct slice text = slice_str(step);
    if (slice_is(text, "inductor")) {
        log_inductor(log);
    } else if (slice_starts(text, SLICE("again "))) {
        log_kind(log, step + strlen("again "), 1, GRAPH);
    } else if (slice_is(text, "sized_backward")) {
        log_kind(log, "aot_backward_graph", 0,
                 "def forward(self, primals_1: \"Sym(s5)\", x):\n  y = x.sin()\n  return y");
    } else if (slice_is(text, "eager_compile_backwards_failure")) {
        log_artifact_of(log, 0, 0, step, "string", "RuntimeError");
    } else if (slice_is(text, "capture")) {
        log_record(
            log, "\"compilation_metrics\": {}, \"compiled_autograd_id\": 0, \"frame_id\": 3, \"frame_compile_id\": 0");
    } else if (slice_is(text, "code")) {
        log_kind(log, "inductor_output_code", 0, "pass");
    } else if (slice_is(text, "start")) {
        log_record(log, "\"dynamo_start\": {\"stack\": []}, " ID0);
    } else if (slice_find(text, SLICE("_cache_")) != SIZE_MAX) {
        log_artifact_of(log, 0, 0, step, "json", "{}");
    } else if (slice_starts(text, SLICE("metrics"))) {
        log_metrics(log, 0, 0, step + strlen("metrics"));
    } else if (slice_starts(text, SLICE("backward"))) {
        char fields[300];
        snprintf(fields, sizeof fields, "\"bwd_compilation_metrics\": {%s}, " ID0, step + strlen("backward"));
        log_record(log, fields);
    } else {
        log_kind(log, step, 0, GRAPH);
    }
}

/* ---- what is expected ------------------------------------------------------------------------------------------- */

static void assert_rows(const struct stages *stages, const char *expected) {
    static const char *const states[] = {"done", "cached", "failed", "skipped", "unknown"};
    static const char *const names[STAGES] = {"bytecode", "dynamo",  "pre", "joint",   "forward", "post",
                                              "code",     "kernels", "bw",  "bw_post", "bw_code", "bw_kernels"};
    struct buf text = {0};
    for (int i = 0; i < STAGES; i++) {
        const struct stage_row *row = &stages->rows[i];
        if (row->shown)
            buf_addf(&text, "%s%s %s %zu", text.len ? ", " : "", names[i], states[row->state], row->artifacts.count);
    }
    assert_buf(&text, expected);
    buf_free(&text);
}

static void look_training(const struct stages *stages) {
    assert_int_equal(stages->rows[STAGE_DYNAMO].graph.ops, 1);
    assert_int_equal(stages->rows[STAGE_DYNAMO].graph.nodes, 3);
    assert_int_equal(stages->rows[STAGE_KERNELS].kernels, 1);
    /* self times: 100 - 60, 60 - (40 + 5), 40 - (10 + 2) */
    assert_int_equal(stages->rows[STAGE_DYNAMO].time_us, 40);
    assert_int_equal(stages->rows[STAGE_FORWARD].time_us, 15);
    assert_int_equal(stages->rows[STAGE_CODE].time_us, 28);
    assert_int_equal(stages->rows[STAGE_KERNELS].time_us, 10);
    assert_int_equal(stages->rows[STAGE_BACKWARD_CODE].time_us, 20);
    assert_int_equal(stages->rows[STAGE_BACKWARD_KERNELS].time_us, 30);
}

static void look_backend(const struct stages *stages) {
    assert_non_null(strstr(stages->rows[STAGE_PRE_GRAD].why, "the backend failed"));
    assert_ptr_equal(stages->rows[STAGE_PRE_GRAD].why, stages->rows[STAGE_KERNELS].why);
}

static void look_parts(const struct stages *stages) {
    assert_int_equal(stages->rows[STAGE_POST_GRAD].state, STAGE_DONE); /* one was a cache hit, the other was not */
    assert_int_equal(stages->rows[STAGE_POST_GRAD].parts, 2);
    assert_int_equal(stages->rows[STAGE_POST_GRAD].graph.ops, 2);
    assert_int_equal(stages->rows[STAGE_CODE].parts, 2);
    assert_int_equal(stages->rows[STAGE_KERNELS].kernels, 2);
}

static void look_inference(const struct stages *stages) {
    assert_int_equal(stages->rows[STAGE_JOINT].time_us, 5);
}

/* The time of a backward that is compiled before the forward has ended is included in the forward's. */
static void look_ahead(const struct stages *stages) {
    assert_int_equal(stages->rows[STAGE_BACKWARD].state, STAGE_DONE);
    assert_non_null(stages->rows[STAGE_BACKWARD].why);
}

static void look_after(const struct stages *stages) {
    assert_int_equal(stages->rows[STAGE_BACKWARD].state, STAGE_DONE);
    assert_null(stages->rows[STAGE_BACKWARD].why);
}

/* torch._functorch compiles a backward that takes sizes with the forward; here the backend is aot_eager. */
static void look_sized(const struct stages *stages) {
    assert_int_equal(stages->rows[STAGE_BACKWARD_CODE].state, STAGE_SKIPPED);
    assert_non_null(strstr(stages->rows[STAGE_BACKWARD_CODE].why, "compiled with the forward"));
}

static void look_sized_later(const struct stages *stages) {
    assert_int_equal(stages->rows[STAGE_BACKWARD_CODE].state, STAGE_UNKNOWN);
    assert_non_null(strstr(stages->rows[STAGE_BACKWARD_CODE].why, "at its first run"));
}

static void look_captured(const struct stages *stages) {
    assert_int_equal(stages->rows[STAGE_BACKWARD_CODE].state, STAGE_UNKNOWN);
    assert_non_null(strstr(stages->rows[STAGE_BACKWARD_CODE].why, "Compiled Autograd"));
}

/* ---- the logs --------------------------------------------------------------------------------------------------- */

#define DYNAMO "dynamo_output_graph"
#define JOINT "aot_joint_graph"
#define FORWARD "aot_forward_graph"
#define BACKWARD "aot_backward_graph"
#define INFERENCE "aot_inference_graph"

static const struct row rows[] = {
    {"training",
     {DYNAMO, JOINT, FORWARD, BACKWARD, "inductor",
      ("metrics\"dynamo_cumulative_compile_time_us\": 100, \"aot_autograd_cumulative_compile_time_us\": 60, "
       "\"joint_graph_pass_time_us\": 5, \"inductor_cumulative_compile_time_us\": 40, "
       "\"inductor_code_gen_cumulative_compile_time_us\": 10, \"post_grad_pass_time_us\": 2"),
      "inductor",
      "backward\"inductor_cumulative_compile_time_us\": 50, \"inductor_code_gen_cumulative_compile_time_us\": 30"},
     "dynamo done 1, pre unknown 0, joint done 1, forward done 1, post done 2, code done 1, kernels done 1, "
     "bw done 1, bw_post done 2, bw_code done 1, bw_kernels done 1",
     look_training},
    /* Only the last attempt counts; its backend is eager. */
    {"restart",
     {DYNAMO, FORWARD, "again " DYNAMO, "metrics"},
     "dynamo done 1, pre skipped 0, joint skipped 0, forward skipped 0, post skipped 0, code skipped 0, "
     "kernels skipped 0",
     NULL},
    {"failure",
     {DYNAMO, INFERENCE, "metrics\"fail_type\": \"InductorError\""},
     "dynamo done 1, pre skipped 0, joint skipped 0, forward done 1, post failed 0, code skipped 0, kernels skipped 0",
     NULL},
    /* A custom backend has no pre-grad passes that could fail. */
    {"backend_failure",
     {DYNAMO, "metrics\"fail_type\": \"BackendCompilerFailed\""},
     "dynamo done 1, pre failed 0, joint failed 0, forward failed 0, post failed 0, code failed 0, kernels failed 0",
     look_backend},
    {"backward_failure",
     {DYNAMO, FORWARD, BACKWARD, "metrics", "backward\"fail_type\": \"RuntimeError\""},
     "dynamo done 1, pre skipped 0, joint skipped 0, forward done 1, post skipped 0, code skipped 0, "
     "kernels skipped 0, bw done 1, bw_post failed 0, bw_code failed 0, bw_kernels failed 0",
     NULL},
    {"cache_hit",
     {DYNAMO, "code", "fx_graph_cache_hit", "aotautograd_cache_hit", "metrics"},
     "dynamo done 1, pre cached 0, joint cached 0, forward cached 0, post cached 0, code cached 1, kernels done 0",
     NULL},
    {"parts",
     {DYNAMO, INFERENCE, "inductor", "fx_graph_cache_miss", INFERENCE, "inductor", "fx_graph_cache_hit", "metrics"},
     NULL,
     look_parts},
    {"cut_log",
     {"start", DYNAMO},
     "dynamo done 1, pre unknown 0, joint unknown 0, forward unknown 0, post unknown 0, code unknown 0, "
     "kernels unknown 0",
     NULL},
    /* Joint-graph passes run for inference, too: what took time was not skipped. */
    {"inference",
     {DYNAMO, INFERENCE, "inductor",
      "metrics\"dynamo_cumulative_compile_time_us\": 100, \"aot_autograd_cumulative_compile_time_us\": 60, "
      "\"joint_graph_pass_time_us\": 5"},
     "dynamo done 1, pre unknown 0, joint done 0, forward done 1, post done 2, code done 1, kernels done 1",
     look_inference},
    /* Metrics without the time of a stage do not mean that it was skipped. */
    {"inference_untimed",
     {DYNAMO, INFERENCE, "inductor", "metrics"},
     "dynamo done 1, pre unknown 0, joint unknown 0, forward done 1, post done 2, code done 1, kernels done 1",
     NULL},
    /* What the backend does not do for the forward, it does not do for the backward. */
    {"aot_backend",
     {DYNAMO, JOINT, FORWARD, BACKWARD, "metrics", "backward"},
     "dynamo done 1, pre skipped 0, joint done 1, forward done 1, post skipped 0, code skipped 0, kernels skipped 0, "
     "bw done 1, bw_post skipped 0, bw_code skipped 0, bw_kernels skipped 0",
     NULL},
    {"sized_backward", {DYNAMO, JOINT, FORWARD, "sized_backward", "metrics"}, NULL, look_sized},
    {"static_backward", {DYNAMO, JOINT, FORWARD, BACKWARD, "metrics"}, NULL, look_sized_later},
    {"sized_backward_fails",
     {DYNAMO, JOINT, FORWARD, "sized_backward", "eager_compile_backwards_failure", "metrics"},
     NULL,
     look_sized_later},
    {"captured_backward", {DYNAMO, JOINT, FORWARD, BACKWARD, "metrics", "capture"}, NULL, look_captured},
    {"backward_ahead", {DYNAMO, FORWARD, BACKWARD, "inductor", "inductor", "metrics"}, NULL, look_ahead},
    {"backward_after", {DYNAMO, FORWARD, BACKWARD, "inductor", "metrics", "inductor"}, NULL, look_after},
    /* A log of PyTorch 2.4 with the timer of Inductor, but none of its graphs: no backend without Inductor. */
    {"inductor_by_its_timer",
     {DYNAMO, FORWARD,
      "metrics\"entire_frame_compile_time_s\": 8.9, \"backend_compile_time_s\": 8.8, \"inductor_compile_time_s\": 5.3"},
     "dynamo done 1, pre unknown 0, joint unknown 0, forward done 1, post unknown 0, code unknown 0, kernels unknown 0",
     NULL},
};

static const struct row *current;

static void look(const struct model *model) {
    struct stages stages;
    stages_of(&stages, model, model->compiles.items[place_of_compile(model, "0/0")]);
    assert_true(current->expected || current->look);
    if (current->expected)
        assert_rows(&stages, current->expected);
    if (current->look)
        current->look(&stages);
    stages_free(&stages);
}

static void check_row(void **state) {
    struct buf log = {0};
    current = *state;
    for (size_t i = 0; i < STEPS_MAX && current->log[i]; i++)
        log_step(&log, current->log[i]);
    look_at(&log, look);
}

/* ---- shapes ----------------------------------------------------------------------------------------------------- */

static void look_shapes(const struct model *model) {
    const struct compile *compile = model->compiles.items[place_of_compile(model, "0/0")];
    struct stack_table stacks;
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    assert_true(shapes_any(compile));
    stack_table_init(&stacks, model);
    shapes_write(&w, NULL, model, compile, &stacks);
    assert_has(
        buf_slice(&json),
        "\"symbol\":\"s0\",\"unbacked\":false,\"value\":\"3\",\"range\":\"[2, "
        "int_oo]\",\"source\":\"L['x'].size()[0]\",\"dynamic_by\":null,\"dynamic_why\":null,\"attempt\":0,\"line\":3,"
        "\"user_stack\":null,\"stack\":1");
    assert_has(buf_slice(&json), "\"symbol\":\"u1\",\"unbacked\":true");
    assert_has(buf_slice(&json), "\"reason\":\"because\"");
    assert_has(buf_slice(&json), "\"expr\":\"Eq(s0 + zuf3, s0*us)\",\"symbols\":[\"s0\",\"zuf3\"]");
    assert_has(buf_slice(&json), "\"more\":0");
    json.len = 0;
    w = (struct jsonw){.out = &json};
    stack_table_write(&w, NULL, &stacks);
    assert_has(buf_slice(&json), "[{\"parent\":-1,\"function\":\"outer\"");
    assert_has(buf_slice(&json), "{\"parent\":0,\"function\":\"inner\"");
    stack_table_clear(&stacks);
    assert_int_equal(stacks.nodes.count, 0);
    stack_table_free(&stacks);
    buf_free(&json);
}

static void shapes(void **state) {
    struct buf log = {0};
    (void)state;
    log_record(&log, "\"str\": [\"a.py\", 0]");
    log_record(&log, "\"dynamo_start\": {\"stack\": []}, " ID0);
    log_record(&log, "\"create_symbol\": {\"symbol\": \"s0\", \"val\": \"3\", \"vr\": \"[2, int_oo]\", \"source\": "
                     "\"L['x'].size()[0]\", "
                     "\"stack\": [{\"line\": 1, \"name\": \"outer\", \"filename\": 0}, {\"line\": 2, \"name\": "
                     "\"inner\", \"filename\": 0}]}, " ID0);
    log_record(&log, "\"create_unbacked_symbol\": {\"symbol\": \"u1\", \"vr\": \"[0, 9]\"}, " ID0);
    log_record(&log, "\"symbolic_shape_specialization\": {\"symbol\": \"s0\", \"value\": \"3\", \"sources\": "
                     "[\"L['x'].size()[0]\"], \"reason\": \"because\"}, " ID0);
    log_record(&log, "\"guard_added_fast\": {\"expr\": \"Eq(s0 + zuf3, s0*us)\"}, " ID0);
    look_at(&log, look_shapes);
}

int main(void) {
    enum { ROWS = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[ROWS + 1] = {cmocka_unit_test(shapes)};
    for (size_t i = 0; i < ROWS; i++)
        tests[i + 1] = (struct CMUnitTest){.name = rows[i].name,
                                           .test_func = check_row,
                                           .initial_state = (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
