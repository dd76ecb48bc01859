/* Converts the state of ranks' compiles to numbers, and splits ranks into sides by them. */

#include "diverge/cause_finder.h"
#include "diverge/rank_recompile.h"

static void hash_graphs(uint64_t *hashes, const struct rank_facts *facts, const struct rank_graph *graphs,
                        size_t count) {
    for (size_t g = 0; g < count; g++) {
        uint32_t place = rank_compile_place(facts, graphs[g].id);
        if (place == MAP_NONE)
            continue;
        uint64_t *hash = &hashes[place];
        for (size_t i = 0; i < graphs[g].ops.count; i++)
            *hash = hash_mix(*hash, noise_hash(graphs[g].ops.items[i]));
        if (graphs[g].meta.len)
            *hash = hash_mix(*hash, noise_hash(graphs[g].meta));
    }
}

static void find_calls_groups(struct finder *f) {
    const struct divergence *found = &f->divergences->of[ASPECT_COLLECTIVES];
    f->calls_group = arena_alloc(&f->arena, (f->count + 1) * sizeof *f->calls_group);
    memset(f->calls_group, 0xff, (f->count + 1) * sizeof *f->calls_group);
    for (size_t g = 0; g < found->groups.count; g++)
        for (size_t i = 0; i < found->groups.items[g].ranks.count; i++)
            f->calls_group[found->groups.items[g].ranks.items[i]] = (uint32_t)g;
}

void values_prepare(struct finder *f, const uint32_t *alike) {
    struct arena *arena = &f->arena;
    find_calls_groups(f);
    f->silent = arena_zalloc(arena, ASPECTS * (f->count + 1) * sizeof *f->silent);
    f->slot_of = arena_zalloc(arena, (f->count + 1) * sizeof *f->slot_of);
    f->calls = arena_zalloc(arena, (f->count + 1) * sizeof *f->calls);
    f->metas = arena_zalloc(arena, (f->count + 1) * sizeof *f->metas);
    for (int aspect = 0; aspect < ASPECTS; aspect++) {
        const struct divergence *found = &f->divergences->of[aspect];
        for (size_t i = 0; i < found->silent.count; i++)
            f->silent[(size_t)aspect * f->count + found->silent.items[i]] = true;
        for (size_t i = 0; i < found->uncertain.count; i++)
            f->silent[(size_t)aspect * f->count + found->uncertain.items[i]] = true;
    }
    for (size_t r = 0; r < f->count; r++) {
        const struct rank_facts *facts = f->facts[r];
        size_t calls;
        f->compared += alike[r] != NO_RANK;
        if (alike[r] != r) {
            f->calls[r] = alike[r] == NO_RANK ? NULL : f->calls[alike[r]];
            f->metas[r] = alike[r] == NO_RANK ? NULL : f->metas[alike[r]];
            continue;
        }
        const struct rank_graph *graphs = rank_calls(facts, f->divergences->of[ASPECT_COLLECTIVES].from, &calls);
        f->calls[r] = arena_zalloc(arena, (facts->compiles.count + 1) * sizeof **f->calls);
        f->metas[r] = arena_zalloc(arena, (facts->compiles.count + 1) * sizeof **f->metas);
        hash_graphs(f->calls[r], facts, graphs, calls);
        hash_graphs(f->metas[r], facts, facts->runtimes.items, facts->runtimes.count);
    }
}

/* 0: no cache results. */
static uint64_t outcomes_hash(const struct rank_outcomes *outcomes) {
    uint64_t hash = 0;
    for (size_t i = 0; i < outcomes->count; i++)
        hash = (hash ^ ((uint64_t)outcomes->items[i] + 1)) * UINT64_C(0x100000001b3); /* FNV-1a */
    return hash;
}

