/* Versions for several modules of one class: their weights have different sizes, or their submodules different types.
 */
#include "advice/advice.h"
#include "advice/recompile_advice.h"

/* The weight whose size changed; NULL: none. */
static const struct guard_change *other_weight(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (step->changes.items[i].type == GUARD_SIZE && is_weight(guard_key_read(step->changes.items[i].key).source))
            return &step->changes.items[i];
    return NULL;
}

/* The first submodule whose type differs, if there are several: a single one may have been replaced. */
static const struct guard_change *other_types(const struct step *step, size_t *count) {
    const struct guard_change *first = NULL;
    *count = 0;
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->type != GUARD_TYPE || !slice_ends(guard_key_read(change->key).source, SLICE("']")) ||
            slice_find(guard_key_read(change->key).source, SLICE("._modules['")) == SIZE_MAX)
            continue;
        first = first ? first : change;
        ++*count;
    }
    return *count > 1 ? first : NULL;
}

bool step_is_of_other_module(const struct step *step) {
    size_t count;
    return step->nearest != NO_VERSION && !step_has_other_mark(step) &&
           (other_weight(step) || other_types(step, &count));
}

bool step_has_other_mark(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++)
        if (slice_find(step->changes.items[i].source, SLICE("._dynamo_")) != SIZE_MAX)
            return true;
    return false;
}

bool note_modules(struct advising *a, const struct step *step) {
    if (!step_is_of_other_module(step))
        return false;
    size_t count;
    const struct guard_change *weight = other_weight(step), *typed = other_types(step, &count);
    struct buf text = {0};
    buf_addf(&text, "%.*s is for another module than %.*s, with ", SLICE_ARG(compile_key(a, step->compile)),
             SLICE_ARG(compile_key(a, step->nearest)));
    if (weight)
        buf_addf(&text, "weights of another size (`%.*s`), which are never dynamic", SLICE_ARG(weight->source));
    else
        buf_addf(&text, "submodules of other types (`%.*s` and %zu more)", SLICE_ARG(typed->source), count - 1);
    buf_add_lit(&text, ": one version for each is expected.");
    /* `self`: each module was compiled separately */
    struct slice source = guard_key_read((weight ? weight : typed)->key).source;
    if (version_of(a) >= ISOLATION_SINCE && slice_starts(source, SLICE("L['self']")))
        buf_add_lit(&text, " `torch.compile(…, isolate_recompiles=True)` gives each module versions of its own.");
    struct advice *advice = advice_add(a, GUARD_SIZE, &text);
    advice->expected = true;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        if (!a->said[i] && !a->fixed[i] && step_is_of_other_module(&a->chain->steps.items[i]))
            advice_cite_part(a, advice, &a->chain->steps.items[i]);
    return true;
}
