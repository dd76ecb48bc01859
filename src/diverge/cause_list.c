/* The list of causes found so far. */
#include "diverge/cause_finder.h"
#include "scan/library.h"

struct slice text_keep(struct finder *f, struct buf *text) {
    struct slice kept = arena_slice(&f->causes->arena, buf_slice(text));
    buf_free(text);
    return kept;
}

struct root_cause *cause_find_between(const struct finder *f, const uint32_t *side_of, const struct place *function) {
    struct root_cause *order = function ? NULL : cause_of_order(f, side_of);
    uint32_t sides = 0;
    if (order)
        return order;
    for (size_t r = 0; r < f->count; r++)
        sides = side_of[r] != NO_SIDE && side_of[r] + 1 > sides ? side_of[r] + 1 : sides;
    for (size_t i = 0; i < f->causes->list.count && sides <= SIDES_MAX; i++) {
        struct root_cause *cause = f->causes->list.items[i];
        bool parts = cause->sides.count == sides && cause->kind != CAUSE_CONFIGURATION &&
                     cause->kind != CAUSE_COMPILE_ORDER && !cause_is_later(f, cause) &&
                     (!function || slice_eq(cause->frame.function, function->function));
        uint32_t of[SIDES_MAX], back[SIDES_MAX];
        memset(of, 0xff, sizeof of);
        memset(back, 0xff, sizeof back);
        for (size_t r = 0; r < f->count && parts; r++) {
            uint32_t mine = side_of[r], its = cause->side_of[r];
            if (mine == NO_SIDE)
                continue;
            parts = its != NO_SIDE && (of[mine] == NO_SIDE || of[mine] == its) &&
                    (back[its] == NO_SIDE || back[its] == mine);
            if (parts) {
                of[mine] = its;
                back[its] = mine;
            }
        }
        if (parts)
            return cause;
    }
    return NULL;
}

static void note_calls(const struct finder *f, struct root_cause *cause, enum aspect aspect) {
    if (aspect != ASPECT_COLLECTIVES)
        return;
    cause->calls = true;
    cause->calls_at = f->at;
}

static void fill_sides(struct finder *f, struct arena *arena, struct root_cause *cause, const uint32_t *side_of) {
    size_t ranks = 0;
    cause->rank_count = f->count;
    cause->side_of = ARENA_COPY(arena, side_of, f->count);
    for (size_t r = 0; r < f->count; r++) {
        if (side_of[r] == NO_SIDE)
            continue;
        ranks++;
        while (cause->sides.count <= side_of[r])
            ARENA_ADD(arena, &cause->sides, (struct cause_side){0});
        struct cause_side *side = &cause->sides.items[side_of[r]];
        ARENA_ADD(arena, &side->ranks, (uint32_t)r);
    }
    cause->usual = -1;
    for (size_t s = 0; s < cause->sides.count; s++)
        if (cause->sides.items[s].ranks.count * 2 > ranks)
            cause->usual = (int64_t)s;
}

void draft_fill_sides(struct finder *f, struct root_cause *draft, const uint32_t *side_of) {
    fill_sides(f, &f->scratch, draft, side_of);
}

struct root_cause *cause_add(struct finder *f, enum root_cause_kind kind, enum aspect aspect, const uint32_t *side_of) {
    if (f->causes->list.count == ROOT_CAUSES_MAX) {
        f->causes->more++;
        return NULL;
    }
    struct root_cause *cause = arena_zalloc(&f->causes->arena, sizeof *cause);
    *cause =
        (struct root_cause){.kind = kind, .aspect = aspect, .order = f->at, .first_at = {-1, -1}, .last_at = {-1, -1}};
    fill_sides(f, &f->causes->arena, cause, side_of);
    note_calls(f, cause, aspect);
    ARENA_ADD(&f->causes->arena, &f->causes->list, cause);
    return cause;
}

void cause_add_here(struct finder *f, struct root_cause *cause) {
    if (!cause)
        return;
    for (size_t i = 0; i < f->here.count; i++)
        if (f->here.items[i] == cause)
            return;
    ARENA_ADD(&f->scratch, &f->here, cause);
}

void cause_add_consequence(struct finder *f, struct root_cause *cause, enum aspect aspect, struct slice compile,
                           struct buf *first) {
    note_calls(f, cause, aspect);
    if (cause->consequences.count == CONSEQUENCES_MAX) {
        cause->more++;
        buf_free(first);
        return;
    }
    ARENA_ADD(&f->causes->arena, &cause->consequences, (struct consequence){aspect, compile, text_keep(f, first)});
}

void cause_fill_compiles(struct root_cause *cause, const struct slot *slot) {
    for (size_t s = 0; s < cause->sides.count; s++) {
        struct cause_side *side = &cause->sides.items[s];
        const struct rank_compile *c = slot_at(slot, side->ranks.items[0]);
        side->compile = c ? c->id : (struct slice){0};
        side->place = c ? c->place : (struct place){0};
    }
    size_t outlier = cause_outlier_side(cause), any = outlier;
    while (any + 1 < cause->sides.count && !cause->sides.items[any].compile.ptr)
        any++;
    if (!cause->sides.items[any].compile.ptr)
        any = 0;
    cause->compile = cause->sides.items[any].compile;
    cause->place = cause->sides.items[any].place;
    cause->frame = cause->place;
    const struct rank_compile *c =
        cause->sides.items[any].compile.ptr ? slot_at(slot, cause->sides.items[any].ranks.items[0]) : NULL;
    if (c && is_library_file(c->place.file) && c->user.file.ptr)
        cause->place = c->user;
}

void function_add(struct buf *out, const struct rank_compile *c) {
    if (c->place.function.len)
        buf_add(out, slice_first(c->place.function, 120));
    else
        buf_add(out, c->id);
}

void function_add_code(struct buf *out, const struct rank_compile *c) {
    bool code = c->place.function.len && slice_find(c->place.function, SLICE("`")) == SIZE_MAX;
    buf_add_str(out, code ? "`" : "");
    function_add(out, c);
    buf_add_str(out, code ? "`" : "");
}

struct slice reason_words(struct slice reason) {
    struct slice line = reason;
    slice_next_line(&reason, &line);
    size_t comment = slice_find(line, SLICE("  # "));
    return slice_first(slice_trim(comment == SIZE_MAX ? line : slice_first(line, comment)), CAUSE_TEXT_MAX);
}
