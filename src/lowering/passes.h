/* passes.h - finds pairs of artifacts with the graphs before and after a pass, and determines whether the pass changed
 * the graph.
 *
 * Pairs are found by name, within an attempt and in log order: before_<pass> and after_<pass> from any producer,
 * <pass>_before and <pass>_after, pre_decomp_comms and post_decomp_comms, before_post_grad_graph and
 * inductor_post_grad_graph, and the graph of Compiled Autograd before and after its reordering. <pass>_pre_grad,
 * <pass>_post_grad and vLLM's vllm_post_grad.* dumps are chains: each is the input of the next. A step between two
 * representations (AOTAutograd, the partitioner) is not a pass.
 *
 * Call it when the model is complete; any thread. */
#pragma once

#include "model/model.h"

enum pass_stage { PASS_DYNAMO, PASS_AUTOGRAD, PASS_PRE_GRAD, PASS_JOINT, PASS_POST_GRAD, PASS_AOT, PASS_OTHER };

struct pass {
    struct slice name; /* "post_grad"; valid as long as the model */
    enum pass_stage stage;
    bool step;              /* a step between two representations, not a pass */
    bool changed;           /* the texts differ, apart from noise */
    uint32_t before, after; /* indices in the compile's artifacts */
};

struct passes {
    LIST(struct pass) list; /* in the order in which the passes ended */
};

/* Whether an artifact with this name may be the graph before or after a pass. Its text is then hashed while it streams
 * by. */
bool passes_name(struct slice name);
void passes_of(struct passes *passes, const struct model *model, const struct compile *compile);
void passes_free(struct passes *passes);
