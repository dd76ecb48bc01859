#include "ranks/causes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/noise.h"
#include "base/path.h"
#include "model/findings_make.h"
#include "ranks/ends.h"
#include "ranks/rank_words.h"

#define NO_SIDE UINT32_MAX
#define NO_SLOT UINT32_MAX

enum { TEXT_MAX = 300 };

/* Compiles of all ranks that answer to each other. */
struct slot {
    const struct rank_compile **of; /* by place of the facts; NULL: the rank has none */
    uint32_t have, at;              /* at: the least place among the compiles of a rank */
};

struct finder {
    struct root_causes *causes;
    const struct rank_facts *const *facts;
    const struct divergences *divergences;
    size_t count, compared;
    bool *silent;              /* aspect × rank */
    uint32_t **slot_of;        /* by rank and place among its compiles */
    uint64_t **calls, **metas; /* the same: hashes of collectives and of tensor metadata; 0: none */
    LIST(struct slot) slots;
    uint32_t *order;                /* the slots in log order */
    size_t at;                      /* that under way, in it */
    LIST(struct root_cause *) here; /* those that the slot under way has part in */
};

static const struct rank_compile *any_of(const struct finder *f, const struct slot *slot, size_t *rank) {
    for (size_t r = 0; r < f->count; r++)
        if (slot->of[r]) {
            *rank = r;
            return slot->of[r];
        }
    return NULL;
}

static size_t place_in(const struct finder *f, const struct slot *slot, size_t rank) {
    return (size_t)(slot->of[rank] - f->facts[rank]->compiles.items);
}

static struct slice keep(struct finder *f, struct buf *text) {
    struct slice kept = arena_slice(&f->causes->arena, buf_slice(text));
    buf_free(text);
    return kept;
}

/* ---- slots ---- */

static void add_slot_key(struct buf *key, const struct rank_compile *c) {
    buf_add_byte(key, c->frame.len ? 'f' : 'i');
    buf_add(key, c->slot);
}

/* The n-th compile of that name on its rank. */
static void number_key(struct buf *key, struct map *seen) {
    bool added;
    uint32_t *times = map_put(seen, buf_slice(key), 1, &added);
    if (!added)
        ++*times;
    buf_addf(key, "%c%u", 0, *times);
}

static bool find_slots_of(struct finder *f, size_t rank, struct map *known) {
    const struct rank_facts *facts = f->facts[rank];
    struct map seen = {0};
    bool room = true;
    f->slot_of[rank] = arena_alloc(&f->causes->arena, (facts->compiles.count + 1) * sizeof **f->slot_of);
    for (size_t i = 0; i < facts->compiles.count; i++) {
        struct buf key = {0};
        bool added;
        add_slot_key(&key, &facts->compiles.items[i]);
        number_key(&key, &seen);
        room = room && (f->slots.count + 1) * f->count <= CAUSE_CELLS_MAX;
        uint32_t at =
            room ? *map_put(known, buf_slice(&key), (uint32_t)f->slots.count, &added) : map_get(known, buf_slice(&key));
        buf_free(&key);
        f->slot_of[rank][i] = at == MAP_NONE ? NO_SLOT : at;
        if (at == MAP_NONE)
            continue;
        if (at == f->slots.count) {
            MEM_GROW(&f->slots);
            f->slots.items[f->slots.count++] =
                (struct slot){arena_zalloc(&f->causes->arena, f->count * sizeof(struct rank_compile *)), 0,
                              (uint32_t)i};
        }
        struct slot *slot = &f->slots.items[at];
        slot->of[rank] = &facts->compiles.items[i];
        slot->have++;
        slot->at = i < slot->at ? (uint32_t)i : slot->at;
    }
    map_free(&seen);
    return room;
}

/* All slots in an order that follows that of each rank: what only some ranks have stands behind what they have before it. */
static void find_slots(struct finder *f) {
    struct map known = {0};
    for (size_t r = 0; r < f->count; r++)
        if (rank_is_compared(f->facts[r]))
            find_slots_of(f, r, &known);
    map_free(&known);
    size_t count = f->slots.count, head = count;
    uint32_t *next = mem_alloc((count + 1) * sizeof *next); /* a ring through all slots; place `count` is its head */
    bool *placed = mem_zalloc(count + 1, sizeof *placed);
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
    f->order = mem_alloc((count + 1) * sizeof *f->order);
    size_t at = 0;
    for (uint32_t slot = next[head]; slot != head; slot = next[slot])
        f->order[at++] = slot;
    assert(at == count);
    mem_free(next);
    mem_free(placed);
}

/* ---- what is compared ---- */

static uint64_t mix(uint64_t a, uint64_t b) {
    return (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2))) * UINT64_C(0xff51afd7ed558ccd);
}

static void hash_graphs(uint64_t *hashes, const struct rank_facts *facts, const struct rank_graph *graphs,
                        size_t count) {
    for (size_t g = 0; g < count; g++) {
        const struct rank_compile *c = rank_compile_by_id(facts, graphs[g].id);
        if (!c)
            continue;
        uint64_t *hash = &hashes[c - facts->compiles.items];
        for (size_t i = 0; i < graphs[g].ops.count; i++)
            *hash = mix(*hash, noise_hash(graphs[g].ops.items[i]));
        if (graphs[g].meta.len)
            *hash = mix(*hash, noise_hash(graphs[g].meta));
    }
}

