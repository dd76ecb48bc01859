/* Values that a function had before the graph break after which it goes on: Dynamo calls them ___stack0, …. */
#include <inttypes.h>

#include "analysis/identity.h"
#include "analysis/recompile_advice.h"
#include "base/path.h"
#include "scan/library.h"

static bool is_of_stack(const struct guard_change *change) {
    return slice_find(change->source, SLICE("___stack")) != SIZE_MAX;
}

/* Whether the step differs in a value from before the graph break after which the function goes on. */
static bool has_stack(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (is_of_stack(&step->changes.items[i]))
            return true;
    return false;
}

bool step_is_of_stack(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (!is_of_stack(&step->changes.items[i]))
            return false;
    return step->changes.count > 0;
}

/* The line of the graph break after which the user's function goes on; 0: it is no such function. */
static uint64_t break_before(const struct chain *chain) {
    uint64_t line;
    resumed_function(chain->frame.function, &line);
    return is_library_file(chain->frame.file) ? 0 : line;
}

static struct advice *advise_break(struct advising *a, const struct step *step, uint64_t line, const char *without) {
    struct buf text = {0};
    buf_addf(&text, "Fix the graph break at %.*s:%" PRIu64 " first: without it, %s.",
             SLICE_ARG(path_last(a->chain->frame.file)), line, without);
    struct advice *advice = advice_add(a, step->changes.items[0].type, &text);
    advice->of_break = true;
    return advice;
}

void advise_stack(struct advising *a) {
    struct advice *advice = NULL;
    uint64_t line = break_before(a->chain);
    for (size_t i = 0; line && i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (a->said[i] || a->fixed[i] || !has_stack(step))
            continue;
        if (!advice)
            advice = advise_break(a, step, line, "its values (`___stack…`) have no guards");
        advice_cite_part(a, advice, step);
    }
}

void advise_rest(struct advising *a) {
    struct advice *advice = NULL;
    uint64_t line = break_before(a->chain);
    for (size_t i = 0; line && i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (a->said[i] || a->fixed[i] || !step->changes.count || recompile_failed(a->model, step->compile))
            continue;
        if (!advice)
            advice = advise_break(a, step, line, "this rest of the function is no frame of its own");
        advice_cite_part(a, advice, step);
    }
}
