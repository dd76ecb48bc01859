#include "lowering/stages.h"

#include "model/extras.h"

enum { NAMED_MAX = 4 };

/* Compiles that a sentence names: the first ones, and the total number. */
struct named {
    uint32_t items[NAMED_MAX];
    uint32_t count;
};

static void name(struct named *named, uint32_t compile) {
    for (uint32_t i = 0; i < named->count && i < NAMED_MAX; i++)
        if (named->items[i] == compile)
            return;
    if (named->count < NAMED_MAX)
        named->items[named->count] = compile;
    named->count++;
}

static uint64_t process_of(const struct model *model, const struct autograd_capture *capture) {
    return model->compiles.items[capture->compile]->process;
}

/* Finds processes in which the nodes of a capture differ from those of the backward with its number. */
static void find_uncertain(struct map *uncertain, const struct model *model) {
    for (size_t i = 0; i < model->extras->captures.count; i++) {
        const struct autograd_capture *capture = &model->extras->captures.items[i];
        uint64_t process = process_of(model, capture);
        for (uint32_t p = 0; p < capture->part_count; p++) {
            const struct aot_call *call = extras_aot_call(model, process, capture->parts[p].number);
            if (!call || call->names != capture->parts[p].names)
                map_put(uncertain, slice_make((char *)&process, sizeof process), 0, NULL);
        }
    }
}

/* The frame that the captured graph became, or the container of its records. */
static uint32_t frame_of(const struct model *model, const struct autograd_capture *capture) {
    const struct compile *records = model->compiles.items[capture->compile];
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->framed && compile->process == records->process && compile->autograd_id == records->autograd_id &&
            compile->frame_compile_id == 0 && slice_starts(compile->frame.file, SLICE("<")))
            return i;
    }
    return capture->compile;
}

/* "… 0/0 and 0/1", in the arena of the model. */
static const char *say(struct model *model, const char *before, const struct named *named) {
    AUTO_BUF text = {0};
    uint32_t said = named->count < NAMED_MAX ? named->count : NAMED_MAX;
    buf_add_str(&text, before);
    for (uint32_t i = 0; i < said; i++) {
        BUF_ADD(&text, !i ? " " : i + 1 == named->count ? " and " : ", ", model->compiles.items[named->items[i]]->key);
    }
    if (named->count > said)
        buf_addf(&text, " and %u more", named->count - said);
    buf_add_byte(&text, 0);
    const char *kept = arena_slice(&model->arena, buf_slice(&text)).ptr;
    return kept;
}

void captures_join(struct model *model) {
    AUTO_MAP uncertain = {0};
    if (!model->extras || !model->extras->captures.count)
        return;
    struct named *frames = mem_zalloc(model->compiles.count + 1, sizeof *frames);
    find_uncertain(&uncertain, model);
    for (size_t i = 0; i < model->extras->captures.count; i++) {
        const struct autograd_capture *capture = &model->extras->captures.items[i];
        uint64_t process = process_of(model, capture);
        struct named backwards = {0};
        if (!capture->part_count || map_get(&uncertain, slice_make((char *)&process, sizeof process)) != MAP_NONE)
            continue;
        uint32_t frame = frame_of(model, capture);
        for (uint32_t p = 0; p < capture->part_count; p++) {
            uint32_t compile = extras_aot_call(model, process, capture->parts[p].number)->compile;
            if (capture->parts[p].copy)
                continue;
            name(&backwards, compile);
            name(&frames[compile], frame);
        }
        if (frame != capture->compile)
            model->compiles.items[frame]->captured = say(model, "the backward of", &backwards);
    }
    for (size_t i = 0; i < model->compiles.count; i++)
        if (frames[i].count)
            model->compiles.items[i]->captured =
                say(model, "captured by Compiled Autograd at run time, in", &frames[i]);
    mem_free(frames);
}