static void prepare(struct finder *f) {
    struct arena *arena = &f->causes->arena;
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
        if (!rank_is_compared(facts))
            continue;
        f->compared++;
        const struct rank_graph *graphs = rank_calls(facts, f->divergences->of[ASPECT_COLLECTIVES].from, &calls);
        f->calls[r] = arena_zalloc(arena, (facts->compiles.count + 1) * sizeof **f->calls);
        f->metas[r] = arena_zalloc(arena, (facts->compiles.count + 1) * sizeof **f->metas);
        hash_graphs(f->calls[r], facts, graphs, calls);
        hash_graphs(f->metas[r], facts, facts->runtimes.items, facts->runtimes.count);
    }
}

/* What a rank's compile has of an aspect, as a number; 0: the log does not say. */
static uint64_t value_of(const struct finder *f, size_t rank, const struct rank_compile *c, enum aspect aspect) {
    size_t at = (size_t)(c - f->facts[rank]->compiles.items);
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
        return c->reasons ? c->reasons_hash : 0;
    case ASPECT_CACHE:
        return c->cache.len ? noise_hash(c->cache) : 0;
    case ASPECT_COLLECTIVES:
        return c->graph_hash || f->calls[rank][at] ? f->calls[rank][at] + 1 : 0;
    case ASPECT_TENSOR_META:
        return f->metas[rank][at];
    default:
        return 0;
    }
}

/* The sides of ranks by a number each, in order of rank; ranks of the number 0 are on none. */
static uint32_t split(const struct finder *f, const uint64_t *values, uint32_t *side_of) {
    struct map known = {0};
    uint32_t sides = 0;
    uint64_t first = 0;
    bool same = true; /* as nearly always: then no map is needed */
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
        side_of[r] = *map_put(&known, slice_make((const char *)&values[r], sizeof values[r]), sides, &added);
        sides += added;
    }
    map_free(&known);
    return sides;
}

static uint32_t split_by(const struct finder *f, const struct slot *slot, enum aspect aspect, uint32_t *side_of) {
    uint64_t *values = mem_zalloc(f->count + 1, sizeof *values);
    for (size_t r = 0; r < f->count; r++)
        values[r] = slot->of[r] ? value_of(f, r, slot->of[r], aspect) : 0;
    uint32_t sides = split(f, values, side_of);
    mem_free(values);
    return sides;
}

/* ---- causes ---- */

static bool same_sides(const struct finder *f, const uint32_t *a, const uint32_t *b) {
    return memcmp(a, b, f->count * sizeof *a) == 0;
}

static bool same_place(const struct place *a, const struct place *b) {
    return a->line == b->line && slice_eq(a->file, b->file);
}

static struct root_cause *find_cause(const struct finder *f, enum root_cause_kind kind, const uint32_t *side_of,
                                     const struct place *place) {
    for (size_t i = 0; i < f->causes->list.count; i++) {
        struct root_cause *cause = f->causes->list.items[i];
        if (cause->kind == kind && same_sides(f, cause->side_of, side_of) &&
            (!place || same_place(&cause->place, place)))
            return cause;
    }
    return NULL;
}

