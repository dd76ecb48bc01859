/* Differences between whole logs: settings, ends, order. */

#include "diverge/cause_finder.h"
#include "diverge/rank_recompile.h"
#include "facts/rank_parts.h"
#include "scan/library.h"

/* Settings of Dynamo that determine which sizes are dynamic. */
static bool is_of_dynamic_sizes(const struct finder *f) {
    for (size_t r = 0; r < f->count; r++)
        for (size_t i = 0; rank_is_compared(f->facts[r]) && i < f->facts[r]->apart.count; i++) {
            struct slice setting = f->facts[r]->apart.items[i].key;
            if (slice_is(setting, "dynamo.assume_static_by_default") ||
                slice_is(setting, "dynamo.automatic_dynamic_shapes"))
                return true;
        }
    return false;
}

void look_at_configuration(struct finder *f) {
    const struct divergence *found = &f->divergences->of[ASPECT_CONFIGURATION];
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    memset(side_of, 0xff, (f->count + 1) * sizeof *side_of);
    for (size_t g = 0; g < found->groups.count; g++)
        for (size_t i = 0; i < found->groups.items[g].ranks.count; i++)
            side_of[found->groups.items[g].ranks.items[i]] = (uint32_t)g;
    struct root_cause *cause =
        found->groups.count > 1 ? cause_add(f, CAUSE_CONFIGURATION, ASPECT_CONFIGURATION, side_of) : NULL;
    if (cause)
        cause->dynamic = is_of_dynamic_sizes(f);
    for (size_t s = 0; cause && s < cause->sides.count; s++) {
        const struct side *side = &found->groups.items[s].side;
        struct buf text = {0};
        if (side->ended)
            continue;
        BUF_ADD(&text, side->key, " = ", slice_first(side->value, CAUSE_TEXT_MAX));
        cause->sides.items[s].text = text_keep(f, &text);
    }
}

void look_at_ends(struct finder *f) {
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    for (size_t r = 0; r < f->count; r++) {
        const struct rank_span *span = rank_end(f->facts[r]);
        if (rank_is_compared(f->facts[r]))
            values[r] =
                span ? hash_mix(noise_hash(span->name), noise_hash(span->frame) + !rank_is_read_whole(f->facts[r])) | 2
                     : 1;
    }
    struct root_cause *cause =
        split(f, values, side_of) > 1 ? cause_add(f, CAUSE_UNFINISHED, ASPECT_STATUS, side_of) : NULL;
    for (size_t s = 0; cause && s < cause->sides.count; s++) {
        const struct rank_span *span = rank_end(f->facts[cause->sides.items[s].ranks.items[0]]);
        struct buf text = {0};
        if (!span) {
            buf_addf(&text, "finished %s compiles", cause->sides.items[s].ranks.count == 1 ? "its" : "their");
        } else {
            bool whole = rank_is_read_whole(f->facts[cause->sides.items[s].ranks.items[0]]);
            BUF_ADD(&text, whole ? "ends inside " : "what was read of the log ends inside ",
                    slice_first(span->name, SPAN_NAME_MAX));
            cause->sides.items[s].compile = span->compile;
            cause->sides.items[s].place = span->place;
            if (!cause->compile.ptr || (int64_t)s != cause->usual) {
                cause->compile = span->compile;
                cause->place = span->place;
                cause->frame = span->place;
            }
        }
        cause->sides.items[s].text = text_keep(f, &text);
    }
}

/* The order of the slots that all ranks have: as compiled, or as executed. */
struct sequence {
    LIST(uint32_t) slots;
};

static void common_sequence(struct finder *f, size_t rank, bool runs, struct sequence *sequence) {
    const struct rank_facts *facts = f->facts[rank];
    size_t count = runs ? facts->execution.count : facts->compiles.count;
    sequence->slots.count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t place = runs ? rank_compile_place(facts, facts->execution.items[i]) : (uint32_t)i;
        uint32_t slot = place == MAP_NONE ? NO_SLOT : f->slot_of[rank][place];
        if (slot == NO_SLOT || f->slots.items[slot].have < f->compared)
            continue;
        ARENA_ADD(&f->scratch, &sequence->slots, slot);
    }
}

