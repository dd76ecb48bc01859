/* Compiles with different graphs: finds where and how they differ. */
#include "base/json.h"
#include "diverge/cause_finder.h"
#include "scan/fx_graph.h"
#include "scan/library.h"

static uint64_t path_value(const struct rank_compile *c) {
    uint64_t hash = 1;
    for (size_t i = 0; c->trace && i < c->trace->count; i++)
        hash = hash_mix(hash, step_value(&c->trace->steps[i]));
    return hash | 1;
}

static struct place place_of_step(const struct graph_step *step) {
    return (struct place){step->file, step->function, step->line};
}

static bool same_operation(struct slice line, struct slice other) {
    struct fx_item one, two;
    return fx_statement_read(slice_trim(line), &one) && fx_statement_read(slice_trim(other), &two) &&
           noise_hash(one.name) == noise_hash(two.name) &&
           noise_hash(fx_value(one.right)) == noise_hash(fx_value(two.right));
}

/* Adds the first operation of the step that the other step does not have, as "name = value": the operations of a source
 * line may begin alike. */
static void add_operation(struct buf *out, const struct graph_step *step, const struct graph_step *other) {
    struct slice mine = step->text, its = other ? other->text : (struct slice){0}, line, its_line, first = {0};
    struct fx_item item;
    while (slice_next_line(&mine, &line)) {
        bool there = slice_next_line(&its, &its_line);
        if (!fx_statement_read(slice_trim(line), &item) || !item.name.len)
            continue;
        first = first.ptr ? first : slice_trim(line);
        if (there && same_operation(line, its_line))
            continue;
        BUF_ADD(out, slice_first(item.name, CAUSE_TEXT_MAX), " = ", slice_first(fx_value(item.right), CAUSE_TEXT_MAX));
        return;
    }
    buf_add(out, slice_first(first, CAUSE_TEXT_MAX));
}

/* Where graphs diverge: the step of each side, and the kind of difference. */
struct difference {
    const struct slot *slot;
    size_t at;
    struct root_cause draft; /* only its sides are set */
};

static const struct rank_compile *side_compile(const struct difference *difference, size_t side) {
    return slot_at(difference->slot, difference->draft.sides.items[side].ranks.items[0]);
}

static const struct graph_step *side_step(const struct difference *difference, size_t side) {
    return step_of(side_compile(difference, side), difference->at);
}

static bool same_line(const struct graph_step *a, const struct graph_step *b) {
    return a->line == b->line && slice_eq(a->file, b->file);
}

/* A line from another version of the file: different code at the same place, or the same code of the function at
 * another place. */
static bool other_version(const struct graph_step *a, const struct graph_step *b) {
    if (!a->code.len || !b->code.len || !slice_eq(a->file, b->file))
        return false;
    bool same_code = slice_eq(a->code, b->code);
    return a->line == b->line ? !same_code : same_code && slice_eq(a->function, b->function) && a->ops == b->ops;
}

static enum root_cause_kind kind_of(const struct difference *difference) {
    const struct graph_step *first = side_step(difference, 0);
    bool lines = false, version = false;
    for (size_t s = 1; s < difference->draft.sides.count; s++) {
        const struct graph_step *step = side_step(difference, s);
        lines |= !step || !first || !same_line(step, first);
        version |= step && first && other_version(step, first);
    }
    return version ? CAUSE_SOURCE : lines ? CAUSE_BRANCH : CAUSE_OPERATIONS;
}

static bool is_of_parts(const struct difference *difference) {
    struct slice texts[SIDES_MAX] = {0};
    for (size_t s = 0; s < difference->draft.sides.count && s < SIDES_MAX; s++)
        texts[s] = side_step(difference, s) ? side_step(difference, s)->text : (struct slice){0};
    return are_parts(&difference->draft, texts);
}

