#include "ranks/diverge.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

const char *aspect_name(enum aspect aspect) {
    static const char *const names[ASPECTS] = {"compile_ids",     "status",       "graphs",      "guards",
                                               "recompiles",      "cache",        "collectives", "tensor_meta",
                                               "execution_order", "configuration"};
    return names[aspect];
}

const char *aspect_title(enum aspect aspect) {
    static const char *const titles[ASPECTS] = {"Compile ids",  "How compiles ended", "Dynamo graphs",
                                                "Guards",       "Recompiles",         "Cache results",
                                                "Collectives",  "Tensor metadata",    "Execution order",
                                                "Configuration"};
    return titles[aspect];
}

const char *aspect_why(enum aspect aspect) {
    static const char *const whys[ASPECTS] = {
        "Ranks that compile other functions, or in another order, wait for each other in vain: hangs and timeouts.",
        "A rank that fails or restarts where others do not is late, or runs other code.",
        "Ranks that run other graphs may issue other collectives.",
        "Ranks with other guards recompile at other times.",
        "A rank that recompiles keeps the others waiting.",
        "A rank that misses a cache compiles while the others wait.",
        "Ranks that issue other collectives, or in another order, hang.",
        "Ranks whose tensors differ in shape, stride or dtype may be out of step, or out of balance.",
        "Ranks that run their graphs in another order may issue their collectives in another order.",
        "Ranks that run with other settings make other graphs and kernels, and miss each other's caches.",
    };
    return whys[aspect];
}

struct items {
    LIST(struct item) list;
};

static void add(struct items *items, struct slice key, struct slice value, uint64_t hash) {
    MEM_GROW(&items->list);
    items->list.items[items->list.count++] = (struct item){key, value, hash};
}

static struct slice text(struct arena *arena, const char *head, struct slice tail) {
    struct buf joined = {0};
    buf_add_str(&joined, head);
    buf_add(&joined, tail);
    struct slice kept = arena_slice(arena, buf_slice(&joined));
    buf_free(&joined);
    return kept;
}

static struct slice number_text(struct arena *arena, int64_t number, const char *unit) {
    struct buf joined = {0};
    if (number < 0)
        buf_add_lit(&joined, "?");
    else
        buf_add_i64(&joined, number);
    buf_add_str(&joined, unit);
    struct slice kept = arena_slice(arena, buf_slice(&joined));
    buf_free(&joined);
    return kept;
}

static struct slice cache_text(struct arena *arena, struct slice letters) {
    struct buf words = {0};
    for (size_t i = 0; i < letters.len; i++)
        buf_addf(&words, "%s%s", i ? ", " : "",
                 letters.ptr[i] == 'h'   ? "hit"
                 : letters.ptr[i] == 'm' ? "miss"
                                         : "bypass");
    struct slice kept = arena_slice(arena, buf_slice(&words));
    buf_free(&words);
    return kept;
}

static void compile_item(struct items *items, const struct rank_compile *c, enum aspect aspect, struct arena *arena) {
    switch (aspect) {
    case ASPECT_COMPILE_IDS:
        add(items, c->id, c->frame, 0);
        break;
    case ASPECT_STATUS:
        add(items, c->id, slice_str(status_name(c->status)), 0);
        break;
    case ASPECT_GRAPHS:
        if (c->graph_hash)
            add(items, c->id, text(arena, "", number_text(arena, c->ops, " operations")), c->graph_hash);
        break;
    case ASPECT_GUARDS:
        if (c->guards_hash)
            add(items, c->id, number_text(arena, c->guards, " guards"), c->guards_hash);
        break;
    case ASPECT_RECOMPILES:
        if (c->reasons)
            add(items, c->id, c->reason, c->reasons_hash);
        break;
    default:
        if (c->cache.len)
            add(items, c->id, cache_text(arena, c->cache), 0);
    }
}

static void graph_items(struct items *items, const struct rank_graph *graph, enum aspect aspect) {
    if (aspect == ASPECT_TENSOR_META) {
        struct slice rest = graph->meta, line;
        while (slice_next_line(&rest, &line))
            add(items, graph->id, line, 0);
        return;
    }
    for (size_t i = 0; i < graph->ops.count; i++)
        add(items, graph->id, graph->ops.items[i], 0);
}

