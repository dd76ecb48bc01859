#include "ranks/run_match.h"

#include <assert.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/map.h"

#define SHARED (MAP_NONE - 1)

/* The items of one run with the same key: a list through `next`. */
struct chain {
    uint32_t first, last;
};

struct side {
    const struct run_item *items;
    uint32_t *next, *match; /* match: the item of the other side, or NO_MATCH */
    struct chain *chains;   /* by key */
};

static void side_init(struct side *side, const struct run_item *items, size_t count, size_t keys) {
    side->items = items;
    side->next = mem_alloc((count + 1) * sizeof *side->next);
    side->match = mem_alloc((count + 1) * sizeof *side->match);
    side->chains = mem_alloc((keys + 1) * sizeof *side->chains);
    memset(side->next, 0xff, (count + 1) * sizeof *side->next);
    memset(side->match, 0xff, (count + 1) * sizeof *side->match);
    memset(side->chains, 0xff, (keys + 1) * sizeof *side->chains);
}

static void side_finish(struct side *side) {
    mem_free(side->next);
    mem_free(side->match);
    mem_free(side->chains);
}

static void side_add(struct side *side, uint32_t item, uint32_t key) {
    struct chain *chain = &side->chains[key];
    if (chain->first == NO_MATCH)
        chain->first = item;
    else
        side->next[chain->last] = item;
    chain->last = item;
}

static void add_keys(struct map *keys, uint32_t *count, const struct run_item *items, size_t item_count) {
    for (size_t i = 0; i < item_count; i++) {
        bool added;
        map_put(keys, items[i].key, *count, &added);
        *count += added;
    }
}

/* Matches the first free item of b with this key, and with the same line if same_line is set. */
static void take(struct side *a, struct side *b, uint32_t key, uint32_t item, bool same_line) {
    for (uint32_t other = b->chains[key].first; other != NO_MATCH; other = b->next[other]) {
        if (b->match[other] != NO_MATCH || (same_line && b->items[other].line != a->items[item].line))
            continue;
        b->match[other] = item;
        a->match[item] = other;
        return;
    }
}

static void add(struct run_matches *matches, uint32_t a, uint32_t b) {
    MEM_GROW(matches);
    matches->items[matches->count++] = (struct run_match){a, b};
}

static void match_key(struct run_matches *matches, struct side *a, struct side *b, uint32_t key) {
    for (uint32_t i = a->chains[key].first; i != NO_MATCH; i = a->next[i])
        take(a, b, key, i, true);
    for (uint32_t i = a->chains[key].first; i != NO_MATCH; i = a->next[i]) {
        if (a->match[i] == NO_MATCH)
            take(a, b, key, i, false); /* its line has moved */
        add(matches, i, a->match[i]);
    }
    for (uint32_t i = b->chains[key].first; i != NO_MATCH; i = b->next[i])
        if (b->match[i] == NO_MATCH)
            add(matches, NO_MATCH, i);
}

void run_matches_find(struct run_matches *matches, const struct run_item *a, size_t a_count, const struct run_item *b,
                      size_t b_count) {
    struct map keys = {0};
    struct side left, right;
    uint32_t count = 0;
    *matches = (struct run_matches){0};
    add_keys(&keys, &count, a, a_count);
    add_keys(&keys, &count, b, b_count);
    side_init(&left, a, a_count, count);
    side_init(&right, b, b_count, count);
    for (size_t i = 0; i < a_count; i++)
        side_add(&left, (uint32_t)i, map_get(&keys, a[i].key));
    for (size_t i = 0; i < b_count; i++)
        side_add(&right, (uint32_t)i, map_get(&keys, b[i].key));
    for (uint32_t key = 0; key < count; key++)
        match_key(matches, &left, &right, key);
    side_finish(&left);
    side_finish(&right);
    map_free(&keys);
}

/* A match, by the place of its item in one run. */
struct placed {
    const struct run_item *item;
    uint32_t match; /* index in the matches */
    bool alone;     /* the other run does not have it */
    /* Of an item that is alone: the matches before and behind it in its file; NO_MATCH: none. */
    uint32_t before, behind;
};

struct placed_list {
    LIST(struct placed) list;
};

static int by_place(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    int order = slice_cmp(x->item->file, y->item->file);
    if (order)
        return order;
    if (x->item->line != y->item->line)
        return x->item->line < y->item->line ? -1 : 1;
    return x->match < y->match ? -1 : x->match > y->match;
}

