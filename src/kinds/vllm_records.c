/* Records that vLLM writes around a compile. */
#include "kinds/records.h"

#include "kinds/fold.h"
#include "model/vllm.h"

static uint32_t compile_now(const struct fold *fold) {
    return fold->model->folders.items[fold->folder].compile;
}

/* Returns false if a member is missing or has another type. Such a start is skipped, as in the reference. */
static bool read_start(struct slice text, struct arena *arena, struct buf *name, struct buf *label) {
    yyjson_val *start = NULL;
    if (json_read(&text, JSON_NUMBERS, arena, &start) == JSON_BAD)
        return false;
    uint64_t index, from, to;
    yyjson_val *single = json_get(start, "is_single_size");
    struct slice submod = json_get_text(start, "submod_name");
    if (!json_to_u64(json_get(start, "piecewise_index"), &index) ||
        !json_to_u64(json_get(start, "compile_range_start"), &from) ||
        !json_to_u64(json_get(start, "compile_range_end"), &to) || !yyjson_is_bool(single))
        return false;
    if (submod.len)
        buf_add(name, submod);
    else
        buf_addf(name, "subgraph_%" PRIu64, index);
    if (yyjson_get_bool(single))
        buf_addf(label, "size %" PRIu64, from);
    else
        buf_addf(label, "range [%" PRIu64 ", %" PRIu64 "]", from, to);
    return true;
}

bool vllm_artifact(struct fold *fold, const struct node *node, struct slice name, size_t artifact) {
    if (slice_is(name, "vllm_compilation_config")) {
        struct vllm_call *call = vllm_call_start(fold->model, compile_now(fold), artifact);
        if (yyjson_is_obj(node->json)) {
            AUTO_BUF config = {0};
            json_add_value(&config, node->json);
            call->config = model_copy(fold->model, buf_slice(&config));
            call->compile = compile_now(fold);
        }
        return true;
    }
    if (!slice_is(name, "vllm_piecewise_compile_start"))
        return false;
    AUTO_BUF piece = {0}, label = {0};
    struct vllm_call *call = vllm_call_now(fold->model, compile_now(fold), artifact);
    if (node->json && read_start(node->json_text, fold->arena, &piece, &label))
        vllm_piece_start(fold->model, call, buf_slice(&piece), buf_slice(&label), artifact);
    return true;
}

bool vllm_graph(struct fold *fold, struct slice name, size_t artifact) {
    bool split = slice_is(name, "vllm_piecewise_split_graph");
    if (!split && !slice_starts(name, SLICE("vllm_subgraph_")) && !slice_starts(name, SLICE("vllm_submod_")))
        return false;
    struct vllm_call *call = vllm_call_now(fold->model, compile_now(fold), artifact);
    if (split)
        call->split_graph = (int64_t)artifact;
    return true;
}
