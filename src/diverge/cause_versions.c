/* Differences that earlier versions of a function explain: a size that became dynamic, guards that depend on the order.
 */
#include "diverge/cause_finder.h"
#include "diverge/rank_recompile.h"

enum { EARLIER_MAX = 2000 }; /* compiles that are searched */

static const struct slot *slot_here(const struct finder *f) {
    return &f->slots.items[f->order[f->at]];
}

/* The first rank on this side; NO_SIDE: none. */
static uint32_t first_on(const struct finder *f, const uint32_t *side_of, uint32_t side) {
    for (uint32_t r = 0; r < f->count; r++)
        if (side_of[r] == side)
            return r;
    return NO_SIDE;
}

bool cause_is_later(const struct finder *f, const struct root_cause *cause) {
    bool presence = cause->kind == CAUSE_RECOMPILE || cause->kind == CAUSE_EXTRA || cause->kind == CAUSE_OTHER;
    for (size_t s = 0; s < cause->sides.count && presence; s++) {
        const struct cause_side *side = &cause->sides.items[s];
        uint32_t rank = side->ranks.items[0];
        if (side->compile.ptr && slot_at(slot_here(f), rank) &&
            rank_compile_place(f->facts[rank], side->compile) > slot_place(f, slot_here(f), rank))
            return true;
    }
    return false;
}

/* Whether a version of the function precedes the current one on one rank and follows it on the other. */
static bool is_passed(const struct finder *f, uint32_t rank, uint32_t other) {
    const struct slot *slot = slot_here(f);
    const struct rank_facts *facts = f->facts[rank];
    size_t at = slot_place(f, slot, rank), its = slot_place(f, slot, other);
    for (size_t i = at > EARLIER_MAX ? at - EARLIER_MAX : 0; i < at; i++) {
        uint32_t before = f->slot_of[rank][i];
        const struct slot *found = before == NO_SLOT ? NULL : &f->slots.items[before];
        if (found && slice_eq(facts->compiles.items[i]->frame, facts->compiles.items[at]->frame) &&
            slot_at(found, other) && slot_place(f, found, other) > its)
            return true;
    }
    return false;
}

struct root_cause *cause_of_order(const struct finder *f, const uint32_t *side_of) {
    struct root_cause *cause = cause_find(f, CAUSE_COMPILE_ORDER, side_of, NULL);
    uint32_t a = first_on(f, side_of, 0), b = first_on(f, side_of, 1);
    bool both = cause && a != NO_SIDE && b != NO_SIDE && slot_at(slot_here(f), a) && slot_at(slot_here(f), b);
    return both && (is_passed(f, a, b) || is_passed(f, b, a)) ? cause : NULL;
}

/* Whether the rank had recompiled the function of the current slot before, because of a size. */
static bool had_other_sizes(const struct finder *f, uint32_t rank) {
    const struct rank_facts *facts = f->facts[rank];
    if (rank == NO_SIDE || !slot_at(slot_here(f), rank))
        return false;
    size_t at = slot_place(f, slot_here(f), rank);
    for (size_t i = at > EARLIER_MAX ? at - EARLIER_MAX : 0; i < at; i++) {
        const struct rank_compile *c = facts->compiles.items[i];
        if (c->number > 0 && slice_eq(c->frame, facts->compiles.items[at]->frame) && rank_recompile_is_of_size(c))
            return true;
    }
    return false;
}

struct root_cause *cause_of_dynamic(const struct finder *f, const uint32_t *side_of) {
    uint32_t a = first_on(f, side_of, 0), b = first_on(f, side_of, 1);
    for (size_t i = 0; i < f->causes->list.count && had_other_sizes(f, a) != had_other_sizes(f, b); i++) {
        struct root_cause *cause = f->causes->list.items[i];
        size_t have = had_other_sizes(f, b);
        if (cause->kind != CAUSE_RECOMPILE || !same_sides(f, cause->side_of, side_of))
            continue;
        const struct cause_side *side = &cause->sides.items[have];
        const struct rank_compile *c =
            side->compile.ptr ? rank_compile_by_id(f->facts[side->ranks.items[0]], side->compile) : NULL;
        if (c && rank_recompile_is_of_size(c))
            return cause;
    }
    return cause_of_order(f, side_of);
}
