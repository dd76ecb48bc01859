/* Steps in which sizes, memory layouts and floats changed at once: each change is enough to recompile, so all of them
 * need advice. */
#include "advice/recompile_advice.h"
#include "scan/guard_text.h"

enum {
    MIXED_MAX = 3 /* steps with such advice */,
    NAMES_MAX = 8,
    CHANGES_MAX = 16 /* of such a step */,
    NUMBERS_MAX = 8,
    KEYS_MAX = 3
};

struct mixed {
    struct step numbers; /* the step reduced to sizes and numbers */
    struct slice tensors[NAMES_MAX], strides[NAMES_MAX], floats[NAMES_MAX];
    struct buf values[NAMES_MAX]; /* values of the strides: "48 → 8" */
    size_t tensor_count, stride_count, float_count;
    bool taken[STEPS_COMPARED_MAX]; /* later steps that the advice covers */
    bool alone[STEPS_COMPARED_MAX]; /* steps in which only its floats changed */
    size_t taken_count, alone_count;
    bool differ; /* the steps do not all have the same kinds of numbers */
};

/* "L['x'].stride()[0]" in a condition: "2 <= L['x'].stride()[0]"; ptr NULL: none. */
static struct slice stride_in(struct slice code) {
    for (size_t i = 0, length; i < code.len; i += length ? length : 1) {
        length = guard_operand_length(slice_from(code, i));
        struct slice operand = slice_make(code.ptr + i, length);
        if (slice_find(operand, SLICE(".stride()[")) != SIZE_MAX)
            return operand;
    }
    return (struct slice){0};
}

static bool put(struct slice *names, size_t *count, struct slice name) {
    for (size_t i = 0; i < *count; i++)
        if (slice_eq(names[i], name))
            return true;
    if (*count == NAMES_MAX)
        return false;
    names[(*count)++] = name;
    return true;
}

static struct slice readable(struct advising *a, struct slice source) {
    struct buf text = {0};
    guard_readable_add(&text, source);
    return arena_keep(a->arena, &text);
}

/* Notes a tensor with different strides. Returns false if the program cannot change them. */
static bool put_layout(struct advising *a, struct mixed *mixed, const struct step *step,
                       const struct guard_change *change) {
    struct compile *const *compiles = a->model->compiles.items;
    struct slice expression =
        change->type == GUARD_STRIDE ? change_expression(a, change) : stride_in(guard_key_read(change->key).source);
    struct slice tensor = readable(a, slice_first(expression, slice_find(expression, SLICE(".stride()["))));
    struct slice had = guard_set_value(a->model, compiles[step->nearest], expression, NULL),
                 has = guard_set_value(a->model, compiles[step->compile], expression, NULL);
    bool known = mixed->tensor_count;
    for (size_t i = 0; i < mixed->tensor_count && known; i++)
        known = !slice_eq(mixed->tensors[i], tensor);
    if (!tensor.len || !is_users_name(tensor) || !is_at_hand(a, tensor))
        return false;
    bool again = mixed->tensor_count && !known; /* one stride per tensor is shown */
    if (!put(mixed->tensors, &mixed->tensor_count, tensor))
        return false;
    if (again || !had.ptr || !has.ptr || slice_eq(had, has))
        return true;
    mixed->strides[mixed->stride_count] = readable(a, expression);
    buf_addf(&mixed->values[mixed->stride_count++], "%.*s → %.*s", SLICE_ARG(had), SLICE_ARG(has));
    return true;
}

/* Whether the change is in a stride that no mark makes dynamic. */
static bool is_of_layout(const struct step *step, const struct guard_change *change) {
    return (change->type == GUARD_STRIDE && !is_marked_stride(step, change)) ||
           (change->type == GUARD_RELATION && stride_in(guard_key_read(change->key).source).ptr);
}

/* Sorts the changes of the step by what helps. Returns false if there is any other change. */
static bool sort_changes(struct advising *a, struct mixed *mixed, const struct step *step) {
    bool layouts = false;
    for (size_t i = 0; i < step->changes.count; i++)
        layouts |= is_of_layout(step, &step->changes.items[i]);
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        bool stride = is_of_layout(step, change);
        if (stride ? put_layout(a, mixed, step, change) : is_marked_stride(step, change))
            continue;
        if (change->type == GUARD_FLOAT && change->source.ptr && is_users_name(change->source) &&
            !is_librarys(a, change->source) && !number_needed(a, step, change).code.ptr &&
            put(mixed->floats, &mixed->float_count, change->source))
            continue;
        if (stride || !can_be_dynamic(a, step, change, layouts))
            return false;
        ARENA_ADD(a->arena, &mixed->numbers.changes, *change);
    }
    mixed->numbers.change_count = mixed->numbers.changes.count;
    return (mixed->numbers.changes.count > 0) + (mixed->tensor_count > 0) + (mixed->float_count > 0) > 1;
}

