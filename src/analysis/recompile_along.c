/* What changes because the compiled function itself changes it, as the record dynamo_side_effects of a version says. */
#include <inttypes.h>

#include "analysis/identity.h"
#include "analysis/recompile_advice.h"
#include "base/path.h"
#include "base/renames.h"
#include "scan/guard_text.h"
#include "scan/library.h"

enum { ALONG_MAX = 3, LINES_MAX = 3 };

const struct changed *compile_changes(const struct compile *version, struct slice source) {
    for (size_t i = 0; i < version->changed.count && source.len; i++)
        if (slice_eq(version->changed.items[i].source, source))
            return &version->changed.items[i];
    return NULL;
}

/* Whether the function can have caused the change: of a value, a length, or of what was not set. A tensor that it writes
 * to keeps its size. */
static bool is_of_state(const struct guard_change *change) {
    return change->type == GUARD_VALUE || change->type == GUARD_FLOAT || change->type == GUARD_LENGTH ||
           (change->type == GUARD_TYPE && slice_is(change->had, "None"));
}

struct along {
    struct slice sources[ALONG_MAX];
    uint32_t versions[ALONG_MAX];
    size_t count, more;
};

/* A version that came before, and whose run changes what the next call checks. */
static void find(struct along *along, const struct model *model, const struct step *step) {
    if (step->nearest == NO_VERSION)
        return;
    for (size_t i = 0; i < step->changes.count; i++) {
        struct slice source = guard_key_read(step->changes.items[i].key).source;
        bool known =
            !is_of_state(&step->changes.items[i]) || !compile_changes(model->compiles.items[step->nearest], source);
        for (size_t n = 0; n < along->count && !known; n++)
            known = slice_eq(along->sources[n], source);
        if (known)
            continue;
        if (along->count == ALONG_MAX) {
            along->more++;
            continue;
        }
        along->sources[along->count] = source;
        along->versions[along->count++] = step->nearest;
    }
}

void chain_add_along(struct buf *out, const struct model *model, const struct chain *chain) {
    struct along along = {.count = 0};
    for (size_t i = 0; i < chain->steps.count && i < STEPS_COMPARED_MAX; i++)
        find(&along, model, &chain->steps.items[i]);
    for (size_t i = 0; i < along.count; i++) {
        buf_add_str(out, i == 0                                ? " The function itself changes `"
                         : i + 1 == along.count && !along.more ? " and `"
                                                               : ", `");
        guard_readable_add(out, along.sources[i]);
        buf_add_byte(out, '`');
    }
    if (along.count)
        buf_addf(out, "%s (side effects of %.*s).", along.more ? " and more" : "",
                 SLICE_ARG(model->compiles.items[along.versions[0]]->key));
}

static bool is_of_stack(const struct guard_change *change) {
    return slice_find(change->source, SLICE("___stack")) != SIZE_MAX;
}

/* Whether the line is in another function than the compiled one, which the program can call elsewhere. */
static bool is_in_callee(const struct chain *chain, const struct place *place) {
    uint64_t unused;
    return place->function.len && !slice_starts(place->function, SLICE("<")) && !slice_is(place->function, "forward") &&
           !slice_eq(place->function, resumed_function(chain->frame.function, &unused));
}

/* The line with which the version before changed what the step fails; NULL: none, or something else differs, too, that
 * no symbol stands for. Values that live across a graph break are globals or attributes without the break. Other lengths
 * have their own advice, note_length(). */
static const struct place *own_change(const struct model *model, const struct chain *chain, const struct step *step) {
    const struct place *place = NULL;
    for (size_t i = 0; i < step->changes.count && step->nearest != NO_VERSION; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->symbol.ptr)
            continue;
        const struct changed *changed = is_of_state(change) ? compile_changes(model->compiles.items[step->nearest],
                                                                              guard_key_read(change->key).source)
                                                            : NULL;
        if (!changed && change->source.ptr && !is_of_stack(change))
            return NULL;
        bool named = changed && changed->place.file.ptr;
        if (named && !place &&
            (is_of_stack(change) || (change->type == GUARD_VALUE && is_in_callee(chain, &changed->place))))
            place = &changed->place;
    }
    return place;
}

struct own_lines {
    struct place items[LINES_MAX];
    size_t count, more, steps;
};

static void note_line(struct own_lines *lines, const struct place *place) {
    lines->steps++;
    for (size_t i = 0; i < lines->count; i++)
        if (lines->items[i].line == place->line && slice_eq(lines->items[i].file, place->file))
            return;
    if (lines->count < LINES_MAX)
        lines->items[lines->count++] = *place;
    else
        lines->more++;
}

/* What to do outside: the function that all of the lines are in, unless that is the compiled one. */
static void add_what(struct buf *text, const struct chain *chain, const struct own_lines *lines) {
    struct slice name = lines->items[0].function;
    bool callee = is_in_callee(chain, &lines->items[0]), one = callee || lines->count + lines->more == 1;
    for (size_t i = 1; i < lines->count; i++)
        callee &= slice_eq(lines->items[i].function, name) && slice_eq(lines->items[i].file, lines->items[0].file);
    if (callee)
        buf_addf(text, "Call `%.*s` (", SLICE_ARG(name));
    else
        buf_addf(text, "Make the change%s at ", one ? "" : "s");
    for (size_t i = 0; i < lines->count; i++)
        buf_addf(text, "%s%.*s:%" PRIu64, i ? ", " : "", SLICE_ARG(path_last(lines->items[i].file)),
                 lines->items[i].line);
    buf_addf(text,
             "%s%s outside of the compiled function: the guards check what %s, so the next call fits no version%s.",
             lines->more ? ", …" : "", callee ? ")" : "", one ? "it changes" : "they change",
             name_is_resumed(chain->frame.function) ? ", with or without the graph break" : "");
}

void advise_own(struct advising *a) {
    struct own_lines lines = {.count = 0};
    struct chain *chain = a->chain;
    struct buf text = {0};
    for (size_t i = 0; i < chain->steps.count && i < STEPS_COMPARED_MAX && !is_library_file(chain->frame.file); i++) {
        const struct step *step = &chain->steps.items[i];
        const struct place *place = a->said[i] || a->fixed[i] || recompile_failed(a->model, step->compile)
                                      ? NULL
                                      : own_change(a->model, chain, step);
        if (place)
            note_line(&lines, place);
    }
    if (lines.steps < 2)
        return;
    add_what(&text, chain, &lines);
    struct advice *advice = NULL;
    for (size_t i = 0; i < chain->steps.count && i < STEPS_COMPARED_MAX; i++) {
        const struct step *step = &chain->steps.items[i];
        if (a->said[i] || a->fixed[i] || recompile_failed(a->model, step->compile) ||
            !own_change(a->model, chain, step))
            continue;
        if (!advice)
            advice = advice_add(a, step->changes.items[0].type, &text);
        advice_cite_part(a, advice, step);
    }
}
