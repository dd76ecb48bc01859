/* Values that the compiled function itself changes, according to a version's record dynamo_side_effects. */

#include "advice/advice.h"
#include "advice/recompile_advice.h"
#include "analysis/identity.h"
#include "base/renames.h"
#include "scan/guard_text.h"
#include "scan/library.h"

enum { ALONG_MAX = 3, LINES_MAX = 3, PARTS_MAX = 64 /* compiles before a step */ };

/* The change of the source by a run of this version, according to its side effects; NULL: none. */
static const struct changed *compile_changes(const struct compile *version, struct slice source) {
    for (size_t i = 0; i < version->changed.count && source.len; i++)
        if (slice_eq(version->changed.items[i].source, source))
            return &version->changed.items[i];
    return NULL;
}

/* "Net" of "Net.forward" and of "torch_dynamo_resume_in_forward_at_9 (Net)". */
static struct slice class_of(struct slice label) {
    size_t open = slice_find(label, SLICE(" ("));
    if (open != SIZE_MAX && label.len - open > 2) /* a function in the log may be named "f (" */
        return slice_make(label.ptr + open + 2, label.len - open - 3);
    size_t point = slice_rfind_byte(label, '.');
    return slice_first(label, point == SIZE_MAX ? 0 : point);
}

/* Whether the compile is a part of the function, before or after a graph break. */
static bool is_part(const struct compile *compile, const struct compile *other) {
    uint64_t unused;
    return slice_eq(compile->frame.file, other->frame.file) &&
           slice_eq(resumed_function(compile->frame.function, &unused),
                    resumed_function(other->frame.function, &unused)) &&
           slice_eq(class_of(compile->label), class_of(other->label));
}

/* Whether "meter.add" changes `n` of the same object: the source is "G['meter'].n", or "L['self'].n" for "self.add". */
static bool is_called_on(const struct changed *changed, struct slice source) {
    size_t point = changed->called.ptr ? slice_rfind_byte(changed->called, '.') : SIZE_MAX,
           last = slice_rfind_byte(changed->source, '.');
    struct buf names[2] = {{0}, {0}};
    if (point == SIZE_MAX || last == SIZE_MAX)
        return false;
    struct slice object = slice_first(changed->called, point), attribute = slice_from(changed->source, last);
    if (!slice_ends(source, attribute))
        return false;
    size_t first = slice_find(object, SLICE("."));
    struct slice name = slice_first(object, first), rest = slice_from(object, first == SIZE_MAX ? object.len : first);
    for (size_t i = 0; i < 2; i++)
        buf_addf(&names[i], "%c['%.*s']%.*s%.*s", i ? 'L' : 'G', SLICE_ARG(name), SLICE_ARG(rest),
                 SLICE_ARG(attribute));
    bool same =
        slice_eq(buf_slice(&names[0]), source) || (slice_is(name, "self") && slice_eq(buf_slice(&names[1]), source));
    buf_free(&names[0]);
    buf_free(&names[1]);
    return same;
}

/* Whether an object has the same name in all parts of a function: a global, or a member of `self`. */
static bool is_lasting(struct slice source) {
    return slice_starts(source, SLICE("G['")) || slice_starts(source, SLICE("L['self']."));
}

const struct changed *step_changed(const struct model *model, const struct step *step, struct slice source,
                                   uint32_t *version) {
    const struct compile *own = model->compiles.items[step->compile];
    const struct changed *changed =
        step->nearest == NO_VERSION ? NULL : compile_changes(model->compiles.items[ *version = step->nearest], source);
    uint64_t unused;
    if (changed || step->nearest == NO_VERSION || !is_lasting(source))
        return changed;
    struct slice function = resumed_function(own->frame.function, &unused);
    for (uint32_t i = step->compile, n = 0; i-- > 0 && n < PARTS_MAX; n++) {
        const struct compile *part = model->compiles.items[i];
        *version = i;
        if (part->process != own->process || !part->changed.count)
            continue;
        bool parts = is_part(part, own);
        if (parts && (changed = compile_changes(part, source)))
            return changed;
        for (size_t c = 0; c < part->changed.count && (parts || !own->label.ptr); c++) {
            changed = &part->changed.items[c];
            if (is_called_on(changed, source) && slice_eq(changed->caller.file, own->frame.file) &&
                slice_eq(resumed_function(changed->caller.function, &unused), function))
                return changed;
        }
    }
    return NULL;
}

/* Whether the function can have caused the change: in a value, in a length, or in something that was not set. Writing
 * to a tensor keeps its size. */
static bool is_of_state(const struct guard_change *change) {
    return change->type == GUARD_VALUE || change->type == GUARD_FLOAT || change->type == GUARD_LENGTH ||
           (change->type == GUARD_TYPE && slice_is(change->had, "None"));
}