/* The state of a rank's compile in an aspect, as a number; 0: not logged. */
static uint64_t value_of(const struct finder *f, size_t rank, const struct rank_compile *c, enum aspect aspect) {
    uint32_t at;
    if (f->silent[(size_t)aspect * f->count + rank])
        return 0;
    if (c->open && aspect != ASPECT_GRAPHS)
        return 0; /* the rest is not in the log */
    switch (aspect) {
    case ASPECT_GRAPHS:
        return c->graph_hash;
    case ASPECT_GUARDS:
        return c->guards_hash;
    case ASPECT_STATUS:
        return (uint64_t)c->status + 1;
    case ASPECT_RECOMPILES:
        return c->reasons ? noise_hash(rank_recompile_guard(c)) : 0;
    case ASPECT_CACHE:
        return outcomes_hash(&c->cache);
    case ASPECT_COLLECTIVES:
        at = rank_compile_place(f->facts[rank], c->id);
        return c->graph_hash || f->calls[rank][at] ? f->calls[rank][at] + 1 : 0;
    case ASPECT_TENSOR_META:
        return f->metas[rank][rank_compile_place(f->facts[rank], c->id)];
    default:
        return 0;
    }
}

/* Whether the state of the same compile is known to be equal on both ranks without comparing their facts. */
static bool has_same_lists(const struct finder *f, size_t a, size_t b, enum aspect aspect) {
    const bool *silent = &f->silent[(size_t)aspect * f->count];
    return silent[a] == silent[b] && f->calls[a] == f->calls[b] && f->metas[a] == f->metas[b];
}

/* Whether a compile's state in this aspect includes its backward. */
static bool has_backward(enum aspect aspect) {
    return aspect == ASPECT_CACHE || aspect == ASPECT_COLLECTIVES || aspect == ASPECT_TENSOR_META;
}

/* If ranks issue the same collectives in total, it is no difference that one compiles some of them in another function.
 */
static void unify_calls(struct finder *f, uint64_t *values) {
    size_t groups = f->divergences->of[ASPECT_COLLECTIVES].groups.count;
    uint64_t *first = arena_zalloc(&f->scratch, (groups + 1) * sizeof *first);
    for (size_t r = 0; r < f->count; r++) {
        uint32_t group = f->calls_group[r];
        if (!values[r] || group == NO_SIDE)
            continue;
        first[group] = first[group] ? first[group] : values[r];
        values[r] = first[group];
    }
}

static int64_t last_attempt(const struct slot *slot) {
    int64_t last = INT64_MIN;
    for (uint32_t i = 0; i < slot->have; i++)
        last = slot->compiles[i]->attempt > last ? slot->compiles[i]->attempt : last;
    return last;
}

uint64_t *slot_values(struct finder *f, const struct slot *slot, enum aspect aspect) {
    uint64_t *values = arena_zalloc(&f->scratch, (f->count + 1) * sizeof *values);
    const struct rank_compile *last = NULL;
    size_t last_rank = 0;
    int64_t attempt = last_attempt(slot);
    for (uint32_t i = 0; i < slot->have; i++) {
        size_t rank = slot_rank(slot, i);
        const struct rank_compile *c = slot->compiles[i];
        bool same = last && c == last && has_same_lists(f, rank, last_rank, aspect);
        if (f->begun && f->begun[rank] && has_backward(aspect))
            continue;
        if (c->open && c->attempt < attempt) /* it may have ended before Dynamo restarted */
            continue;
        values[rank] = same ? values[last_rank] : value_of(f, rank, c, aspect);
        last = c;
        last_rank = rank;
    }
    if (aspect == ASPECT_COLLECTIVES)
        unify_calls(f, values);
    return values;
}

/* Assigns sides by a number for each rank, in order of rank. Ranks with the number 0 are on no side. */
uint32_t split(struct finder *f, const uint64_t *values, uint32_t *side_of) {
    struct map known = {0};
    uint32_t sides = 0;
    uint64_t first = 0;
    bool same = true; /* the most frequent case, for which no map is needed */
    for (size_t r = 0; r < f->count; r++) {
        first = first ? first : values[r];
        same &= !values[r] || values[r] == first;
        side_of[r] = values[r] ? 0 : NO_SIDE;
    }
    if (same)
        return first != 0;
    for (size_t r = 0; r < f->count; r++) {
        bool added;
        side_of[r] = NO_SIDE;
        if (!values[r])
            continue;
        side_of[r] =
            *map_put_in(&f->scratch, &known, slice_make((const char *)&values[r], sizeof values[r]), sides, &added);
        sides += added;
    }
    return sides;
}

uint32_t split_by(struct finder *f, const struct slot *slot, enum aspect aspect, uint32_t *side_of) {
    return split(f, slot_values(f, slot, aspect), side_of);
}
