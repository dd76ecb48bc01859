#include "analysis/vllm_parts.h"

/* Whether this is an artifact that Dynamo writes for the whole graph, before or after the subgraphs. */
static bool is_dynamo(const struct artifact *artifact) {
    static const struct slice names[] = {SLICE_INIT("dynamo_side_effects"), SLICE_INIT("dynamo_output_graph"),
                                         SLICE_INIT("dynamo_cpp_guards_str"), SLICE_INIT("compilation_metrics")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_starts(artifact->name, names[i]))
            return true;
    return false;
}

static bool has_file(const struct artifact *artifact) {
    return artifact->url.ptr && !artifact->outer;
}

size_t vllm_end(const struct model *model, size_t end) {
    return end < model->artifacts.count ? end : model->artifacts.count;
}

uint32_t *vllm_owners(const struct model *model) {
    uint32_t *owner = mem_alloc((model->compiles.count + 1) * sizeof *owner);
    memset(owner, 0xff, (model->compiles.count + 1) * sizeof *owner);
    for (size_t i = model->vllm_facts->calls.count; i-- > 0;)
        owner[model->vllm_facts->calls.items[i].compile] = (uint32_t)i;
    return owner;
}

struct vllm_places vllm_dynamo(const struct model *model, size_t nth, const uint32_t *owner) {
    struct vllm_places found = {0};
    const struct vllm_call *call = &model->vllm_facts->calls.items[nth], *before = nth ? call - 1 : NULL;
    const struct compile *compile = model->compiles.items[call->compile];
    bool framed = compile->frame_id >= 0;
    size_t from = 0, end = compile->artifacts.count;
    if (!framed) {
        from = !before              ? 0
             : before->pieces.count ? before->pieces.items[before->pieces.count - 1].first
                                    : before->first;
        end = vllm_end(model, call->pieces.count ? call->pieces.items[0].first : call->end);
    } else if (owner[call->compile] != nth) {
        return found;
    }
    for (size_t i = from; i < end; i++) {
        uint32_t place = framed ? compile->artifacts.items[i] : (uint32_t)i;
        if (!has_file(&model->artifacts.items[place]) || !is_dynamo(&model->artifacts.items[place]))
            continue;
        LIST_ADD(&found.list, place);
    }
    return found;
}

bool vllm_in_piece(const struct model *model, const struct vllm_call *call, size_t place) {
    const struct artifact *artifact = &model->artifacts.items[place];
    const struct compile *own = model->compiles.items[call->compile], *compile = artifact_compile(model, artifact);
    return has_file(artifact) && !is_dynamo(artifact) && (compile == own || compile->frame_id < 0 || own->frame_id < 0);
}