/* The first cause that parts the same ranks in the same way; function: of that function, or of any. */
static struct root_cause *find_between(const struct finder *f, const uint32_t *side_of, const struct place *function) {
    uint32_t sides = 0;
    for (size_t r = 0; r < f->count; r++)
        sides = side_of[r] != NO_SIDE && side_of[r] + 1 > sides ? side_of[r] + 1 : sides;
    for (size_t i = 0; i < f->causes->list.count && sides <= SIDES_MAX; i++) {
        struct root_cause *cause = f->causes->list.items[i];
        bool parts = cause->sides.count == sides && cause->kind != CAUSE_CONFIGURATION &&
                     (!function || slice_eq(cause->function, function->function));
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

static void fill_sides(struct finder *f, struct root_cause *cause, const uint32_t *side_of) {
    size_t ranks = 0;
    cause->rank_count = f->count;
    cause->side_of = arena_alloc(&f->causes->arena, (f->count + 1) * sizeof *cause->side_of);
    memcpy(cause->side_of, side_of, f->count * sizeof *side_of);
    for (size_t r = 0; r < f->count; r++) {
        if (side_of[r] == NO_SIDE)
            continue;
        ranks++;
        while (cause->sides.count <= side_of[r]) {
            MEM_GROW(&cause->sides);
            cause->sides.items[cause->sides.count++] = (struct cause_side){0};
        }
        struct cause_side *side = &cause->sides.items[side_of[r]];
        MEM_GROW(&side->ranks);
        side->ranks.items[side->ranks.count++] = (uint32_t)r;
    }
    cause->usual = -1;
    for (size_t s = 0; s < cause->sides.count; s++)
        if (cause->sides.items[s].ranks.count * 2 > ranks)
            cause->usual = (int64_t)s;
}

/* NULL beyond the bound. */
static struct root_cause *add_cause(struct finder *f, enum root_cause_kind kind, enum aspect aspect,
                                    const uint32_t *side_of) {
    if (f->causes->list.count == ROOT_CAUSES_MAX) {
        f->causes->more++;
        return NULL;
    }
    struct root_cause *cause = arena_zalloc(&f->causes->arena, sizeof *cause);
    *cause =
        (struct root_cause){.kind = kind, .aspect = aspect, .order = f->at, .first_at = {-1, -1}, .last_at = {-1, -1}};
    fill_sides(f, cause, side_of);
    MEM_GROW(&f->causes->list);
    f->causes->list.items[f->causes->list.count++] = cause;
    return cause;
}

static void add_here(struct finder *f, struct root_cause *cause) {
    if (!cause)
        return;
    for (size_t i = 0; i < f->here.count; i++)
        if (f->here.items[i] == cause)
            return;
    MEM_GROW(&f->here);
    f->here.items[f->here.count++] = cause;
}

/* Takes the text. */
static void add_consequence(struct finder *f, struct root_cause *cause, enum aspect aspect, struct slice compile,
                            struct buf *first) {
    if (cause->consequences.count == CONSEQUENCES_MAX) {
        cause->more++;
        buf_free(first);
        return;
    }
    MEM_GROW(&cause->consequences);
    cause->consequences.items[cause->consequences.count++] = (struct consequence){aspect, compile, keep(f, first)};
}

/* The side that is not the usual one; of groups the first. */
static size_t odd_side(const struct root_cause *cause) {
    return cause->usual == 0 && cause->sides.count > 1 ? 1 : 0;
}

static void fill_compiles(struct root_cause *cause, const struct slot *slot) {
    for (size_t s = 0; s < cause->sides.count; s++) {
        struct cause_side *side = &cause->sides.items[s];
        const struct rank_compile *c = slot->of[side->ranks.items[0]];
        side->compile = c ? c->id : (struct slice){0};
        side->place = c ? c->place : (struct place){0};
    }
    size_t odd = odd_side(cause), any = odd;
    while (any + 1 < cause->sides.count && !cause->sides.items[any].compile.ptr)
        any++;
    if (!cause->sides.items[any].compile.ptr)
        any = 0;
    cause->compile = cause->sides.items[any].compile;
    cause->place = cause->sides.items[any].place;
    cause->function = cause->place.function;
}

static void add_function(struct buf *out, const struct rank_compile *c) {
    if (c->place.function.len)
        buf_add(out, slice_first(c->place.function, 120));
    else
        buf_add(out, c->id);
}

/* "2/0: k == 2      # return x + k  # f.py:32 in g\nUser stack trace: …" → "2/0: k == 2" */
static struct slice reason_words(struct slice reason) {
    struct slice line = reason;
    slice_next_line(&reason, &line);
    size_t comment = slice_find(line, SLICE("  # "));
    return slice_first(slice_trim(comment == SIZE_MAX ? line : slice_first(line, comment)), TEXT_MAX);
}

/* ---- a compile that not all ranks have ---- */

/* A rank whose log ends within a compile has no later ones: that follows from its end. */
static bool ended_before(const struct rank_facts *facts, const struct slot *slot) {
    return facts->unfinished.count && slot->at >= facts->compiles.count;
}

/* "torch_dynamo_resume_in_f_at_12" is compiled where f breaks. */
static bool resumes(struct slice function, struct slice of) {
    static const struct slice head = {"torch_dynamo_resume_in_", 23};
    return of.len && slice_starts(function, head) && slice_starts(slice_from(function, head.len), of) &&
           slice_starts(slice_from(function, head.len + of.len), SLICE("_at_"));
}

/* Whether the compiles just before both are one slot, or there are none. */
static bool same_before(const struct finder *f, size_t rank, size_t at, size_t other, size_t other_at) {
    if (!at || !other_at)
        return !at && !other_at;
    return f->slot_of[rank][at - 1] == f->slot_of[other][other_at - 1];
}

static struct root_cause *presence_cause(struct finder *f, const struct slot *slot, const struct rank_compile *c,
                                         size_t rank, const uint32_t *side_of) {
    int64_t at = (int64_t)place_in(f, slot, rank);
    uint32_t mine = side_of[rank];
    for (size_t i = 0; i < f->causes->list.count; i++) {
        struct root_cause *cause = f->causes->list.items[i];
        if (!same_sides(f, cause->side_of, side_of))
            continue;
        if (c->place.file.ptr && slice_eq(cause->place.file, c->place.file) &&
            resumes(c->place.function, cause->function))
            return cause;
        if (cause->kind != CAUSE_EXTRA && cause->kind != CAUSE_OTHER && cause->kind != CAUSE_RECOMPILE)
            continue;
        if (c->number > 0 && slice_eq(cause->function, c->place.function) && same_place(&cause->place, &c->place))
            return cause;
        if (cause->kind == CAUSE_RECOMPILE || c->number > 0)
            continue;
        if (cause->last_at[mine] >= 0 && at == cause->last_at[mine] + 1)
            return cause; /* one run of compiles, one branch */
        const struct cause_side *others = &cause->sides.items[1 - mine];
        if (cause->kind == CAUSE_EXTRA && cause->last_at[mine] < 0 && cause->first_at[1 - mine] >= 0 &&
            same_before(f, rank, (size_t)at, others->ranks.items[0], (size_t)cause->first_at[1 - mine])) {
            struct cause_side *side = &cause->sides.items[mine];
            cause->kind = CAUSE_OTHER;
            cause->first_at[mine] = cause->last_at[mine] = at;
            side->compile = c->id;
            side->place = c->place;
            if (odd_side(cause) == mine) {
                cause->compile = c->id;
                cause->place = c->place;
                cause->function = c->place.function;
            }
            return cause;
        }
    }
    return NULL;
}

static void look_at_presence(struct finder *f, const struct slot *slot) {
    uint64_t *values = mem_zalloc(f->count + 1, sizeof *values);
    uint32_t *side_of = mem_alloc((f->count + 1) * sizeof *side_of);
    size_t rank = 0;
    const struct rank_compile *c = any_of(f, slot, &rank);
    for (size_t r = 0; r < f->count; r++)
        if (rank_is_compared(f->facts[r]) && (slot->of[r] || !ended_before(f->facts[r], slot)))
            values[r] = slot->of[r] ? 1 : 2;
    if (c && split(f, values, side_of) == 2) {
        uint32_t mine = side_of[rank];
        struct root_cause *cause = presence_cause(f, slot, c, rank, side_of);
        int64_t at = (int64_t)place_in(f, slot, rank);
        bool paired = cause && cause->kind == CAUSE_OTHER && cause->first_at[mine] == at;
        if (!cause) {
            cause = add_cause(f, c->number > 0 ? CAUSE_RECOMPILE : CAUSE_EXTRA,
                              c->number > 0 ? ASPECT_RECOMPILES : ASPECT_COMPILE_IDS, side_of);
            if (cause) {
                fill_compiles(cause, slot);
                cause->first_at[mine] = at;
                if (c->number > 0 && c->reason.len)
                    cause->sides.items[mine].text = reason_words(c->reason);
            }
        } else if (!paired) {
            struct buf text = {0};
            rank_words_add(&text, f->facts, cause->sides.items[mine].ranks.items, cause->sides.items[mine].ranks.count);
            buf_add_str(&text, cause->sides.items[mine].ranks.count == 1 ? " also " : " also ");
            buf_add_str(&text, cause->sides.items[mine].ranks.count == 1 ? c->number > 0 ? "recompiles " : "compiles "
                               : c->number > 0                           ? "recompile "
                                                                         : "compile ");
            add_function(&text, c);
            add_consequence(f, cause, c->number > 0 ? ASPECT_RECOMPILES : ASPECT_COMPILE_IDS, c->id, &text);
        }
        if (cause && (cause->kind == CAUSE_EXTRA || cause->kind == CAUSE_OTHER))
            cause->last_at[mine] = at;
    }
    mem_free(values);
    mem_free(side_of);
}

/* ---- graphs ---- */

static const struct graph_step *step_of(const struct rank_compile *c, size_t at) {
    return c->trace && at < c->trace->count ? &c->trace->steps[at] : NULL;
}

static uint64_t step_value(const struct graph_step *step) {
    return step ? mix(mix(mix(noise_hash(step->file), step->line), noise_hash(step->function)), step->ops) | 1 : 1;
}

static uint64_t path_value(const struct rank_compile *c) {
    uint64_t hash = 1;
    for (size_t i = 0; c->trace && i < c->trace->count; i++)
        hash = mix(hash, step_value(&c->trace->steps[i]));
    return hash | 1;
}

static struct place place_of_step(const struct graph_step *step) {
    return (struct place){step->file, step->function, step->line};
}

static void add_step(struct finder *f, struct cause_side *side, const struct graph_step *step, bool lines) {
    struct buf text = {0};
    if (!step) {
        buf_add_lit(&text, "the graph ends");
    } else {
        if (step->file.ptr)
            side->place = place_of_step(step);
        buf_add(&text, step->code.len && lines ? step->code : step->first);
    }
    side->text = keep(f, &text);
}

/* Where the graphs of a slot, of the ranks of `values` other than 0, have different steps. */
static void look_at_paths(struct finder *f, const struct slot *slot, const uint64_t *values, unsigned depth);

static void note_branch(struct finder *f, const struct slot *slot, size_t at, const uint32_t *side_of) {
    struct root_cause draft = {0};
    bool lines = false;
    fill_sides(f, &draft, side_of);
    const struct graph_step *first = step_of(slot->of[draft.sides.items[0].ranks.items[0]], at);
    for (size_t s = 0; s < draft.sides.count; s++) {
        const struct rank_compile *c = slot->of[draft.sides.items[s].ranks.items[0]];
        const struct graph_step *step = step_of(c, at);
        lines |= !step || !first || step->line != first->line || !slice_eq(step->file, first->file);
        draft.sides.items[s].compile = c->id;
        draft.sides.items[s].place = c->place;
    }
    for (size_t s = 0; s < draft.sides.count; s++)
        add_step(f, &draft.sides.items[s], step_of(slot->of[draft.sides.items[s].ranks.items[0]], at), lines);
    size_t odd = odd_side(&draft);
    const struct rank_compile *c = slot->of[draft.sides.items[odd].ranks.items[0]];
    const struct graph_step *step = step_of(c, at);
    if (!step && draft.sides.count > 1) /* it ends: the others' next line says where */
        step = step_of(slot->of[draft.sides.items[odd ? 0 : 1].ranks.items[0]], at);
    draft.place = step && step->file.ptr ? place_of_step(step) : c->place;
    /* The user's line, where the graph has one before it: the comment above a node names the innermost frame only. */
    for (size_t i = at; is_library_file(draft.place.file) && i-- > 0;) {
        const struct graph_step *before = step_of(c, i);
        if (before && before->file.ptr && !is_library_file(before->file))
            draft.place = place_of_step(before);
    }
    enum root_cause_kind kind = lines ? CAUSE_BRANCH : CAUSE_OPERATIONS;
    struct root_cause *cause = find_cause(f, kind, side_of, &draft.place);
    if (cause) {
        struct buf text = {0};
        add_function(&text, c);
        buf_add_lit(&text, " has a different graph, too");
        add_consequence(f, cause, ASPECT_GRAPHS, c->id, &text);
    } else if ((cause = add_cause(f, kind, ASPECT_GRAPHS, side_of))) {
        for (size_t s = 0; s < draft.sides.count; s++) {
            cause->sides.items[s].compile = draft.sides.items[s].compile;
            cause->sides.items[s].place = draft.sides.items[s].place;
            cause->sides.items[s].text = draft.sides.items[s].text;
        }
        cause->place = draft.place;
        cause->compile = c->id;
        cause->function = c->place.function;
    }
    add_here(f, cause);
    for (size_t s = 0; s < draft.sides.count; s++)
        free(draft.sides.items[s].ranks.items);
    free(draft.sides.items);
}

/* The first step that not all have. */
static size_t first_step(const struct slot *slot, const uint64_t *values, size_t count) {
    const struct rank_compile *first = NULL;
    size_t at = SIZE_MAX;
    for (size_t r = 0; r < count; r++) {
        if (!values[r])
            continue;
        if (!first) {
            first = slot->of[r];
            continue;
        }
        size_t i = 0;
        while (i < at && step_of(first, i) && step_of(slot->of[r], i) &&
               step_value(step_of(first, i)) == step_value(step_of(slot->of[r], i)))
            i++;
        if (i < at && (step_of(first, i) || step_of(slot->of[r], i)))
            at = i;
    }
    return at;
}

static uint64_t sizes_value(const struct rank_compile *c) {
    return c->sizes.ptr ? noise_hash(c->sizes) : 1;
}

/* Graphs of the same lines that differ: in sizes, or in something else of their tensors. */
static void note_tensors(struct finder *f, const struct slot *slot, const uint64_t *graphs) {
    uint64_t *sizes = mem_zalloc(f->count + 1, sizeof *sizes);
    uint32_t *side_of = mem_alloc((f->count + 1) * sizeof *side_of);
    bool traced = true;
    for (size_t r = 0; r < f->count; r++) {
        sizes[r] = graphs[r] ? sizes_value(slot->of[r]) : 0;
        traced &= !graphs[r] || (slot->of[r]->trace && slot->of[r]->trace->count && !slot->of[r]->trace->cut);
    }
    enum root_cause_kind kind = CAUSE_SIZES;
    if (split(f, sizes, side_of) < 2) {
        kind = traced ? CAUSE_TENSORS : CAUSE_GRAPH;
        split(f, graphs, side_of);
    }
    struct root_cause *cause = find_cause(f, kind, side_of, NULL);
    if (cause) {
        size_t rank = 0;
        struct buf text = {0};
        const struct rank_compile *c = any_of(f, slot, &rank);
        add_function(&text, c);
        buf_add_str(&text, kind == CAUSE_SIZES ? " is compiled with different input sizes, too"
                                               : " has a different graph, too");
        add_consequence(f, cause, ASPECT_GRAPHS, c->id, &text);
    } else if ((cause = add_cause(f, kind, ASPECT_GRAPHS, side_of))) {
        fill_compiles(cause, slot);
        for (size_t s = 0; s < cause->sides.count; s++) {
            const struct rank_compile *c = slot->of[cause->sides.items[s].ranks.items[0]];
            const struct graph_step *step = step_of(c, 0);
            if (kind == CAUSE_SIZES)
                cause->sides.items[s].text = slice_first(c->sizes, TEXT_MAX);
            else if (kind == CAUSE_TENSORS && step)
                cause->sides.items[s].text = step->type;
        }
    }
    add_here(f, cause);
    mem_free(sizes);
    mem_free(side_of);
}

static void look_at_paths(struct finder *f, const struct slot *slot, const uint64_t *values, unsigned depth) {
    enum { DEPTH_MAX = 8 };
    uint64_t *paths = mem_zalloc(f->count + 1, sizeof *paths), *some = mem_zalloc(f->count + 1, sizeof *some);
    uint32_t *side_of = mem_alloc((f->count + 1) * sizeof *side_of);
    uint32_t sides = split(f, values, side_of);
    if (sides >= 2 && depth < DEPTH_MAX) {
        for (size_t r = 0; r < f->count; r++)
            paths[r] = values[r] ? path_value(slot->of[r]) : 0;
        size_t at = split(f, paths, side_of) > 1 ? first_step(slot, values, f->count) : SIZE_MAX;
        if (at == SIZE_MAX) {
            note_tensors(f, slot, values);
        } else {
            for (size_t r = 0; r < f->count; r++) {
                const struct graph_step *step = values[r] ? step_of(slot->of[r], at) : NULL;
                paths[r] = !values[r] ? 0 : step ? step_value(step) : 2;
            }
            sides = split(f, paths, side_of);
            note_branch(f, slot, at, side_of);
            for (uint32_t s = 0; s < sides; s++) {
                for (size_t r = 0; r < f->count; r++)
                    some[r] = side_of[r] == s ? values[r] : 0;
                look_at_paths(f, slot, some, depth + 1);
            }
        }
    }
    mem_free(paths);
    mem_free(some);
    mem_free(side_of);
}

/* ---- what else a compile has ---- */

static const char *what_differs(enum aspect aspect) {
    switch (aspect) {
    case ASPECT_GUARDS:
        return "different guards";
    case ASPECT_CACHE:
        return "different cache results";
    case ASPECT_COLLECTIVES:
        return "different collectives";
    case ASPECT_TENSOR_META:
        return "different tensor metadata";
    case ASPECT_RECOMPILES:
        return "different recompile reasons";
    case ASPECT_STATUS:
        return "a different status";
    default:
        return "a difference";
    }
}

static struct slice cache_words(struct finder *f, struct slice letters) {
    struct buf words = {0};
    for (size_t i = 0; i < letters.len && i < 8; i++)
        buf_addf(&words, "%s%s", i ? ", " : "",
                 letters.ptr[i] == 'h'   ? "hit"
                 : letters.ptr[i] == 'm' ? "miss"
                                         : "bypass");
    return keep(f, &words);
}

/* The collectives of a compile in words. */
static struct slice calls_words(struct finder *f, size_t rank, const struct rank_compile *c) {
    size_t count, told = 0;
    struct buf words = {0};
    const struct rank_graph *graphs = rank_calls(f->facts[rank], f->divergences->of[ASPECT_COLLECTIVES].from, &count);
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < graphs[g].ops.count && slice_eq(graphs[g].id, c->id); i++) {
            struct slice op = graphs[g].ops.items[i];
            size_t dot = slice_find(op, SLICE("_c10d_functional."));
            op = dot == SIZE_MAX ? op : slice_from(op, dot + sizeof "_c10d_functional." - 1);
            if (slice_ends(op, SLICE(".default")))
                op = slice_first(op, op.len - (sizeof ".default" - 1));
            if (slice_find(op, SLICE("wait_tensor")) != SIZE_MAX || told++ >= 8)
                continue;
            buf_add_str(&words, words.len ? ", " : "");
            buf_add(&words, slice_first(op, 60));
        }
    if (told > 8)
        buf_addf(&words, " and %zu more", told - 8);
    if (!words.len)
        buf_add_lit(&words, "none");
    return keep(f, &words);
}

static struct slice side_words(struct finder *f, size_t rank, const struct rank_compile *c, enum aspect aspect) {
    struct buf text = {0};
    switch (aspect) {
    case ASPECT_GUARDS:
        if (c->guards < 0)
            return (struct slice){0};
        buf_addf(&text, "%" PRId64 " guards", c->guards);
        return keep(f, &text);
    case ASPECT_CACHE:
        return cache_words(f, c->cache);
    case ASPECT_COLLECTIVES:
        return calls_words(f, rank, c);
    case ASPECT_RECOMPILES:
        return reason_words(c->reason);
    case ASPECT_STATUS:
        return c->failure.ptr ? slice_first(c->failure, TEXT_MAX) : slice_str(status_name(c->status));
    default:
        return (struct slice){0};
    }
}

static void note_aspect(struct finder *f, const struct slot *slot, enum root_cause_kind kind, enum aspect aspect,
                        const uint32_t *side_of) {
    struct root_cause *cause = find_cause(f, kind, side_of, NULL);
    /* Guards of the same graph: what was compiled before leaves its traces in them. Recompile reasons name guards of the function's
     * earlier compiles. */
    size_t some = 0;
    const struct rank_compile *c = any_of(f, slot, &some);
    if (!cause && (kind == CAUSE_GUARDS || kind == CAUSE_REASON))
        cause = find_between(f, side_of, kind == CAUSE_REASON ? &c->place : NULL);
    if (cause) {
        struct buf text = {0};
        add_function(&text, c);
        buf_addf(&text, " has %s, too", what_differs(aspect));
        add_consequence(f, cause, aspect, c->id, &text);
    } else if ((cause = add_cause(f, kind, aspect, side_of))) {
        fill_compiles(cause, slot);
        for (size_t s = 0; s < cause->sides.count; s++) {
            uint32_t rank = cause->sides.items[s].ranks.items[0];
            cause->sides.items[s].text = side_words(f, rank, slot->of[rank], aspect);
        }
    }
    add_here(f, cause);
}

/* Whether two sides of the cause differ in that. */
static bool explains(const struct finder *f, const struct root_cause *cause, const uint32_t *by) {
    uint32_t first = NO_SIDE;
    for (size_t s = 0; s < cause->sides.count; s++) {
        uint32_t rank = cause->sides.items[s].ranks.items[0];
        if (rank >= f->count || by[rank] == NO_SIDE)
            continue;
        if (first != NO_SIDE && first != by[rank])
            return true;
        first = by[rank];
    }
    return false;
}

/* "guards", "cache", …: a consequence where ranks with the same graph have the same, else a cause. */
static void look_at_aspect(struct finder *f, const struct slot *slot, const uint32_t *graphs, uint32_t graph_count,
                           enum root_cause_kind kind, enum aspect aspect) {
    uint32_t *by = mem_alloc((f->count + 1) * sizeof *by), *within = mem_alloc((f->count + 1) * sizeof *within);
    uint64_t *values = mem_zalloc(f->count + 1, sizeof *values);
    uint32_t sides = split_by(f, slot, aspect, by);
    size_t causes = f->here.count;
    for (size_t i = 0; i < causes && sides > 1; i++) {
        struct root_cause *cause = f->here.items[i];
        if (cause->aspect == aspect || !explains(f, cause, by))
            continue;
        struct buf text = {0};
        uint32_t rank = cause->sides.items[odd_side(cause)].ranks.items[0];
        const struct rank_compile *c = slot->of[rank];
        if (!c)
            continue;
        bool told =
            cause->consequences.count < CONSEQUENCES_MAX && (aspect == ASPECT_CACHE || aspect == ASPECT_COLLECTIVES);
        struct slice words = told ? side_words(f, rank, c, aspect) : (struct slice){0};
        buf_add_str(&text, what_differs(aspect));
        buf_add_lit(&text, " in ");
        add_function(&text, c);
        if (words.len) {
            buf_addf(&text, " (rank %" PRIu64 ": ", f->facts[rank]->rank);
            buf_add(&text, words);
            buf_add_lit(&text, ")");
        }
        add_consequence(f, cause, aspect, c->id, &text);
    }
    /* Within ranks of the same graph. */
    for (uint32_t g = 0; g < (graph_count ? graph_count : 1) && sides > 1; g++) {
        for (size_t r = 0; r < f->count; r++) {
            bool same = graph_count ? graphs[r] == g : graphs[r] == NO_SIDE;
            values[r] = slot->of[r] && same && by[r] != NO_SIDE ? (uint64_t)by[r] + 1 : 0;
        }
        if (split(f, values, within) > 1)
            note_aspect(f, slot, kind, aspect, within);
    }
    mem_free(by);
    mem_free(within);
    mem_free(values);
}

/* A compile that failed on some ranks and not on others. */
static void look_at_failures(struct finder *f, const struct slot *slot) {
    uint64_t *values = mem_zalloc(f->count + 1, sizeof *values);
    uint32_t *side_of = mem_alloc((f->count + 1) * sizeof *side_of);
    for (size_t r = 0; r < f->count; r++)
        if (slot->of[r] && slot->of[r]->status != STATUS_MISSING && !slot->of[r]->open)
            values[r] = slot->of[r]->status == STATUS_ERROR ? 2 : 1;
    if (split(f, values, side_of) > 1)
        note_aspect(f, slot, CAUSE_STATUS, ASPECT_STATUS, side_of);
    mem_free(values);
    mem_free(side_of);
}

static void look_at_slot(struct finder *f, const struct slot *slot) {
    static const struct {
        enum root_cause_kind kind;
        enum aspect aspect;
    } others[] = {{CAUSE_REASON, ASPECT_RECOMPILES},
                  {CAUSE_GUARDS, ASPECT_GUARDS},
                  {CAUSE_COLLECTIVES, ASPECT_COLLECTIVES},
                  {CAUSE_CACHE, ASPECT_CACHE},
                  {CAUSE_TENSOR_META, ASPECT_TENSOR_META}};
    f->here.count = 0;
    if (slot->have < f->compared)
        look_at_presence(f, slot);
    if (slot->have < 2)
        return;
    uint64_t *values = mem_zalloc(f->count + 1, sizeof *values);
    uint32_t *graphs = mem_alloc((f->count + 1) * sizeof *graphs);
    look_at_failures(f, slot);
    for (size_t r = 0; r < f->count; r++)
        values[r] = slot->of[r] ? value_of(f, r, slot->of[r], ASPECT_GRAPHS) : 0;
    uint32_t count = split(f, values, graphs);
    if (count > 1)
        look_at_paths(f, slot, values, 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        look_at_aspect(f, slot, graphs, count, others[i].kind, others[i].aspect);
    mem_free(values);
    mem_free(graphs);
}

/* ---- the logs as a whole ---- */

static void look_at_configuration(struct finder *f) {
    const struct divergence *found = &f->divergences->of[ASPECT_CONFIGURATION];
    uint32_t *side_of = mem_alloc((f->count + 1) * sizeof *side_of);
    memset(side_of, 0xff, (f->count + 1) * sizeof *side_of);
    for (size_t g = 0; g < found->groups.count; g++)
        for (size_t i = 0; i < found->groups.items[g].ranks.count; i++)
            side_of[found->groups.items[g].ranks.items[i]] = (uint32_t)g;
    struct root_cause *cause =
        found->groups.count > 1 ? add_cause(f, CAUSE_CONFIGURATION, ASPECT_CONFIGURATION, side_of) : NULL;
    for (size_t s = 0; cause && s < cause->sides.count; s++) {
        const struct side *side = &found->groups.items[s].side;
        struct buf text = {0};
        if (side->ended)
            continue;
        buf_add(&text, side->key);
        buf_add_lit(&text, " = ");
        buf_add(&text, slice_first(side->value, TEXT_MAX));
        cause->sides.items[s].text = keep(f, &text);
    }
    mem_free(side_of);
}

static void look_at_ends(struct finder *f) {
    uint64_t *values = mem_zalloc(f->count + 1, sizeof *values);
    uint32_t *side_of = mem_alloc((f->count + 1) * sizeof *side_of);
    for (size_t r = 0; r < f->count; r++) {
        const struct rank_span *span = rank_end(f->facts[r]);
        if (rank_is_compared(f->facts[r]))
            values[r] = span ? mix(noise_hash(span->name), noise_hash(span->frame)) | 2 : 1;
    }
    struct root_cause *cause =
        split(f, values, side_of) > 1 ? add_cause(f, CAUSE_UNFINISHED, ASPECT_STATUS, side_of) : NULL;
    for (size_t s = 0; cause && s < cause->sides.count; s++) {
        const struct rank_span *span = rank_end(f->facts[cause->sides.items[s].ranks.items[0]]);
        struct buf text = {0};
        if (!span) {
            buf_add_lit(&text, "finished its compiles");
        } else {
            buf_add_lit(&text, "ends inside ");
            buf_add(&text, slice_first(span->name, 120));
            cause->sides.items[s].compile = span->compile;
            cause->sides.items[s].place = span->place;
            if (!cause->compile.ptr || (int64_t)s != cause->usual) {
                cause->compile = span->compile;
                cause->place = span->place;
                cause->function = span->place.function;
            }
        }
        cause->sides.items[s].text = keep(f, &text);
    }
    mem_free(values);
    mem_free(side_of);
}

/* The order of the slots that all ranks have: of compiles, or of graphs as they run. */
struct sequence {
    LIST(uint32_t) slots;
};

static void common_sequence(const struct finder *f, size_t rank, bool runs, struct sequence *sequence) {
    const struct rank_facts *facts = f->facts[rank];
    size_t count = runs ? facts->execution.count : facts->compiles.count;
    sequence->slots.count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct rank_compile *c =
            runs ? rank_compile_by_id(facts, facts->execution.items[i]) : &facts->compiles.items[i];
        uint32_t slot = c ? f->slot_of[rank][c - facts->compiles.items] : NO_SLOT;
        if (slot == NO_SLOT || f->slots.items[slot].have < f->compared)
            continue;
        MEM_GROW(&sequence->slots);
        sequence->slots.items[sequence->slots.count++] = slot;
    }
}

static void look_at_order(struct finder *f, bool runs) {
    enum aspect aspect = runs ? ASPECT_EXECUTION_ORDER : ASPECT_COMPILE_IDS;
    uint64_t *values = mem_zalloc(f->count + 1, sizeof *values);
    uint32_t *side_of = mem_alloc((f->count + 1) * sizeof *side_of);
    struct sequence one = {0}, other = {0};
    for (size_t r = 0; r < f->count; r++) {
        if (!rank_is_compared(f->facts[r]) || f->silent[(size_t)aspect * f->count + r] ||
            (!runs && f->facts[r]->unfinished.count))
            continue;
        common_sequence(f, r, runs, &one);
        uint64_t hash = 1;
        for (size_t i = 0; i < one.slots.count; i++)
            hash = mix(hash, one.slots.items[i] + 1);
        values[r] = hash | 1;
    }
    struct root_cause *cause = split(f, values, side_of) > 1
                                 ? add_cause(f, runs ? CAUSE_EXECUTION_ORDER : CAUSE_COMPILE_ORDER, aspect, side_of)
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
                at < one.slots.count ? f->slots.items[one.slots.items[at]].of[side->ranks.items[0]] : NULL;
            if (c) {
                side->compile = c->id;
                side->place = c->place;
                add_function(&text, c);
            } else {
                buf_add_lit(&text, "nothing more");
            }
            side->text = keep(f, &text);
        }
        size_t odd = odd_side(cause);
        cause->compile = cause->sides.items[odd].compile;
        cause->place = cause->sides.items[odd].place;
        cause->function = cause->place.function;
    } else if (runs && f->divergences->of[aspect].groups.count > 1) {
        /* All run the common graphs in the same order: what differs is what only some have. */
        for (size_t i = 0; i < f->causes->list.count; i++) {
            struct root_cause *found = f->causes->list.items[i];
            if (found->kind != CAUSE_EXTRA && found->kind != CAUSE_OTHER && found->kind != CAUSE_RECOMPILE)
                continue;
            struct buf text = {0};
            buf_add_lit(&text, "the execution order differs by these graphs and their ids only");
            add_consequence(f, found, aspect, (struct slice){0}, &text);
        }
    }
    free(one.slots.items);
    free(other.slots.items);
    mem_free(values);
    mem_free(side_of);
}