static void fill_side(struct finder *f, struct difference *difference, size_t s, enum root_cause_kind kind) {
    struct cause_side *side = &difference->draft.sides.items[s];
    const struct rank_compile *c = side_compile(difference, s);
    const struct graph_step *step = side_step(difference, s);
    struct buf text = {0};
    side->compile = c->id;
    side->place = step && step->file.ptr ? place_of_step(step) : c->place;
    if (!step)
        buf_add_lit(&text, CAUSE_GRAPH_ENDS);
    else if (kind != CAUSE_OPERATIONS && kind != CAUSE_PARTS && step->code.len)
        buf_add(&text, step->code);
    else
        add_operation(&text, step, side_step(difference, s ? 0 : 1));
    side->text = text_keep(f, &text);
}

/* The outlying side's line, or, if its graph ends there, the others' next one. The comment above a node only has the
 * innermost frame: if that frame is in a library, the preceding user line counts. */
static struct place place_of_difference(const struct difference *difference) {
    size_t outlier = cause_outlier_side(&difference->draft);
    const struct rank_compile *c = side_compile(difference, outlier);
    const struct graph_step *step = side_step(difference, outlier);
    if (!step)
        step = side_step(difference, outlier ? 0 : 1);
    struct place place = step && step->file.ptr ? place_of_step(step) : c->place;
    for (size_t i = difference->at; is_library_file(place.file) && i-- > 0;) {
        const struct graph_step *before = step_of(c, i);
        if (before && before->file.ptr && !is_library_file(before->file))
            place = place_of_step(before);
    }
    return is_library_file(place.file) && c->user.file.ptr ? c->user : place;
}

static void note_parting(struct finder *f, const struct slot *slot, size_t at, const uint32_t *side_of) {
    struct difference difference = {slot, at, {0}};
    draft_fill_sides(f, &difference.draft, side_of);
    enum root_cause_kind kind = is_of_parts(&difference) ? CAUSE_PARTS : kind_of(&difference);
    const struct rank_compile *c = side_compile(&difference, cause_outlier_side(&difference.draft));
    struct place place = kind == CAUSE_PARTS ? c->place : place_of_difference(&difference);
    struct root_cause *cause =
        cause_find(f, kind, side_of, kind == CAUSE_SOURCE || kind == CAUSE_PARTS ? NULL : &place);
    if (cause) {
        struct buf text = {0};
        function_add_code(&text, c);
        buf_add_str(&text, kind == CAUSE_SOURCE ? " also has different code" : " also has a different graph");
        cause_add_consequence(f, cause, ASPECT_GRAPHS, c->id, &text);
    } else if ((cause = cause_add(f, kind, ASPECT_GRAPHS, side_of))) {
        for (size_t s = 0; s < difference.draft.sides.count; s++) {
            fill_side(f, &difference, s, kind);
            cause->sides.items[s].compile = difference.draft.sides.items[s].compile;
            cause->sides.items[s].place = difference.draft.sides.items[s].place;
            cause->sides.items[s].text = difference.draft.sides.items[s].text;
        }
        cause->place = place;
        cause->compile = c->id;
        cause->frame = c->place;
    }
    if (cause && kind != CAUSE_PARTS && difference.draft.sides.count == 2)
        note_further(f, slot, cause, &difference.draft, at);
    cause_add_here(f, cause);
}

/* The first step that is not equal in all compiles. */
static size_t first_step(const struct slot *slot, const uint64_t *values, size_t count) {
    const struct rank_compile *first = NULL;
    size_t at = SIZE_MAX;
    for (size_t r = 0; r < count; r++) {
        if (!values[r])
            continue;
        if (!first) {
            first = slot_at(slot, r);
            continue;
        }
        size_t i = 0;
        while (i < at && step_of(first, i) && step_of(slot_at(slot, r), i) &&
               step_value(step_of(first, i)) == step_value(step_of(slot_at(slot, r), i)))
            i++;
        if (i < at && (step_of(first, i) || step_of(slot_at(slot, r), i)))
            at = i;
    }
    return at;
}

static uint64_t sizes_value(const struct rank_compile *c) {
    return c->sizes.ptr ? noise_hash(c->sizes) : 1;
}

static bool is_name_byte(char c) {
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
}

