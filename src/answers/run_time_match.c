#include "answers/run_time_parts.h"
#include "base/word.h"

struct items {
    LIST(struct match_item) list;
    LIST(struct slice) names;
    uint32_t *numbers;
};

static void items_finish(struct items items[SIDES]) {
    for (size_t side = 0; side < SIDES; side++) {
        mem_free(items[side].list.items);
        mem_free(items[side].names.items);
        mem_free(items[side].numbers);
    }
}

void line_name_add(struct buf *out, struct slice file, uint64_t line) {
    BUF_ADD(out, file, ":");
    buf_addf(out, "%" PRIu64, line);
}

void items_pair(struct match_item *const items[SIDES], const size_t counts[SIDES], bool places,
                uint32_t *const numbers[SIDES]) {
    struct matches matches;
    matches_find(&matches, items[0], counts[0], items[1], counts[1]);
    if (places)
        matches_join_renamed(&matches, items[0], counts[0], items[1], counts[1]);
    for (uint32_t i = 0; i < matches.count; i++) {
        if (matches.items[i].a != NO_MATCH)
            numbers[0][matches.items[i].a] = i;
        if (matches.items[i].b != NO_MATCH)
            numbers[1][matches.items[i].b] = i;
    }
    matches_finish(&matches);
}

static void pair_items(struct items items[SIDES], bool places) {
    struct match_item *const lists[SIDES] = {items[0].list.items, items[1].list.items};
    const size_t counts[SIDES] = {items[0].list.count, items[1].list.count};
    for (size_t side = 0; side < SIDES; side++)
        items[side].numbers = mem_zalloc(counts[side] + 1, sizeof *items[side].numbers);
    items_pair(lists, counts, places, (uint32_t *const[SIDES]){items[0].numbers, items[1].numbers});
}

static uint64_t line_of(yyjson_val *object) {
    uint64_t line;
    return json_to_u64(json_get(object, "line"), &line) ? line : UINT64_MAX;
}

/* The function of a compile, as the comparison of compile time matches it. */
static struct match_item function_of(struct pairings *pairings, yyjson_val *compile) {
    yyjson_val *frame = json_get(compile, "frame");
    struct buf key = {0};
    struct slice name = json_get_text(frame, "function"), file = json_get_text(frame, "file");
    if (name.len)
        match_key_add(&key, name, file);
    else
        BUF_ADD(&key, "compile ", json_get_text(compile, "key"));
    return (struct match_item){.key = arena_keep(&pairings->arena, &key),
                               .name = name,
                               .file = file,
                               .line = line_of(frame),
                               .weight = report_count(json_get(compile, "graph"), "ops")};
}

static void add_functions(struct pairings *pairings, struct items *items, struct map *at, yyjson_val *compiles) {
    AUTO_MAP places = {0};
    size_t i, max;
    yyjson_val *compile;
    yyjson_arr_foreach(compiles, i, max, compile) {
        AUTO_BUF place = {0};
        bool added;
        struct match_item item = function_of(pairings, compile);
        buf_addf(&place, "%.*s %" PRIu64, SLICE_ARG(item.key), item.line);
        uint32_t function = *map_put(&places, buf_slice(&place), (uint32_t)items->list.count, &added);
        if (added)
            LIST_ADD(&items->list, item);
        map_put(at, json_get_text(compile, "key"), function, NULL);
    }
}

static void pair_functions(struct pairings *pairings, const struct timed sides[SIDES]) {
    struct items items[SIDES] = {0};
    struct map at[SIDES] = {0};
    for (size_t side = 0; side < SIDES; side++)
        add_functions(pairings, &items[side], &at[side], json_get(sides[side].root, "compiles"));
    pair_items(items, true);
    for (size_t side = 0; side < SIDES; side++) {
        size_t i, max;
        yyjson_val *compile;
        yyjson_arr_foreach(json_get(sides[side].root, "compiles"), i, max, compile) {
            struct slice key = json_get_text(compile, "key");
            map_put(&pairings->functions.of[side], key, items[side].numbers[map_get(&at[side], key)], NULL);
        }
        map_free(&at[side]);
    }
    items_finish(items);
}

