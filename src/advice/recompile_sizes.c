/* Advice on sizes and numbers that can become symbols, and on those that cannot. */

#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "analysis/setting_values.h"
#include "scan/guard_text.h"
#include "scan/library.h"

/* Whether sizes of such values change among others in a step of the chain: its advice has them as dynamic sources. */
static bool stack_is_dynamic_elsewhere(struct advising *a) {
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (step_has_stack(step) && !step_is_of_stack(step) && has_symbols_only(a, step))
            return true;
    }
    return false;
}

enum {
    SOURCES_SINCE = 207, /* TORCH_COMPILE_DYNAMIC_SOURCES, which older versions ignore */
    MARKS_MAX = 4,       /* at most this many changes of a step get their own mark_dynamic() call in advice */
    SAID_MAX = 8,        /* changes of a step listed in advice */
};

static bool to_number(struct slice text, uint64_t *number) {
    return slice_to_u64(text, number);
}

/* Whether both values are sizes or numbers that PyTorch can make symbolic. */
static bool are_symbolic(const struct advising *a, const struct guard_change *change) {
    uint64_t had, has;
    bool least = change->type == GUARD_VALUE && version_of(a) >= SYMBOLIC_ONE_SINCE;
    return to_number(change->had, &had) && to_number(change->has, &has) && (least || (had > 1 && has > 1));
}

static bool is_specialized(const struct advising *a, uint32_t compile, struct slice expression) {
    for (const struct shape_record *fact = a->model->compiles.items[compile]->shapes[SHAPE_SPECIALIZATION].first; fact;
         fact = fact->next)
        if (slice_find(fact->source, expression) != SIZE_MAX)
            return true;
    return false;
}

bool step_is_specialized(struct advising *a, const struct step *step) {
    return is_specialized(a, step->compile, change_expression(a, &step->changes.items[0]));
}

const struct guard_change *specialized_change(struct advising *a, const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->key.ptr && change->type == GUARD_SIZE &&
            is_specialized(a, step->compile, change_expression(a, change)))
            return change;
    }
    return NULL;
}

/* Whether a version other than the step and its nearest one specializes the size, where a mark would be an error. */
static bool is_specialized_later(struct advising *a, const struct step *step, const struct guard_change *change) {
    struct slice expression = change_expression(a, change);
    for (size_t i = 0; i < a->chain->compiles.count && i < STEPS_COMPARED_MAX; i++) {
        uint32_t compile = a->chain->compiles.items[i];
        if (compile != step->compile && compile != step->nearest && is_specialized(a, compile, expression))
            return true;
    }
    return false;
}

static bool is_marked(const struct advising *a, uint32_t compile, struct slice source) {
    struct slice set = guard_set_get(a->model, a->model->compiles.items[compile], ASPECT_MARK,
                                     SLICE("_dynamo_dynamic_indices"), source);
    return set.len > 0;
}

/* Whether the step would not have been a recompile without its changes of sizes and numbers. */
static bool numbers_alone(const struct advising *a, const struct step *step) {
    if (step->change_count != step->changes.count)
        return false;
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        bool number = change->type == GUARD_SIZE || change->type == GUARD_VALUE || is_marked_stride(step, change);
        if (!number || !are_symbolic(a, change))
            return false;
    }
    return step->changes.count > 0;
}

/* The number of changes that advice names. Strides follow from marks. */
static size_t marked_count(const struct step *step) {
    size_t count = 0;
    for (size_t i = 0; i < step->changes.count; i++)
        count += step->changes.items[i].type != GUARD_STRIDE;
    return count;
}

/* Steps of a size or number that could have become symbolic, and their outcome. */
struct evident {
    const struct step *dynamic; /* the first step in which the number became a symbol */
    const struct step *fixed;   /* the first step in which it stayed constant because automatic_dynamic_shapes is off */
    size_t fixed_count;         /* such steps */
};

/* Whether the number stays constant for a reason that is not in the log, or that advice cannot address: a
 * specialization, a mark, a loop. A number that was specialized only in the nearest version becomes a symbol if the
 * numbers that it had to equal are symbols. */
