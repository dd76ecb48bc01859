#include "model/cache_keys.h"

enum { TEXT_MAX = 700 }; /* text of one component */

struct component {
    uint32_t name;
    struct slice hash;
    struct slice text; /* ptr NULL: not stored */
};

struct name {
    struct slice text;
    uint32_t note, times; /* number of occurrences in that note */
    uint32_t value;       /* during a comparison: the component with this name, if stamp is current */
    uint64_t stamp;
};

/* Consecutive components of a key whose names differ only in their brackets. */
struct run {
    const uint32_t *items;
    uint32_t count;
    uint64_t stamp; /* during a comparison: whether the marked key has it */
};

/* How a key is linked to an earlier one, from the nearest link to the farthest. LINK_MOVED: the same function in a
 * script in another folder, such as another checkout, that another process ran. */
enum link { LINK_GRAPH, LINK_FUNCTION, LINK_MOVED, LINKS };

struct key {
    enum cache cache;
    struct slice name; /* the cache and the hash of the key */
    uint32_t compile;
    uint64_t event_us;
    uint32_t *runs, run_count;
    uint32_t count;            /* number of components */
    uint32_t graph, direction; /* components with these names, as numbers; KEY_NONE: none */
    uint32_t earlier[LINKS];   /* the previous key with the same link; KEY_NONE: none */
    bool partial;              /* some components are not stored, so the key is not compared */
    bool compared, found;
    struct key_comparison comparison;
};

struct cache_keys {
    struct arena *arena;
    struct map name_map, component_map, run_map, key_map;
    LIST(struct component) components;
    LIST(struct name) names;
    LIST(struct run) runs;
    LIST(struct key *) keys;
    LIST(uint32_t) items;    /* of the key that is being added */
    LIST(uint32_t) adding;   /* its runs */
    size_t held, text_bytes; /* numbers in runs and keys; bytes of texts */
    uint32_t notes;
    uint64_t stamps;
    bool linked; /* the keys are linked to earlier ones */
};

static uint32_t name_of(struct cache_keys *keys, struct slice text) {
    bool added;
    uint32_t index = *map_put_in(keys->arena, &keys->name_map, text, (uint32_t)keys->names.count, &added);
    if (added)
        ARENA_ADD(keys->arena, &keys->names, (struct name){.text = map_key(&keys->name_map, text)});
    return index;
}

/* A name that occurs twice in a key gets a number. */
static uint32_t unique_name(struct cache_keys *keys, struct slice text) {
    uint32_t index = name_of(keys, text);
    struct name *name = &keys->names.items[index];
    if (name->note != keys->notes)
        name->times = 0;
    name->note = keys->notes;
    if (++name->times == 1)
        return index;
    AUTO_BUF other = {0};
    buf_add(&other, text);
    buf_addf(&other, " (%u)", name->times);
    index = name_of(keys, buf_slice(&other));
    return index;
}

/* The component with this name and hash, or KEY_NONE if there are too many. */
static uint32_t put_component(struct cache_keys *keys, uint32_t name, struct slice hash, struct slice value) {
    AUTO_BUF key = {0};
    bool added = false;
    BUF_ADD(&key, slice_make((const char *)&name, sizeof name), hash);
    uint32_t index = map_get(&keys->component_map, buf_slice(&key));
    if (index == MAP_NONE && keys->components.count < COMPONENTS_MAX)
        index =
            *map_put_in(keys->arena, &keys->component_map, buf_slice(&key), (uint32_t)keys->components.count, &added);
    if (added) {
        struct slice kept_key = map_key(&keys->component_map, buf_slice(&key));
        bool kept = value.ptr && value.len <= TEXT_MAX && keys->text_bytes + value.len <= COMPONENT_TEXT_MAX;
        keys->text_bytes += kept ? value.len : 0;
        ARENA_ADD(keys->arena, &keys->components,
                  (struct component){name, slice_from(kept_key, sizeof name),
                                     kept ? arena_slice(keys->arena, value) : (struct slice){0}});
    }
    return index;
}

static void add_item(struct cache_keys *keys, uint32_t component) {
    ARENA_ADD(keys->arena, &keys->items, component);
}

