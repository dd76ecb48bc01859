/* lowering/passes: the graphs before and after each pass, matched by the names that their producers use. */
#define _GNU_SOURCE
#include "whole.h"

#include "lowering/passes.h"

#define ONE "def forward(self, x):\n  y = x.sin()\n  return y"
#define TWO "def forward(self, x):\n  y = x.sin()\n  z = y.cos()\n  return z"
/* ONE, except for an address */
#define AT(address) "def forward(self, x):\n  y = torch.f(x, " address ")\n  return y"

static void log_kind(struct buf *log, const char *kind, const char *payload) {
    char fields[200];
    snprintf(fields, sizeof fields, "\"%s\": {}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0", kind);
    log_payload(log, fields, payload);
}

static void log_child(struct buf *log, const char *name) {
    char fields[200];
    snprintf(
        fields, sizeof fields,
        "\"optimize_ddp_split_child\": {\"name\": \"%s\"}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0",
        name);
    log_payload(log, fields, ONE);
}

static void log_graph(struct buf *log, const char *name, const char *payload) {
    log_artifact_of(log, 0, 0, name, "string", payload);
}

/* "name stage before-after changed" for the passes of 0/0; a step is in brackets. */
static void assert_passes(const struct model *model, const char *expected) {
    static const char *const stages[] = {"dynamo", "autograd", "pre", "joint", "post", "aot", "other"};
    struct passes passes;
    struct buf text = {0};
    passes_of(&passes, model, model->compiles.items[place_of_compile(model, "0/0")]);
    for (size_t i = 0; i < passes.list.count; i++) {
        const struct pass *pass = &passes.list.items[i];
        buf_addf(&text, "%s%s%.*s%s %s %u-%u%s", text.len ? ", " : "", pass->step ? "[" : "", SLICE_ARG(pass->name),
                 pass->step ? "]" : "", stages[pass->stage], pass->before, pass->after,
                 pass->changed ? " changed" : "");
    }
    assert_buf(&text, expected);
    buf_free(&text);
    passes_free(&passes);
}

static void look_joint(const struct model *model) {
    assert_passes(model, "[AOTAutograd] aot 0-1, [joint graph passes] joint 1-2 changed, post_grad post 2-3");
}

static void look_no_joint(const struct model *model) {
    assert_passes(model, "[AOTAutograd] aot 0-1, joint joint 2-3, post_grad post 4-5");
}

/* The joint passes of an inference graph, with freezing, if the log has no graphs of their own. */
static void steps_over_joint_passes(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", ONE);
    log_kind(&log, "aot_inference_graph", ONE);
    log_graph(&log, "before_post_grad_graph", TWO);
    log_graph(&log, "after_post_grad_graph", TWO);
    look_at(&log, look_joint);
    log_kind(&log, "dynamo_output_graph", ONE);
    log_kind(&log, "aot_inference_graph", ONE);
    log_graph(&log, "before_joint_graph", ONE);
    log_graph(&log, "after_joint_graph", ONE);
    log_graph(&log, "before_post_grad_graph", ONE);
    log_graph(&log, "after_post_grad_graph", ONE);
    look_at(&log, look_no_joint);
}

static void look_pairs(const struct model *model) {
    assert_passes(model,
                  "pre_grad pre 0-1, mine other 3-4 changed, joint joint 2-5 changed, overlap_scheduling post 6-7, "
                  "post_grad post 8-9 changed, post_grad post 10-11, reordering autograd 12-13 changed");
}

static void pairs(void **state) {
    struct buf log = {0};
    (void)state;
    log_graph(&log, "before_pre_grad_graph", AT("0x7f01"));
    log_graph(&log, "after_pre_grad_graph", AT("0x7f02")); /* noise: unchanged */
    log_graph(&log, "before_joint_graph", ONE);
    log_graph(&log, "before_mine", ONE); /* a nested pass */
    log_graph(&log, "after_mine", TWO);
    log_graph(&log, "after_joint_graph", TWO);
    log_graph(&log, "overlap_scheduling_graph_before", ONE);
    log_graph(&log, "overlap_scheduling_graph_after", ONE);
    log_graph(&log, "before_post_grad_graph", ONE);
    log_kind(&log, "inductor_post_grad_graph", TWO);
    log_graph(&log, "before_post_grad_graph", ONE); /* of the backward */
    log_graph(&log, "after_post_grad_graph", ONE);
    log_graph(&log, "compiled_autograd_graph_pre_reordering", ONE);
    log_kind(&log, "compiled_autograd_graph", TWO);
    look_at(&log, look_pairs);
}