static int by_place(const void *a, const void *b) {
    const struct match_item *one = a, *other = b;
    int file = slice_cmp(one->file, other->file);
    return file ? file : one->weight < other->weight ? -1 : one->weight > other->weight;
}

/* The name of a line's file. A file in /tmp was written by the program: its name ends in what differs in each run. */
static struct slice file_name(struct slice file) {
    struct slice name = path_last(file);
    size_t bar = slice_rfind_byte(name, '_');
    return slice_starts(file, SLICE("/tmp/")) && bar != SIZE_MAX ? slice_first(name, bar) : name;
}

static void add_lines(struct pairings *pairings, struct items *items, yyjson_val *lines) {
    size_t i, max;
    yyjson_val *line;
    yyjson_arr_foreach(lines, i, max, line) {
        struct buf key = {0};
        struct slice file = json_get_text(line, "file"), code = json_get_text(line, "code");
        BUF_ADD(&key, file_name(file), "\n", code);
        if (!code.len)
            buf_addf(&key, "%" PRIu64, line_of(line));
        LIST_ADD(&items->list, (struct match_item){.key = arena_keep(&pairings->arena, &key),
                                                   .file = file,
                                                   .line = UINT64_MAX,
                                                   .weight = line_of(line)});
    }
    LIST_SORT(&items->list, by_place);
}

/* Counts the words of a line that another one has, too. */
static size_t count_shared(struct slice code, struct slice other) {
    size_t shared = 0;
    for (size_t i = 0, length; i < code.len; i += length ? length : 1) {
        struct slice word = {.ptr = code.ptr + i, .len = length = word_length(slice_from(code, i))};
        shared += length && has_word(other, word);
    }
    return shared;
}

/* How much of two lines is the same, from 0 to 1. */
static double likeness_of(struct slice a, struct slice b) {
    size_t words = count_shared(a, a) + count_shared(b, b);
    return words ? (double)(count_shared(a, b) + count_shared(b, a)) / (double)words : 0;
}

/* Two lines without a match. */
struct likeness {
    uint32_t a, b; /* indices of their matches */
    double likeness;
    uint64_t distance; /* in lines */
};

static int by_likeness(const void *x, const void *y) {
    const struct likeness *one = x, *other = y;
    if (one->likeness != other->likeness)
        return one->likeness > other->likeness ? -1 : 1;
    if (one->distance != other->distance)
        return one->distance < other->distance ? -1 : 1;
    return one->a != other->a ? (one->a < other->a ? -1 : 1) : one->b < other->b ? -1 : one->b > other->b;
}

/* The start of the text of a line: what comes after its file. */
static struct slice code_of(const struct match_item *line) {
    enum { CODE_MAX = 200 };
    return slice_first(slice_after(line->key, SLICE("\n")), CODE_MAX);
}

