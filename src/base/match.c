#include <inttypes.h>

#include "base/match.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/path.h"

#define SHARED (MAP_NONE - 1)

/* The items of one run with the same key: a list through `next`. */
struct chain {
    uint32_t first, last;
};

struct side {
    const struct match_item *items;
    uint32_t *next, *match; /* match: the item of the other side, or NO_MATCH */
    struct chain *chains;   /* by key */
};

static void side_init(struct side *side, const struct match_item *items, size_t count, size_t keys) {
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

static void add_keys(struct map *keys, uint32_t *count, const struct match_item *items, size_t item_count) {
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

static void add(struct matches *matches, uint32_t a, uint32_t b) {
    LIST_ADD(matches, (struct match){a, b});
}

static void match_key(struct matches *matches, struct side *a, struct side *b, uint32_t key) {
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

void matches_find(struct matches *matches, const struct match_item *a, size_t a_count, const struct match_item *b,
                  size_t b_count) {
    AUTO_MAP keys = {0};
    struct side left, right;
    uint32_t count = 0;
    *matches = (struct matches){0};
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
}

/* A match, by the place of its item in one run. */
struct placed {
    const struct match_item *item;
    struct slice file; /* its file, or the last part of it */
    uint32_t match;    /* index in the matches */
    bool alone;        /* the other run does not have it */
    /* For an item that is alone: the matches before and after it in its file; NO_MATCH: none. */
    uint32_t before, behind;
};

struct placed_list {
    LIST(struct placed) list;
};

static int by_place(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    int order = slice_cmp(x->file, y->file);
    if (order)
        return order;
    if (x->item->line != y->item->line)
        return x->item->line < y->item->line ? -1 : 1;
    return x->match < y->match ? -1 : x->match > y->match;
}

/* The files of a run. */
struct files {
    struct map whole, last; /* paths, and their last parts: the number of a path, or SHARED */
};

static void files_find(struct files *files, const struct match_item *items, size_t count) {
    uint32_t paths = 0;
    for (size_t i = 0; i < count; i++) {
        bool new_path, new_last;
        map_put(&files->whole, items[i].file, paths, &new_path);
        uint32_t *last = map_put(&files->last, path_last(items[i].file), paths, &new_last);
        if (new_path && !new_last)
            *last = SHARED;
        paths += new_path;
    }
}

static void files_free(struct files *files) {
    map_free(&files->whole);
    map_free(&files->last);
}

/* The path, or its last part if the program moved to another folder: no other file of either run may then end in it. */
static struct slice file_in_both(struct slice file, const struct files *own, const struct files *other) {
    struct slice last = path_last(file);
    uint32_t there = map_get(&other->last, last);
    bool moved = map_get(&other->whole, file) == MAP_NONE && map_get(&own->last, last) != SHARED && there != SHARED &&
                 there != MAP_NONE;
    return moved ? last : file;
}

/* The items of one run with a place, by file and line, with their matched neighbors. */
static void place_items(struct placed_list *placed, const struct matches *matches, const struct match_item *items,
                        bool second, const struct files files[2]) {
    for (size_t i = 0; i < matches->count; i++) {
        const struct match *match = &matches->items[i];
        uint32_t own = second ? match->b : match->a, other = second ? match->a : match->b;
        if (own == NO_MATCH || !items[own].file.len || items[own].line == UINT64_MAX)
            continue;
        LIST_ADD(&placed->list,
                 (struct placed){&items[own], file_in_both(items[own].file, &files[second], &files[!second]),
                                 (uint32_t)i, other == NO_MATCH, NO_MATCH, NO_MATCH});
    }
    if (placed->list.count)
        qsort(placed->list.items, placed->list.count, sizeof *placed->list.items, by_place);
    for (size_t i = 1; i < placed->list.count; i++) {
        const struct placed *last = &placed->list.items[i - 1];
        if (slice_eq(last->file, placed->list.items[i].file))
            placed->list.items[i].before = last->alone ? last->before : last->match;
    }
    for (size_t i = placed->list.count; i-- > 1;) {
        const struct placed *next = &placed->list.items[i];
        if (slice_eq(next->file, placed->list.items[i - 1].file))
            placed->list.items[i - 1].behind = next->alone ? next->behind : next->match;
    }
}

static void place_key(struct buf *key, const struct placed *placed, bool line) {
    key->len = 0;
    buf_add(key, placed->file);
    buf_add_byte(key, 0);
    if (line)
        buf_addf(key, "%" PRIu64, placed->item->line);
    else
        buf_addf(key, "%u %u %" PRIu64, placed->before, placed->behind, placed->item->weight);
}

/* How items are joined by their place. */
struct place_rule {
    bool line;    /* on the same line; false: between the same neighbors */
    bool resumed; /* include resume functions */
};

static bool is_sought(const struct placed *placed, struct place_rule rule) {
    return placed->alone && (rule.line || placed->item->weight > 0) &&
           (rule.resumed || !name_is_resumed(placed->item->name));
}

/* Maps the place of each unmatched item of this run to its index, or to MAP_NONE - 1 if several items share the place.
 */
static void index_places(struct map *map, const struct placed_list *placed, struct place_rule rule) {
    AUTO_BUF key = {0};
    for (size_t i = 0; i < placed->list.count; i++) {
        bool added;
        if (!is_sought(&placed->list.items[i], rule))
            continue;
        place_key(&key, &placed->list.items[i], rule.line);
        uint32_t *value = map_put(map, buf_slice(&key), (uint32_t)i, &added);
        if (!added)
            *value = SHARED;
    }
}

static void join(struct matches *matches, struct placed *a, struct placed *b) {
    struct match *joined = &matches->items[b->match];
    matches->items[a->match].b = joined->b;
    joined->b = NO_MATCH; /* removed below */
    b->match = a->match;
    a->alone = b->alone = false;
}

/* Joins the items of both runs that are the only ones in a place. */
static void join_places(struct matches *matches, struct placed_list *a, struct placed_list *b, struct place_rule rule) {
    AUTO_MAP left = {0}, right = {0};
    AUTO_BUF key = {0};
    index_places(&left, a, rule);
    index_places(&right, b, rule);
    for (size_t i = 0; i < a->list.count; i++) {
        struct placed *one = &a->list.items[i];
        if (!is_sought(one, rule))
            continue;
        place_key(&key, one, rule.line);
        uint32_t other = map_get(&right, buf_slice(&key));
        if (map_get(&left, buf_slice(&key)) == SHARED || other == SHARED || other == MAP_NONE)
            continue;
        assert(other < b->list.count && b->list.items);
        join(matches, one, &b->list.items[other]);
    }
}

/* Joins the resume functions of a renamed function; those with the same name in order. */
static void join_resumed(struct matches *matches, const struct match_item *a, struct placed_list *left,
                         struct placed_list *right) {
    AUTO_MAP by_key = {0};
    struct renames renames = {0};
    AUTO_BUF key = {0};
    uint32_t *next = mem_alloc((left->list.count + 1) * sizeof *next);
    for (size_t i = left->list.count; i-- > 0;) { /* backwards: new items go to the head of a list */
        const struct placed *one = &left->list.items[i];
        bool added;
        next[i] = NO_MATCH;
        if (!one->alone || !name_is_resumed(one->item->name))
            continue;
        uint32_t *first = map_put(&by_key, one->item->key, (uint32_t)i, &added);
        next[i] = added ? NO_MATCH : *first;
        *first = (uint32_t)i;
    }
    for (size_t i = 0; i < right->list.count; i++) {
        const struct placed *other = &right->list.items[i];
        uint32_t joined = matches->items[other->match].a;
        if (!other->alone && joined != NO_MATCH)
            renames_add(&renames, a[joined].name, other->item->name);
    }
    for (size_t i = 0; i < right->list.count; i++) {
        struct placed *other = &right->list.items[i];
        key.len = 0;
        if (!other->alone || !name_is_resumed(other->item->name) || !renames_apply(&renames, other->item->key, &key))
            continue;
        uint32_t one = map_get(&by_key, buf_slice(&key));
        if (one == MAP_NONE)
            continue;
        *map_put(&by_key, buf_slice(&key), 0, NULL) = next[one];
        join(matches, &left->list.items[one], other);
    }
    renames_free(&renames);
    mem_free(next);
}

void matches_join_renamed(struct matches *matches, const struct match_item *a, size_t a_count,
                          const struct match_item *b, size_t b_count) {
    struct placed_list left = {0}, right = {0};
    struct files files[2] = {0};
    size_t kept = 0;
    files_find(&files[0], a, a_count);
    files_find(&files[1], b, b_count);
    place_items(&left, matches, a, false, files);
    place_items(&right, matches, b, true, files);
    join_places(matches, &left, &right, (struct place_rule){.line = true});
    join_places(matches, &left, &right, (struct place_rule){.line = false});
    join_resumed(matches, a, &left, &right);
    join_places(matches, &left, &right, (struct place_rule){.line = true, .resumed = true});
    join_places(matches, &left, &right, (struct place_rule){.line = false, .resumed = true});
    for (size_t i = 0; i < matches->count; i++)
        if (matches->items[i].a != NO_MATCH || matches->items[i].b != NO_MATCH)
            matches->items[kept++] = matches->items[i];
    matches->count = kept;
    files_free(&files[0]);
    files_free(&files[1]);
    mem_free(left.list.items);
    mem_free(right.list.items);
}

static void add_names(struct map *names, const struct match_item *items, size_t count) {
    bool added;
    for (size_t i = 0; i < count; i++)
        map_put(names, items[i].name, 0, &added);
}

void matches_add_renames(const struct matches *matches, const struct match_item *a, size_t a_count,
                         const struct match_item *b, size_t b_count, struct renames *renames) {
    AUTO_MAP before = {0}, after = {0};
    add_names(&before, a, a_count);
    add_names(&after, b, b_count);
    for (size_t i = 0; i < matches->count; i++) {
        const struct match *match = &matches->items[i];
        if (match->a == NO_MATCH || match->b == NO_MATCH || map_get(&after, a[match->a].name) != MAP_NONE ||
            map_get(&before, b[match->b].name) != MAP_NONE)
            continue;
        renames_add(renames, a[match->a].name, b[match->b].name);
    }
}

void match_key_add(struct buf *out, struct slice name, struct slice file) {
    name_add_without_lines(out, name);
    BUF_ADD(out, " ", path_last(file));
}

void matches_finish(struct matches *matches) {
    mem_free(matches->items);
    *matches = (struct matches){0};
}
