#include "lowering/passes.h"
#include "lowering/stages.h"
#include "report/members.h"

static const struct {
    const char *name;
    bool backward;
} stage_names[STAGES] = {
    [STAGE_BYTECODE] = {"bytecode", false}, [STAGE_DYNAMO] = {"dynamo", false},
    [STAGE_PRE_GRAD] = {"pre_grad", false}, [STAGE_JOINT] = {"joint", false},
    [STAGE_FORWARD] = {"forward", false},   [STAGE_POST_GRAD] = {"post_grad", false},
    [STAGE_CODE] = {"code", false},         [STAGE_KERNELS] = {"kernels", false},
    [STAGE_BACKWARD] = {"backward", true},  [STAGE_BACKWARD_POST_GRAD] = {"post_grad", true},
    [STAGE_BACKWARD_CODE] = {"code", true}, [STAGE_BACKWARD_KERNELS] = {"kernels", true},
};

static const char *state_name(enum stage_state state) {
    static const char *const states[] = {"done", "cached", "failed", "skipped", "unknown"};
    return states[state];
}

static void write_row(struct jsonw *w, int stage, const struct stage_row *row) {
    jsonw_object(w, NULL);
    jsonw_str(w, "stage", stage_names[stage].name);
    jsonw_bool(w, "backward", stage_names[stage].backward);
    JSON_ADD(w, "state", state_name(row->state), "why", slice_str(row->why), "time_us",
             row->state == STAGE_SKIPPED ? -1 : row->time_us, "ops", row->graph.graphs ? (int64_t)row->graph.ops : -1,
             "nodes", row->graph.graphs ? (int64_t)row->graph.nodes : -1, "kernels",
             row->kernels ? (int64_t)row->kernels : -1);
    jsonw_u64(w, "parts", row->parts);
    JSON_LIST(w, "artifacts", i, row->artifacts.count, row->artifacts.items[i]);
    jsonw_end_object(w);
}

void stages_write(struct jsonw *w, const char *key, const struct model *model, const struct compile *compile) {
    struct stages stages;
    stages_of(&stages, model, compile);
    jsonw_array(w, key);
    for (int stage = 0; stage < STAGES; stage++)
        if (stages.rows[stage].shown)
            write_row(w, stage, &stages.rows[stage]);
    jsonw_end_array(w);
    stages_free(&stages);
}

static const char *pass_stage_name(enum pass_stage stage) {
    static const char *const names[] = {"dynamo", "compiled_autograd", "pre_grad", "joint", "post_grad", "aot",
                                        "other"};
    return names[stage];
}

void passes_write_counts(struct jsonw *w, const struct model *model, const struct compile *compile) {
    struct passes passes;
    uint64_t count = 0, changed = 0;
    passes_of(&passes, model, compile);
    for (size_t i = 0; i < passes.list.count; i++) {
        if (passes.list.items[i].step)
            continue;
        count++;
        changed += passes.list.items[i].changed;
    }
    if (passes.list.count) {
        jsonw_object(w, "pass_counts");
        JSON_ADD(w, "passes", count, "changed", changed);
        jsonw_end_object(w);
    }
    passes_free(&passes);
}

static void write_sizes(struct jsonw *w, const struct artifact *artifact, const char *ops, const char *nodes) {
    const struct graph_size *graph = artifact->counts ? &artifact->counts->graph : NULL;
    jsonw_known(w, ops, graph && graph->graphs ? (int64_t)graph->ops : -1);
    jsonw_known(w, nodes, graph && graph->graphs ? (int64_t)graph->nodes : -1);
}

static int by_place(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool holds(const struct stage_row *row, uint32_t place) {
    return row->artifacts.count && bsearch(&place, row->artifacts.items, row->artifacts.count, sizeof place, by_place);
}

static bool of_backward(const struct stages *stages, const struct pass *pass) {
    return holds(&stages->rows[STAGE_BACKWARD_POST_GRAD], pass->before) ||
           holds(&stages->rows[STAGE_BACKWARD], pass->after);
}

void passes_write(struct jsonw *w, const struct model *model, const struct compile *compile) {
    struct passes passes;
    struct stages stages;
    passes_of(&passes, model, compile);
    stages_of(&stages, model, compile);
    jsonw_array(w, "passes");
    for (size_t i = 0; i < passes.list.count; i++) {
        const struct pass *pass = &passes.list.items[i];
        jsonw_object(w, NULL);
        JSON_ADD(w, "name", pass->name, "stage", pass_stage_name(pass->stage), "step", pass->step);
        jsonw_bool(w, "backward", of_backward(&stages, pass));
        JSON_MEMBERS(w, pass, before, after, changed);
        write_sizes(w, &model->artifacts.items[compile->artifacts.items[pass->before]], "ops_before", "nodes_before");
        write_sizes(w, &model->artifacts.items[compile->artifacts.items[pass->after]], "ops_after", "nodes_after");
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    stages_free(&stages);
    passes_free(&passes);
}
