#include "diverge/diverge.h"

#include "diverge/rank_recompile.h"

const char *aspect_name(enum aspect aspect) {
    static const char *const names[ASPECTS + 1] = {
        "compile_ids",
        "status",
        "graphs",
        "guards",
        "recompiles",
        "cache",
        "collectives",
        "tensor_meta",
        "execution_order",
        "configuration",
        [ASPECT_COMPILE_TIME] = "compile_time",
    };
    return names[aspect];
}

const char *aspect_title(enum aspect aspect) {
    static const char *const titles[ASPECTS] = {"Compile ids",     "Compile status", "Dynamo graphs", "Guards",
                                                "Recompiles",      "Cache results",  "Collectives",   "Tensor metadata",
                                                "Execution order", "Configuration"};
    return titles[aspect];
}

const char *aspect_why(enum aspect aspect) {
    static const char *const whys[ASPECTS] = {
        ("Ranks that compile different functions, or in a different order, may wait for each other in different "
         "collectives."),
        "A rank that fails or restarts where others do not may run different code.",
        "Ranks that run different graphs may issue different collectives.",
        "Ranks with different guards may recompile at different times.",
        "While one rank recompiles, the others wait at their next collective.",
        "A rank that misses a cache compiles while the others wait at their next collective.",
        "Ranks that issue different collectives, or in a different order, may hang or time out.",
        "Shapes, strides or dtypes differ: the work may be unbalanced, and collectives that need equal sizes fail.",
        "Ranks that run their graphs in a different order may issue their collectives in a different order.",
        "Ranks with different settings may compile different graphs and kernels, and miss each other's caches.",
    };
    return whys[aspect];
}

void cache_words_add(struct buf *out, const struct rank_outcomes *outcomes) {
    enum { OUTCOMES_SHOWN = 8 };
    for (size_t i = 0; i < outcomes->count && i < OUTCOMES_SHOWN; i++)
        buf_addf(out, "%s%s", i ? ", " : "", cache_outcome_name(outcomes->items[i]));
    if (outcomes->count > OUTCOMES_SHOWN)
        buf_addf(out, " and %zu more", outcomes->count - OUTCOMES_SHOWN);
}

struct items {
    struct arena *arena; /* in which it grows */
    LIST(struct item) list;
};

static void add(struct items *items, struct slice key, struct slice shown, struct slice value, uint64_t hash) {
    size_t at = items->list.count;
    ARENA_ADD(items->arena, &items->list, (struct item){key, shown, value, hash, at});
}

/* Whether the order of items matters. For other aspects, it is the order of the compiles, which is a separate aspect.
 */
static bool is_ordered(enum aspect aspect) {
    return aspect == ASPECT_COMPILE_IDS || aspect == ASPECT_COLLECTIVES || aspect == ASPECT_EXECUTION_ORDER;
}

