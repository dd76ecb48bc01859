/* passes.h - which artifacts of a compile are the graph before and after a pass, and whether the pass changed it.
 *
 * Pairs are found by name, within an attempt and in log order: before_<pass> and after_<pass> of any producer,
 * <pass>_before and <pass>_after, pre_decomp_comms and post_decomp_comms, before_post_grad_graph and inductor_post_grad_graph, the capture of compiled autograd before
 * and after its reordering; chains of <pass>_pre_grad and <pass>_post_grad and of vLLM's vllm_post_grad.* dumps, where each is
 * the graph that the next one got. A step from one representation to the next (AOTAutograd, the partitioner) is no pass.
 *
 * Called when nothing more is added to the model; any thread. */
#ifndef TLPARSE_ANALYSIS_PASSES_H
#define TLPARSE_ANALYSIS_PASSES_H

#include "base/jsonw.h"
#include "model/model.h"

enum pass_stage { PASS_DYNAMO, PASS_AUTOGRAD, PASS_PRE_GRAD, PASS_JOINT, PASS_POST_GRAD, PASS_AOT, PASS_OTHER };

struct pass {
    struct slice name; /* "post_grad"; lives as long as the model */
    enum pass_stage stage;
    bool step;              /* from one representation to the next: no pass */
    bool changed;           /* the texts differ, noise left out */
    uint32_t before, after; /* places in the compile's artifacts */
};

struct passes {
    LIST(struct pass) list; /* in the order in which they ended */
};

/* Whether an artifact of this name may be the graph before or after a pass: its text is hashed as it passes. */
bool passes_name(struct slice name);
void passes_of(struct passes *passes, const struct model *model, const struct compile *compile);
void passes_free(struct passes *passes);
/* The members `pass_counts` (left out where there are no passes) and `passes` that doc/report.schema.json describes. */
void passes_write_counts(struct jsonw *w, const struct model *model, const struct compile *compile);
void passes_write(struct jsonw *w, const struct model *model, const struct compile *compile);

#endif