static void add_names(struct buf *text, const struct slice *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        buf_add_str(text, i == 0 ? "" : i + 1 == count ? " and " : ", ");
        advice_add_argument(text, names[i]);
    }
}

/* Adds "Make … a 0-d tensor, and pass … in one memory layout"; after other advice, ", and make …". */
static void add_parts(struct buf *text, const struct advising *a, const struct mixed *mixed, bool after) {
    size_t floats = mixed->float_count;
    if (floats) {
        buf_add_str(text, after ? ", and make " : "Make ");
        add_names(text, mixed->floats, floats);
        BUF_ADD(text, floats > 1 ? " each" : "", " a 0-d tensor (`torch.tensor(…)`)");
        for (size_t i = 0; i < floats; i++)
            number_kept_add(text, a->model, a->chain, mixed->floats[i]);
        buf_add_lit(text, ", unless an operator or Python needs the number");
    }
    if (mixed->tensor_count) {
        buf_add_str(text, after || floats ? ", and pass " : "Pass ");
        add_names(text, mixed->tensors, mixed->tensor_count);
        buf_add_lit(text, " in one memory layout, such as `.clone(memory_format=torch.contiguous_format)`");
    }
}

static bool has_number(const struct mixed *mixed, enum guard_type type) {
    for (size_t i = 0; i < mixed->numbers.changes.count; i++)
        if (mixed->numbers.changes.items[i].type == type)
            return true;
    return false;
}

static bool is_open(const struct advising *a, size_t nth) {
    const struct step *step = &a->chain->steps.items[nth];
    return !a->said[nth] && !a->fixed[nth] && !recompile_failed(a->model, step->compile) &&
           step->nearest != NO_VERSION && step->change_count == step->changes.count &&
           step->change_count <= CHANGES_MAX;
}

/* Whether the step differs only in floats that the advice names. */
static bool is_of_floats(const struct mixed *mixed, const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        bool named = false;
        for (size_t f = 0; f < mixed->float_count && step->changes.items[i].type == GUARD_FLOAT && !named; f++)
            named = slice_eq(mixed->floats[f], step->changes.items[i].source);
        if (!named)
            return false;
    }
    return step->changes.count > 0;
}

/* Adds the differences of a later step that the same sentence can cover. Returns false if it needs its own sentence. */
static bool merge(struct advising *a, struct mixed *mixed, const struct step *step) {
    struct mixed other = {.numbers = {.compile = step->compile, .nearest = step->nearest}};
    bool same = sort_changes(a, &other, step) && !mixed->tensor_count && !other.tensor_count &&
                mixed->numbers.changes.count + other.numbers.changes.count <= NUMBERS_MAX;
    for (size_t i = 0; i < other.stride_count; i++)
        buf_free(&other.values[i]);
    for (size_t i = 0; i < other.float_count && same; i++)
        same = put(mixed->floats, &mixed->float_count, other.floats[i]);
    if (!same)
        return false;
    mixed->differ |= has_number(mixed, GUARD_SIZE) != has_number(&other, GUARD_SIZE) ||
                     has_number(mixed, GUARD_VALUE) != has_number(&other, GUARD_VALUE);
    for (size_t i = 0; i < other.numbers.changes.count; i++)
        ARENA_ADD(a->arena, &mixed->numbers.changes, other.numbers.changes.items[i]);
    mixed->numbers.change_count = mixed->numbers.changes.count;
    return true;
}

/* Finds the other steps that the advice covers. */
static void take_others(struct advising *a, struct mixed *mixed, const struct step *first) {
    size_t most = a->chain->steps.count < STEPS_COMPARED_MAX ? a->chain->steps.count : STEPS_COMPARED_MAX;
    for (size_t i = 0; i < most && mixed->float_count; i++) {
        const struct step *step = &a->chain->steps.items[i];
        mixed->taken[i] = step > first && is_open(a, i) && !is_of_floats(mixed, step) && merge(a, mixed, step);
        mixed->taken_count += mixed->taken[i];
    }
    for (size_t i = 0; i < most; i++) {
        mixed->alone[i] = is_open(a, i) && is_of_floats(mixed, &a->chain->steps.items[i]);
        mixed->alone_count += mixed->alone[i];
    }
}

