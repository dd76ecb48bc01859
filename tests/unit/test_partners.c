/* partners: which artifacts of two compiles or attempts correspond, and the form of a graph before it. */
#define _GNU_SOURCE
#include "whole.h"

#include "recompiles/partners.h"

#define GRAPH "def forward(self, x):\n  y = x.sin()\n  return y"

static void log_graph(struct buf *log, int attempt, const char *fields, const char *payload) {
    char all[300];
    snprintf(all, sizeof all, "%s, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": %d", fields, attempt);
    log_payload(log, all, payload);
}

static void log_kind(struct buf *log, int attempt, const char *kind) {
    char fields[100];
    snprintf(fields, sizeof fields, "\"%s\": {}", kind);
    log_graph(log, attempt, fields, GRAPH);
}

static void log_named(struct buf *log, const char *name) {
    log_artifact_of(log, 0, 0, name, "string", GRAPH);
}

/* "slot<earlier [attempts]" of each artifact of 0/0 that has a text. */
static void assert_partners(const struct model *model, const char *expected) {
    struct partners partners;
    struct buf text = {0};
    partners_of(&partners, model, model->compiles.items[place_of_compile(model, "0/0")]);
    for (size_t i = 0; i < partners.count; i++) {
        const struct partner *partner = &partners.items[i];
        if (!partner->slot.ptr)
            continue;
        buf_addf(&text, "%s%.*s", text.len ? ", " : "", SLICE_ARG(partner->slot));
        if (partner->earlier != PARTNER_NONE)
            buf_addf(&text, "<%u", partner->earlier);
        for (uint32_t k = 0; k < partner->attempt_count; k++)
            buf_addf(&text, " [%u]", partner->attempts[k]);
    }
    assert_buf(&text, expected);
    buf_free(&text);
    partners_free(&partners);
    assert_null(partners.items);
}

static void look_training(const struct model *model) {
    assert_partners(model, "dynamo_output_graph, before_pre_grad_graph<0, after_pre_grad_graph<1, aot_joint_graph<2, "
                           "aot_forward_graph<3, aot_backward_graph<3, fx_graph_runnable, before_post_grad_graph<4, "
                           "inductor_post_grad_graph<7, inductor_output_code, fx_graph_runnable #2, "
                           "before_post_grad_graph #2<5, inductor_post_grad_graph #2<11, inductor_output_code #2");
}

static void training(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, 0, "dynamo_output_graph");
    log_named(&log, "before_pre_grad_graph");
    log_named(&log, "after_pre_grad_graph");
    log_kind(&log, 0, "aot_joint_graph");
    log_kind(&log, 0, "aot_forward_graph");
    log_kind(&log, 0, "aot_backward_graph");
    for (int i = 0; i < 2; i++) {
        log_named(&log, "fx_graph_runnable");
        log_named(&log, "before_post_grad_graph");
        log_kind(&log, 0, "inductor_post_grad_graph");
        log_graph(&log, 0, "\"inductor_output_code\": {\"filename\": \"/tmp/cabc.py\"}", "x = 1");
    }
    look_at(&log, look_training);
}

static void look_inference(const struct model *model) {
    assert_partners(model, "dynamo_output_graph, aot_inference_graph<0, before_joint_graph<1, after_joint_graph<2, "
                           "before_post_grad_graph<3, inductor_post_grad_graph<4");
}

/* The joint passes of an inference get AOTAutograd's graph. */
static void inference(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, 0, "dynamo_output_graph");
    log_kind(&log, 0, "aot_inference_graph");
    log_named(&log, "before_joint_graph");
    log_named(&log, "after_joint_graph");
    log_named(&log, "before_post_grad_graph");
    log_kind(&log, 0, "inductor_post_grad_graph");
    look_at(&log, look_inference);
}

static void look_attempts(const struct model *model) {
    assert_partners(model,
                    "f_ORIGINAL_BYTECODE (attempt 0), dynamo_output_graph (attempt 0) [3] [2], "
                    "dynamo_output_graph (attempt 1) [3] [1], dynamo_output_graph [2] [1], f_MODIFIED_BYTECODE<0, "
                    "dynamo_output_graph #2 [2] [1]");
}

/* The last attempt is the one that counts: it is named alone. */
static void attempts(void **state) {
    struct buf log = {0};
    (void)state;
    log_graph(&log, 0, "\"artifact\": {\"name\": \"f_ORIGINAL_BYTECODE\", \"encoding\": \"string\"}", "0 RESUME 0");
    for (int attempt = 0; attempt < 3; attempt++)
        log_kind(&log, attempt, "dynamo_output_graph");
    log_graph(&log, 2, "\"artifact\": {\"name\": \"f_MODIFIED_BYTECODE\", \"encoding\": \"string\"}", "0 RESUME 0");
    log_kind(&log, 2, "dynamo_output_graph");
    look_at(&log, look_attempts);
}

static void look_split(const struct model *model) {
    assert_partners(model, "dynamo_output_graph, aot_inference_graph<0, aot_inference_graph #2<0, "
                           "before_post_grad_graph<2, inductor_post_grad_graph<3");
}

/* Which of two graphs a later one was made of is unknown. */
static void split(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, 0, "dynamo_output_graph");
    log_kind(&log, 0, "aot_inference_graph");
    log_kind(&log, 0, "aot_inference_graph");
    log_named(&log, "before_post_grad_graph");
    log_kind(&log, 0, "inductor_post_grad_graph");
    look_at(&log, look_split);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(training), cmocka_unit_test(inference),
                                       cmocka_unit_test(attempts), cmocka_unit_test(split)};
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