/* Whether the sizes (JSON) are equal except for some that are a symbol ("s77") in one of them. */
static bool sizes_differ_by_symbols(struct slice a, struct slice b) {
    size_t i = 0, j = 0;
    bool symbols = false;
    while (i < a.len && j < b.len) {
        size_t x = i, y = j;
        if (a.ptr[i] == b.ptr[j] && !is_name_byte(a.ptr[i])) {
            i++, j++;
            continue;
        }
        bool quoted[2] = {a.ptr[i] == '"', b.ptr[j] == '"'};
        i += quoted[0], j += quoted[1];
        size_t word_a = i, word_b = j;
        while (i < a.len && is_name_byte(a.ptr[i]))
            i++;
        while (j < b.len && is_name_byte(b.ptr[j]))
            j++;
        if (i == x && j == y)
            return false; /* two bytes that differ outside of names */
        if (slice_eq(slice_make(a.ptr + x, i - x), slice_make(b.ptr + y, j - y)))
            continue;
        if (quoted[0] == quoted[1] || word_a == i || word_b == j)
            return false;
        i += quoted[0], j += quoted[1];
        symbols = true;
    }
    return symbols && i >= a.len && j >= b.len;
}

static enum root_cause_kind kind_of_sizes(const struct slot *slot, const uint32_t *side_of, size_t count) {
    const struct rank_compile *first = NULL;
    uint32_t first_side = 0;
    for (size_t r = 0; r < count; r++) {
        if (side_of[r] == NO_SIDE)
            continue;
        if (!first) {
            first = slot_at(slot, r);
            first_side = side_of[r];
        } else if (side_of[r] != first_side && !sizes_differ_by_symbols(first->sizes, slot_at(slot, r)->sizes)) {
            return CAUSE_SIZES;
        }
    }
    return CAUSE_DYNAMIC;
}

/* The first step whose type differs between the sides. SIZE_MAX: none, so the difference is in a tensor without a step.
 */
static size_t first_type(const struct root_cause *cause, const struct slot *slot) {
    const struct rank_compile *first = slot_at(slot, cause->sides.items[0].ranks.items[0]);
    size_t at = SIZE_MAX;
    for (size_t s = 1; s < cause->sides.count; s++) {
        const struct rank_compile *c = slot_at(slot, cause->sides.items[s].ranks.items[0]);
        size_t i = 0;
        while (i < at && step_of(first, i) && step_of(c, i) && slice_eq(step_of(first, i)->type, step_of(c, i)->type))
            i++;
        at = i < at && step_of(first, i) && step_of(c, i) ? i : at;
    }
    return at;
}

static void fill_tensors(struct root_cause *cause, const struct slot *slot) {
    cause_fill_compiles(cause, slot);
    size_t at = cause->kind == CAUSE_TENSORS ? first_type(cause, slot) : SIZE_MAX;
    for (size_t s = 0; s < cause->sides.count; s++) {
        const struct rank_compile *c = slot_at(slot, cause->sides.items[s].ranks.items[0]);
        const struct graph_step *step = at == SIZE_MAX ? NULL : step_of(c, at);
        if (cause->kind == CAUSE_SIZES || cause->kind == CAUSE_DYNAMIC)
            cause->sides.items[s].text = slice_first(c->sizes, CAUSE_TEXT_MAX);
        else if (step)
            cause->sides.items[s].text = step->type;
    }
}

/* The cause of different tensors: a setting that makes sizes dynamic and splits the ranks in the same way, sizes that
 * only some ranks had before, or an earlier cause of this kind. */
static struct root_cause *tensors_cause(const struct finder *f, enum root_cause_kind kind, const uint32_t *side_of) {
    struct root_cause *settings = kind == CAUSE_DYNAMIC ? cause_find(f, CAUSE_CONFIGURATION, side_of, NULL) : NULL;
    if (settings && settings->dynamic)
        return settings;
    struct root_cause *before = kind == CAUSE_DYNAMIC ? cause_of_dynamic(f, side_of) : NULL;
    return before ? before : cause_find(f, kind, side_of, NULL);
}

