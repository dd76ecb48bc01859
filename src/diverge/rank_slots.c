#include "diverge/diverge.h"

#include "diverge/rank_recompile.h"

static void add_part(struct buf *out, struct slice part) {
    BUF_ADD(out, (uint64_t)part.len, " ", part);
}

enum level { LEVEL_SAME, LEVEL_SIZES, LEVEL_GUARD, LEVEL_SUBJECT, LEVEL_NUMBER, LEVELS };

/* A recompile that some ranks have. */
struct recompile {
    const struct rank_compile *of; /* the compile on the first of these ranks */
    LIST(uint32_t) ranks;          /* ascending; each represents all ranks with the same lists */
    uint32_t into;                 /* index of the recompile that it was joined to, or its own */
    uint32_t next;                 /* the next one with the same key, in order of rank; UINT32_MAX: none */
};

struct matcher {
    struct arena arena;
    struct rank_facts *const *facts;
    const uint32_t *alike;
    size_t count, compared;
    uint32_t **recompile_of; /* by rank and index among its compiles; MAP_NONE: not a recompile */
    LIST(struct recompile) recompiles;
};

static bool has_reason(const struct rank_compile *c) {
    return rank_recompile_guard(c).len > 0;
}

/* The properties that recompiles must share to match at this level. Returns false if this recompile cannot match there.
 */
static bool level_key(struct buf *key, const struct rank_compile *c, enum level level) {
    key->len = 0;
    buf_add_byte(key, (char)('0' + level));
    if (level == LEVEL_NUMBER) {
        buf_add(key, c->slot);
        return true;
    }
    if (!has_reason(c))
        return false;
    add_part(key, c->frame);
    if (level == LEVEL_SUBJECT)
        rank_recompile_subject_add(key, c);
    else
        add_part(key, rank_recompile_guard(c));
    if (level == LEVEL_SAME)
        buf_addf(key, "%" PRIu64 " %" PRIu64, c->graph_hash, c->guards_hash);
    if (level == LEVEL_SAME || level == LEVEL_SIZES)
        add_part(key, c->sizes);
    return true;
}

/* ---- identical recompiles ---- */

static void add_recompile(struct matcher *m, struct map *known, const struct rank_compile *c, const struct buf *key,
                          uint32_t rank, uint32_t *of) {
    bool added;
    uint32_t at = *map_put_in(&m->arena, known, buf_slice(key), (uint32_t)m->recompiles.count, &added);
    if (added)
        ARENA_ADD(&m->arena, &m->recompiles, (struct recompile){.of = c, .into = at});
    struct recompile *recompile = &m->recompiles.items[at];
    ARENA_ADD(&m->arena, &recompile->ranks, rank);
    *of = at;
}

/* If a rank has several identical recompiles, the n-th one corresponds to the n-th one of another rank. */
static void find_recompiles(struct matcher *m, uint32_t rank, struct map *known) {
    const struct rank_facts *facts = m->facts[rank];
    AUTO_MAP times = {0};
    AUTO_BUF key = {0};
    m->recompile_of[rank] = arena_alloc(&m->arena, (facts->compiles.count + 1) * sizeof **m->recompile_of);
    for (size_t i = 0; i < facts->compiles.count; i++) {
        const struct rank_compile *c = facts->compiles.items[i];
        bool added;
        m->recompile_of[rank][i] = MAP_NONE;
        if (c->number <= 0 || !c->frame.len)
            continue;
        if (!level_key(&key, c, LEVEL_SAME))
            level_key(&key, c, LEVEL_NUMBER);
        uint32_t *nth = map_put(&times, buf_slice(&key), 0, &added);
        buf_addf(&key, " %u", (*nth)++);
        add_recompile(m, known, c, &key, rank, &m->recompile_of[rank][i]);
    }
}

/* ---- similar recompiles ---- */

static bool has_rank(const struct recompile *recompile, uint32_t rank) {
    size_t low = 0;
    SEARCH(low, recompile->ranks.count, middle, recompile->ranks.items[middle] < rank);
    return low < recompile->ranks.count && recompile->ranks.items[low] == rank;
}

static bool are_apart(const struct recompile *a, const struct recompile *b) {
    const struct recompile *few = a->ranks.count < b->ranks.count ? a : b, *many = few == a ? b : a;
    for (size_t i = 0; i < few->ranks.count; i++)
        if (has_rank(many, few->ranks.items[i]))
            return false;
    return true;
}

