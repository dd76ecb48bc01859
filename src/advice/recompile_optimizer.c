/* The numbers of an optimizer that a scheduler changes: its learning rate, and numbers that are cycled along with it.
 */
#include "advice/recompile_advice.h"

static bool is_learning_rate(struct slice source) {
    return slice_find(source, SLICE("param_groups[")) != SIZE_MAX && slice_ends(source, SLICE("['lr']"));
}

/* Whether a scheduler that cycles the learning rate also changes this number: the momentum of SGD, or a beta of Adam.
 */
static bool is_cycled(struct slice source) {
    return slice_find(source, SLICE("param_groups[")) != SIZE_MAX &&
           (slice_ends(source, SLICE("['momentum']")) || slice_ends(source, SLICE("['betas'][0]")));
}

/* The first change of such a source in the chain's steps; NULL: none. */
static const struct guard_change *find_change(const struct advising *a, bool (*is_of)(struct slice source)) {
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        for (size_t c = 0; c < a->chain->steps.items[i].changes.count; c++)
            if (a->chain->steps.items[i].changes.items[c].type == GUARD_FLOAT &&
                is_of(a->chain->steps.items[i].changes.items[c].source))
                return &a->chain->steps.items[i].changes.items[c];
    return NULL;
}

/* Adds how to keep the optimizer's numbers from being constants. */
static void add_optimizer_advice(struct buf *text, const struct advising *a, const struct step *step) {
    const struct guard_change *rate = find_change(a, is_learning_rate), *cycled = find_change(a, is_cycled);
    if (rate)
        buf_addf(text,
                 "Create the optimizer with a tensor as learning rate (`lr=torch.tensor(…)`): `%.*s` is a float, "
                 "which Dynamo treats as a constant",
                 SLICE_ARG(rate->source));
    struct slice symbol = step->changes.items[0].symbol;
    if (rate && symbol.ptr)
        buf_addf(text, " until it changes: %.*s made it dynamic (%.*s)", SLICE_ARG(compile_key(a, step->compile)),
                 SLICE_ARG(symbol));
    buf_add_str(text, rate ? "." : "");
    if (cycled)
        buf_addf(
            text,
            "%sWith `OneCycleLR` or `CyclicLR`, set `cycle_momentum=False`%s: `%.*s` changes%s, and is a constant.",
            rate ? " " : "", rate ? ", too" : "", SLICE_ARG(cycled->source), rate ? " with it" : " in each step");
}

bool advise_learning_rate(struct advising *a, const struct cause *cause) {
    struct advice *advice = NULL;
    if (!is_learning_rate(cause->subject) && !is_cycled(cause->subject))
        return false;
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        bool alone = step_is_of(step, cause) && step->change_count == step->changes.count;
        for (size_t c = 1; c < step->changes.count && alone; c++)
            alone = is_learning_rate(step->changes.items[c].source) || is_cycled(step->changes.items[c].source);
        if (!alone)
            continue;
        if (!advice) {
            struct buf text = {0};
            add_optimizer_advice(&text, a, step);
            advice = advice_add(a, cause->type, &text);
        }
        advice_cite_step(a, advice, step);
    }
    return true;
}
