/* Notes on sizes and integers that stay constant, or that are not the only difference. */
#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "scan/guard_text.h"

enum { NUMBERS_TRIED_MAX = 8 /* per step: each one compares the guards of both versions */ };

/* The first change of the step that dynamic numbers would not prevent; NULL: there is none, or a number stayed
 * constant. */
static const struct guard_change *other_than_numbers(const struct step *step) {
    if (!step->changes.items[0].symbol.ptr)
        return NULL;
    for (size_t i = 1; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        bool number = change->type == GUARD_SIZE || (change->type == GUARD_VALUE && change->symbol.ptr);
        if (number && !change->symbol.ptr)
            return NULL;
        if (!number && change->type != GUARD_STRIDE)
            return change->source.ptr ? change : NULL;
    }
    return NULL;
}

/* "A dynamic `x.size()[0]` alone would not prevent 0/3: " */
static void add_alone(struct buf *text, struct advising *a, const struct step *step,
                      const struct guard_change *change) {
    buf_addf(text, "A dynamic `%.*s` alone would not prevent %.*s: ", SLICE_ARG(change->source),
             SLICE_ARG(compile_key(a, step->compile)));
}

static bool is_zero_or_one(struct slice value) {
    return slice_is(value, "0") || slice_is(value, "1");
}

/* Adds "`129 <= n` holds for it, and not for 0/0": the code takes another path for the old values. */
static bool note_path(struct advising *a, const struct cause *cause, const struct step *step) {
    struct slice condition = {0};
    const struct guard_change *number = NULL;
    struct buf text = {0};
    size_t count = step->nearest == NO_VERSION ? 0 : step->changes.count;
    for (size_t i = 0; i < count && i < NUMBERS_TRIED_MAX && !condition.ptr; i++)
        if (step->changes.items[i].symbol.ptr && step->changes.items[i].key.ptr) {
            number = &step->changes.items[i];
            condition = path_condition(a, step, change_expression(a, number), true);
        }
    if (!condition.ptr)
        return false;
    add_alone(&text, a, step, number);
    buf_add_byte(&text, '`');
    guard_readable_add(&text, condition);
    buf_addf(&text, "` holds for it, and not for %.*s, so each has a version.",
             SLICE_ARG(compile_key(a, step->nearest)));
    note_explain(a, cause, &text);
    return true;
}

void note_other(struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    const struct guard_change *other = step ? other_than_numbers(step) : NULL;
    bool least = step && step->nearest != NO_VERSION && step->change_count == 1 && cause->type == GUARD_VALUE &&
                 version_of(a) < SYMBOLIC_ONE_SINCE && step->changes.items[0].symbol.ptr &&
                 is_zero_or_one(step->changes.items[0].had);
    AUTO_BUF text = {0};
    if (least) {
        buf_addf(&text, "`%.*s` was %.*s in %.*s: before PyTorch 2.15, an integer of 0 or 1 is always a constant.",
                 SLICE_ARG(cause->subject), SLICE_ARG(step->changes.items[0].had),
                 SLICE_ARG(compile_key(a, step->nearest)));
        note_explain(a, cause, &text);
    }
    if (!other) {
        if (step && !least)
            note_path(a, cause, step);
        return;
    }
    bool condition = other->type == GUARD_RELATION || other->type == GUARD_DIVISIBILITY;
    if (condition && advise_float_beside(a, cause, step)) {
        return;
    }
    if (condition) {
        add_alone(&text, a, step, &step->changes.items[0]);
        buf_addf(&text, "the condition `%.*s` of %.*s fails, too", SLICE_ARG(other->source),
                 SLICE_ARG(compile_key(a, step->nearest)));
        if (other->has.ptr && !slice_is(other->has, "False"))
            buf_addf(&text, " (%.*s)", SLICE_ARG(other->has));
        buf_add_byte(&text, '.');
        note_explain(a, cause, &text);
        return;
    }
    add_alone(&text, a, step, &step->changes.items[0]);
    buf_addf(&text, "`%.*s` differs, too", SLICE_ARG(other->source));
    if (other->type == GUARD_FLOAT && is_librarys(a, other->source))
        buf_add_lit(&text, ", a float that a library passes");
    else if (other->type == GUARD_FLOAT && number_needed(a, step, other).of_operator)
        buf_add_lit(&text, ", a float that an operator needs as a number");
    buf_add_byte(&text, '.');
    note_explain(a, cause, &text);
}

