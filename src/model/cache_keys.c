#include "model/cache_keys.h"

#include <stdlib.h>

#include "base/mem.h"

enum { TEXT_MAX = 700 }; /* of one component */

struct component {
    uint32_t name;
    struct slice text; /* ptr NULL: not kept */
};

struct name {
    struct slice text;
    uint32_t note, times; /* how often it came in that note */
    uint32_t value;       /* while keys are compared: the component of that name, where stamp says so */
    uint64_t stamp;
};

struct key {
    const char *cache;
    uint32_t compile;
    uint32_t *items, count; /* components */
    bool compared, found;
    struct key_comparison comparison;
};

struct cache_keys {
    struct arena arena;
    struct map name_map, component_map, key_map;
    LIST(struct component) components;
    LIST(struct name) names;
    LIST(struct key *) keys;
    size_t items, text_bytes;
    uint32_t notes;
    uint64_t stamps;
};

static uint32_t name_of(struct cache_keys *keys, struct slice text) {
    bool added;
    uint32_t index = *map_put(&keys->name_map, text, (uint32_t)keys->names.count, &added);
    if (added) {
        MEM_GROW(&keys->names);
        keys->names.items[keys->names.count++] = (struct name){.text = map_key(&keys->name_map, text)};
    }
    return index;
}

/* A name that comes twice in a key gets a number. */
static uint32_t unique_name(struct cache_keys *keys, struct slice text) {
    uint32_t index = name_of(keys, text);
    struct name *name = &keys->names.items[index];
    if (name->note != keys->notes)
        name->times = 0;
    name->note = keys->notes;
    if (++name->times == 1)
        return index;
    struct buf other = {0};
    buf_add(&other, text);
    buf_addf(&other, " (%u)", name->times);
    index = name_of(keys, buf_slice(&other));
    buf_free(&other);
    return index;
}

/* "[hash] name: value"; UINT32_MAX for another text, or where there are too many. */
static uint32_t component_of(struct cache_keys *keys, struct slice text) {
    size_t close = slice_find(text, SLICE("] "));
    if (!text.len || text.ptr[0] != '[' || close == SIZE_MAX || keys->components.count >= COMPONENTS_MAX)
        return UINT32_MAX;
    struct slice hash = slice_make(text.ptr + 1, close - 1), rest = slice_from(text, close + 2);
    size_t colon = slice_find(slice_first(rest, TEXT_MAX), SLICE(": "));
    struct slice name_text = colon == SIZE_MAX ? slice_first(rest, TEXT_MAX) : slice_first(rest, colon);
    uint32_t name = unique_name(keys, name_text);
    struct buf key = {0};
    bool added;
    buf_add(&key, slice_make((const char *)&name, sizeof name));
    buf_add(&key, hash);
    uint32_t index = *map_put(&keys->component_map, buf_slice(&key), (uint32_t)keys->components.count, &added);
    buf_free(&key);
    if (added) {
        struct slice value = colon == SIZE_MAX ? (struct slice){0} : slice_from(rest, colon + 2);
        bool kept = value.ptr && value.len <= TEXT_MAX && keys->text_bytes + value.len <= COMPONENT_TEXT_MAX;
        keys->text_bytes += kept ? value.len : 0;
        MEM_GROW(&keys->components);
        keys->components.items[keys->components.count++] =
            (struct component){name, kept ? arena_slice(&keys->arena, value) : (struct slice){0}};
    }
    return index;
}

static void take_items(struct cache_keys *keys, struct key *key, yyjson_val *components) {
    size_t i, max;
    yyjson_val *item;
    keys->notes++;
    yyjson_arr_foreach(components, i, max, item) {
        uint32_t component = component_of(keys, json_text(item));
        if (component != UINT32_MAX)
            key->items[key->count++] = component;
    }
    keys->items += key->count;
}