static bool is_constant(struct advising *a, const struct step *step, const struct guard_change *change) {
    struct slice source = guard_key_read(change->key).source, expression = change_expression(a, change);
    if (!change->key.ptr || is_weight(change->key) || is_specialized(a, step->compile, expression) ||
        (!change->symbol.ptr && is_specialized(a, step->nearest, expression)) || is_marked(a, step->compile, source) ||
        is_marked(a, step->nearest, source) || loop_over(a, step, change).code.ptr)
        return true;
    bool automatic_off = compile_setting_is(a->model, step->compile, "automatic_dynamic_shapes", "false");
    return !change->symbol.ptr &&
           (!automatic_off ||
            (change->type == GUARD_FLOAT && !compile_setting_is(a->model, step->compile, "specialize_float", "false")));
}

/* The same, or because the code takes another path for the old value. */
static bool is_kept(struct advising *a, const struct step *step, const struct guard_change *change) {
    return is_constant(a, step, change) || path_condition(a, step, change_expression(a, change), true).ptr;
}

static bool is_evident(struct advising *a, const struct step *step, const struct cause *cause, struct evident *found) {
    step = cause->type == GUARD_SIZE ? step_without_bounds(a, step) : step;
    const struct guard_change *change = &step->changes.items[0];
    bool alone = cause->type == GUARD_FLOAT ? step->change_count == 1 : numbers_alone(a, step);
    if (!step_is_of(step, cause) || !alone || step->nearest == NO_VERSION || recompile_failed(a->model, step->compile))
        return false;
    for (size_t i = 0; i < step->changes.count; i++)
        if (is_kept(a, step, &step->changes.items[i]))
            return false;
    if (change->symbol.ptr && found->dynamic)
        return false; /* a version in which it was dynamic did not match either */
    if (change->symbol.ptr)
        found->dynamic = step;
    else if (!found->fixed)
        found->fixed = step;
    found->fixed_count += !change->symbol.ptr;
    return true;
}

static bool has_other_dimensions(const struct advising *a, const struct step *step, struct slice source) {
    struct slice none = {0};
    return !slice_is(guard_set_get(a->model, a->model->compiles.items[step->compile], ASPECT_RANK, none, source), "1");
}

/* Whether the user's code has the tensor under this name, and no library keeps it in a private attribute. */
static bool is_markable(const struct advising *a, struct slice name) {
    bool kept = slice_find(name, SLICE("._")) != SIZE_MAX && !slice_starts(name, SLICE("self."));
    return is_users_name(name) && is_at_hand(a, name) && !kept;
}

/* Adds a number that changed. Clears the flags that do not apply to it, such as whether the user's code can name it in
 * order to mark it. */
static void add_number(struct advising *a, struct dynamic_advice *dynamic, const struct step *step,
                       const struct guard_change *change) {
    struct guard_fact fact = guard_key_read(change->key);
    bool size = fact.aspect == ASPECT_SIZE, dimensions = version_of(a) >= DIMENSION_SINCE;
    AUTO_BUF name = {0}, source = {0};
    guard_readable_add(&name, fact.source);
    dynamic_add_source(&source, fact.source);
    if (size && dimensions)
        buf_addf(&source, ":%.*s", SLICE_ARG(fact.detail));
    dynamic->whole |= size && !dimensions && dynamic->variable && has_other_dimensions(a, step, fact.source);
    struct slice list = size ? dynamic_list(a, fact.source) : (struct slice){0};
    dynamic->marks &= size && is_markable(a, buf_slice(&name)) && !(list.len && dynamic->in_words) &&
                      (list.len || !is_specialized_later(a, step, change));
    struct dynamic_number number = {arena_slice(a->arena, buf_slice(&name)), size ? fact.detail : (struct slice){0},
                                    arena_slice(a->arena, buf_slice(&source)), list};
    dynamic_add_number(a->arena, dynamic, &number);
    dynamic->late |= size && dynamic_is_late(a, step, change);
}

static bool is_number(const struct guard_change *change) {
    uint64_t had, has;
    return (change->type == GUARD_SIZE || change->type == GUARD_VALUE) && to_number(change->had, &had) &&
           to_number(change->has, &has);
}

/* How to make the numbers among the changes dynamic in the first version; NULL: this version of PyTorch cannot. An
 * unmarked size is constant, even if it equals a marked one. */