/* Joins lines that were edited: of one file, and with more than half of their words. */
static void join_edited(struct matches *matches, const struct match_item *a, const struct match_item *b) {
    enum { PAIRS_MAX = 10000 };
    LIST(uint32_t) only[SIDES] = {0};
    LIST(struct likeness) pairs = {0};
    for (uint32_t m = 0; m < matches->count; m++)
        if (matches->items[m].a == NO_MATCH || matches->items[m].b == NO_MATCH)
            LIST_ADD(&only[matches->items[m].a == NO_MATCH], m);
    for (size_t i = 0; i < only[0].count && only[0].count * only[1].count <= PAIRS_MAX; i++)
        for (size_t k = 0; k < only[1].count; k++) {
            struct likeness pair = {.a = only[0].items[i], .b = only[1].items[k]};
            const struct match_item *x = &a[matches->items[pair.a].a], *y = &b[matches->items[pair.b].b];
            pair.distance = x->weight < y->weight ? y->weight - x->weight : x->weight - y->weight;
            if (slice_eq(file_name(x->file), file_name(y->file)) && !slice_eq(x->key, y->key) &&
                (pair.likeness = likeness_of(code_of(x), code_of(y))) > 0.5)
                LIST_ADD(&pairs, pair);
        }
    LIST_SORT(&pairs, by_likeness);
    for (size_t i = 0; i < pairs.count; i++) {
        struct match *x = &matches->items[pairs.items[i].a], *y = &matches->items[pairs.items[i].b];
        if (x->b != NO_MATCH || y->b == NO_MATCH)
            continue;
        x->b = y->b;
        y->b = NO_MATCH;
    }
    mem_free(only[0].items);
    mem_free(only[1].items);
    mem_free(pairs.items);
}

/* Parts lines with equal text of which neither has moved, because a later line of their file has not: one is of a function that only one run calls. */
static void part_unmoved(struct matches *matches, const struct match_item *a, const struct match_item *b) {
    AUTO_MAP lasts = {0}; /* name of a file → the last line that both have, as far as it fits */
    for (uint32_t m = 0; m < matches->count; m++) {
        struct match match = matches->items[m];
        if (match.a == NO_MATCH || match.b == NO_MATCH || a[match.a].weight != b[match.b].weight)
            continue;
        uint32_t *last = map_put(&lasts, file_name(a[match.a].file), 0, NULL);
        if (a[match.a].weight < UINT32_MAX && a[match.a].weight > *last)
            *last = (uint32_t)a[match.a].weight;
    }
    for (uint32_t m = 0, count = (uint32_t)matches->count; m < count; m++) {
        struct match match = matches->items[m];
        if (match.a == NO_MATCH || match.b == NO_MATCH || a[match.a].weight == b[match.b].weight)
            continue;
        uint32_t last = map_get(&lasts, file_name(a[match.a].file));
        uint64_t first = a[match.a].weight < b[match.b].weight ? a[match.a].weight : b[match.b].weight;
        if (last == MAP_NONE || last < first)
            continue;
        matches->items[m].b = NO_MATCH;
        LIST_ADD(matches, (struct match){NO_MATCH, match.b});
    }
}

/* Lines are matched by their text, in order: a line that has moved may now be where another one with its text was. */
static void pair_lines(struct pairings *pairings, const struct timed sides[SIDES]) {
    struct items items[SIDES] = {0};
    struct matches matches;
    for (size_t side = 0; side < SIDES; side++)
        add_lines(pairings, &items[side], json_get(sides[side].profile, "lines"));
    const struct match_item *a = items[0].list.items, *b = items[1].list.items;
    matches_find(&matches, a, items[0].list.count, b, items[1].list.count);
    part_unmoved(&matches, a, b);
    join_edited(&matches, a, b);
    for (uint32_t m = 0; m < matches.count; m++)
        for (size_t side = 0; side < SIDES; side++) {
            uint32_t at = side ? matches.items[m].b : matches.items[m].a;
            AUTO_BUF name = {0};
            if (at == NO_MATCH)
                continue;
            line_name_add(&name, items[side].list.items[at].file, items[side].list.items[at].weight);
            map_put(&pairings->lines.of[side], buf_slice(&name), m, NULL);
        }
    matches_finish(&matches);
    items_finish(items);
}

void pairings_find(struct pairings *pairings, const struct timed sides[SIDES]) {
    *pairings = (struct pairings){0};
    pair_functions(pairings, sides);
    pair_lines(pairings, sides);
}

void pairings_finish(struct pairings *pairings) {
    for (size_t side = 0; side < SIDES; side++) {
        map_free(&pairings->functions.of[side]);
        map_free(&pairings->lines.of[side]);
    }
    arena_free(&pairings->arena);
}
