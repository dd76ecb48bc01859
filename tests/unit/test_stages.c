/* analysis/stages: the stages of a compile from bytecode to kernels; and the symbols of its shapes. */
#define _GNU_SOURCE
#include "whole.h"

#include "analysis/stages.h"
#include "report/json/shapes_json.h"

#define GRAPH "def forward(self, x):\n  y = x.sin()\n  return y"

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

/* "dynamo done 1op, …" for the shown rows of 0/0. */
static void assert_rows(const struct model *model, const char *expected) {
    static const char *const states[] = {"done", "cached", "failed", "skipped", "unknown"};
    static const char *const names[STAGES] = {"bytecode", "dynamo",  "pre", "joint",   "forward", "post",
                                              "code",     "kernels", "bw",  "bw_post", "bw_code", "bw_kernels"};
    struct stages stages;
    struct buf text = {0};
    stages_of(&stages, model, model->compiles.items[place_of_compile(model, "0/0")]);
    for (int i = 0; i < STAGES; i++) {
        const struct stage_row *row = &stages.rows[i];
        if (row->shown)
            buf_addf(&text, "%s%s %s %zu", text.len ? ", " : "", names[i], states[row->state], row->artifacts.count);
    }
    assert_buf(&text, expected);
    buf_free(&text);
    stages_free(&stages);
}

static void look_training(const struct model *model) {
    struct stages stages;
    const struct compile *compile = model->compiles.items[place_of_compile(model, "0/0")];
    assert_rows(model,
                "dynamo done 1, pre unknown 0, joint done 1, forward done 1, post done 2, code done 1, kernels done 1, "
                "bw done 1, bw_post done 2, bw_code done 1, bw_kernels done 1");
    stages_of(&stages, model, compile);
    assert_int_equal(stages.rows[STAGE_DYNAMO].graph.ops, 1);
    assert_int_equal(stages.rows[STAGE_DYNAMO].graph.nodes, 3);
    assert_int_equal(stages.rows[STAGE_KERNELS].kernels, 1);
    /* self times: 100 - 60, 60 - (40 + 5), 40 - (10 + 2) */
    assert_int_equal(stages.rows[STAGE_DYNAMO].time_us, 40);
    assert_int_equal(stages.rows[STAGE_FORWARD].time_us, 15);
    assert_int_equal(stages.rows[STAGE_CODE].time_us, 28);
    assert_int_equal(stages.rows[STAGE_KERNELS].time_us, 10);
    assert_int_equal(stages.rows[STAGE_BACKWARD_CODE].time_us, 20);
    assert_int_equal(stages.rows[STAGE_BACKWARD_KERNELS].time_us, 30);
    stages_free(&stages);
}

static void training(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_kind(&log, "aot_joint_graph", 0, GRAPH);
    log_kind(&log, "aot_forward_graph", 0, GRAPH);
    log_kind(&log, "aot_backward_graph", 0, GRAPH);
    log_inductor(&log);
    log_metrics(&log, 0, 0,
                "\"dynamo_cumulative_compile_time_us\": 100, \"aot_autograd_cumulative_compile_time_us\": 60, "
                "\"joint_graph_pass_time_us\": 5, \"inductor_cumulative_compile_time_us\": 40, "
                "\"inductor_code_gen_cumulative_compile_time_us\": 10, \"post_grad_pass_time_us\": 2");
    log_inductor(&log);
    log_record(&log, "\"bwd_compilation_metrics\": {\"inductor_cumulative_compile_time_us\": 50, "
                     "\"inductor_code_gen_cumulative_compile_time_us\": 30}, " ID0);
    look_at(&log, look_training);
}

static void look_restart(const struct model *model) {
    assert_rows(model, "dynamo done 1, pre skipped 0, joint skipped 0, forward skipped 0, post skipped 0, code "
                       "skipped 0, kernels skipped 0");
}

/* Only the last attempt counts; its backend is eager. */
static void restart(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_kind(&log, "aot_forward_graph", 0, GRAPH);
    log_kind(&log, "dynamo_output_graph", 1, GRAPH);
    log_metrics(&log, 0, 0, "");
    look_at(&log, look_restart);
}

static void look_failure(const struct model *model) {
    assert_rows(model, "dynamo done 1, pre skipped 0, joint skipped 0, forward done 1, post failed 0, code skipped 0, "
                       "kernels skipped 0");
}

static void failure(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_kind(&log, "aot_inference_graph", 0, GRAPH);
    log_metrics(&log, 0, 0, "\"fail_type\": \"InductorError\"");
    look_at(&log, look_failure);
}