/* Adds "[hash] name: value"; ignores other texts. Returns false if there are too many components. */
static bool take_component(struct cache_keys *keys, struct slice text) {
    size_t close = slice_find(text, SLICE("] "));
    if (!text.len || text.ptr[0] != '[' || close == SIZE_MAX)
        return true;
    struct slice hash = slice_make(text.ptr + 1, close - 1), rest = slice_from(text, close + 2);
    size_t colon = slice_find(slice_first(rest, TEXT_MAX), SLICE(": "));
    struct slice name = slice_first(rest, colon == SIZE_MAX ? TEXT_MAX : colon);
    uint32_t component = put_component(keys, unique_name(keys, name), hash,
                                       colon != SIZE_MAX ? slice_from(rest, colon + 2) : (struct slice){0});
    if (component != KEY_NONE)
        add_item(keys, component);
    return component != KEY_NONE;
}

static struct slice component_name(const struct cache_keys *keys, uint32_t component) {
    return keys->names.items[keys->components.items[component].name].text;
}

/* "inductor_config" for "inductor_config[cpp.threads]". */
static struct slice group_of(const struct cache_keys *keys, uint32_t component) {
    struct slice name = component_name(keys, component);
    return slice_first(name, slice_find(name, SLICE("[")));
}

static uint32_t put_run(struct cache_keys *keys, const uint32_t *items, uint32_t count) {
    bool added;
    struct slice bytes = slice_make((const char *)items, count * sizeof *items);
    uint32_t index = *map_put_in(keys->arena, &keys->run_map, bytes, (uint32_t)keys->runs.count, &added);
    if (added) {
        uint32_t *kept = arena_alloc(keys->arena, bytes.len);
        memcpy(kept, items, bytes.len);
        ARENA_ADD(keys->arena, &keys->runs, (struct run){kept, count, 0});
        keys->held += count;
    }
    return index;
}

/* Splits keys->items into runs. */
static void set_runs(struct cache_keys *keys, struct key *key) {
    const uint32_t *items = keys->items.items;
    keys->adding.count = 0;
    key->count = (uint32_t)keys->items.count;
    for (uint32_t begin = 0, end; begin < key->count; begin = end) {
        struct slice group = group_of(keys, items[begin]);
        for (end = begin + 1; end < key->count && slice_eq(group_of(keys, items[end]), group);)
            end++;
        ARENA_ADD(keys->arena, &keys->adding, put_run(keys, items + begin, end - begin));
    }
    key->run_count = (uint32_t)keys->adding.count;
    key->runs = ARENA_COPY(keys->arena, keys->adding.items, keys->adding.count);
    keys->held += keys->adding.count;
}

/* Adds a key with the components keys->items. */
static struct key *add_key(struct cache_keys *keys, enum cache cache, struct slice name) {
    struct key *key = arena_zalloc(keys->arena, sizeof *key);
    *key = (struct key){.cache = cache,
                        .name = map_key(&keys->key_map, name),
                        .graph = KEY_NONE,
                        .direction = KEY_NONE,
                        .earlier = {KEY_NONE, KEY_NONE, KEY_NONE}};
    for (size_t i = 0; i < keys->items.count; i++) {
        struct slice component = component_name(keys, keys->items.items[i]);
        if (slice_is(component, "gm"))
            key->graph = keys->items.items[i];
        else if (slice_is(component, "fx_kwargs[is_backward]"))
            key->direction = keys->items.items[i];
    }
    set_runs(keys, key);
    ARENA_ADD(keys->arena, &keys->keys, key);
    return key;
}

/* Returns false if some could not be added. */
static bool take_items(struct cache_keys *keys, yyjson_val *components) {
    size_t i, max;
    yyjson_val *item;
    bool all = true;
    keys->notes++;
    keys->items.count = 0;
    yyjson_arr_foreach(components, i, max, item) all &= take_component(keys, json_text(item));
    return all;
}

struct cache_keys *cache_keys_create(struct arena *arena) {
    struct cache_keys *keys = arena_zalloc(arena, sizeof *keys);
    keys->arena = arena;
    return keys;
}

bool cache_keys_component(const struct model *model, uint32_t key, uint32_t i, struct slice *name,
                          struct slice *value) {
    const struct cache_keys *keys = model->cache_keys;
    if (!keys || key >= keys->keys.count)
        return false;
    const struct key *of = keys->keys.items[key];
    uint32_t run = 0;
    while (run < of->run_count && i >= keys->runs.items[of->runs[run]].count)
        i -= keys->runs.items[of->runs[run++]].count;
    if (run == of->run_count)
        return false;
    const struct component *component = &keys->components.items[keys->runs.items[of->runs[run]].items[i]];
    *name = keys->names.items[component->name].text;
    *value = component->text;
    return true;
}