/* The items of one run with a place, by file and line, with their matched neighbors. */
static void place_items(struct placed_list *placed, const struct run_matches *matches, const struct run_item *items,
                        bool second) {
    for (size_t i = 0; i < matches->count; i++) {
        const struct run_match *match = &matches->items[i];
        uint32_t own = second ? match->b : match->a, other = second ? match->a : match->b;
        if (own == NO_MATCH || !items[own].file.len || items[own].line == UINT64_MAX)
            continue;
        MEM_GROW(&placed->list);
        placed->list.items[placed->list.count++] =
            (struct placed){&items[own], (uint32_t)i, other == NO_MATCH, NO_MATCH, NO_MATCH};
    }
    if (placed->list.count)
        qsort(placed->list.items, placed->list.count, sizeof *placed->list.items, by_place);
    for (size_t i = 1; i < placed->list.count; i++) {
        const struct placed *last = &placed->list.items[i - 1];
        if (slice_eq(last->item->file, placed->list.items[i].item->file))
            placed->list.items[i].before = last->alone ? last->before : last->match;
    }
    for (size_t i = placed->list.count; i-- > 1;) {
        const struct placed *next = &placed->list.items[i];
        if (slice_eq(next->item->file, placed->list.items[i - 1].item->file))
            placed->list.items[i - 1].behind = next->alone ? next->behind : next->match;
    }
}

static void place_key(struct buf *key, const struct placed *placed, bool line) {
    key->len = 0;
    buf_add(key, placed->item->file);
    buf_add_byte(key, 0);
    if (line)
        buf_addf(key, "%llu", (unsigned long long)placed->item->line);
    else
        buf_addf(key, "%u %u %llu", placed->before, placed->behind, (unsigned long long)placed->item->weight);
}

/* Whether it is looked for at its line, or in the gap between its neighbors. */
static bool is_sought(const struct placed *placed, bool line) {
    return placed->alone && (line || placed->item->weight > 0);
}

/* Puts the items that are alone in their run into the map, by place: the index, or MAP_NONE - 1 if several share it. */
static void index_places(struct map *map, const struct placed_list *placed, bool line) {
    struct buf key = {0};
    for (size_t i = 0; i < placed->list.count; i++) {
        bool added;
        if (!is_sought(&placed->list.items[i], line))
            continue;
        place_key(&key, &placed->list.items[i], line);
        uint32_t *value = map_put(map, buf_slice(&key), (uint32_t)i, &added);
        if (!added)
            *value = SHARED;
    }
    buf_free(&key);
}

/* Joins the items of both runs that are the only ones in a place. */
static void join_places(struct run_matches *matches, struct placed_list *a, struct placed_list *b, bool line) {
    struct map left = {0}, right = {0};
    struct buf key = {0};
    index_places(&left, a, line);
    index_places(&right, b, line);
    for (size_t i = 0; i < a->list.count; i++) {
        struct placed *one = &a->list.items[i];
        if (!is_sought(one, line))
            continue;
        place_key(&key, one, line);
        uint32_t other = map_get(&right, buf_slice(&key));
        if (map_get(&left, buf_slice(&key)) == SHARED || other == SHARED || other == MAP_NONE)
            continue;
        assert(other < b->list.count && b->list.items);
        struct run_match *joined = &matches->items[b->list.items[other].match];
        matches->items[one->match].b = joined->b;
        joined->b = NO_MATCH; /* removed below */
        one->alone = b->list.items[other].alone = false;
    }
    buf_free(&key);
    map_free(&left);
    map_free(&right);
}

void run_matches_join_renamed(struct run_matches *matches, const struct run_item *a, const struct run_item *b) {
    struct placed_list left = {0}, right = {0};
    size_t kept = 0;
    place_items(&left, matches, a, false);
    place_items(&right, matches, b, true);
    join_places(matches, &left, &right, true);
    join_places(matches, &left, &right, false);
    for (size_t i = 0; i < matches->count; i++)
        if (matches->items[i].a != NO_MATCH || matches->items[i].b != NO_MATCH)
            matches->items[kept++] = matches->items[i];
    matches->count = kept;
    free(left.list.items);
    free(right.list.items);
}

void run_matches_finish(struct run_matches *matches) {
    free(matches->items);
    *matches = (struct run_matches){0};
}
