/* The cost of dynamic sizes if a version with constant ones was compiled, too. */

#include "findings/findings_make.h"
#include "savings/compile_time.h"

enum {
    TIMES_MIN = 2, /* dynamic versions that take less than this many times as long are not reported */
    OPS_PART = 10, /* if the numbers of operators differ by more than 1/OPS_PART, the graphs are of different code */
    DEARER_MIN_US = 5000000, /* less may be work that the first dynamic version of a process causes */
};

/* Whether no results were loaded from a cache, so the times cover the whole work. */
static bool is_whole(const struct compile *compile) {
    enum status status = compile_status(compile);
    return compile->framed && compile->has_metrics && compile->time_us > 0 && compile->ops > 0 &&
           (status == STATUS_OK || status == STATUS_RESTART) && !compile_had_hit(compile);
}

static bool are_alike(const struct compile *one, const struct compile *other) {
    int64_t apart = one->ops > other->ops ? one->ops - other->ops : other->ops - one->ops;
    return apart <= one->ops / OPS_PART;
}

/* Whether the step compiled the same code for dynamic sizes that `nearest` was compiled for with constant ones. */
static bool is_dearer(const struct model *model, const struct step *step) {
    if (step->nearest == NO_VERSION || !step->changes.count || step->changes.items[0].type != GUARD_SIZE ||
        !step->changes.items[0].symbol.ptr)
        return false;
    const struct compile *dynamic = model->compiles.items[step->compile],
                         *constant = model->compiles.items[step->nearest];
    return is_whole(dynamic) && is_whole(constant) && !constant->shapes[SHAPE_SYMBOL].count &&
           are_alike(constant, dynamic) && dynamic->time_us - constant->time_us >= DEARER_MIN_US &&
           dynamic->time_us / TIMES_MIN >= constant->time_us;
}

static void say(struct compile_time *time, const struct model *model, const struct step *step, size_t chain) {
    const struct compile *dynamic = model->compiles.items[step->compile],
                         *constant = model->compiles.items[step->nearest];
    struct time_line line = {.key = "dynamic_sizes", .saves_us = -1};
    struct buf title = {0}, why = {0}, action = {0}, evidence = {0}, link = {0};
    buf_add_lit(&title, "dynamic sizes of ");
    finding_add_functions(&title, model, &step->compile, 1);
    buf_addf(&why, "[%.*s] took ", SLICE_ARG(dynamic->key));
    finding_add_duration(&why, dynamic->time_us);
    buf_addf(&why, ", %.1f times as long as [%.*s] with constant sizes.",
             (double)dynamic->time_us / (double)constant->time_us, SLICE_ARG(constant->key));
    buf_add_lit(&action,
                "If only a few sizes occur, try `torch.compile(dynamic=False)`: each then has a version of its "
                "own, at the cost of that with constant sizes, up to the recompile limit.");
    buf_addf(&evidence, "metrics of %.*s and %.*s; create_symbol of %.*s", SLICE_ARG(constant->key),
             SLICE_ARG(dynamic->key), SLICE_ARG(dynamic->key));
    buf_addf(&link, "#/recompiles?n=%zu", chain);
    line.title = time_text(time, &title);
    line.why = time_text(time, &why);
    line.action = time_text(time, &action);
    line.evidence = time_text(time, &evidence);
    line.link = time_text(time, &link);
    time_line_add(time, &line, step->compile, dynamic->time_us - constant->time_us);
    ARENA_ADD(&time->arena, &time->hints, line);
}

/* Reports the step that costs the most. */
void compile_time_sizes(struct compile_time *time, const struct model *model, const struct chains *chains) {
    const struct step *most = NULL;
    size_t of = 0;
    for (size_t i = 0; i < chains->list.count; i++)
        for (size_t s = 0; s < chains->list.items[i].steps.count; s++) {
            const struct step *step = &chains->list.items[i].steps.items[s];
            if (!is_dearer(model, step) || (most && model->compiles.items[most->compile]->time_us >=
                                                        model->compiles.items[step->compile]->time_us))
                continue;
            most = step;
            of = i;
        }
    if (most)
        say(time, model, most, of);
}