uint32_t cache_keys_note(struct model *model, uint32_t compile, enum cache cache, uint64_t event_us, yyjson_val *json) {
    yyjson_val *components = json_get(json, "components");
    struct slice text = json_get_text(json, "key");
    size_t count = yyjson_arr_size(components);
    AUTO_BUF full = {0};
    bool added;
    if (!count || !text.len || (model->cache_keys && model->cache_keys->held + count > KEY_ITEMS_MAX))
        return KEY_NONE;
    if (!model->cache_keys)
        model->cache_keys = cache_keys_create(&model->arena);
    struct cache_keys *keys = model->cache_keys;
    BUF_ADD(&full, cache_name(cache), " ", text);
    uint32_t index = *map_put_in(keys->arena, &keys->key_map, buf_slice(&full), (uint32_t)keys->keys.count, &added);
    if (added) {
        bool all = take_items(keys, components);
        struct key *key = add_key(keys, cache, buf_slice(&full));
        key->compile = compile;
        key->event_us = event_us;
        key->partial = !all;
    }
    return index;
}

/* Maps names and components of a store to those of the store that it is merged into; KEY_NONE: not looked up yet. */
struct merged {
    uint32_t *names, *components;
};

static uint32_t *new_places(size_t count) {
    uint32_t *places = mem_alloc((count + 1) * sizeof *places);
    memset(places, 0xff, (count + 1) * sizeof *places);
    return places;
}

static uint32_t merge_component(struct cache_keys *into, const struct cache_keys *from, struct merged *merged,
                                uint32_t index) {
    const struct component *component = &from->components.items[index];
    uint32_t *name = &merged->names[component->name], *place = &merged->components[index];
    if (*place != KEY_NONE)
        return *place;
    if (*name == KEY_NONE)
        *name = name_of(into, from->names.items[component->name].text);
    return *place = put_component(into, *name, component->hash, component->text);
}

/* Finds the key's components in `into` and sets into->items. Returns false if there are too many. */
static bool merge_items(struct cache_keys *into, const struct cache_keys *from, struct merged *merged,
                        const struct key *key) {
    into->items.count = 0;
    for (uint32_t r = 0; r < key->run_count; r++) {
        const struct run *run = &from->runs.items[key->runs[r]];
        for (uint32_t i = 0; i < run->count; i++) {
            uint32_t component = merge_component(into, from, merged, run->items[i]);
            if (component == KEY_NONE)
                return false;
            add_item(into, component);
        }
    }
    return true;
}

void cache_keys_merge(struct cache_keys *into, const struct cache_keys *from, uint32_t *places) {
    if (!from)
        return;
    struct merged merged = {new_places(from->names.count), new_places(from->components.count)};
    for (size_t i = 0; i < from->keys.count; i++) {
        const struct key *key = from->keys.items[i];
        bool added;
        places[i] = map_get(&into->key_map, key->name);
        if (places[i] != MAP_NONE || key->partial || into->held + key->count > KEY_ITEMS_MAX ||
            !merge_items(into, from, &merged, key))
            continue;
        places[i] = *map_put_in(into->arena, &into->key_map, key->name, (uint32_t)into->keys.count, &added);
        add_key(into, key->cache, key->name);
    }
    mem_free(merged.names);
    mem_free(merged.components);
}

struct key_part *cache_key_run(const struct cache_keys *keys, uint32_t key, uint32_t r, size_t *count) {
    const struct key *of = keys->keys.items[key];
    if (r >= of->run_count)
        return NULL;
    const struct run *run = &keys->runs.items[of->runs[r]];
    struct key_part *parts = mem_alloc((run->count + 1) * sizeof *parts);
    for (uint32_t i = 0; i < run->count; i++) {
        const struct component *component = &keys->components.items[run->items[i]];
        parts[i] = (struct key_part){keys->names.items[component->name].text, component->hash, component->text};
    }
    *count = run->count;
    return parts;
}

uint32_t cache_key_group(const struct cache_keys *keys, uint32_t key, struct slice group, uint32_t *r) {
    const struct key *of = keys->keys.items[key];
    uint32_t found = KEY_NONE;
    for (uint32_t i = 0; i < of->run_count; i++) {
        if (!slice_eq(group_of(keys, keys->runs.items[of->runs[i]].items[0]), group))
            continue;
        if (found != KEY_NONE)
            return KEY_NONE;
        found = of->runs[i];
        *r = i;
    }
    return found;
}

