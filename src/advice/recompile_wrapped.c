/* Modules and functions that are compiled separately but called by one function of PyTorch: they share its versions. */

#include "advice/recompile_advice.h"

/* Whether a compile has guards on the source or on its members. */
static bool has_guards_in(const struct advising *a, const struct compile *compile, struct slice source) {
    struct slice key, value;
    for (uint32_t i = 0; guard_set_fact(a->model, compile, i, &key, &value); i++)
        if (slice_starts(guard_key_read(key).source, source))
            return true;
    return false;
}

/* Whether a compile has parameters of a module, and the other one has none of that module. */
static bool has_other_module(const struct advising *a, uint32_t in, uint32_t not_in) {
    static const struct slice parameters = SLICE_INIT("._parameters[");
    const struct compile *compile = a->model->compiles.items[in], *other = a->model->compiles.items[not_in];
    struct slice key, value, last = {0};
    for (uint32_t i = 0; guard_set_known(other) && guard_set_fact(a->model, compile, i, &key, &value); i++) {
        struct guard_fact fact = guard_key_read(key);
        size_t at = fact.aspect == ASPECT_RANK ? slice_find(fact.source, parameters) : SIZE_MAX;
        struct slice module = slice_first(fact.source, at);
        if (at == SIZE_MAX || slice_eq(module, last))
            continue;
        if (!has_guards_in(a, other, module))
            return true;
        last = module;
    }
    return false;
}

/* Whether the step is for a different function than its nearest version: PyTorch, or a library, calls compiled
 * functions from one of its own, so they share its versions. They are called from different lines, and have different
 * parameters. */
static bool is_of_other(const struct advising *a, const struct step *step) {
    bool modes = step->nearest != NO_VERSION; /* nothing but modes, which would be mentioned */
    for (size_t i = 0; i < step->changes.count && modes; i++)
        modes = step->changes.items[i].type == GUARD_GRAD_MODE || step->changes.items[i].type == GUARD_GLOBAL_STATE ||
                (i && step->changes.items[i].aspect == ASPECT_PAIRS); /* a different number of submodules */
    if (!modes)
        return false;
    const struct stack_node *to = calling_of(a, step->compile), *from = calling_of(a, step->nearest);
    bool other = to && from && (to->frame->line != from->frame->line || !slice_eq(to->frame->file, from->frame->file));
    return other &&
           (has_other_module(a, step->compile, step->nearest) || has_other_module(a, step->nearest, step->compile));
}

void advise_wrapped(struct advising *a) {
    struct advice *advice = NULL;
    if (!is_passing_on(a->chain->frame.file))
        return;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (!is_of_other(a, step))
            continue;
        if (!advice) {
            const struct stack_node *to = calling_of(a, step->compile), *from = calling_of(a, step->nearest);
            struct buf text = {0};
            buf_addf(&text, "%.*s, called at %.*s:%" PRIu64 ", and ", SLICE_ARG(compile_key(a, step->nearest)),
                     SLICE_ARG(path_last(from->frame->file)), from->frame->line);
            BUF_ADD(&text, compile_key(a, step->compile), ", called at ", path_last(to->frame->file), ":",
                    to->frame->line, ", have other parameters, as two modules do: `", a->chain->frame.function,
                    "` runs each of them, and one version for each is expected.");
            if (version_of(a) >= ISOLATION_SINCE)
                buf_add_lit(&text,
                            " `torch.compile(…, isolate_recompiles=True)` gives each module versions of its own.");
            advice = advice_add(a, step->changes.items[0].type, &text);
            advice->expected = true;
        }
        advice_cite_part(a, advice, step);
    }
}