static struct dynamic_advice *dynamic_of(struct advising *a, const struct step *step,
                                         const struct guard_change *changes, size_t count) {
    struct dynamic_advice *dynamic = arena_zalloc(a->arena, sizeof *dynamic);
    dynamic->variable = version_of(a) >= SOURCES_SINCE;
    dynamic->in_words = is_library_file(a->chain->frame.file);
    /* a function that receives the argument may specialize its size, which makes a mark an error */
    dynamic->marks = !is_called_compiled(a) && !a->empty;
    for (size_t i = 0; i < count; i++)
        if (is_number(&changes[i]))
            add_number(a, dynamic, step, &changes[i]);
    dynamic->marks &= dynamic->numbers.count <= MARKS_MAX;
    return dynamic->numbers.count && (dynamic->marks || dynamic->variable) ? dynamic : NULL;
}

struct dynamic_advice *dynamic_numbers(struct advising *a, const struct step *step) {
    return marked_count(step) > SAID_MAX ? NULL : dynamic_of(a, step, step->changes.items, step->changes.count);
}

struct advice *advice_add_numbers(struct advising *a, enum guard_type type, struct dynamic_advice *dynamic) {
    struct buf none = {0};
    struct advice *advice = advice_add(a, type, &none);
    advice->dynamic = dynamic;
    dynamic_write(a->arena, advice);
    return advice;
}

/* Adds the changes of a step except the first. */
static void add_others(struct buf *text, const struct step *step) {
    size_t said = 0, others = marked_count(step) - 1;
    for (size_t i = 1; i < step->changes.count; i++) {
        if (step->changes.items[i].type == GUARD_STRIDE)
            continue;
        buf_addf(text, "%s`%.*s`",
                 said == 0            ? " "
                 : said + 1 == others ? " and "
                                      : ", ",
                 SLICE_ARG(step->changes.items[i].source));
        said++;
    }
    if (said)
        buf_add_lit(text, " changed as well.");
}

/* Cites steps of the cause, either those that stayed constant or those that became dynamic. */
static void cite_evident(struct advising *a, struct advice *advice, const struct cause *cause, bool fixed) {
    struct evident found = {0};
    for (size_t i = 0; i < a->chain->steps.count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (step_is_of(step, cause) && is_evident(a, step, cause, &found) &&
            !step->changes.items[0].symbol.ptr == fixed)
            advice_cite_step(a, advice, step);
    }
}

/* Advice if every value got a version because automatic_dynamic_shapes is off. With it on, the number becomes dynamic
 * after its first change; as a dynamic source, or marked, from the start. */
static void advise_automatic(struct advising *a, const struct cause *cause, const struct evident *found) {
    const struct step *step = found->fixed;
    const struct guard_change *change = &step->changes.items[0];
    bool changed_before = step->compile != cause->compile, saves = changed_before || found->fixed_count > 1;
    struct dynamic_advice *dynamic = NULL;
    AUTO_BUF text = {0};
    if (cause->type == GUARD_VALUE && version_of(a) >= SOURCES_SINCE)
        dynamic = dynamic_of(a, step, change, 1);
    else if (cause->type == GUARD_SIZE && !saves &&
             (dynamic = dynamic_of(a, step, step->changes.items, step->changes.count)))
        dynamic->variable = false;
    if (!saves && !(dynamic && (dynamic->marks || dynamic->variable)))
        return;
    buf_addf(&text,
             "%s`automatic_dynamic_shapes` is off, as `torch.compile(dynamic=False)` sets it, so every value of `%.*s` "
             "gets its own version.",
             dynamic ? "" : "Leave `dynamic` unset: ", SLICE_ARG(change->source));
    if (cause->type == GUARD_VALUE)
        buf_add_lit(&text, " Where a Python loop or an operator needs the number itself, each value needs one.");
    if (dynamic) {
        dynamic->either = saves;
        dynamic->lead = saves ? SLICE("Leave `dynamic` unset") : (struct slice){0};
        dynamic->says = arena_slice(a->arena, buf_slice(&text));
        text.len = 0;
    }
    struct advice *advice = dynamic ? advice_add_numbers(a, cause->type, dynamic) : advice_add(a, cause->type, &text);
    advice->but_first = saves && !changed_before;
    advice_cite(advice, EVIDENCE_METRICS, found->fixed->compile, SLICE("automatic_dynamic_shapes false"));
    cite_evident(a, advice, cause, true);
}