static void look_backend(const struct model *model) {
    struct stages stages;
    assert_rows(model, "dynamo done 1, pre failed 0, joint failed 0, forward failed 0, post failed 0, code failed 0, "
                       "kernels failed 0");
    stages_of(&stages, model, model->compiles.items[place_of_compile(model, "0/0")]);
    assert_non_null(strstr(stages.rows[STAGE_PRE_GRAD].why, "the backend failed"));
    assert_ptr_equal(stages.rows[STAGE_PRE_GRAD].why, stages.rows[STAGE_KERNELS].why);
    stages_free(&stages);
}

/* A custom backend has no pre-grad passes that could fail. */
static void backend_failure(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_metrics(&log, 0, 0, "\"fail_type\": \"BackendCompilerFailed\"");
    look_at(&log, look_backend);
}

static void look_backward_failure(const struct model *model) {
    assert_rows(model, "dynamo done 1, pre skipped 0, joint skipped 0, forward done 1, post skipped 0, code skipped 0, "
                       "kernels skipped 0, bw done 1, bw_post failed 0, bw_code failed 0, bw_kernels failed 0");
}

static void backward_failure(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_kind(&log, "aot_forward_graph", 0, GRAPH);
    log_kind(&log, "aot_backward_graph", 0, GRAPH);
    log_metrics(&log, 0, 0, "");
    log_record(&log, "\"bwd_compilation_metrics\": {\"fail_type\": \"RuntimeError\"}, " ID0);
    look_at(&log, look_backward_failure);
}

static void look_hit(const struct model *model) {
    assert_rows(
        model,
        "dynamo done 1, pre cached 0, joint cached 0, forward cached 0, post cached 0, code cached 1, kernels done 0");
}

static void cache_hit(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_kind(&log, "inductor_output_code", 0, "pass");
    log_artifact_of(&log, 0, 0, "fx_graph_cache_hit", "json", "{}");
    log_artifact_of(&log, 0, 0, "aotautograd_cache_hit", "json", "{}");
    log_metrics(&log, 0, 0, "");
    look_at(&log, look_hit);
}

static void look_parts(const struct model *model) {
    struct stages stages;
    stages_of(&stages, model, model->compiles.items[place_of_compile(model, "0/0")]);
    assert_int_equal(stages.rows[STAGE_POST_GRAD].state, STAGE_DONE); /* one part was a cache hit, the other was not */
    assert_int_equal(stages.rows[STAGE_POST_GRAD].parts, 2);
    assert_int_equal(stages.rows[STAGE_POST_GRAD].graph.ops, 2);
    assert_int_equal(stages.rows[STAGE_CODE].parts, 2);
    assert_int_equal(stages.rows[STAGE_KERNELS].kernels, 2);
    stages_free(&stages);
}

static void parts(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    for (int i = 0; i < 2; i++) {
        log_kind(&log, "aot_inference_graph", 0, GRAPH);
        log_inductor(&log);
        log_artifact_of(&log, 0, 0, i ? "fx_graph_cache_hit" : "fx_graph_cache_miss", "json", "{}");
    }
    log_metrics(&log, 0, 0, "");
    look_at(&log, look_parts);
}

static void look_cut(const struct model *model) {
    assert_rows(model, "dynamo done 1, pre unknown 0, joint unknown 0, forward unknown 0, post unknown 0, code "
                       "unknown 0, kernels unknown 0");
}

static void cut_log(void **state) {
    struct buf log = {0};
    (void)state;
    log_record(&log, "\"dynamo_start\": {\"stack\": []}, " ID0);
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    look_at(&log, look_cut);
}

static void look_inference(const struct model *model) {
    struct stages stages;
    assert_rows(model, "dynamo done 1, pre unknown 0, joint done 0, forward done 1, post done 2, code done 1, kernels "
                       "done 1");
    stages_of(&stages, model, model->compiles.items[place_of_compile(model, "0/0")]);
    assert_int_equal(stages.rows[STAGE_JOINT].time_us, 5);
    stages_free(&stages);
}

/* Joint-graph passes run for inference, too: what took time was not skipped. */
static void inference(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_kind(&log, "aot_inference_graph", 0, GRAPH);
    log_inductor(&log);
    log_metrics(&log, 0, 0,
                "\"dynamo_cumulative_compile_time_us\": 100, \"aot_autograd_cumulative_compile_time_us\": 60, "
                "\"joint_graph_pass_time_us\": 5");
    look_at(&log, look_inference);
}

