/* Compiles of which some ranks have only the beginning. A backward is compiled when it first runs. A rank that never
 * gets there, or whose log ends before, has a shorter list of cache results, collectives and tensors, and takes less
 * time. The missing backward is one cause; if the log ends, its end is another. */
#include "diverge/cause_finder.h"

enum { OTHERS_MAX = 16 };

/* Different compiles whose beginning others may be. Merged ranks share them. */
struct others {
    const struct rank_compile *items[OTHERS_MAX];
    size_t count;
};

static bool begins_any(const struct rank_compile *c, const struct others *others) {
    for (size_t i = 0; i < others->count; i++)
        if (rank_compile_begins(c, others->items[i]))
            return true;
    return false;
}

/* Returns false if no compile can be the beginning of another. */
static bool find_others(const struct slot *slot, struct others *others) {
    bool with = false, without = false, ended = false, missing = false;
    for (uint32_t i = 0; i < slot->have; i++) {
        const struct rank_compile *c = slot->compiles[i];
        with |= c->backward;
        without |= !c->backward;
        missing |= c->status == STATUS_MISSING;
        ended |= c->status != STATUS_MISSING;
    }
    for (uint32_t i = 0; i < slot->have && others->count < OTHERS_MAX; i++) {
        const struct rank_compile *c = slot->compiles[i];
        bool last = others->count && others->items[others->count - 1] == c;
        if (!last && (with ? c->backward : c->status != STATUS_MISSING))
            others->items[others->count++] = c;
    }
    return (with && without) || (ended && missing);
}

/* Whether the rank ends elsewhere, or compiles nothing after another compile: that is a separate cause. */
static bool ends_elsewhere(const struct finder *f, size_t rank) {
    return f->facts[rank]->unfinished.count || f->stopped[rank];
}

static void note(struct finder *f, const struct slot *slot) {
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    uint32_t *side_of = arena_alloc(&f->scratch, (f->count + 1) * sizeof *side_of);
    for (uint32_t i = 0; i < slot->have; i++) {
        size_t rank = slot_rank(slot, i);
        if (slot->compiles[i]->backward)
            values[rank] = 1;
        else if (f->begun[rank] && !ends_elsewhere(f, rank))
            values[rank] = 2;
    }
    if (split(f, values, side_of) < 2)
        return;
    const struct rank_compile *c = slot->compiles[0];
    struct root_cause *cause = cause_find(f, CAUSE_BACKWARD, side_of, NULL);
    if (cause) {
        struct buf text = {0};
        buf_add_lit(&text, "the backward of ");
        function_add_code(&text, c);
        buf_add_lit(&text, ", too");
        cause_add_consequence(f, cause, ASPECT_COMPILE_IDS, c->id, &text);
    } else if ((cause = cause_add(f, CAUSE_BACKWARD, ASPECT_COMPILE_IDS, side_of))) {
        cause_fill_compiles(cause, slot);
        for (size_t s = 0; s < cause->sides.count; s++) {
            struct cause_side *side = &cause->sides.items[s];
            side->stops = values[side->ranks.items[0]] == 2;
            side->text = side->stops ? SLICE("no backward") : SLICE("compiles its backward");
        }
    }
    cause_add_here(f, cause);
}

void look_at_backward(struct finder *f, const struct slot *slot) {
    struct others others = {0};
    size_t found = 0;
    f->begun = NULL;
    if (!find_others(slot, &others))
        return;
    bool *begun = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *begun);
    for (uint32_t i = 0; i < slot->have; i++) {
        begun[slot_rank(slot, i)] = begins_any(slot->compiles[i], &others);
        found += begun[slot_rank(slot, i)];
    }
    if (!found)
        return;
    f->begun = begun;
    note(f, slot);
}