/* Whether the step only differs in the size of a dimension that mark_static() marked. */
static bool is_of_static(const struct advising *a, const struct step *step, const struct cause *cause) {
    if (!step_is_of(step, cause) || step->nearest == NO_VERSION || step->changes.count != 1 || !numbers_alone(a, step))
        return false;
    struct guard_fact fact = guard_key_read(step->changes.items[0].key);
    return is_marked_static(a->model, step->nearest, &fact);
}

/* Advice on sizes of dimensions that mark_static() marked. Without the mark, the first change makes the dimension
 * dynamic. */
static void advise_unmarked(struct advising *a, const struct cause *cause) {
    size_t count = 0;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        count += is_of_static(a, &a->chain->steps.items[i], cause);
    if (cause->type != GUARD_SIZE || count < 2)
        return;
    struct buf text = {0};
    buf_addf(&text,
             "Leave `torch._dynamo.mark_static()` out: it gives each value of `%.*s` a version, where the first change "
             "would make the size dynamic.",
             SLICE_ARG(cause->subject));
    struct advice *advice = advice_add(a, cause->type, &text);
    advice->but_first = true;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        if (is_of_static(a, &a->chain->steps.items[i], cause))
            advice_cite_step(a, advice, &a->chain->steps.items[i]);
}

bool has_symbols_only(struct advising *a, const struct step *step) {
    if (step->nearest == NO_VERSION || !numbers_alone(a, step) || !step->changes.items[0].symbol.ptr)
        return false;
    for (size_t i = 0; i < step->changes.count; i++)
        if (is_kept(a, step, &step->changes.items[i]))
            return false;
    return true;
}

bool can_be_dynamic(struct advising *a, const struct step *step, const struct guard_change *change, bool layouts) {
    return (change->type == GUARD_SIZE || change->type == GUARD_VALUE) && change->symbol.ptr &&
           are_symbolic(a, change) && !is_constant(a, step, change) &&
           !path_condition(a, step, change_expression(a, change), !layouts).ptr;
}

struct advice *advise_dynamic(struct advising *a, enum guard_type type, const struct step *step) {
    const struct guard_change *change = &step->changes.items[0];
    struct dynamic_advice *dynamic = NULL;
    struct buf says = {0};
    if (a->dynamic_count < ADVICE_MAX && (!step_is_of_stack(step) || stack_is_dynamic_elsewhere(a)))
        dynamic = dynamic_numbers(a, step);
    if (!dynamic)
        return NULL;
    buf_addf(&says, "%.*s made `%.*s` dynamic (%.*s).", SLICE_ARG(compile_key(a, step->compile)),
             SLICE_ARG(change->source), SLICE_ARG(change->symbol));
    add_others(&says, step);
    advice_add_symbolic_break(&says, a, step);
    if (is_in_thread(a) && !a->dynamic_count)
        buf_add_lit(&says, " If several threads call it at the same time, call it once before they start: each of them "
                           "compiles it otherwise.");
    dynamic->says = arena_keep(a->arena, &says);
    a->dynamic[a->dynamic_count++] = (struct dynamic_step){step, a->chain->advice.count};
    return advice_add_numbers(a, type, dynamic);
}

bool advise_dynamic_after(struct advising *a, const struct cause *cause, const struct step *step, struct slice lead) {
    const struct guard_change *first = NULL;
    struct dynamic_advice *dynamic = NULL;
    struct buf says = {0};
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (is_number(change) && (!change->symbol.ptr || !are_symbolic(a, change) || is_kept(a, step, change)))
            return false;
        first = !first && is_number(change) ? change : first;
    }
    if (!first || !(dynamic = dynamic_numbers(a, step)))
        return false;
    buf_addf(&says, "%.*s, and", SLICE_ARG(lead));
    dynamic->lead = arena_slice(a->arena, buf_slice(&says));
    says.len = 0;
    buf_addf(&says, "only sizes change then. %.*s made `%.*s` dynamic (%.*s).",
             SLICE_ARG(compile_key(a, step->compile)), SLICE_ARG(first->source), SLICE_ARG(first->symbol));
    dynamic->says = arena_keep(a->arena, &says);
    note_cite(a, cause, advice_add_numbers(a, cause->type, dynamic));
    return true;
}

