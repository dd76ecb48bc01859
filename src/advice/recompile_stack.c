/* Values from before the graph break after which a function continues. Dynamo calls them ___stack0, …. */

#include "advice/recompile_advice.h"
#include "analysis/break_lines.h"
#include "analysis/identity.h"
#include "scan/error_text.h"
#include "scan/library.h"

/* The breaks that split a function at a line: breaks of the line itself, or else of code that it calls. */
struct at_line {
    const struct graph_break *first;
    size_t count;
    bool below;      /* in what the line calls */
    bool of_numbers; /* one of them is on a line that reads Python numbers from a tensor */
    bool disabled;   /* the program disables the compiler at all of them */
};

static bool is_at(const struct frame *frame, const struct place *resumed, struct slice function, uint64_t line) {
    uint64_t unused;
    return frame->line == line && slice_eq(frame->file, resumed->file) &&
           slice_eq(resumed_function(frame->function, &unused), function);
}

static bool reads_numbers(const struct graph_break *found) {
    return break_is_of_value(found) || hint_captures(break_hint(found->hints.items, found->hints.count)) ||
           slice_starts(found->reason, SLICE("Tensor.item")) || slice_starts(found->reason, SLICE("Tensor.tolist()"));
}

static struct at_line breaks_at(const struct model *model, const struct place *resumed) {
    enum { BREAKS_MAX = 256 };
    struct at_line own = {0}, deeper = {.below = true};
    uint64_t line;
    struct slice function = resumed_function(resumed->function, &line);
    for (size_t i = 0; i < model->breaks.count && i < BREAKS_MAX; i++) {
        const struct graph_break *found = model->breaks.items[i];
        size_t depth = found->stack.count;
        while (depth > 0 && !is_at(&found->stack.items[depth - 1], resumed, function, line))
            depth--;
        struct at_line *at = depth == found->stack.count ? &own : &deeper;
        if (!depth)
            continue;
        at->disabled = (!at->first || at->disabled) && break_is_disabled(found);
        at->first = at->first ? at->first : found;
        at->count++;
        at->of_numbers |= reads_numbers(found);
    }
    return own.count ? own : deeper;
}

/* The line of the graph break after which the function continues; 0: it is not such a function, or it belongs to a
 * library, or the log does not have the break. */
static uint64_t break_before(const struct model *model, const struct chain *chain) {
    uint64_t line;
    resumed_function(chain->frame.function, &line);
    return line && is_library_file(chain->frame.file) && !breaks_at(model, &chain->frame).count ? 0 : line;
}

/* Advice on the break. Numbers that a setting captures get guards again after the next break. */
static struct advice *advise_break(struct advising *a, const struct step *step, uint64_t line, bool of_stack) {
    const char *without = of_stack ? "its values (`___stack…`) are not inputs of another frame"
                                   : "this rest of the function is no frame of its own";
    struct buf text = {0};
    struct at_line at = breaks_at(a->model, &a->chain->frame);
    struct place place = at.below && at.first ? at.first->place : a->chain->frame;
    if (!at.below || !at.first)
        place.line = line;
    if (at.disabled)
        buf_add_lit(&text, "Enable the compiler for what ");
    else if (at.below && at.count > 1)
        buf_addf(&text, "First fix the %zu graph breaks in what %.*s:%" PRIu64 " calls, such as that at ", at.count,
                 SLICE_ARG(path_last(a->chain->frame.file)), line);
    else
        buf_add_lit(&text, "Fix the graph break at ");
    buf_addf(&text, "%.*s:%" PRIu64, SLICE_ARG(path_last(place.file)), place.line);
    bool several = at.below && at.count > 1 && !at.disabled;
    BUF_ADD(&text,
            at.disabled ? " calls, or call it outside of the compiled function: without the graph break, "
            : several   ? ": without them, "
                        : " first: without it, ",
            without, ".");
    if (at.of_numbers && of_stack)
        buf_add_lit(&text, " If a setting captures the number, fix later graph breaks of the function, too: after each "
                           "of them, guards check its value again.");
    struct advice *advice = advice_add(a, step->changes.items[0].type, &text);
    advice->of_break = true;
    return advice;
}

/* The first change of the step that is not in a value from before the break; NULL: none. */
static const struct guard_change *other_change(const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->source.ptr && slice_find(change->source, SLICE("___stack")) == SIZE_MAX)
            return change;
    }
    return NULL;
}

/* How to merge the step's version with the previous one: only sizes of such values change, and they can be dynamic from
 * the start; NULL: not possible. */
static const struct dynamic_advice *variable_of(struct advising *a, const struct step *step) {
    bool all = step_is_of_stack(step) && step->change_count == step->changes.count;
    for (size_t i = 0; i < step->changes.count && all; i++)
        all = step->changes.items[i].type == GUARD_SIZE && can_be_dynamic(a, step, &step->changes.items[i], false);
    const struct dynamic_advice *dynamic = all ? dynamic_numbers(a, step) : NULL;
    return dynamic && dynamic->variable ? dynamic : NULL;
}

/* Tried with PyTorch 2.15: `L['___stack0']:0` makes a size from before a graph break dynamic. */
static void add_variable(struct advising *a, struct advice *advice) {
    struct buf sources = {0}, text = {0};
    size_t count = 0;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct dynamic_advice *dynamic =
            a->said[i] || a->fixed[i] ? NULL : variable_of(a, &a->chain->steps.items[i]);
        for (size_t n = 0; dynamic && n < dynamic->numbers.count; n++)
            if (slice_find(buf_slice(&sources), dynamic->numbers.items[n].source) == SIZE_MAX)
                BUF_ADD(&sources, count++ ? "," : "", dynamic->numbers.items[n].source);
    }
    if (count) {
        BUF_ADD(&text, advice->text, " Or add `", buf_slice(&sources),
                "` to `TORCH_COMPILE_DYNAMIC_SOURCES`, which makes ", count > 1 ? "these sizes" : "this size",
                " dynamic from the first call, also in other frames with a value of that name.");
        advice->text = arena_keep(a->arena, &text);
    }
    buf_free(&sources);
}

void advise_stack(struct advising *a) {
    struct advice *advice = NULL;
    uint64_t line = break_before(a->model, a->chain);
    for (size_t i = 0; line && i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (a->said[i] || a->fixed[i] || !step_has_stack(step))
            continue;
        if (!advice) {
            advice = advise_break(a, step, line, true);
            const struct guard_change *other = other_change(step);
            if (other) {
                struct buf text = {0};
                buf_addf(&text, "%.*s That alone does not prevent %.*s, in which `%.*s` changed, too.",
                         SLICE_ARG(advice->text), SLICE_ARG(a->model->compiles.items[step->compile]->key),
                         SLICE_ARG(other->source));
                advice->text = arena_keep(a->arena, &text);
            }
            add_variable(a, advice);
        }
        if (!a->chain->limit_hit && variable_of(a, step))
            advice_cite_step(a, advice, step);
        else
            advice_cite_part(a, advice, step);
    }
}

void advise_rest(struct advising *a) {
    struct advice *advice = NULL;
    uint64_t line = break_before(a->model, a->chain);
    for (size_t i = 0; line && i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (a->said[i] || a->fixed[i] || !step->changes.count || recompile_failed(a->model, step->compile))
            continue;
        if (!advice)
            advice = advise_break(a, step, line, false);
        advice_cite_part(a, advice, step);
    }
}