/* Notes that graphs of the same lines differ: in sizes, or in other properties of their tensors. */
static void note_tensors(struct finder *f, const struct slot *slot, const uint64_t *graphs) {
    uint64_t *sizes = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *sizes);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    bool traced = true;
    for (size_t r = 0; r < f->count; r++) {
        sizes[r] = graphs[r] ? sizes_value(slot_at(slot, r)) : 0;
        traced &=
            !graphs[r] || (slot_at(slot, r)->trace && slot_at(slot, r)->trace->count && !slot_at(slot, r)->trace->cut);
    }
    enum root_cause_kind kind = traced ? CAUSE_TENSORS : CAUSE_GRAPH;
    if (split(f, sizes, side_of) > 1)
        kind = kind_of_sizes(slot, side_of, f->count);
    else
        split(f, graphs, side_of);
    struct root_cause *cause = tensors_cause(f, kind, side_of);
    if (cause) {
        size_t rank = 0;
        struct buf text = {0};
        const struct rank_compile *c = slot_any(f, slot, &rank);
        const char *more = cause->kind == kind ? ", too" : "";
        function_add_code(&text, c);
        buf_addf(&text, "%s%s",
                 kind == CAUSE_SIZES     ? " is compiled with different input sizes"
                 : kind == CAUSE_DYNAMIC ? " has dynamic sizes on some ranks only"
                 : kind == CAUSE_TENSORS ? " is compiled with tensors of a different dtype, layout or device"
                                         : " has a different graph",
                 more);
        cause_add_consequence(f, cause, ASPECT_GRAPHS, c->id, &text);
    } else if ((cause = cause_add(f, kind, ASPECT_GRAPHS, side_of))) {
        fill_tensors(cause, slot);
    }
    cause_add_here(f, cause);
}

/* Whether an input of both compiles has different sizes. */
static bool inputs_differ(struct finder *f, const struct rank_compile *a, const struct rank_compile *b) {
    struct slice mine = a->sizes, its = b->sizes;
    yyjson_val *inputs, *others, *name, *sizes;
    size_t i, max;
    if (json_read(&mine, JSON_NUMBERS, &f->scratch, &inputs) != JSON_STRICT ||
        json_read(&its, JSON_NUMBERS, &f->scratch, &others) != JSON_STRICT)
        return false;
    yyjson_obj_foreach(inputs, i, max, name, sizes) {
        yyjson_val *other = yyjson_obj_getn(others, yyjson_get_str(name), yyjson_get_len(name));
        if (other && !yyjson_equals(sizes, other))
            return true;
    }
    return false;
}

/* Whether the same line has different operations only because its inputs have different sizes. */
static bool is_of_sizes(struct finder *f, const struct slot *slot, size_t at, const uint64_t *values,
                        const uint32_t *side_of) {
    const struct graph_step *first = NULL;
    struct map side_of_sizes = {0};
    bool of_sizes = true;
    for (size_t r = 0; r < f->count && of_sizes; r++) {
        const struct graph_step *step = values[r] ? step_of(slot_at(slot, r), at) : NULL;
        bool added;
        if (!values[r])
            continue;
        first = first ? first : step;
        of_sizes = step && same_line(step, first) && slice_eq(step->code, first->code) && slot_at(slot, r)->sizes.ptr;
        if (of_sizes)
            of_sizes =
                *map_put_in(&f->scratch, &side_of_sizes, slot_at(slot, r)->sizes, side_of[r], &added) == side_of[r];
    }
    return of_sizes;
}

/* Whether the first ranks of two sides have inputs of different sizes: their graphs may differ for that reason. */
static bool sizes_of_sides_differ(struct finder *f, const struct slot *slot, const uint32_t *side_of) {
    const struct rank_compile *first[2] = {NULL, NULL};
    for (size_t r = 0; r < f->count; r++)
        if (side_of[r] != NO_SIDE && !first[side_of[r]])
            first[side_of[r]] = slot_at(slot, r);
    return first[0] && first[1] && inputs_differ(f, first[0], first[1]);
}

/* Finds where the graphs of a slot have different steps, among the ranks with a value other than 0; then among ranks
 * with the same step. */