struct slice cache_keys_device(const struct model *model) {
    static const struct slice start = SLICE_INIT("{'name': '");
    enum { KEYS_READ_MAX = 64 };
    const struct cache_keys *keys = model->cache_keys;
    uint32_t r, read = KEY_NONE;
    for (uint32_t key = 0; keys && key < KEYS_READ_MAX && key < keys->keys.count; key++) {
        uint32_t run = cache_key_group(keys, key, SLICE("system_info"), &r);
        if (run == KEY_NONE || run == read) /* keys of one process share it */
            continue;
        read = run;
        for (uint32_t i = 0; i < keys->runs.items[run].count; i++) {
            const struct component *component = &keys->components.items[keys->runs.items[run].items[i]];
            struct slice value = component->text;
            size_t end =
                slice_is(keys->names.items[component->name].text, "system_info[device]") && slice_starts(value, start)
                    ? slice_find(slice_from(value, start.len), SLICE("'"))
                    : SIZE_MAX;
            if (end != SIZE_MAX && end)
                return slice_make(value.ptr + start.len, end);
        }
    }
    return (struct slice){0};
}

uint32_t cache_keys_add(struct cache_keys *keys, enum cache cache, struct slice name, const struct key_part *parts,
                        size_t count) {
    uint32_t place = map_get(&keys->key_map, name);
    if (place != MAP_NONE || keys->held + count > KEY_ITEMS_MAX)
        return place;
    keys->items.count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t component = put_component(keys, name_of(keys, parts[i].name), parts[i].hash, parts[i].text);
        if (component == KEY_NONE)
            return KEY_NONE;
        add_item(keys, component);
    }
    place = *map_put_in(keys->arena, &keys->key_map, name, (uint32_t)keys->keys.count, NULL);
    add_key(keys, cache, name);
    return place;
}

size_t cache_keys_count(const struct cache_keys *keys) {
    return keys ? keys->keys.count : 0;
}

uint32_t cache_key_graph(const struct cache_keys *keys, uint32_t key) {
    return keys->keys.items[key]->graph;
}

uint32_t cache_key_direction(const struct cache_keys *keys, uint32_t key) {
    return keys->keys.items[key]->direction;
}

uint32_t cache_keys_components(const struct model *model, uint32_t key) {
    return key < cache_keys_count(model->cache_keys) ? model->cache_keys->keys.items[key]->count : 0;
}

static struct name *name_at(struct cache_keys *keys, uint32_t component) {
    return &keys->names.items[keys->components.items[component].name];
}

/* Marks the runs of a key, and its components by name. */
static void mark(struct cache_keys *keys, const struct key *key) {
    keys->stamps++;
    for (uint32_t r = 0; r < key->run_count; r++) {
        struct run *run = &keys->runs.items[key->runs[r]];
        run->stamp = keys->stamps;
        for (uint32_t i = 0; i < run->count; i++) {
            struct name *name = name_at(keys, run->items[i]);
            name->stamp = keys->stamps;
            name->value = run->items[i];
        }
    }
}

/* Counts the components in which the marked key and the other one differ, up to `most`. */
static uint32_t differences(struct cache_keys *keys, const struct key *marked, const struct key *other, uint32_t most) {
    uint32_t count = 0, common = 0;
    for (uint32_t r = 0; r < other->run_count && count <= most; r++) {
        const struct run *run = &keys->runs.items[other->runs[r]];
        if (run->stamp == keys->stamps) {
            common += run->count;
            continue;
        }
        for (uint32_t i = 0; i < run->count; i++) {
            const struct name *name = name_at(keys, run->items[i]);
            bool both = name->stamp == keys->stamps;
            common += both;
            count += !both || name->value != run->items[i];
        }
    }
    return count + (marked->count > common ? marked->count - common : 0);
}

static bool ends_item(char c) {
    return c == ',' || c == ' ' || c == '\n';
}

/* The start of the item that contains the character at `end`. A tensor's sizes, in nested brackets, are one item.
 */
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

/* The same from the end: the number of characters after the item, among the last `most`. */
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

static bool is_balanced(struct slice text) {
    int depth = 0;
    for (size_t i = 0; i < text.len && depth >= 0; i++) {
        char c = text.ptr[i];
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    }
    return depth == 0;
}

/* Reduces two similar texts to the items in which they differ: the description of a tensor to "shape=torch.Size([4])".
 */
static void cut_to_difference(struct slice *a, struct slice *b) {
    struct slice all_of_a = *a, all_of_b = *b;
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
    if (!is_balanced(*a) || !is_balanced(*b)) {
        *a = all_of_a;
        *b = all_of_b;
    }
}