static int by_key(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    int order = slice_cmp(x->key, y->key);
    return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

static struct slice text(struct arena *arena, const char *head, struct slice tail) {
    struct buf joined = {0};
    BUF_ADD(&joined, head, tail);
    return arena_keep(arena, &joined);
}

static struct slice number_text(struct arena *arena, int64_t number, const char *unit) {
    struct buf joined = {0};
    if (number < 0)
        buf_add_lit(&joined, "?");
    else
        buf_add_i64(&joined, number);
    buf_add_str(&joined, unit);
    return arena_keep(arena, &joined);
}

static struct slice cache_text(struct arena *arena, const struct rank_outcomes *outcomes) {
    struct buf words = {0};
    cache_words_add(&words, outcomes);
    return arena_keep(arena, &words);
}

static void compile_item(struct items *items, const struct rank_compile *c, struct slice slot, enum aspect aspect,
                         const struct map *skip, struct arena *arena) {
    if (map_get(skip, slot) != MAP_NONE)
        return;
    switch (aspect) {
    case ASPECT_COMPILE_IDS:
        add(items, c->match, c->id, c->frame, 0);
        break;
    case ASPECT_STATUS:
        add(items, slot, c->id, slice_str(status_name(c->status)), 0);
        break;
    case ASPECT_GRAPHS:
        if (c->graph_hash)
            add(items, slot, c->id,
                text(arena, "", number_text(arena, c->ops, c->ops == 1 ? " operation" : " operations")), c->graph_hash);
        break;
    case ASPECT_GUARDS:
        if (c->guards_hash)
            add(items, slot, c->id, number_text(arena, c->guards, c->guards == 1 ? " guard" : " guards"),
                c->guards_hash);
        break;
    case ASPECT_RECOMPILES:
        if (c->reasons)
            add(items, slot, c->id, c->reason, noise_hash(rank_recompile_guard(c)));
        break;
    default:
        if (c->cache.count)
            add(items, slot, c->id, cache_text(arena, &c->cache), 0);
    }
}

/* The text by which the rank's compile with this id is compared: its function, because an additional compile on a rank
 * shifts all later ids. */
static struct slice slot_of(const struct rank_facts *facts, struct slice id) {
    struct slice slot = rank_slot_by_id(facts, id);
    return slot.ptr ? slot : id;
}

static void meta_items(struct items *items, const struct rank_facts *facts, const struct rank_graph *graph) {
    struct slice key = slot_of(facts, graph->id), rest = graph->meta, line;
    while (slice_next_line(&rest, &line))
        add(items, key, graph->id, line, 0);
}

/* By index of a compile: whether it is a further version of a function, or follows a reset, and an earlier version has
 * the same collectives. They are then compiled again, but not called additionally. */
static bool *compiled_again(const struct rank_facts *facts, const struct rank_graph *graphs, size_t count,
                            struct arena *scratch) {
    struct map known = {0};
    uint64_t *hashes = arena_zalloc(scratch, (facts->compiles.count + 1) * sizeof *hashes);
    bool *again = arena_zalloc(scratch, (facts->compiles.count + 1) * sizeof *again);
    for (size_t g = 0; g < count; g++) {
        uint32_t place = rank_compile_place(facts, graphs[g].id);
        for (size_t i = 0; place != MAP_NONE && i < graphs[g].ops.count; i++)
            hashes[place] = hash_mix(hashes[place], noise_hash(graphs[g].ops.items[i]));
    }
    for (size_t i = 0; i < facts->compiles.count; i++) {
        const struct rank_compile *c = facts->compiles.items[i];
        AUTO_BUF key = {0};
        bool added;
        BUF_ADD(&key, slice_make((const char *)&hashes[i], sizeof hashes[i]), c->frame);
        map_put_in(scratch, &known, buf_slice(&key), 0, &added);
        again[i] = !added && c->frame.len && (c->number > 0 || slice_find(c->id, SLICE("#")) != SIZE_MAX);
    }
    return again;
}

/* The collectives in the order of their compiles, each as often as a program that calls every function once would call
 * it. The function of a collective does not matter, because a graph break moves it to another function. */
static void add_calls(struct items *items, const struct rank_facts *facts, enum calls_from from,
                      const struct map *skip) {
    AUTO_ARENA scratch = {0};
    size_t count;
    const struct rank_graph *graphs = rank_calls(facts, from, &count);
    const bool *again = compiled_again(facts, graphs, count, &scratch);
    for (size_t g = 0; g < count; g++) {
        uint32_t place = rank_compile_place(facts, graphs[g].id);
        if (map_get(skip, slot_of(facts, graphs[g].id)) != MAP_NONE || (place != MAP_NONE && again[place]))
            continue;
        for (size_t i = 0; i < graphs[g].ops.count; i++)
            add(items, SLICE(""), graphs[g].id, graphs[g].ops.items[i], 0);
    }
}

static void add_items(struct items *items, const struct rank_facts *facts, enum aspect aspect, enum calls_from from,
                      const struct map *skip, struct arena *arena) {
    if (aspect == ASPECT_COLLECTIVES) {
        add_calls(items, facts, from, skip);
    } else if (aspect == ASPECT_TENSOR_META) {
        for (size_t i = 0; i < facts->runtimes.count; i++)
            if (map_get(skip, slot_of(facts, facts->runtimes.items[i].id)) == MAP_NONE)
                meta_items(items, facts, &facts->runtimes.items[i]);
    } else if (aspect == ASPECT_EXECUTION_ORDER) {
        for (size_t i = 0; i < facts->execution.count; i++) {
            struct slice id = facts->execution.items[i], slot = slot_of(facts, id);
            const struct rank_compile *c = rank_compile_by_id(facts, id);
            add(items, slot, id, c ? c->slot : id, noise_hash(slot));
        }
    } else if (aspect == ASPECT_CONFIGURATION) {
        for (size_t i = 0; i < facts->apart.count; i++)
            add(items, facts->apart.items[i].key, facts->apart.items[i].key, facts->apart.items[i].value, 0);
    } else {
        for (size_t i = 0; i < facts->compiles.count; i++)
            compile_item(items, facts->compiles.items[i], rank_slot(facts, i), aspect, skip, arena);
    }
}

const char *calls_from_name(enum calls_from from) {
    static const char *const names[] = {
        [CALLS_SCHEDULES] = "schedules",
        [CALLS_CODE] = "output_code",
        [CALLS_GRAPHS] = "dynamo_graphs",
    };
    return names[from];
}

static bool has_graph(const struct rank_facts *facts) {
    for (size_t i = 0; i < facts->compiles.count; i++)
        if (facts->compiles.items[i]->graph_hash)
            return true;
    return false;
}

/* Whether a graph was compiled, even if the log does not have it. */
static bool made_graph(const struct rank_facts *facts) {
    for (size_t i = 0; i < facts->compiles.count; i++)
        if (facts->compiles.items[i]->ops > 0 || facts->compiles.items[i]->graph_hash)
            return true;
    return false;
}

bool rank_ran_cached(const struct rank_facts *facts) {
    for (size_t i = 0; i < facts->compiles.count; i++)
        if (rank_compile_has(facts->compiles.items[i], OUTCOME_HIT))
            return true;
    return false;
}

/* Whether each compile whose graphs have collectives has a schedule: a graph from a cache has none. */
static bool all_scheduled(const struct rank_facts *facts) {
    AUTO_MAP known = {0};
    bool all = true;
    for (size_t i = 0; i < facts->schedules.count; i++)
        map_put(&known, facts->schedules.items[i].id, 0, NULL);
    for (size_t i = 0; i < facts->graph_calls.count; i++)
        all &= map_get(&known, facts->graph_calls.items[i].id) != MAP_NONE;
    for (size_t i = 0; i < facts->code_calls.count; i++)
        all &= map_get(&known, facts->code_calls.items[i].id) != MAP_NONE;
    return all;
}

/* Whether each finished compile with a graph has output code. */
static bool all_code(const struct rank_facts *facts) {
    for (size_t i = 0; i < facts->compiles.count; i++) {
        const struct rank_compile *c = facts->compiles.items[i];
        if (c->graph_hash && !c->has_code && !c->open && c->status != STATUS_ERROR)
            return false;
    }
    return true;
}

/* Schedules, if every rank whose graphs have collectives logged some; otherwise a source that all ranks have. */
static enum calls_from calls_from(const struct rank_facts *const *facts, const uint32_t *alike, size_t count) {
    bool schedules = true, code = true, any = false;
    for (size_t i = 0; i < count; i++) {
        if (alike[i] != i)
            continue;
        any |= facts[i]->schedules.count > 0;
        /* A graph without collectives has no schedule, so a missing schedule only matters for a graph with
         * collectives. */
        schedules &=
            all_scheduled(facts[i]) && (facts[i]->schedules.count || has_graph(facts[i]) || !made_graph(facts[i]));
        code &= all_code(facts[i]);
    }
    return schedules && any ? CALLS_SCHEDULES : code ? CALLS_CODE : CALLS_GRAPHS;
}

const struct rank_graph *rank_calls(const struct rank_facts *facts, enum calls_from from, size_t *count) {
    if (from == CALLS_SCHEDULES) {
        *count = facts->schedules.count;
        return facts->schedules.items;
    }
    *count = from == CALLS_CODE ? facts->code_calls.count : facts->graph_calls.count;
    return from == CALLS_CODE ? facts->code_calls.items : facts->graph_calls.items;
}

/* Whether a compile has it (SAID_SOME), could have it although none logged it (SAID_NOTHING), or none could
 * (SAID_NONE). */
static enum said said_by_compiles(const struct rank_facts *facts, enum aspect aspect) {
    bool expected = false;
    for (size_t i = 0; i < facts->compiles.count; i++) {
        const struct rank_compile *c = facts->compiles.items[i];
        bool graph = c->ops > 0 || c->graph_hash, has = false, could = graph;
        if (aspect == ASPECT_GRAPHS) {
            has = c->graph_hash != 0;
        } else if (aspect == ASPECT_GUARDS) {
            has = c->guards_hash != 0;
        } else if (aspect == ASPECT_RECOMPILES) {
            has = c->reasons > 0;
            could = c->number > 0;
        } else {
            has = c->cache.count > 0;
        }
        if (has)
            return SAID_SOME;
        expected |= could;
    }
    return expected ? SAID_NOTHING : SAID_NONE;
}

/* Whether the rank's log has data for the aspect. Data that is never logged is not a difference. */
static enum said said_of(const struct rank_facts *facts, enum aspect aspect, enum calls_from from) {
    size_t calls;
    switch (aspect) {
    case ASPECT_COMPILE_IDS:
    case ASPECT_STATUS:
        return facts->compiles.count ? SAID_SOME : SAID_NONE;
    case ASPECT_COLLECTIVES:
        rank_calls(facts, from, &calls);
        return calls ? SAID_SOME : has_graph(facts) || !made_graph(facts) ? SAID_NONE : SAID_NOTHING;
    case ASPECT_TENSOR_META:
        return facts->runtimes.count ? SAID_SOME : made_graph(facts) ? SAID_NOTHING : SAID_NONE;
    case ASPECT_EXECUTION_ORDER:
        return facts->execution.count ? SAID_SOME : facts->execution_said ? SAID_NONE : SAID_NOTHING;
    case ASPECT_CONFIGURATION:
        return facts->settings.count ? SAID_SOME : SAID_NOTHING;
    default:
        return said_by_compiles(facts, aspect);
    }
}

static bool same_item(const struct item *a, const struct item *b) {
    return slice_eq(a->key, b->key) && a->hash == b->hash && (a->hash || slice_eq(a->value, b->value));
}

/* Adds the list as bytes; lists are equal if their bytes are. */
static void add_key(struct buf *key, const struct items *items) {
    for (size_t i = 0; i < items->list.count; i++) {
        const struct item *item = &items->list.items[i];
        size_t lens[2] = {item->key.len, item->hash ? 0 : item->value.len};
        BUF_ADD(key, slice_make((const char *)lens, sizeof lens),
                slice_make((const char *)&item->hash, sizeof item->hash), item->key);
        if (!item->hash)
            buf_add(key, item->value);
    }
}

static void fill_side(struct divergence *divergence, size_t group, const struct item *item, struct map *known) {
    struct side *side = &divergence->groups.items[group].side;
    AUTO_BUF key = {0};
    bool added;
    side->ended = !item;
    if (item) {
        struct items one = {0};
        LIST_ADD(&one.list, *item);
        add_key(&key, &one);
        mem_free(one.list.items);
        side->key = item->shown;
        side->value = item->value;
    }
    side->alike = *map_put(known, buf_slice(&key), (uint32_t)group, &added);
}

/* Sets each group's item at the first position where the groups differ. */
static void find_first_in_order(struct divergence *divergence, const struct items *lists) {
    size_t groups = divergence->groups.count, at = 0;
    for (bool same = groups > 1; same;) {
        const struct items *first = &lists[0];
        for (size_t g = 1; g < groups && same; g++)
            same = at < first->list.count && at < lists[g].list.count &&
                   same_item(&first->list.items[at], &lists[g].list.items[at]);
        at += same;
    }
    divergence->first = at;
    AUTO_MAP known = {0};
    for (size_t g = 0; g < groups; g++)
        fill_side(divergence, g, at < lists[g].list.count ? &lists[g].list.items[at] : NULL, &known);
}

/* The place of an item: its key, and the number of preceding items with this key. */
struct place_of_key {
    const struct item *item; /* NULL: none */
    size_t nth;
};

/* The first item, in its rank's order, that only one of two sorted lists has. The n-th items with the same key match.
 */
static struct place_of_key first_between(const struct items *a, const struct items *b) {
    struct place_of_key first = {0};
    size_t i = 0, j = 0, nth = 0;
    struct slice key = {0};
    while (i < a->list.count || j < b->list.count) {
        const struct item *x = i < a->list.count ? &a->list.items[i] : NULL;
        const struct item *y = j < b->list.count ? &b->list.items[j] : NULL;
        int order = !x ? 1 : !y ? -1 : slice_cmp(x->key, y->key);
        const struct item *found = order <= 0 ? x : y;
        assert(found); /* one list still has an item */
        nth = key.ptr && slice_eq(key, found->key) ? nth + 1 : 0;
        key = found->key;
        i += order <= 0;
        j += order >= 0;
        if ((order != 0 || !same_item(x, y)) && (!first.item || found->at < first.item->at))
            first = (struct place_of_key){found, nth};
    }
    return first;
}

static const struct item *item_of_key(const struct items *items, struct place_of_key place) {
    size_t nth = 0;
    for (size_t i = 0; i < items->list.count; i++)
        if (slice_eq(items->list.items[i].key, place.item->key) && nth++ == place.nth)
            return &items->list.items[i];
    return NULL;
}

/* If the order does not matter: sets each group's item to that of the first key in which the groups differ. Lists are
 * sorted. */
static void find_first_of_any(struct divergence *divergence, const struct items *lists) {
    struct place_of_key first = {0};
    for (size_t g = 1; g < divergence->groups.count; g++) {
        struct place_of_key found = first_between(&lists[0], &lists[g]);
        if (found.item && (!first.item || found.item->at < first.item->at))
            first = found;
    }
    AUTO_MAP known = {0};
    for (size_t g = 0; g < divergence->groups.count && first.item; g++) {
        divergence->first = first.item->at;
        fill_side(divergence, g, item_of_key(&lists[g], first), &known);
    }
}

/* Functions that not all ranks compile are a difference of compile ids, not of outcomes or caches. */
static void skip_uncommon(struct map *skip, const struct rank_facts *const *facts, const uint32_t *alike,
                          size_t count) {
    AUTO_MAP have = {0};
    uint32_t compared = 0;
    for (size_t r = 0; r < count; r++) {
        if (alike[r] != r)
            continue;
        for (size_t i = 0; i < facts[r]->compiles.count; i++) {
            bool added;
            uint32_t *ranks = map_put(&have, rank_slot(facts[r], i), 0, &added);
            *ranks += *ranks == compared; /* counts each rank once; a slot that an earlier rank lacks can no longer
                                           * reach the total */
        }
        compared++;
    }
    for (size_t r = 0; r < count; r++) {
        if (alike[r] != r)
            continue;
        for (size_t i = 0; i < facts[r]->compiles.count; i++)
            if (map_get(&have, rank_slot(facts[r], i)) < compared)
                map_put(skip, rank_slot(facts[r], i), 0, NULL);
    }
}

/* Skips compiles of which some ranks have only the beginning: the missing rest is not a difference. */
static void skip_begun(struct map *skip, const struct rank_facts *const *facts, const uint32_t *alike, size_t count) {
    struct map fullest = {0}; /* slot → index of a compile whose beginning others may be */
    LIST(const struct rank_compile *) list = {0};
    AUTO_ARENA scratch = {0};
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; alike[r] == r && i < facts[r]->compiles.count; i++) {
            const struct rank_compile *c = facts[r]->compiles.items[i];
            bool added;
            uint32_t at = *map_put(&fullest, rank_slot(facts[r], i), (uint32_t)list.count, &added);
            if (added) {
                ARENA_ADD(&scratch, &list, c);
            } else if (list.items && rank_compile_begins(list.items[at], c)) {
                list.items[at] = c;
            }
        }
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; alike[r] == r && i < facts[r]->compiles.count; i++) {
            const struct rank_compile *c = facts[r]->compiles.items[i];
            struct slice slot = rank_slot(facts[r], i);
            if (list.items && rank_compile_begins(c, list.items[map_get(&fullest, slot)]))
                map_put(skip, slot, 0, NULL);
        }
    map_free(&fullest);
}