static void look_inference_untimed(const struct model *model) {
    assert_rows(model, "dynamo done 1, pre unknown 0, joint unknown 0, forward done 1, post done 2, code done 1, "
                       "kernels done 1");
}

/* Metrics without the time of a stage do not mean that it was skipped. */
static void inference_untimed(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_kind(&log, "aot_inference_graph", 0, GRAPH);
    log_inductor(&log);
    log_metrics(&log, 0, 0, "");
    look_at(&log, look_inference_untimed);
}

static void look_aot_backend(const struct model *model) {
    assert_rows(model, "dynamo done 1, pre skipped 0, joint done 1, forward done 1, post skipped 0, code skipped 0, "
                       "kernels skipped 0, bw done 1, bw_post skipped 0, bw_code skipped 0, bw_kernels skipped 0");
}

/* What the backend does not do for the forward, it does not do for the backward. */
static void aot_backend(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_kind(&log, "aot_joint_graph", 0, GRAPH);
    log_kind(&log, "aot_forward_graph", 0, GRAPH);
    log_kind(&log, "aot_backward_graph", 0, GRAPH);
    log_metrics(&log, 0, 0, "");
    log_record(&log, "\"bwd_compilation_metrics\": {}, " ID0);
    look_at(&log, look_aot_backend);
}

static bool expect_ahead;

static void look_ahead(const struct model *model) {
    struct stages stages;
    stages_of(&stages, model, model->compiles.items[place_of_compile(model, "0/0")]);
    assert_int_equal(stages.rows[STAGE_BACKWARD].state, STAGE_DONE);
    assert_int_equal(stages.rows[STAGE_BACKWARD].why != NULL, expect_ahead);
    stages_free(&stages);
}

/* The time of a backward that is compiled before the forward has ended is included in the forward's. */
static void backward_ahead(void **state) {
    (void)state;
    for (int ahead = 0; ahead < 2; ahead++) {
        struct buf log = {0};
        log_kind(&log, "dynamo_output_graph", 0, GRAPH);
        log_kind(&log, "aot_forward_graph", 0, GRAPH);
        log_kind(&log, "aot_backward_graph", 0, GRAPH);
        log_inductor(&log);
        if (!ahead)
            log_metrics(&log, 0, 0, "");
        log_inductor(&log);
        if (ahead)
            log_metrics(&log, 0, 0, "");
        expect_ahead = ahead;
        look_at(&log, look_ahead);
    }
}

static void look_shapes(const struct model *model) {
    const struct compile *compile = model->compiles.items[place_of_compile(model, "0/0")];
    struct stack_table stacks;
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    assert_true(shapes_any(compile));
    stack_table_init(&stacks, model);
    shapes_write(&w, NULL, model, compile, &stacks);
    assert_has(buf_slice(&json),
               "\"symbol\":\"s0\",\"unbacked\":false,\"value\":\"3\",\"range\":\"[2, "
               "int_oo]\",\"source\":\"L['x'].size()[0]\",\"dynamic_by\":null,\"attempt\":0,\"line\":3,"
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

static void look_timed(const struct model *model) {
    assert_rows(model, "dynamo done 1, pre unknown 0, joint unknown 0, forward done 1, post unknown 0, code unknown 0, "
                       "kernels unknown 0");
}

/* A log of PyTorch 2.4 with the timer of Inductor, but none of its graphs: no backend without Inductor. */
static void sees_inductor_by_its_timer(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", 0, GRAPH);
    log_kind(&log, "aot_forward_graph", 0, GRAPH);
    log_metrics(
        &log, 0, 0,
        "\"entire_frame_compile_time_s\": 8.9, \"backend_compile_time_s\": 8.8, \"inductor_compile_time_s\": 5.3");
    look_at(&log, look_timed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sees_inductor_by_its_timer),
                                       cmocka_unit_test(training),
                                       cmocka_unit_test(inference),
                                       cmocka_unit_test(inference_untimed),
                                       cmocka_unit_test(aot_backend),
                                       cmocka_unit_test(backward_ahead),
                                       cmocka_unit_test(restart),
                                       cmocka_unit_test(failure),
                                       cmocka_unit_test(backend_failure),
                                       cmocka_unit_test(backward_failure),
                                       cmocka_unit_test(cache_hit),
                                       cmocka_unit_test(parts),
                                       cmocka_unit_test(cut_log),
                                       cmocka_unit_test(shapes)};
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