struct along {
    struct slice sources[ALONG_MAX];
    uint32_t versions[ALONG_MAX];
    size_t count, more;
};

/* Finds an earlier version whose run changes a value that the next call checks. */
static void find(struct along *along, const struct model *model, const struct step *step) {
    if (step->nearest == NO_VERSION)
        return;
    for (size_t i = 0; i < step->changes.count; i++) {
        struct slice source = guard_key_read(step->changes.items[i].key).source;
        uint32_t version;
        bool known = !is_of_state(&step->changes.items[i]) || slice_is(source, "L['kwargs']") || /* new in each call */
                     !step_changed(model, step, source, &version);
        for (size_t n = 0; n < along->count && !known; n++)
            known = slice_eq(along->sources[n], source);
        if (known)
            continue;
        if (along->count == ALONG_MAX) {
            along->more++;
            continue;
        }
        along->sources[along->count] = source;
        along->versions[along->count++] = version;
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

/* Whether the line is in a function that the compiled one calls, and that the program can call elsewhere. */
static bool is_in_callee(const struct chain *chain, const struct place *place) {
    uint64_t unused;
    return place->function.len && !slice_starts(place->function, SLICE("<")) && !slice_is(place->function, "forward") &&
           !slice_eq(place->function, resumed_function(chain->frame.function, &unused));
}

/* The line in the previous version that changed the value that the step fails on; NULL: none, or the step also differs
 * in something that cannot be a symbol. Without the graph break, values that live across it would be globals or
 * attributes. Other lengths have their own advice, note_length(). */
static const struct changed *own_change(const struct model *model, const struct chain *chain, const struct step *step) {
    const struct changed *own = NULL;
    uint32_t version;
    for (size_t i = 0; i < step->changes.count && step->nearest != NO_VERSION; i++) {
        const struct guard_change *change = &step->changes.items[i];
        if (change->symbol.ptr)
            continue;
        const struct changed *changed =
            is_of_state(change) ? step_changed(model, step, guard_key_read(change->key).source, &version) : NULL;
        if (!changed && change->source.ptr && !is_of_stack(change))
            return NULL;
        bool named = changed && changed->place.file.ptr;
        if (named && !own &&
            (is_of_stack(change) || (change->type == GUARD_VALUE && is_in_callee(chain, &changed->place))))
            own = changed;
    }
    return own;
}

struct own_lines {
    const struct changed *items[LINES_MAX];
    size_t count, more, steps;
};

static void note_line(struct own_lines *lines, const struct changed *changed) {
    lines->steps++;
    for (size_t i = 0; i < lines->count; i++)
        if (lines->items[i]->place.line == changed->place.line &&
            slice_eq(lines->items[i]->place.file, changed->place.file))
            return;
    if (lines->count < LINES_MAX)
        lines->items[lines->count++] = changed;
    else
        lines->more++;
}

/* Adds what to move out of the compiled function: the function that contains all of the lines, unless that is the
 * compiled one. */
static void add_what(struct buf *text, const struct chain *chain, const struct own_lines *lines) {
    const struct place *first = &lines->items[0]->place;
    struct slice name = lines->items[0]->called;
    bool callee = is_in_callee(chain, first), one = callee || lines->count + lines->more == 1;
    for (size_t i = 1; i < lines->count; i++) {
        callee &= slice_eq(lines->items[i]->place.function, first->function) &&
                  slice_eq(lines->items[i]->place.file, first->file);
        name = slice_eq(name, lines->items[i]->called) ? name : (struct slice){0};
    }
    name = name.ptr ? name : first->function;
    if (callee)
        buf_addf(text, "Call `%.*s` (", SLICE_ARG(name));
    else
        buf_addf(text, "Make the change%s at ", one ? "" : "s");
    for (size_t i = 0; i < lines->count; i++)
        buf_addf(text, "%s%.*s:%" PRIu64, i ? ", " : "", SLICE_ARG(path_last(lines->items[i]->place.file)),
                 lines->items[i]->place.line);
    buf_addf(text,
             "%s%s outside of the compiled function, and read there what %s: the guards check it, so the next call "
             "fits no version%s.",
             lines->more ? ", …" : "", callee ? ")" : "", one ? "it changes" : "they change",
             name_is_resumed(chain->frame.function) ? ", with or without the graph break" : "");
}

void advise_own(struct advising *a) {
    struct own_lines lines = {.count = 0};
    struct chain *chain = a->chain;
    struct buf text = {0};
    for (size_t i = 0; i < chain->steps.count && i < STEPS_COMPARED_MAX && !is_library_file(chain->frame.file); i++) {
        const struct step *step = &chain->steps.items[i];
        const struct changed *changed = a->said[i] || a->fixed[i] || recompile_failed(a->model, step->compile)
                                          ? NULL
                                          : own_change(a->model, chain, step);
        if (changed)
            note_line(&lines, changed);
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