void look_at_order(struct finder *f, bool runs) {
    enum aspect aspect = runs ? ASPECT_EXECUTION_ORDER : ASPECT_COMPILE_IDS;
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    struct sequence one = {0}, other = {0};
    for (size_t r = 0; r < f->count; r++) {
        if (!rank_is_compared(f->facts[r]) || f->silent[(size_t)aspect * f->count + r] ||
            (!runs && f->facts[r]->unfinished.count))
            continue;
        common_sequence(f, r, runs, &one);
        uint64_t hash = 1;
        for (size_t i = 0; i < one.slots.count; i++)
            hash = hash_mix(hash, one.slots.items[i] + 1);
        values[r] = hash | 1;
    }
    struct root_cause *cause = split(f, values, side_of) > 1
                                 ? cause_add(f, runs ? CAUSE_EXECUTION_ORDER : CAUSE_COMPILE_ORDER, aspect, side_of)
                                 : NULL;
    if (cause) {
        size_t at = SIZE_MAX;
        common_sequence(f, cause->sides.items[0].ranks.items[0], runs, &one);
        for (size_t s = 1; s < cause->sides.count; s++) {
            size_t i = 0;
            common_sequence(f, cause->sides.items[s].ranks.items[0], runs, &other);
            while (i < at && i < one.slots.count && i < other.slots.count && one.slots.items[i] == other.slots.items[i])
                i++;
            at = i < at ? i : at;
        }
        for (size_t s = 0; s < cause->sides.count; s++) {
            struct cause_side *side = &cause->sides.items[s];
            struct buf text = {0};
            common_sequence(f, side->ranks.items[0], runs, &one);
            const struct rank_compile *c =
                at < one.slots.count ? slot_at(&f->slots.items[one.slots.items[at]], side->ranks.items[0]) : NULL;
            if (c) {
                struct slice guard = c->number > 0 ? rank_recompile_guard(c) : (struct slice){0};
                side->compile = c->id;
                side->place = c->place;
                if (guard.len)
                    buf_add(&text, slice_first(guard, CAUSE_TEXT_MAX));
                else
                    function_add(&text, c);
            } else {
                buf_add_lit(&text, "nothing more");
            }
            side->text = text_keep(f, &text);
        }
        size_t outlier = cause_outlier_side(cause);
        cause->compile = cause->sides.items[outlier].compile;
        cause->place = cause->sides.items[outlier].place;
        cause->frame = cause->place;
        const struct rank_compile *c =
            cause->compile.ptr
                ? rank_compile_by_id(f->facts[cause->sides.items[outlier].ranks.items[0]], cause->compile)
                : NULL;
        if (c && is_library_file(c->place.file) && c->user.file.ptr)
            cause->place = c->user;
    } else if (runs && f->divergences->of[aspect].groups.count > 1) {
        /* All ranks run the common graphs in the same order, so the difference is that only some ranks have the other
         * graphs. */
        for (size_t i = 0; i < f->causes->list.count; i++) {
            struct root_cause *found = f->causes->list.items[i];
            if (found->kind != CAUSE_EXTRA && found->kind != CAUSE_OTHER && found->kind != CAUSE_RECOMPILE &&
                found != f->parts)
                continue;
            struct buf text = {0};
            buf_add_lit(&text, "the execution order differs by these graphs and their ids only");
            cause_add_consequence(f, found, aspect, (struct slice){0}, &text);
        }
    }
}

/* After an additional compile, the ids of later compiles on that rank are shifted. */
void look_at_ids(struct finder *f, struct root_cause *cause) {
    enum { SLOTS_MAX = 2000 };
    if ((cause->kind != CAUSE_EXTRA && cause->kind != CAUSE_OTHER) || cause->sides.count < 2)
        return;
    uint32_t a = cause->sides.items[0].ranks.items[0], b = cause->sides.items[1].ranks.items[0];
    for (size_t i = cause->order; i < f->slots.count && i < cause->order + SLOTS_MAX; i++) {
        const struct slot *slot = &f->slots.items[f->order[i]];
        const struct rank_compile *x = slot_at(slot, a), *y = slot_at(slot, b);
        struct buf text = {0};
        if (!x || !y || slice_eq(x->match, y->match))
            continue;
        function_add_code(&text, x);
        BUF_ADD(&text, " is ", x->id, " on ");
        rank_words_add(&text, f->facts, cause->sides.items[0].ranks.items, cause->sides.items[0].ranks.count);
        BUF_ADD(&text, " and ", y->id, " on ");
        rank_words_add(&text, f->facts, cause->sides.items[1].ranks.items, cause->sides.items[1].ranks.count);
        cause_add_consequence(f, cause, ASPECT_COMPILE_IDS, x->id, &text);
        return;
    }
}