static void look_chains(const struct model *model) {
    assert_passes(model, "fuse pre 0-1 changed, sink pre 1-2, 0.NoOp post 3-4, 1.Fix post 4-5 changed, post_grad post "
                         "3-6 changed, 0.NoOp post 7-8 changed");
}

static void chains(void **state) {
    struct buf log = {0};
    (void)state;
    log_graph(&log, "before_pre_grad_graph", ONE);
    log_graph(&log, "fuse_pre_grad", TWO);
    log_graph(&log, "sink_pre_grad", TWO);
    log_graph(&log, "before_post_grad_graph", ONE);
    log_graph(&log, "vllm_post_grad.0.NoOp", ONE);
    log_graph(&log, "vllm_post_grad.1.Fix", TWO);
    log_kind(&log, "inductor_post_grad_graph", TWO);
    log_graph(&log, "before_post_grad_graph", TWO); /* each graph starts a new chain */
    log_graph(&log, "vllm_post_grad.0.NoOp", ONE);
    look_at(&log, look_chains);
}

static void look_steps(const struct model *model) {
    assert_passes(model, "[AOTAutograd] aot 0-1 changed, [Partitioner, forward] aot 1-2 changed, [Partitioner, "
                         "backward] aot 1-3 changed");
}

static void steps(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", ONE);
    log_kind(&log, "aot_joint_graph", TWO);
    log_kind(&log, "aot_forward_graph", ONE);
    log_kind(&log, "aot_backward_graph", ONE);
    log_graph(&log, "after_joint_graph", ONE);  /* a pass that never began */
    log_graph(&log, "before_joint_graph", ONE); /* a pass that never ended */
    look_at(&log, look_steps);
}

static void look_pieces_of_vllm(const struct model *model) {
    assert_passes(model, "[AOTAutograd] aot 2-3 changed, [AOTAutograd] aot 5-6 changed");
}

static void look_pieces_of_ddp(const struct model *model) {
    assert_passes(model, "[AOTAutograd] aot 2-4 changed, [AOTAutograd] aot 3-5 changed");
}

/* If a graph is split, AOTAutograd gets a piece of it. */
static void follows_pieces(void **state) {
    struct buf log = {0};
    (void)state;
    log_kind(&log, "dynamo_output_graph", ONE);
    log_graph(&log, "vllm_piecewise_split_graph", ONE);
    log_graph(&log, "vllm_submod_0", ONE);
    log_kind(&log, "aot_inference_graph", TWO);
    log_graph(&log, "vllm_submod_0", ONE); /* for another size: a cache hit */
    log_graph(&log, "vllm_submod_2", ONE);
    log_kind(&log, "aot_inference_graph", TWO);
    look_at(&log, look_pieces_of_vllm);
    log_kind(&log, "dynamo_output_graph", ONE);
    log_kind(&log, "optimize_ddp_split_graph", ONE);
    log_child(&log, "submod_0");
    log_child(&log, "submod_1");
    log_kind(&log, "aot_inference_graph", TWO);
    log_kind(&log, "aot_inference_graph", TWO);
    look_at(&log, look_pieces_of_ddp);
}

static void look_decomposed(const struct model *model) {
    assert_passes(model, "decomp_comms post 0-1 changed");
}

/* torch/_inductor/fx_passes/decomp_comms.py names its graphs pre_ and post_. */
static void finds_decomposed_collectives(void **state) {
    struct buf log = {0};
    (void)state;
    log_graph(&log, "pre_decomp_comms", ONE);
    log_graph(&log, "post_decomp_comms", TWO);
    log_graph(&log, "pre_bucketing_collective_sizes", "[]");
    log_graph(&log, "pre_bucketing_collective_sizes_after", "[]"); /* not graphs, and not a pair */
    look_at(&log, look_decomposed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_decomposed_collectives),
                                       cmocka_unit_test(steps_over_joint_passes),
                                       cmocka_unit_test(pairs),
                                       cmocka_unit_test(chains),
                                       cmocka_unit_test(follows_pieces),
                                       cmocka_unit_test(steps)};
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
