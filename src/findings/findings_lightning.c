/* The savings from compiling the networks of a LightningModule instead of the module: Dynamo then traces none of its
 * hooks (`training_step`), nor their rests after a graph break. Tried with PyTorch 2.15 and Lightning 2.6: without
 * Dynamo's part of the hooks, the limit was up to 9 % too low. */
#include "analysis/identity.h"
#include "analysis/phases.h"
#include "findings/findings_failures.h"

static struct slice key_of(struct buf *key, const struct place *frame) {
    uint64_t line;
    key->len = 0;
    buf_add(key, resumed_function(frame->function, &line));
    buf_add_byte(key, 0);
    buf_add(key, frame->file);
    return buf_slice(key);
}

/* Dynamo's part of a compile, because the networks are still compiled. */
static int64_t dynamo_us(const struct compile *compile) {
    int64_t own[PHASES];
    if (compile->time_us <= 0 || compile_status(compile) == STATUS_EMPTY)
        return compile->time_us > 0 ? compile->time_us : 0;
    phases_split(compile, own);
    return own[PHASE_DYNAMO] > compile->restart_us ? own[PHASE_DYNAMO] : compile->restart_us;
}

int64_t failure_lightning_us(struct findings *findings, const struct model *model, const struct graph_break *found,
                             const bool *counted) {
    struct map hooks = {0};
    AUTO_BUF key = {0};
    int64_t us = 0;
    for (size_t i = 0; i < found->compiles.count; i++)
        if (!counted[found->compiles.items[i]])
            map_put_in(&findings->scratch, &hooks,
                       key_of(&key, &model->compiles.items[found->compiles.items[i]]->frame), 0, NULL);
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        if (compile->framed && !counted[i] && map_get(&hooks, key_of(&key, &compile->frame)) != MAP_NONE)
            us += dynamo_us(compile);
    }
    return us;
}
