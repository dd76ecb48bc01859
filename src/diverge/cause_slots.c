/* Slots: matching compiles of the ranks. */

#include "diverge/cause_finder.h"

const struct rank_compile *slot_any(const struct finder *f, const struct slot *slot, size_t *rank) {
    (void)f;
    if (!slot->have)
        return NULL;
    *rank = slot_rank(slot, 0);
    return slot->compiles[0];
}

size_t slot_place(const struct finder *f, const struct slot *slot, size_t rank) {
    return rank_compile_place(f->facts[rank], slot_at(slot, rank)->id);
}

/* Makes room for more ranks. If many ranks have the slot, usually all do. */
static void grow_slot(struct finder *f, struct slot *slot) {
    uint32_t cap = slot->cap ? 2 * slot->cap : 4;
    cap = cap > f->count / 8 ? (uint32_t)f->count : cap;
    const struct rank_compile **compiles = arena_alloc(&f->arena, cap * sizeof *compiles);
    uint32_t *ranks = slot->ranks ? arena_alloc(&f->arena, cap * sizeof *ranks) : NULL;
    if (slot->have)
        memcpy(compiles, slot->compiles, slot->have * sizeof *compiles);
    if (slot->have && ranks)
        memcpy(ranks, slot->ranks, slot->have * sizeof *ranks);
    slot->compiles = compiles;
    slot->ranks = ranks;
    slot->cap = cap;
}

/* Ranks are added in their order. A second compile with the same slot replaces the first. */
static void add_to_slot(struct finder *f, struct slot *slot, size_t rank, const struct rank_compile *compile) {
    if (slot->have && slot_rank(slot, slot->have - 1) == rank) {
        slot->compiles[slot->have - 1] = compile;
        return;
    }
    if (slot->have == slot->cap)
        grow_slot(f, slot);
    if (!slot->have)
        slot->first = (uint32_t)rank;
    if (!slot->ranks && rank != slot->first + slot->have) { /* the first gap */
        uint32_t *ranks = arena_alloc(&f->arena, slot->cap * sizeof *ranks);
        for (uint32_t i = 0; i < slot->have; i++)
            ranks[i] = slot->first + i;
        slot->ranks = ranks;
    }
    if (slot->ranks)
        slot->ranks[slot->have] = (uint32_t)rank;
    slot->compiles[slot->have++] = compile;
}

static void find_slots_of(struct finder *f, size_t rank, struct map *known) {
    const struct rank_facts *facts = f->facts[rank];
    bool room = true;
    f->slot_of[rank] = arena_alloc(&f->arena, (facts->compiles.count + 1) * sizeof **f->slot_of);
    for (size_t i = 0; i < facts->compiles.count; i++) {
        struct slice key = rank_slot(facts, i);
        bool added;
        room = room && (f->slots.count + 1) * f->count <= CAUSE_CELLS_MAX;
        uint32_t at = room ? *map_put_in(&f->arena, known, key, (uint32_t)f->slots.count, &added) : map_get(known, key);
        f->slot_of[rank][i] = at == MAP_NONE ? NO_SLOT : at;
        if (at == MAP_NONE)
            continue;
        if (at == f->slots.count)
            ARENA_ADD(&f->arena, &f->slots, (struct slot){0});
        add_to_slot(f, &f->slots.items[at], rank, facts->compiles.items[i]);
    }
}

/* Orders all slots consistently with each rank: a slot that only some ranks have comes after the slots that precede it
 * there. */
void slots_find(struct finder *f) {
    struct map known = {0};
    for (size_t r = 0; r < f->count; r++)
        if (rank_is_compared(f->facts[r]))
            find_slots_of(f, r, &known);
    size_t count = f->slots.count, head = count;
    uint32_t *next =
        arena_alloc(&f->arena, (count + 1) * sizeof *next); /* a ring through all slots; index `count` is its head */
    bool *placed = arena_zalloc(&f->arena, (count + 1) * sizeof *placed);
    next[head] = (uint32_t)head;
    for (size_t r = 0; r < f->count; r++) {
        size_t cursor = head;
        for (size_t i = 0; rank_is_compared(f->facts[r]) && i < f->facts[r]->compiles.count; i++) {
            uint32_t slot = f->slot_of[r][i];
            if (slot == NO_SLOT)
                continue;
            if (!placed[slot]) {
                next[slot] = next[cursor];
                next[cursor] = slot;
                placed[slot] = true;
            }
            cursor = slot;
        }
    }
    f->order = arena_alloc(&f->arena, (count + 1) * sizeof *f->order);
    size_t at = 0;
    for (uint32_t slot = next[head]; slot != head; slot = next[slot])
        f->order[at++] = slot;
    assert(at == count);
    f->last_of = arena_alloc(&f->arena, (f->count + 1) * sizeof *f->last_of);
    f->stopped = arena_zalloc(&f->arena, (f->count + 1) * sizeof *f->stopped);
    for (size_t r = 0; r < f->count; r++)
        f->last_of[r] = -1;
    for (at = 0; at < count; at++)
        for (uint32_t i = 0; i < f->slots.items[f->order[at]].have; i++)
            f->last_of[slot_rank(&f->slots.items[f->order[at]], i)] = (int64_t)at;
}