static void look_at_paths(struct finder *f, const struct slot *slot, const uint64_t *values, unsigned depth) {
    enum { DEPTH_MAX = 8 };
    uint64_t *paths = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *paths),
             *some = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *some);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    uint32_t sides = split(f, values, side_of);
    if (sides >= 2 && depth < DEPTH_MAX) {
        for (size_t r = 0; r < f->count; r++)
            paths[r] = values[r] ? path_value(slot_at(slot, r)) : 0;
        size_t at = split(f, paths, side_of) > 1 ? first_step(slot, values, f->count) : SIZE_MAX;
        if (at == SIZE_MAX) {
            note_tensors(f, slot, values);
        } else {
            for (size_t r = 0; r < f->count; r++) {
                const struct graph_step *step = values[r] ? step_of(slot_at(slot, r), at) : NULL;
                paths[r] = !values[r] ? 0 : step ? step_value(step) : 2;
            }
            sides = split(f, paths, side_of);
            if (is_of_sizes(f, slot, at, values, side_of)) {
                note_tensors(f, slot, values);
                sides = 0;
            } else {
                if (sides == 2 && sizes_of_sides_differ(f, slot, side_of))
                    note_tensors(f, slot, values);
                note_parting(f, slot, at, side_of);
            }
            for (uint32_t s = 0; s < sides; s++) {
                for (size_t r = 0; r < f->count; r++)
                    some[r] = side_of[r] == s ? values[r] : 0;
                look_at_paths(f, slot, some, depth + 1);
            }
        }
    }
}

/* ---- graph breaks ---- */

static bool is_prefix(const struct rank_compile *c, const struct rank_compile *of) {
    size_t at = 0;
    while (step_of(c, at) && step_of(of, at) && step_value(step_of(c, at)) == step_value(step_of(of, at)))
        at++;
    return !step_of(c, at);
}

/* 1: no graph break; other numbers: its place; 0: unknown. */
static uint64_t break_value(const struct rank_compile *c) {
    if (!c || c->open || c->status == STATUS_ERROR || c->status == STATUS_MISSING)
        return 0;
    return c->breaks ? hash_mix(noise_hash(c->break_at.file), c->break_at.line) | 2 : 1;
}

static void fill_breaks(struct finder *f, struct root_cause *cause, const struct slot *slot) {
    cause_fill_compiles(cause, slot);
    for (size_t s = 0; s < cause->sides.count; s++) {
        struct cause_side *side = &cause->sides.items[s];
        const struct rank_compile *c = slot_at(slot, side->ranks.items[0]);
        struct buf text = {0};
        if (!c->breaks) {
            buf_add_lit(&text, "no graph break");
        } else {
            buf_add(&text, slice_first(c->break_reason, CAUSE_TEXT_MAX));
            side->place = c->break_at;
            cause->place = c->break_at;
        }
        side->text = text_keep(f, &text);
    }
}

/* Finds ranks that run the same lines until the graph breaks on some of them. Then searches for further differences on
 * each side. */
static bool look_at_breaks(struct finder *f, const struct slot *slot, const uint64_t *graphs) {
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    const struct rank_compile *whole = NULL;
    for (size_t r = 0; r < f->count; r++) {
        values[r] = break_value(slot_at(slot, r));
        whole = values[r] == 1 ? slot_at(slot, r) : whole;
    }
    uint32_t sides = split(f, values, side_of);
    bool parts = sides > 1 && whole;
    for (size_t r = 0; r < f->count && parts; r++) {
        const struct rank_compile *c = slot_at(slot, r);
        parts = values[r] < 2 || (c && is_prefix(c, whole));
    }
    struct root_cause *cause = parts ? cause_add(f, CAUSE_GRAPH_BREAK, ASPECT_GRAPHS, side_of) : NULL;
    if (cause)
        fill_breaks(f, cause, slot);
    cause_add_here(f, cause);
    for (uint32_t s = 0; s < sides && parts; s++) {
        for (size_t r = 0; r < f->count; r++)
            values[r] = side_of[r] == s ? graphs[r] : 0;
        look_at_paths(f, slot, values, 0);
    }
    return parts;
}

void look_at_graphs(struct finder *f, const struct slot *slot, const uint64_t *graphs) {
    if (!look_at_breaks(f, slot, graphs))
        look_at_paths(f, slot, graphs, 0);
}