/* Guards, cache results and sizes are logged after a graph was created, so a failed compile may lack them. */
static bool is_made_last(enum aspect aspect) {
    return aspect == ASPECT_GUARDS || aspect == ASPECT_CACHE || aspect == ASPECT_TENSOR_META;
}

/* A rank may have logged an aspect only for most of its compiles. A compile is not compared if a rank that compiled a
 * graph there did not log the aspect. An aspect that every compile has, or whose absence has its own reason, is
 * compared. */
static void find_skipped(struct map *skip, const struct rank_facts *const *facts, const uint32_t *alike, size_t count,
                         enum aspect aspect) {
    for (size_t r = 0; r < count && aspect != ASPECT_COMPILE_IDS && aspect != ASPECT_STATUS; r++) {
        if (alike[r] != r)
            continue;
        for (size_t i = 0; i < facts[r]->compiles.count; i++) {
            const struct rank_compile *c = facts[r]->compiles.items[i];
            if (c->open || (c->status == STATUS_ERROR && is_made_last(aspect)))
                map_put(skip, rank_slot(facts[r], i), 0, NULL);
        }
    }
    if (aspect == ASPECT_CACHE || aspect == ASPECT_COLLECTIVES || aspect == ASPECT_TENSOR_META)
        skip_begun(skip, facts, alike, count);
    if (aspect == ASPECT_STATUS || aspect == ASPECT_CACHE || aspect == ASPECT_GRAPHS || aspect == ASPECT_GUARDS ||
        aspect == ASPECT_TENSOR_META)
        skip_uncommon(skip, facts, alike, count);
    if (aspect != ASPECT_GRAPHS && aspect != ASPECT_GUARDS && aspect != ASPECT_TENSOR_META)
        return;
    for (size_t r = 0; r < count; r++) {
        AUTO_MAP logged = {0};
        if (alike[r] != r || said_of(facts[r], aspect, CALLS_SCHEDULES) == SAID_NOTHING)
            continue;
        for (size_t i = 0; i < facts[r]->runtimes.count && aspect == ASPECT_TENSOR_META; i++)
            map_put(&logged, facts[r]->runtimes.items[i].id, 0, NULL);
        for (size_t i = 0; i < facts[r]->compiles.count; i++) {
            const struct rank_compile *c = facts[r]->compiles.items[i];
            bool graph = (c->ops > 0 || c->graph_hash) && c->status != STATUS_ERROR && c->status != STATUS_MISSING;
            bool has = aspect == ASPECT_GRAPHS ? c->graph_hash != 0
                     : aspect == ASPECT_GUARDS ? c->guards_hash != 0
                                               : map_get(&logged, c->id) != MAP_NONE;
            if (graph && !has)
                map_put(skip, rank_slot(facts[r], i), 0, NULL);
        }
    }
}

