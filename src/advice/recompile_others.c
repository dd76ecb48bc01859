/* Sizes and numbers in which a step differs from a version that is not the nearest: if they were dynamic, that version
 * would have matched. */
#include "advice/recompile_advice.h"
#include "recompiles/recompile_reasons.h"

/* Whether the numbers of the step are among those that the advice on another step makes dynamic. */
static bool are_among(const struct step *step, const struct step *other) {
    for (size_t i = 0; i < step->changes.count; i++) {
        bool found = false;
        for (size_t n = 0; n < other->changes.count && !found; n++)
            found = slice_eq(step->changes.items[i].key, other->changes.items[n].key);
        if (!found)
            return false;
    }
    return step->changes.count > 0;
}

/* Whether the step fails a condition on a number of `against` in a version where that number was already dynamic: it
 * would also fail the condition in the other version. */
static bool has_condition(const struct step *step, const struct step *against) {
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        bool condition = change->type == GUARD_RELATION || change->type == GUARD_DIVISIBILITY;
        for (size_t n = 0; condition && n < against->changes.count; n++)
            if (slice_find(change->source, against->changes.items[n].source) != SIZE_MAX)
                return true;
    }
    return false;
}

/* Cites the step, which advice on other steps already fixes. */
static void cite(struct advising *a, size_t nth, const struct step *against) {
    for (size_t i = 0; i < a->dynamic_count && !a->fixed[nth]; i++)
        if (are_among(against, a->dynamic[i].step)) {
            advice_cite_step(a, &a->chain->advice.items[a->dynamic[i].advice], against);
            a->fixed[nth] = true;
        }
}

static bool is_near(const struct step *step, uint32_t compile) {
    for (size_t i = 0; i < step->also_count; i++)
        if (step->also[i].compile == compile)
            return true;
    return false;
}

/* Adds new advice if the version is as near as the nearest one. */
static void advise_near(struct advising *a, size_t nth, const struct step *against) {
    const struct step *step = &a->chain->steps.items[nth];
    if (a->fixed[nth] || a->chain->advice.count == ADVICE_MAX || !is_near(step, against->nearest))
        return;
    struct step *kept = arena_zalloc(a->arena, sizeof *kept);
    *kept = *against;
    struct advice *advice = advise_dynamic(a, against->changes.items[0].type, kept);
    if (!advice)
        return;
    advice_cite_step(a, advice, kept);
    a->fixed[nth] = true;
}

/* The float, if the step differs from the version only in one float and in sizes and integers that are symbols; NULL:
 * it differs in something else. */
static const struct guard_change *float_beside(struct advising *a, const struct step *against) {
    const struct guard_change *found = NULL;
    size_t numbers = 0;
    for (size_t i = 0; i < against->changes.count; i++) {
        const struct guard_change *change = &against->changes.items[i];
        if (change->type == GUARD_FLOAT && change->symbol.ptr && !found && !number_needed(a, against, change).code.ptr)
            found = change;
        else if (can_be_dynamic(a, against, change, true))
            numbers++;
        else if (!is_marked_stride(against, change))
            return NULL;
    }
    return numbers && against->change_count == against->changes.count ? found : NULL;
}

bool advise_float_beside(struct advising *a, const struct cause *cause, const struct step *step) {
    struct chain *chain = a->chain;
    size_t place = (size_t)(step - chain->steps.items) + 1;
    bool advised = false;
    for (size_t back = 1; back <= place && back <= NEAREST_MAX && !advised; back++) {
        const struct compile *version = chain_compile(a->model, chain, place - back);
        if (!guard_set_known(chain_compile(a->model, chain, place)) || !guard_set_known(version))
            continue;
        struct step against = recompile_step_against(a->model, chain, place, place - back, a->arena);
        const struct guard_change *number = float_beside(a, &against);
        AUTO_BUF lead = {0};
        if (!number)
            continue;
        buf_addf(&lead, "%.*s differs from %.*s in numbers only: pass `%.*s` as a tensor in every call",
                 SLICE_ARG(compile_key(a, step->compile)), SLICE_ARG(version->key), SLICE_ARG(number->source));
        advised = advise_dynamic_after(a, cause, &against, buf_slice(&lead));
    }
    return advised;
}

void advise_other_versions(struct advising *a) {
    struct chain *chain = a->chain;
    size_t most = chain->steps.count < STEPS_COMPARED_MAX ? chain->steps.count : STEPS_COMPARED_MAX;
    for (size_t i = 0; i < most; i++) {
        size_t place = i + 1;
        if (!a->dynamic_count && !chain->steps.items[i].also_count)
            continue;
        for (size_t back = 1; back <= place && back <= NEAREST_MAX && !a->fixed[i]; back++) {
            if (!guard_set_known(chain_compile(a->model, chain, place)) ||
                !guard_set_known(chain_compile(a->model, chain, place - back)))
                continue;
            struct step against = recompile_step_against(a->model, chain, place, place - back, a->arena);
            if (!has_symbols_only(a, &against) || has_condition(&chain->steps.items[i], &against))
                continue;
            cite(a, i, &against);
            advise_near(a, i, &against);
        }
    }
}