bool cache_keys_component(const struct report *report, uint32_t key, uint32_t i, struct slice *name,
                          struct slice *value) {
    const struct cache_keys *keys = report->cache_keys;
    if (!keys || key >= keys->keys.count || i >= keys->keys.items[key]->count)
        return false;
    const struct component *component = &keys->components.items[keys->keys.items[key]->items[i]];
    *name = keys->names.items[component->name].text;
    *value = component->text;
    return true;
}

uint32_t cache_keys_note(struct report *report, uint32_t compile, const char *cache, yyjson_val *json) {
    yyjson_val *components = json_get(json, "components");
    struct slice text = json_get_text(json, "key");
    size_t count = yyjson_arr_size(components);
    struct buf full = {0};
    bool added;
    if (!count || !text.len || (report->cache_keys && report->cache_keys->items + count > KEY_ITEMS_MAX))
        return UINT32_MAX;
    if (!report->cache_keys)
        report->cache_keys = mem_zalloc(1, sizeof *report->cache_keys);
    struct cache_keys *keys = report->cache_keys;
    buf_addf(&full, "%s ", cache);
    buf_add(&full, text);
    uint32_t index = *map_put(&keys->key_map, buf_slice(&full), (uint32_t)keys->keys.count, &added);
    buf_free(&full);
    if (!added)
        return index;
    struct key *key = arena_zalloc(&keys->arena, sizeof *key);
    key->cache = cache;
    key->compile = compile;
    key->items = arena_alloc(&keys->arena, count * sizeof *key->items);
    take_items(keys, key, components);
    MEM_GROW(&keys->keys);
    keys->keys.items[keys->keys.count++] = key;
    return index;
}

static struct name *name_at(struct cache_keys *keys, uint32_t component) {
    return &keys->names.items[keys->components.items[component].name];
}

/* Marks the components of a key by their names. */
static void mark(struct cache_keys *keys, const struct key *key) {
    keys->stamps++;
    for (uint32_t i = 0; i < key->count; i++) {
        struct name *name = name_at(keys, key->items[i]);
        name->stamp = keys->stamps;
        name->value = key->items[i];
    }
}

/* How many components of the marked key and the other differ; no more than `most` are counted. */
static uint32_t differences(struct cache_keys *keys, const struct key *marked, const struct key *other, uint32_t most) {
    uint32_t count = 0, common = 0;
    for (uint32_t i = 0; i < other->count && count <= most; i++) {
        const struct name *name = name_at(keys, other->items[i]);
        bool both = name->stamp == keys->stamps;
        common += both;
        count += !both || name->value != other->items[i];
    }
    return count + (marked->count > common ? marked->count - common : 0);
}

static bool ends_item(char c) {
    return c == ',' || c == ' ' || c == '\n';
}

/* Where the item begins that holds the character at `end`; a tensor's sizes, in brackets within brackets, are one item. */
static size_t item_begin(struct slice text, size_t end) {
    size_t begin = 0;
    int depth = 0;
    for (size_t i = 0; i < end; i++) {
        char c = text.ptr[i];
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (depth <= 1 && ends_item(c))
            begin = i + 1;
    }
    return begin;
}

/* The same from the end: how many characters follow the item, of the last `most`. */
static size_t item_after(struct slice text, size_t most) {
    size_t after = 0;
    int depth = 0;
    for (size_t i = 1; i <= most; i++) {
        char c = text.ptr[text.len - i];
        depth += (c == ')' || c == ']' || c == '}') - (c == '(' || c == '[' || c == '{');
        if (depth <= 1 && ends_item(c))
            after = i;
    }
    return after;
}

/* The items of two like texts in which they differ: "shape=torch.Size([4])" of all that is said of a tensor. */
static void cut_to_difference(struct slice *a, struct slice *b) {
    size_t shorter = a->len < b->len ? a->len : b->len, first = 0, last = 0;
    while (first < shorter && a->ptr[first] == b->ptr[first])
        first++;
    while (last < shorter - first && a->ptr[a->len - 1 - last] == b->ptr[b->len - 1 - last])
        last++;
    first = item_begin(*a, first);
    last = item_after(*a, last);
    *a = slice_trim(slice_make(a->ptr + first, a->len - first - last));
    *b = slice_trim(slice_make(b->ptr + first, b->len - first - last));
    if (a->len && b->len && a->ptr[a->len - 1] == ',' && b->ptr[b->len - 1] == ',') {
        a->len--;
        b->len--;
    }
}