/* Lists the guards that differ, after the number of guards of each group. */
static void tell_guards(struct divergence *divergence, const struct rank_facts *const *facts, struct arena *arena) {
    const struct rank_guards *sides[GUARD_SIDES_MAX] = {0};
    struct buf words[GUARD_SIDES_MAX] = {0};
    size_t count = divergence->groups.count < GUARD_SIDES_MAX ? divergence->groups.count : GUARD_SIDES_MAX;
    for (size_t g = 0; g < count; g++) {
        const struct group *group = &divergence->groups.items[g];
        const struct rank_compile *c =
            group->side.ended ? NULL : rank_compile_by_id(facts[group->ranks.items[0]], group->side.key);
        sides[g] = c ? c->stated : NULL;
    }
    bool named = guard_words_add(sides, count, words) > 0;
    for (size_t g = 0; g < count; g++) {
        struct slice *value = &divergence->groups.items[g].side.value;
        AUTO_BUF text = {0};
        if (!slice_starts(*value, SLICE("?")))
            BUF_ADD(&text, *value, ": ");
        buf_add(&text, buf_slice(&words[g]));
        if (named)
            *value = arena_slice(arena, buf_slice(&text));
        buf_free(&words[g]);
    }
}

struct search {
    struct divergence *divergence;
    enum aspect aspect;
    struct arena *arena;  /* of the result */
    struct arena scratch; /* of the search */
    struct map known, skip;
    const uint32_t *alike;    /* by rank: the first rank with the same lists */
    uint32_t *places;         /* by rank: where it belongs, if it is the first rank with its lists */
    LIST(struct items) lists; /* of the groups */
    struct items items;       /* of the current rank */
    bool some;
};