/* Whether people can read the text. The code of a graph, on several lines, and bytes do not count as readable. */
static bool is_readable(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] < ' ')
            return false;
    return slice_find(text, SLICE("\xef\xbf\xbd")) == SIZE_MAX; /* the replacement of invalid UTF-8 */
}

/* Whether two texts show how the values differ. Equal texts, and texts that differ only in addresses, do not. */
static bool is_telling(struct slice a, struct slice b) {
    bool addresses = slice_find(a, SLICE("0x")) != SIZE_MAX;
    return !a.ptr || !b.ptr || (addresses ? noise_hash(a) != noise_hash(b) : !slice_eq(a, b));
}

static void list_one(struct key_comparison *found, struct slice name, struct slice had, struct slice has) {
    if (found->listed == KEY_DIFFERENCES_MAX)
        return;
    if (!is_telling(had, has) || !is_readable(had) || !is_readable(has))
        had = has = (struct slice){0};
    else if (had.ptr && has.ptr)
        cut_to_difference(&had, &has);
    found->list[found->listed++] = (struct key_difference){name, had, has};
}

static const struct component *component_at(const struct cache_keys *keys, uint32_t index) {
    return &keys->components.items[index];
}

/* Whether the components of a run are numbered: "example_inputs[0]". */
static bool is_numbered(const struct cache_keys *keys, const struct run *run) {
    struct slice group = group_of(keys, run->items[0]), name = component_name(keys, run->items[0]);
    return slice_eq(slice_from(name, group.len), SLICE("[0]"));
}

static const struct run *run_of_group(const struct cache_keys *keys, const struct key *key, struct slice group) {
    for (uint32_t r = 0; r < key->run_count; r++) {
        const struct run *run = &keys->runs.items[key->runs[r]];
        if (slice_eq(group_of(keys, run->items[0]), group))
            return run;
    }
    return NULL;
}

/* If two lists have different lengths, their items cannot be paired: returns true, and lists the lengths instead. */
static bool list_lengths(struct cache_keys *keys, const struct run *run, const struct key *earlier,
                         struct key_comparison *found) {
    if (!is_numbered(keys, run))
        return false;
    struct slice group = group_of(keys, run->items[0]);
    const struct run *other = run_of_group(keys, earlier, group);
    if (!other || other->count == run->count)
        return false;
    struct buf texts[3] = {{0}};
    struct slice kept[3];
    buf_addf(&texts[0], "len(%.*s)", SLICE_ARG(group));
    buf_addf(&texts[1], "%" PRIu32, other->count);
    buf_addf(&texts[2], "%" PRIu32, run->count);
    for (int i = 0; i < 3; i++) {
        kept[i] = arena_slice(keys->arena, buf_slice(&texts[i]));
        buf_free(&texts[i]);
    }
    list_one(found, kept[0], kept[1], kept[2]);
    return true;
}

/* Lists the differences to an earlier key, in the order of the key, and counts them. */
static void list_differences(struct cache_keys *keys, const struct key *key, const struct key *earlier,
                             struct key_comparison *found) {
    found->count = 0;
    mark(keys, earlier);
    for (uint32_t r = 0; r < key->run_count; r++) {
        const struct run *run = &keys->runs.items[key->runs[r]];
        if (run->stamp == keys->stamps)
            continue;
        if (list_lengths(keys, run, earlier, found)) {
            found->count++;
            continue;
        }
        for (uint32_t i = 0; i < run->count; i++) {
            struct name *name = name_at(keys, run->items[i]);
            bool both = name->stamp == keys->stamps;
            if (both && name->value == run->items[i])
                continue;
            found->count++;
            list_one(found, name->text, both ? component_at(keys, name->value)->text : (struct slice){0},
                     component_at(keys, run->items[i])->text);
        }
    }
    mark(keys, key);
    for (uint32_t r = 0; r < earlier->run_count; r++) {
        const struct run *run = &keys->runs.items[earlier->runs[r]];
        bool listed = is_numbered(keys, run) && run_of_group(keys, key, group_of(keys, run->items[0]));
        for (uint32_t i = 0; i < run->count && run->stamp != keys->stamps && !listed; i++) {
            if (name_at(keys, run->items[i])->stamp == keys->stamps)
                continue;
            found->count++;
            list_one(found, name_at(keys, run->items[i])->text, component_at(keys, run->items[i])->text,
                     (struct slice){0});
        }
    }
}

