#include "answers/run_time_parts.h"

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

static void add_lines(struct pairings *pairings, struct items *items, yyjson_val *lines) {
    size_t i, max;
    yyjson_val *line;
    yyjson_arr_foreach(lines, i, max, line) {
        struct buf key = {0};
        struct slice file = json_get_text(line, "file"), code = json_get_text(line, "code");
        BUF_ADD(&key, path_last(file), "\n", code);
        if (!code.len)
            buf_addf(&key, "%" PRIu64, line_of(line));
        LIST_ADD(&items->list, (struct match_item){.key = arena_keep(&pairings->arena, &key),
                                                   .file = file,
                                                   .line = UINT64_MAX,
                                                   .weight = line_of(line)});
    }
    LIST_SORT(&items->list, by_place);
}

/* From now on, lines are matched by their place. */
static void place_lines(struct items *items) {
    for (size_t i = 0; i < items->list.count; i++) {
        items->list.items[i].line = items->list.items[i].weight;
        items->list.items[i].weight = 1;
    }
}

/* Lines are matched by their text, in order: a line that has moved may now be where another one with its text was. What
 * is left is matched by its place. */
static void pair_lines(struct pairings *pairings, const struct timed sides[SIDES]) {
    struct items items[SIDES] = {0};
    struct matches matches;
    for (size_t side = 0; side < SIDES; side++)
        add_lines(pairings, &items[side], json_get(sides[side].profile, "lines"));
    const struct match_item *a = items[0].list.items, *b = items[1].list.items;
    matches_find(&matches, a, items[0].list.count, b, items[1].list.count);
    place_lines(&items[0]);
    place_lines(&items[1]);
    matches_join_renamed(&matches, a, items[0].list.count, b, items[1].list.count);
    for (uint32_t m = 0; m < matches.count; m++)
        for (size_t side = 0; side < SIDES; side++) {
            uint32_t at = side ? matches.items[m].b : matches.items[m].a;
            AUTO_BUF name = {0};
            if (at == NO_MATCH)
                continue;
            line_name_add(&name, items[side].list.items[at].file, items[side].list.items[at].line);
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