/* One compile more on a rank: later ones have other ids. */
static void look_at_ids(struct finder *f, struct root_cause *cause) {
    enum { SLOTS_MAX = 2000 };
    if ((cause->kind != CAUSE_EXTRA && cause->kind != CAUSE_OTHER) || cause->sides.count < 2)
        return;
    uint32_t a = cause->sides.items[0].ranks.items[0], b = cause->sides.items[1].ranks.items[0];
    for (size_t i = cause->order; i < f->slots.count && i < cause->order + SLOTS_MAX; i++) {
        const struct slot *slot = &f->slots.items[f->order[i]];
        const struct rank_compile *x = slot->of[a], *y = slot->of[b];
        struct buf text = {0};
        if (!x || !y || slice_eq(x->match, y->match))
            continue;
        add_function(&text, x);
        buf_add_lit(&text, " is ");
        buf_add(&text, x->id);
        buf_add_lit(&text, " on ");
        rank_words_add(&text, f->facts, cause->sides.items[0].ranks.items, cause->sides.items[0].ranks.count);
        buf_add_lit(&text, " and ");
        buf_add(&text, y->id);
        buf_add_lit(&text, " on ");
        rank_words_add(&text, f->facts, cause->sides.items[1].ranks.items, cause->sides.items[1].ranks.count);
        add_consequence(f, cause, ASPECT_COMPILE_IDS, x->id, &text);
        return;
    }
}