/* Explains too many sizes to list, such as those of a block mask. `dynamic=True` does not save the step, because equal
 * sizes get one symbol. */
static void explain_many(struct advising *a, const struct cause *cause, const struct step *step) {
    struct buf text = {0};
    buf_addf(
        &text,
        "%.*s made `%.*s` and %zu more sizes and numbers dynamic: it fits further values of them, so one recompile "
        "is expected.",
        SLICE_ARG(compile_key(a, step->compile)), SLICE_ARG(step->changes.items[0].source), marked_count(step) - 1);
    struct advice *advice = advice_add(a, cause->type, &text);
    advice->expected = true;
    cite_evident(a, advice, cause, false);
}

void advise_symbolic(struct advising *a, const struct cause *cause) {
    struct evident found = {0};
    advise_unmarked(a, cause);
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        if (step_is_of(&a->chain->steps.items[i], cause))
            is_evident(a, &a->chain->steps.items[i], cause, &found);
    if (found.fixed) {
        advise_automatic(a, cause, &found);
        return;
    }
    if (!found.dynamic || cause->type == GUARD_FLOAT) /* a float cannot be made dynamic from the start */
        return;
    struct advice *advice = advise_dynamic(a, cause->type, found.dynamic);
    if (advice)
        cite_evident(a, advice, cause, false);
    else if (marked_count(found.dynamic) > SAID_MAX)
        explain_many(a, cause, found.dynamic);
}

/* "2 <= L['x'].size()[0]" and "2 <= L['x'].size()[0] <= 16": guards of a dynamic size that must not be 0 or 1. */
static bool is_lower_bound(struct slice condition, struct slice *expression) {
    static const struct slice begin = SLICE_INIT("2 <= ");
    if (!slice_starts(condition, begin))
        return false;
    struct slice rest = slice_from(condition, begin.len);
    *expression = slice_first(rest, guard_code_find(rest, SLICE(" <= ")));
    return slice_ends(*expression, SLICE("]")) && slice_find(*expression, SLICE(".size()[")) != SIZE_MAX &&
           guard_code_find(*expression, SLICE(" ")) == SIZE_MAX;
}

/* Adds a note on marks, which is not advice: a frame that compares a size marked by mark_unbacked() with anything runs
 * eagerly, and the log does not show all comparisons: x.size(0) > 1 adds no guard to those of a dynamic size. */
static void add_marks_on_zero_one(struct buf *text, const struct chain *chain) {
    for (size_t i = 0; i < chain->advice.count; i++)
        if (chain->advice.items[i].expected && chain->advice.items[i].type == GUARD_SIZE) /* said */
            return;
    buf_add_lit(text, " `mark_dynamic` does not change that; `mark_unbacked` does, but code that depends on the size "
                      "then runs eagerly.");
}

/* Whether the compile trains on a batch of one row if this size is 1: it is the first dimension of an argument, and
 * there is a backward. */
static bool is_row_of_training(const struct advising *a, uint32_t compile, struct slice expression) {
    return slice_ends(expression, SLICE(".size()[0]")) && slice_starts(expression, SLICE("L['")) &&
           !slice_starts(expression, SLICE("L['___")) && !is_weight(expression) &&
           a->model->compiles.items[compile]->backward_us >= 0;
}

/* The last batch of an epoch may have one row, whatever the size of the other batches. The log does not show where
 * batches come from. */
static void add_last_batch(struct buf *text, const struct advising *a, uint32_t compile) {
    buf_addf(text, " If %.*s is for the last batch of a `DataLoader`, `drop_last=True` saves that version.",
             SLICE_ARG(compile_key(a, compile)));
}

/* Whether only such guards differ: two tensors of one row. */
static bool has_lower_bounds_only(const struct step *step) {
    struct slice unused;
    for (size_t i = 0; i < step->changes.count; i++)
        if (!step->changes.items[i].key.ptr ||
            !is_lower_bound(guard_key_read(step->changes.items[i].key).source, &unused))
            return false;
    return step->changes.count && step->change_count == step->changes.count;
}