/* "config.kind" for an attribute that was None, False or not set; nothing for others or private ones. */
static void add_unset(struct buf *out, const struct guard_change *change) {
    static const struct slice members = SLICE_INIT(".__dict__");
    struct guard_fact fact = guard_key_read(change->key);
    bool value = change->type == GUARD_TYPE || change->type == GUARD_VALUE;
    if (value && (slice_is(change->had, "None") || slice_is(change->had, "False")))
        guard_readable_add(out, fact.source);
    else if (fact.aspect == ASPECT_KEY && slice_is(change->had, "False") && slice_ends(fact.source, members)) {
        guard_readable_add(out, slice_first(fact.source, fact.source.len - members.len));
        buf_addf(out, ".%.*s", (int)(fact.detail.len - 2), fact.detail.ptr + 1);
    }
    if (slice_rfind_byte(buf_slice(out), '.') == SIZE_MAX || slice_find(buf_slice(out), SLICE("._")) != SIZE_MAX)
        out->len = 0;
}

/* Adds the only attribute that was set in the step, if otherwise sizes changed. Returns false if there is none. */
static bool add_set_beside(struct buf *out, const struct step *step) {
    for (size_t i = 0; i < step->changes.count; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->type == GUARD_SIZE && change->symbol.ptr)
            continue;
        bool second = out->len;
        if (!second)
            add_unset(out, change);
        if (second || !out->len)
            return false;
    }
    return out->len && step->change_count == step->changes.count && step->nearest != NO_VERSION;
}

/* Whether the size is that of a parameter outside of modules, according to the guard: an optimizer has such arguments.
 */
static bool is_of_parameter(const struct step *step) {
    return step->reason_leads && !is_weight(step->changes.items[0].key) &&
           slice_find(step->reason, SLICE("force_parameter_static_shapes = False")) != SIZE_MAX;
}

static void add_size(struct buf *text, struct advising *a, const struct cause *cause, const struct step *step) {
    const struct guard_change *constant = specialized_change(a, step);
    if (!step_has_other_mark(step) && is_of_parameter(step)) {
        buf_add_lit(text,
                    "Set `torch._dynamo.config.force_parameter_static_shapes = False`: by default, the sizes of `");
        note_name_add(text, a, cause);
        buf_add_lit(text, "`, a parameter, are constants, so each shape gets a version.");
    } else if (step_has_other_mark(step))
        buf_add_lit(text, NOTE_MARK);
    else if (constant)
        buf_addf(text,
                 "The line where `%.*s` is specialized needs a constant, such as a size that equals a static one, or a "
                 "number for Python, so each size gets a version: change that line, or pad to a few sizes.",
                 SLICE_ARG(constant->source));
}

/* Adds a note on an attribute that was set together with size changes. Returns false if the sizes cannot be dynamic. */
static bool note_set(struct advising *a, const struct cause *cause, const struct step *step, struct slice name) {
    AUTO_BUF text = {0};
    buf_addf(&text, "In %.*s, `%.*s` is set, unlike in %.*s. If a call sets it, set it before the first call",
             SLICE_ARG(compile_key(a, step->compile)), SLICE_ARG(name), SLICE_ARG(compile_key(a, step->nearest)));
    bool advised = advise_dynamic_after(a, cause, step, buf_slice(&text));
    return advised;
}

void note_size(struct advising *a, const struct cause *cause) {
    const struct step *step = note_step(a, cause);
    struct buf text = {0}, name = {0};
    bool set = step && add_set_beside(&name, step) && note_set(a, cause, step, buf_slice(&name));
    buf_free(&name);
    if (!step || set || note_modules(a, step))
        return;
    add_size(&text, a, cause, step);
    if (text.len)
        note_cite(a, cause, advice_add(a, cause->type, &text));
    else
        note_other(a, cause);
}