static void list_one(struct key_comparison *found, struct slice name, struct slice had, struct slice has) {
    if (found->listed == KEY_DIFFERENCES_MAX)
        return;
    if (had.ptr && has.ptr && !slice_eq(had, has))
        cut_to_difference(&had, &has);
    else if (had.ptr && has.ptr) /* the same text of another value */
        had = has = (struct slice){0};
    if (slice_find(had, SLICE("\n")) != SIZE_MAX || slice_find(has, SLICE("\n")) != SIZE_MAX) /* code of a graph */
        had = has = (struct slice){0};
    found->list[found->listed++] = (struct key_difference){name, had, has};
}

/* What of the key differs from an earlier one, in the order of the key. */
static void list_differences(struct cache_keys *keys, struct key *key, const struct key *earlier) {
    struct key_comparison *found = &key->comparison;
    mark(keys, earlier);
    for (uint32_t i = 0; i < key->count; i++) {
        struct name *name = name_at(keys, key->items[i]);
        bool both = name->stamp == keys->stamps;
        if (!both || name->value != key->items[i])
            list_one(found, name->text, both ? keys->components.items[name->value].text : (struct slice){0},
                     keys->components.items[key->items[i]].text);
    }
    mark(keys, key);
    for (uint32_t i = 0; i < earlier->count; i++)
        if (name_at(keys, earlier->items[i])->stamp != keys->stamps)
            list_one(found, name_at(keys, earlier->items[i])->text, keys->components.items[earlier->items[i]].text,
                     (struct slice){0});
}

/* Whether the key is of the graph of the marked one. */
static bool has_same_graph(struct cache_keys *keys, const struct key *other) {
    uint32_t graph = name_of(keys, SLICE("gm"));
    const struct name *name = &keys->names.items[graph];
    for (uint32_t i = 0; i < other->count; i++)
        if (keys->components.items[other->items[i]].name == graph)
            return name->stamp == keys->stamps && name->value == other->items[i];
    return false;
}

const struct key_comparison *cache_keys_compare(const struct report *report, uint32_t index) {
    struct cache_keys *keys = report->cache_keys;
    if (!keys || index >= keys->keys.count)
        return NULL;
    struct key *key = keys->keys.items[index];
    if (key->compared)
        return key->found ? &key->comparison : NULL;
    key->compared = true;
    key->comparison.count = UINT32_MAX;
    mark(keys, key);
    uint32_t looked = 0;
    for (uint32_t i = index; i-- > 0 && looked < KEYS_COMPARED_MAX;) {
        const struct key *other = keys->keys.items[i];
        if (strcmp(other->cache, key->cache) != 0 || (other->compile == key->compile && !has_same_graph(keys, other)))
            continue; /* a compile's backward, or the next part of its graph, is no other version of its forward */
        looked++;
        uint32_t count = differences(keys, key, other, key->comparison.count - 1);
        if (count >= key->comparison.count)
            continue;
        key->found = true;
        key->comparison.count = count;
        key->comparison.nearest = i;
        key->comparison.compile = other->compile;
    }
    if (!key->found)
        return NULL;
    list_differences(keys, key, keys->keys.items[key->comparison.nearest]);
    return &key->comparison;
}

void cache_keys_destroy(struct cache_keys *keys) {
    if (!keys)
        return;
    free(keys->components.items);
    free(keys->names.items);
    free(keys->keys.items);
    map_free(&keys->name_map);
    map_free(&keys->component_map);
    map_free(&keys->key_map);
    arena_free(&keys->arena);
    mem_free(keys);
}