void root_causes_find(struct root_causes *causes, const struct rank_facts *const *facts, size_t count,
                      const struct divergences *divergences) {
    *causes = (struct root_causes){0};
    struct finder f = {.causes = causes, .facts = facts, .count = count, .divergences = divergences};
    prepare(&f);
    if (f.compared > 1) {
        find_slots(&f);
        look_at_configuration(&f);
        look_at_ends(&f);
        for (f.at = 0; f.at < f.slots.count; f.at++)
            look_at_slot(&f, &f.slots.items[f.order[f.at]]);
        for (size_t i = 0; i < causes->list.count; i++)
            look_at_ids(&f, causes->list.items[i]);
        look_at_order(&f, false);
        look_at_order(&f, true);
        for (size_t i = 0; i < causes->list.count; i++)
            cause_name(causes, causes->list.items[i], facts);
    }
    free(f.slots.items);
    free(f.here.items);
    mem_free(f.order);
}

void root_causes_finish(struct root_causes *causes) {
    for (size_t i = 0; i < causes->list.count; i++) {
        struct root_cause *cause = causes->list.items[i];
        for (size_t s = 0; s < cause->sides.count; s++)
            free(cause->sides.items[s].ranks.items);
        free(cause->sides.items);
        free(cause->consequences.items);
    }
    free(causes->list.items);
    arena_free(&causes->arena);
}