static void add_rank(struct matcher *m, struct recompile *recompile, uint32_t rank) {
    size_t at = recompile->ranks.count;
    ARENA_GROW(&m->arena, &recompile->ranks);
    while (at > 0 && recompile->ranks.items[at - 1] > rank)
        at--;
    memmove(&recompile->ranks.items[at + 1], &recompile->ranks.items[at],
            (recompile->ranks.count - at) * sizeof *recompile->ranks.items);
    recompile->ranks.items[at] = rank;
    recompile->ranks.count++;
}

/* Recompiles with the same key, in the order in which they were found. */
struct candidates {
    uint32_t first, last;
    struct map begin; /* ranks → where to start: all earlier candidates have one of these ranks */
};

struct level_groups {
    struct map known;
    LIST(struct candidates) list;
};

static bool may_match(const struct recompile *a, const struct recompile *b, enum level level) {
    return are_apart(a, b) && (level != LEVEL_NUMBER || !has_reason(a->of) || !has_reason(b->of));
}

/* Joins the recompile to the first one with its key that has none of its ranks. */
static void join(struct matcher *m, struct candidates *with, uint32_t at, enum level level) {
    struct recompile *all = m->recompiles.items, *recompile = &all[at];
    bool added;
    struct slice ranks =
        slice_make((const char *)recompile->ranks.items, recompile->ranks.count * sizeof *recompile->ranks.items);
    uint32_t *begin = map_put_in(&m->arena, &with->begin, ranks, with->first, &added), to = *begin;
    while (to != UINT32_MAX && !may_match(&all[to], recompile, level)) {
        *begin = to;
        to = all[to].next;
    }
    if (to == UINT32_MAX) {
        all[with->last].next = at;
        with->last = at;
        return;
    }
    *begin = to;
    for (size_t i = 0; i < recompile->ranks.count; i++)
        add_rank(m, &all[to], recompile->ranks.items[i]);
    recompile->into = to;
}

/* Recompiles that all ranks have are already matched. */
static void match_level(struct matcher *m, enum level level) {
    struct level_groups groups = {0};
    AUTO_BUF key = {0};
    for (uint32_t at = 0; at < m->recompiles.count; at++) {
        struct recompile *recompile = &m->recompiles.items[at];
        bool added;
        if (recompile->into != at || recompile->ranks.count >= m->compared || !level_key(&key, recompile->of, level))
            continue;
        recompile->next = UINT32_MAX;
        uint32_t group = *map_put_in(&m->arena, &groups.known, buf_slice(&key), (uint32_t)groups.list.count, &added);
        if (added) {
            ARENA_ADD(&m->arena, &groups.list, (struct candidates){.first = at, .last = at});
        } else {
            assert(groups.list.items && group < groups.list.count);
            join(m, &groups.list.items[group], at, level);
        }
    }
}

/* ---- the result ---- */

/* The function, and after a NUL the number of the recompile among those of all ranks. */
static struct slice name_slot(struct rank_facts *facts, const struct matcher *m, uint32_t at) {
    while (m->recompiles.items[at].into != at)
        at = m->recompiles.items[at].into;
    struct buf name = {0};
    buf_add(&name, m->recompiles.items[at].of->frame);
    buf_addf(&name, "%cr%u", 0, at);
    return arena_keep(&facts->arena, &name);
}

static void set_slots(const struct matcher *m, uint32_t rank) {
    struct rank_facts *facts = m->facts[rank];
    struct slice *slots = arena_alloc(&facts->arena, (facts->compiles.count + 1) * sizeof *slots);
    for (size_t i = 0; i < facts->compiles.count; i++) {
        uint32_t at = m->recompile_of[rank][i];
        slots[i] = at == MAP_NONE ? facts->compiles.items[i]->slot : name_slot(facts, m, at);
    }
    facts->slots = slots;
}

void rank_slots_find(struct rank_facts *const *facts, size_t count) {
    struct matcher m = {.facts = facts, .count = count};
    struct map known = {0};
    m.alike = ranks_alike((const struct rank_facts *const *)facts, count, &m.arena);
    m.recompile_of = arena_zalloc(&m.arena, (count + 1) * sizeof *m.recompile_of);
    for (uint32_t r = 0; r < count; r++)
        if (m.alike[r] == r) {
            find_recompiles(&m, r, &known);
            m.compared++;
        }
    for (int level = LEVEL_SIZES; level < LEVELS && m.compared > 1; level++)
        match_level(&m, level);
    for (uint32_t r = 0; r < count; r++) {
        if (m.alike[r] == r)
            set_slots(&m, r);
        else if (m.alike[r] != NO_RANK)
            facts[r]->slots = facts[m.alike[r]]->slots;
    }
    arena_free(&m.arena);
}