/* Where a rank belongs: the index of its group, or one of these. */
#define BELONGS_SILENT (UINT32_MAX - 1)
#define BELONGS_UNCERTAIN (UINT32_MAX - 2)

static uint32_t find_group(struct search *s, const struct rank_facts *facts) {
    struct divergence *divergence = s->divergence;
    AUTO_BUF key = {0};
    bool added;
    enum said said = said_of(facts, s->aspect, divergence->from);
    s->some |= said == SAID_SOME;
    if (said == SAID_NOTHING)
        return BELONGS_SILENT;
    if (s->aspect == ASPECT_EXECUTION_ORDER && rank_ran_cached(facts)) {
        divergence->known = true;
        return BELONGS_UNCERTAIN;
    }
    s->items.list.count = 0; /* reuses the memory of a rank whose list another rank has */
    add_items(&s->items, facts, s->aspect, divergence->from, &s->skip, s->arena);
    divergence->known |= s->items.list.count > 0 || s->aspect == ASPECT_CONFIGURATION;
    if (!is_ordered(s->aspect) && s->items.list.count)
        qsort(s->items.list.items, s->items.list.count, sizeof *s->items.list.items, by_key);
    add_key(&key, &s->items);
    uint32_t index = *map_put_in(&s->scratch, &s->known, buf_slice(&key), (uint32_t)divergence->groups.count, &added);
    if (added) {
        ARENA_ADD(s->arena, &divergence->groups, (struct group){0});
        ARENA_ADD(&s->scratch, &s->lists, s->items);
        s->items = (struct items){.arena = &s->scratch};
    }
    return index;
}