/* "0/1 differs from 0/0", "0/1, 0/3 and 0/4 differ from earlier versions" */
static void add_versions(struct buf *text, const struct advising *a, const struct mixed *mixed,
                         const struct step *step) {
    size_t said = 1, all = 1 + (mixed->taken_count < KEYS_MAX ? mixed->taken_count : KEYS_MAX);
    buf_add(text, compile_key(a, step->compile));
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX && said < all; i++) {
        if (!mixed->taken[i])
            continue;
        said++;
        buf_addf(text, "%s%.*s", said == all && all > mixed->taken_count ? " and " : ", ",
                 SLICE_ARG(compile_key(a, a->chain->steps.items[i].compile)));
    }
    if (mixed->taken_count + 1 > all)
        buf_addf(text, " and %zu more", mixed->taken_count + 1 - all);
    if (mixed->taken_count)
        buf_add_lit(text, " differ from earlier versions");
    else
        buf_addf(text, " differs from %.*s", SLICE_ARG(compile_key(a, step->nearest)));
}

static void add_why(struct buf *text, const struct advising *a, const struct mixed *mixed, const struct step *step) {
    const char *kinds[] = {has_number(mixed, GUARD_SIZE) ? "sizes" : NULL,
                           has_number(mixed, GUARD_VALUE) ? "integers" : NULL, mixed->float_count ? "floats" : NULL,
                           mixed->tensor_count ? "strides" : NULL};
    size_t all = 0, said = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        all += kinds[i] != NULL;
    add_versions(text, a, mixed, step);
    buf_add_lit(text, " in ");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!kinds[i])
            continue;
        buf_addf(text, "%s%s", said == 0 ? "" : said + 1 < all ? ", " : mixed->differ ? " or " : " and ", kinds[i]);
        said++;
    }
    for (size_t i = 0; i < mixed->stride_count; i++)
        buf_addf(text, "%s`%.*s` %.*s%s", i ? ", " : " (", SLICE_ARG(mixed->strides[i]),
                 SLICE_ARG(buf_slice(&mixed->values[i])), i + 1 == mixed->stride_count ? ")" : "");
    buf_add_lit(text, ", each of which needs a version");
    if (mixed->alone_count) {
        buf_addf(text, "; %zu more %s for ", mixed->alone_count,
                 mixed->alone_count == 1 ? "recompile is" : "recompiles are");
        if (mixed->float_count == 1)
            add_names(text, mixed->floats, 1);
        else
            buf_add_lit(text, "floats");
        buf_add_lit(text, " alone");
    }
    buf_add_byte(text, '.');
}

/* Adds the advice on the step. NULL: its numbers cannot be dynamic. */
static struct advice *add_advice(struct advising *a, const struct mixed *mixed, const struct step *step) {
    enum guard_type type = step->changes.items[0].type;
    struct dynamic_advice *dynamic = NULL;
    AUTO_BUF text = {0}, why = {0};
    if (mixed->numbers.changes.count && !(dynamic = dynamic_numbers(a, &mixed->numbers)))
        return NULL;
    add_parts(&text, a, mixed, dynamic);
    add_why(&why, a, mixed, step);
    if (dynamic) {
        dynamic->tail = arena_slice(a->arena, buf_slice(&text));
        dynamic->says = arena_slice(a->arena, buf_slice(&why));
    } else {
        buf_addf(&text, ": %.*s", SLICE_ARG(buf_slice(&why)));
    }
    return dynamic ? advice_add_numbers(a, type, dynamic) : advice_add(a, type, &text);
}

static bool advise_step(struct advising *a, const struct step *step) {
    struct mixed mixed = {.numbers = {.compile = step->compile, .nearest = step->nearest}};
    struct advice *advice = NULL;
    if (sort_changes(a, &mixed, step)) {
        take_others(a, &mixed, step);
        advice = add_advice(a, &mixed, step);
    }
    if (advice && mixed.float_count) { /* an operator may need the number */
        advice_cite_part(a, advice, step);
        advice_count_possible(a, advice, step);
    } else if (advice)
        advice_cite_step(a, advice, step);
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX && advice; i++)
        if (mixed.taken[i] || mixed.alone[i]) {
            advice_cite_part(a, advice, &a->chain->steps.items[i]);
            advice_count_possible(a, advice, &a->chain->steps.items[i]);
        }
    for (size_t i = 0; i < mixed.stride_count; i++)
        buf_free(&mixed.values[i]);
    return advice;
}

void advise_mixed(struct advising *a) {
    size_t given = 0;
    for (size_t i = 0; i < a->chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &a->chain->steps.items[i];
        if (is_open(a, i) && a->chain->advice.count < ADVICE_MAX && given < MIXED_MAX)
            given += advise_step(a, step);
    }
}