/* Explains a dynamic size that was 0 or 1. */
static void explain_bound(struct advising *a, const struct cause *cause) {
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        struct slice expression;
        uint64_t size = UINT64_MAX;
        if (!step_is_of(step, cause) || !has_lower_bounds_only(step) || step->nearest == NO_VERSION ||
            !is_lower_bound(guard_key_read(step->changes.items[0].key).source, &expression))
            continue;
        struct slice value = guard_set_value(a->model, a->model->compiles.items[step->compile], expression, NULL);
        if (!to_number(value, &size) || size > 1)
            continue;
        struct buf text = {0};
        buf_add_lit(&text, "PyTorch makes a separate version for sizes of 0 and 1: `");
        guard_readable_add(&text, expression);
        buf_addf(&text, "` is dynamic in %.*s and was %" PRIu64 " in %.*s.", SLICE_ARG(compile_key(a, step->nearest)),
                 size, SLICE_ARG(compile_key(a, step->compile)));
        add_marks_on_zero_one(&text, a->chain);
        if (size == 1 && is_row_of_training(a, step->compile, expression))
            add_last_batch(&text, a, step->compile);
        struct advice *advice = advice_add(a, GUARD_SIZE, &text);
        advice->expected = true;
        advice_cite_step(a, advice, step);
        advice_cite(advice, EVIDENCE_GUARDS, step->nearest, (struct slice){0});
        return;
    }
}

static bool is_zero_or_one(const struct guard_change *change) {
    uint64_t had = 2, has = 2;
    return change->type == GUARD_SIZE && to_number(change->had, &had) && to_number(change->has, &has) &&
           (had < 2 || has < 2);
}

/* Mentions a type that changes in the same step, such as None, which needs the version anyway. */
static void add_type_beside(struct buf *text, const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->type != GUARD_TYPE || !change->source.len || !change->had.len || !change->has.len)
            continue;
        buf_addf(text, " `%.*s` changes in that step, too (%.*s → %.*s), which needs a version anyway.",
                 SLICE_ARG(change->source), SLICE_ARG(change->had), SLICE_ARG(change->has));
        return;
    }
}

/* Explains a constant size that was 0 or 1: no mark prevents the version. */
static void explain_constant(struct advising *a, const struct cause *cause) {
    struct advice *advice = NULL;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        const struct guard_change *change = NULL;
        for (size_t c = 0; c < step->changes.count && !change; c++)
            change = is_zero_or_one(&step->changes.items[c]) ? &step->changes.items[c] : NULL;
        if (!step_is_of(step, cause) || !change || step->nearest == NO_VERSION || step_is_of_other_module(step))
            continue;
        if (!advice) {
            uint64_t had = 2;
            to_number(change->had, &had);
            struct buf text = {0};
            buf_addf(&text, "PyTorch makes a separate version for sizes of 0 and 1: `%.*s` was %.*s in %.*s.",
                     SLICE_ARG(change->source), SLICE_ARG(had < 2 ? change->had : change->has),
                     SLICE_ARG(compile_key(a, had < 2 ? step->nearest : step->compile)));
            if (!add_blocks(&text, a, step, change))
                add_marks_on_zero_one(&text, a->chain);
            if (had > 1 && slice_is(change->has, "1") &&
                is_row_of_training(a, step->compile, change_expression(a, change)))
                add_last_batch(&text, a, step->compile);
            add_type_beside(&text, step);
            advice = advice_add(a, GUARD_SIZE, &text);
            advice->expected = true;
        }
        advice_cite_step(a, advice, step);
    }
}

void explain_zero_one(struct advising *a, const struct cause *cause) {
    if (cause->type == GUARD_SIZE)
        explain_constant(a, cause);
    else
        explain_bound(a, cause);
}

void advise_equal(struct advising *a, const struct cause *cause) {
    struct advice *advice = NULL;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (!step_is_of(step, cause) || !step_is_of_equal(step))
            continue;
        if (!advice) {
            struct buf text = {0};
            buf_addf(&text,
                     "Set `torch.fx.experimental._config.use_duck_shape = False`: sizes that are equal in %.*s are one "
                     "symbol there, so that `%.*s` is checked.",
                     SLICE_ARG(compile_key(a, step->nearest)), SLICE_ARG(cause->subject));
            advice = advice_add(a, cause->type, &text);
        }
        advice_cite_step(a, advice, step);
    }
}