/* Ranks with the same lists belong to the same group, except for settings, which are not part of these lists. */
static uint32_t belongs(struct search *s, const struct rank_facts *const *facts, size_t rank) {
    uint32_t first = s->alike[rank];
    if (first == rank || s->aspect == ASPECT_CONFIGURATION)
        s->places[rank] = find_group(s, facts[rank]);
    else
        s->places[rank] = s->places[first];
    return s->places[rank];
}

static void add_rank(struct search *s, uint32_t belongs, uint32_t rank) {
    struct divergence *divergence = s->divergence;
    if (belongs == BELONGS_SILENT) {
        ARENA_ADD(s->arena, &divergence->silent, rank);
    } else if (belongs == BELONGS_UNCERTAIN) {
        ARENA_ADD(s->arena, &divergence->uncertain, rank);
    } else {
        assert(divergence->groups.items && belongs < divergence->groups.count);
        struct group *group = &divergence->groups.items[belongs];
        ARENA_ADD(s->arena, &group->ranks, rank);
    }
}

void diverge_find(struct divergence *divergence, const struct rank_facts *const *facts, const uint32_t *alike,
                  size_t count, enum aspect aspect, struct arena *arena) {
    struct search s = {.divergence = divergence, .aspect = aspect, .arena = arena, .alike = alike};
    s.places = arena_alloc(&s.scratch, (count + 1) * sizeof *s.places);
    s.items.arena = &s.scratch;
    *divergence = (struct divergence){0};
    find_skipped(&s.skip, facts, alike, count, aspect);
    if (aspect == ASPECT_COLLECTIVES)
        divergence->from = calls_from(facts, alike, count);
    for (size_t i = 0; i < count; i++)
        if (alike[i] != NO_RANK)
            add_rank(&s, belongs(&s, facts, i), (uint32_t)i);
    assert(s.lists.count == divergence->groups.count);
    divergence->passed_over = s.some && !divergence->known;
    if (s.lists.count > 1 && is_ordered(aspect))
        find_first_in_order(divergence, s.lists.items);
    else if (s.lists.count > 1)
        find_first_of_any(divergence, s.lists.items);
    if (s.lists.count > 1 && aspect == ASPECT_GUARDS)
        tell_guards(divergence, facts, arena);
    map_free(&s.skip);
    arena_free(&s.scratch);
}
