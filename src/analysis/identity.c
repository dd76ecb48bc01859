#include "analysis/identity.h"

#include "model/log_info.h"

void model_name_compiles(struct model *model) {
    struct map processes = {0};
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        bool added;
        if (!compile->framed)
            continue;
        map_put(&processes, slice_make((const char *)&compile->process, sizeof compile->process), 0, &added);
        model->process_count += added;
    }
    map_free(&processes);
    for (size_t i = 0; i < model->compiles.count; i++) {
        struct compile *compile = model->compiles.items[i];
        struct buf key = {0};
        if (model->process_count > 1) {
            model_add_process_name(&key, model, compile->process);
            buf_add_byte(&key, ':');
        }
        buf_add(&key, compile->id);
        if (compile->generation > 1)
            buf_addf(&key, "#%" PRIu32, compile->generation);
        compile->key = arena_keep(&model->arena, &key);
    }
}

static bool has_frame(const struct compile *compile) {
    return compile->frame.file.ptr || compile->frame.function.ptr;
}

void model_share_frames(struct model *model) {
    AUTO_MAP frames = {0};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < model->compiles.count; i++) {
            struct compile *compile = model->compiles.items[i];
            int64_t id[3] = {(int64_t)compile->process, compile->epoch, compile->frame_id};
            struct slice key = slice_make((char *)id, sizeof id);
            if (compile->frame_id == PART_MISSING || has_frame(compile) == (round == 1))
                continue;
            if (round == 0) {
                map_put(&frames, key, (uint32_t)i, NULL);
                continue;
            }
            uint32_t other = map_get(&frames, key);
            if (other != MAP_NONE)
                compile->frame = model->compiles.items[other]->frame;
            else if (compile->stack)
                compile->frame = (struct place){compile->stack->frame->file, compile->stack->frame->function,
                                                compile->stack->frame->line};
        }
}

/* Ids begin at 0/0 again after a reset, so the number of a process's resets follows from the frame with the most
 * epochs. */
static uint32_t *resets_of(struct map *processes, const struct compile *compile) {
    uint32_t *resets =
        map_put(processes, slice_make((const char *)&compile->process, sizeof compile->process), 0, NULL);
    if (compile->epoch > 0 && compile->epoch - 1 > *resets)
        *resets = compile->epoch - 1;
    return resets;
}

static void add_code_key(struct buf *key, const struct compile *compile) {
    BUF_ADD(key, compile->process, " ", compile->frame.line, " ", compile->frame.file);
    buf_add_byte(key, 0);
    buf_add(key, compile->frame.function);
}

void model_find_earlier(struct model *model) {
    AUTO_MAP processes = {0}, codes = {0};
    uint32_t *order = model_order(model);
    for (size_t i = 0; i < model->compiles.count; i++) {
        struct compile *compile = model->compiles.items[order[i]];
        AUTO_BUF key = {0};
        if (!compile->framed)
            continue;
        compile->resets = *resets_of(&processes, compile);
        if (!compile->frame.file.ptr)
            continue;
        add_code_key(&key, compile);
        uint32_t *latest = map_put(&codes, buf_slice(&key), order[i], NULL);
        const struct compile *before = model->compiles.items[*latest];
        if (compile->frame_compile_id == 0 && before->resets < compile->resets)
            compile->earlier = *latest;
        *latest = order[i];
    }
    mem_free(order);
}