static struct items items_of(const struct rank_facts *facts, enum aspect aspect, struct arena *arena) {
    struct items items = {0};
    if (aspect == ASPECT_COLLECTIVES || aspect == ASPECT_TENSOR_META) {
        const struct rank_graph *graphs = aspect == ASPECT_COLLECTIVES ? facts->schedules.items : facts->runtimes.items;
        size_t count = aspect == ASPECT_COLLECTIVES ? facts->schedules.count : facts->runtimes.count;
        for (size_t i = 0; i < count; i++)
            graph_items(&items, &graphs[i], aspect);
    } else if (aspect == ASPECT_EXECUTION_ORDER) {
        for (size_t i = 0; i < facts->execution.count; i++)
            add(&items, facts->execution.items[i], facts->execution.items[i], 0);
    } else if (aspect == ASPECT_CONFIGURATION) {
        for (size_t i = 0; i < facts->apart.count; i++)
            add(&items, facts->apart.items[i].key, facts->apart.items[i].value, 0);
    } else {
        for (size_t i = 0; i < facts->compiles.count; i++)
            compile_item(&items, &facts->compiles.items[i], aspect, arena);
    }
    return items;
}

static bool same_item(const struct item *a, const struct item *b) {
    return slice_eq(a->key, b->key) && a->hash == b->hash && (a->hash || slice_eq(a->value, b->value));
}

/* The list as bytes, by which lists are equal or not. */
static void add_key(struct buf *key, const struct items *items) {
    for (size_t i = 0; i < items->list.count; i++) {
        const struct item *item = &items->list.items[i];
        size_t lens[2] = {item->key.len, item->hash ? 0 : item->value.len};
        buf_add(key, slice_make((const char *)lens, sizeof lens));
        buf_add(key, slice_make((const char *)&item->hash, sizeof item->hash));
        buf_add(key, item->key);
        if (!item->hash)
            buf_add(key, item->value);
    }
}

/* Each group's item at the first place where not all have the same. */
static void find_first(struct divergence *divergence, const struct items *lists) {
    size_t groups = divergence->groups.count, at = 0;
    for (bool same = groups > 1; same;) {
        const struct items *first = &lists[0];
        for (size_t g = 1; g < groups && same; g++)
            same = at < first->list.count && at < lists[g].list.count &&
                   same_item(&first->list.items[at], &lists[g].list.items[at]);
        at += same;
    }
    divergence->first = at;
    for (size_t g = 0; g < groups; g++) {
        struct side *side = &divergence->groups.items[g].side;
        side->ended = at >= lists[g].list.count;
        if (!side->ended) {
            side->key = lists[g].list.items[at].key;
            side->value = lists[g].list.items[at].value;
        }
    }
}

void diverge_find(struct divergence *divergence, const struct rank_facts *const *facts, size_t count,
                  enum aspect aspect, struct arena *arena) {
    struct map known = {0};
    LIST(struct items) lists = {0};
    *divergence = (struct divergence){0};
    for (size_t i = 0; i < count; i++) {
        struct buf key = {0};
        bool added;
        if (!rank_is_compared(facts[i]) || (aspect == ASPECT_CONFIGURATION && !facts[i]->settings.count))
            continue;
        struct items items = items_of(facts[i], aspect, arena);
        divergence->known |= items.list.count > 0 || aspect == ASPECT_CONFIGURATION;
        add_key(&key, &items);
        uint32_t index = *map_put(&known, buf_slice(&key), (uint32_t)divergence->groups.count, &added);
        buf_free(&key);
        if (added) {
            MEM_GROW(&divergence->groups);
            divergence->groups.items[divergence->groups.count++] = (struct group){0};
            MEM_GROW(&lists);
            lists.items[lists.count++] = items;
        } else {
            free(items.list.items);
        }
        assert(divergence->groups.items && index < divergence->groups.count);
        struct group *group = &divergence->groups.items[index];
        MEM_GROW(&group->ranks);
        group->ranks.items[group->ranks.count++] = (uint32_t)i;
    }
    assert(lists.count == divergence->groups.count);
    if (lists.count > 1)
        find_first(divergence, lists.items);
    for (size_t i = 0; i < lists.count; i++)
        free(lists.items[i].list.items);
    free(lists.items);
    map_free(&known);
}

void diverge_finish(struct divergence *divergence) {
    for (size_t i = 0; i < divergence->groups.count; i++)
        free(divergence->groups.items[i].ranks.items);
    free(divergence->groups.items);
    *divergence = (struct divergence){0};
}

void divergences_find(struct divergences *divergences, const struct rank_facts *const *facts, size_t count) {
    divergences->arena = (struct arena){0};
    for (int aspect = 0; aspect < ASPECTS; aspect++)
        diverge_find(&divergences->of[aspect], facts, count, aspect, &divergences->arena);
}

void divergences_finish(struct divergences *divergences) {
    for (int aspect = 0; aspect < ASPECTS; aspect++)
        diverge_finish(&divergences->of[aspect]);
    arena_free(&divergences->arena);
}
