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

void advise_stack(struct advising *a) {
    struct place frame = a->chain->frame;
    struct advice *advice = NULL;
    uint64_t line;
    resumed_function(frame.function, &line);
    if (!line || is_library_file(frame.file))
        return;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (a->said[i] || a->fixed[i] || !has_stack(step))
            continue;
        if (!advice) {
            struct buf text = {0};
            buf_addf(&text,
                     "Fix the graph break at %.*s:%" PRIu64 " first: without it, its values (`___stack…`) have no "
                     "guards.",
                     SLICE_ARG(path_last(frame.file)), line);
            advice = advice_add(a, step->changes.items[0].type, &text);
            advice->of_break = true;
        }
        advice_cite_part(a, advice, step);
    }
}
