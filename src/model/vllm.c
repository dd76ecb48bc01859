#include "model/vllm.h"

static void end_call(struct vllm *vllm, size_t artifact) {
    if (!vllm->calls.count)
        return;
    assert(vllm->calls.items);
    struct vllm_call *call = &vllm->calls.items[vllm->calls.count - 1];
    call->end = artifact;
    if (call->pieces.count && call->pieces.items[call->pieces.count - 1].end == SIZE_MAX)
        call->pieces.items[call->pieces.count - 1].end = artifact;
}

static struct vllm_call *add_call(struct model *model, uint32_t compile, size_t artifact) {
    if (!model->vllm_facts)
        model->vllm_facts = arena_zalloc(&model->arena, sizeof *model->vllm_facts);
    struct vllm *vllm = model->vllm_facts;
    end_call(vllm, artifact);
    ARENA_GROW(&model->arena, &vllm->calls);
    struct vllm_call *call = &vllm->calls.items[vllm->calls.count++];
    *call = (struct vllm_call){.compile = compile, .first = artifact, .end = SIZE_MAX, .split_graph = -1};
    return call;
}

struct vllm_call *vllm_call_now(struct model *model, uint32_t compile, size_t artifact) {
    struct vllm *vllm = model->vllm_facts;
    if (!vllm || !vllm->calls.count)
        return add_call(model, compile, artifact);
    return &vllm->calls.items[vllm->calls.count - 1];
}

struct vllm_call *vllm_call_start(struct model *model, uint32_t compile, size_t artifact) {
    struct vllm *vllm = model->vllm_facts;
    struct vllm_call *last = vllm && vllm->calls.count ? &vllm->calls.items[vllm->calls.count - 1] : NULL;
    return last && !last->config.ptr && !last->pieces.count ? last : add_call(model, compile, artifact);
}

void vllm_piece_start(struct model *model, struct vllm_call *call, struct slice name, struct slice label,
                      size_t artifact) {
    bool added;
    uint32_t place = (uint32_t)call->pieces.count,
             group = *map_put_in(&model->arena, &call->group_map, label, (uint32_t)call->groups.count, &added);
    if (added)
        ARENA_ADD(&model->arena, &call->groups,
                  (struct vllm_group){.label = model_copy(model, label), .head = place, .last = place});
    if (place)
        call->pieces.items[place - 1].end = artifact;
    ARENA_ADD(&model->arena, &call->pieces,
              (struct vllm_piece){.name = model_copy(model, name),
                                  .group = group,
                                  .first = artifact,
                                  .end = SIZE_MAX,
                                  .next = UINT32_MAX});
    if (!added)
        call->pieces.items[call->groups.items[group].last].next = place;
    call->groups.items[group].last = place;
    call->groups.items[group].count++;
}
