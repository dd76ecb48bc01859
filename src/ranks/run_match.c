#include "ranks/run_match.h"

#include <stdlib.h>

#include "base/map.h"

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

void run_matches_finish(struct run_matches *matches) {
    free(matches->items);
    *matches = (struct run_matches){0};
}