bool cache_keys_nearest(struct cache_keys *keys, uint32_t index, const uint32_t *others, size_t count,
                        struct key_comparison *found) {
    struct key *key = keys->keys.items[index];
    *found = (struct key_comparison){.nearest = KEY_NONE, .count = UINT32_MAX};
    if (key->partial)
        return false;
    mark(keys, key);
    for (size_t i = 0; i < count && found->count; i++) {
        const struct key *other = keys->keys.items[others[i]];
        uint32_t differ = other->partial ? UINT32_MAX : differences(keys, key, other, found->count - 1);
        if (differ >= found->count)
            continue;
        found->count = differ;
        found->nearest = others[i];
    }
    if (found->nearest == KEY_NONE)
        return false;
    const struct key *nearest = keys->keys.items[found->nearest];
    found->compile = nearest->compile;
    found->same_graph = key->graph != KEY_NONE && nearest->graph == key->graph;
    list_differences(keys, key, nearest, found);
    return true;
}

/* Makes this the latest key of a graph or function, and returns the previous one. */
static uint32_t swap_latest(struct map *latest, struct buf *name, uint32_t index) {
    bool added;
    uint32_t *slot = map_put(latest, buf_slice(name), index, &added), before = added ? KEY_NONE : *slot;
    *slot = index;
    name->len = 0;
    return before;
}

static void link_key(struct key *key, enum link link, struct map *latest, struct buf *name, uint32_t index) {
    buf_addf(name, " %d %s", (int)link, cache_name(key->cache));
    key->earlier[link] = swap_latest(latest, name, index);
}

/* Links each key to the latest earlier key of its graph, and of its function and direction. */
static void link_keys(const struct model *model, struct cache_keys *keys) {
    AUTO_MAP latest = {0};
    AUTO_BUF name = {0};
    for (uint32_t i = 0; i < keys->keys.count; i++) {
        struct key *key = keys->keys.items[i];
        const struct place *frame = &model->compiles.items[key->compile]->frame;
        if (key->graph != KEY_NONE) {
            buf_addf(&name, "%" PRIu32, key->graph);
            link_key(key, LINK_GRAPH, &latest, &name, i);
        }
        for (enum link link = LINK_FUNCTION; link <= LINK_MOVED && (frame->file.ptr || frame->function.ptr); link++) {
            buf_addf(&name, "%" PRIu32 " %" PRIu64 " ", key->direction, frame->line);
            buf_add(&name, frame->function);
            buf_add_byte(&name, 0);
            buf_add(&name,
                    link == LINK_MOVED ? slice_from(frame->file, slice_rfind_byte(frame->file, '/') + 1) : frame->file);
            link_key(key, link, &latest, &name, i);
        }
    }
    keys->linked = true;
}

/* Logs of several processes are read in sequence, so an earlier record may be a later lookup. */
static bool is_before(const struct key *other, const struct key *key) {
    return !other->event_us || !key->event_us || other->event_us <= key->event_us;
}

/* Only another compile of a function is compared: the next graph of a compile is not a version of its first graph. */
static bool is_linked(const struct model *model, const struct key *key, const struct key *other, enum link link) {
    if (link == LINK_MOVED)
        return model->compiles.items[other->compile]->process != model->compiles.items[key->compile]->process;
    return link == LINK_GRAPH || other->compile != key->compile;
}

/* The latest earlier keys with this link. */
static size_t earlier_keys(const struct model *model, const struct key *key, enum link link,
                           uint32_t others[KEYS_COMPARED_MAX]) {
    const struct cache_keys *keys = model->cache_keys;
    size_t count = 0;
    uint32_t at = key->earlier[link];
    for (uint32_t looked = 0; at != KEY_NONE && looked < KEYS_COMPARED_MAX; looked++) {
        const struct key *other = keys->keys.items[at];
        if (is_before(other, key) && is_linked(model, key, other, link))
            others[count++] = at;
        at = other->earlier[link];
    }
    return count;
}

const struct key_comparison *cache_keys_compare(const struct model *model, uint32_t index) {
    struct cache_keys *keys = model->cache_keys;
    uint32_t others[KEYS_COMPARED_MAX];
    if (index >= cache_keys_count(keys))
        return NULL;
    if (!keys->linked)
        link_keys(model, keys);
    struct key *key = keys->keys.items[index];
    if (!key->compared) {
        key->compared = true;
        for (enum link link = 0; link < LINKS && !key->found; link++)
            key->found =
                cache_keys_nearest(keys, index, others, earlier_keys(model, key, link, others), &key->comparison);
    }
    return key->found ? &key->comparison : NULL;
}
