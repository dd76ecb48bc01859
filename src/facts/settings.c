#include "facts/settings.h"

#include <pthread.h>
#include <strings.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/json.h"
#include "base/jsonw.h"
#include "facts/rank_parts.h"
#include "model/cache_keys.h"

enum { ALWAYS_RANKS = 3, PORT_MIN = 1024 };
enum { KNOWN_CONFIGS_MAX = 256 }; /* further ones are parsed for each rank */
/* Kinds of settings: those of configurations, and Inductor's settings in its cache keys. The latter include the
 * settings that torch.compile(mode=, options=) changes during the compile, which the logged configuration does not
 * show. */
enum { KIND_OF_KEYS = CONFIG_KINDS, KINDS };

static const char *kind_name(uint32_t kind) {
    return config_kind_name(kind == KIND_OF_KEYS ? CONFIG_INDUCTOR : (enum config_kind)kind);
}

struct texts {
    struct map map;
    LIST(struct slice) list;
};

/* Pairs of a configuration, or of a rank. Ranks usually have the same ones. */
struct known_pairs {
    struct rank_pair *items;
    size_t count;
};

/* The pairs of a rank while they are taken. */
struct taking {
    struct rank_settings *settings;
    LIST(struct rank_pair) pairs;
};

struct rank_settings {
    pthread_mutex_t lock; /* protects all members below */
    struct arena arena;
    struct texts settings[KINDS], values;
    struct map config_map, rank_map; /* kind and text of a configuration, and hash of a rank's pairs → index */
    LIST(struct known_pairs) configs, ranks;
};

struct rank_settings *rank_settings_create(void) {
    struct rank_settings *settings = mem_zalloc(1, sizeof *settings);
    pthread_mutex_init(&settings->lock, NULL);
    return settings;
}

void rank_settings_destroy(struct rank_settings *settings) {
    pthread_mutex_destroy(&settings->lock);
    arena_free(&settings->arena);
    mem_free(settings);
}

static uint32_t text_index(struct rank_settings *settings, struct texts *texts, struct slice text) {
    bool added;
    uint32_t index = *map_put_in(&settings->arena, &texts->map, text, (uint32_t)texts->list.count, &added);
    if (added)
        ARENA_ADD(&settings->arena, &texts->list, map_key(&texts->map, text));
    return index;
}

/* Replaces rank numbers, so "rank_3", "rank3" and "Rank: 3" become equal on all ranks. */
static void add_without_ranks(struct buf *out, struct slice text) {
    for (size_t i = 0; i < text.len;) {
        size_t at = i + 4;
        if (text.len - i < 5 || strncasecmp(text.ptr + i, "rank", 4) != 0) {
            buf_add_byte(out, text.ptr[i++]);
            continue;
        }
        while (at < text.len && at < i + 6 && strchr("_-:=. ", text.ptr[at]) && text.ptr[at])
            at++;
        buf_add(out, slice_make(text.ptr + i, at - i));
        size_t digits = at;
        while (at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9')
            at++;
        if (at > digits)
            buf_add_lit(out, "#");
        i = at;
    }
}

static void add_plain(struct buf *json, struct slice text) {
    AUTO_BUF without = {0}, plain = {0};
    noise_add_without(&without, text);
    add_without_ranks(&plain, buf_slice(&without));
    json_add_string(json, buf_slice(&plain));
}

/* Adds the value as JSON, without the noise in its strings. */
static void add_value(struct buf *json, yyjson_val *value) {
    size_t i, max;
    yyjson_val *item;
    if (yyjson_is_str(value)) {
        add_plain(json, json_text(value));
        return;
    }
    if (!yyjson_is_arr(value)) {
        json_add_value(json, value);
        return;
    }
    buf_add_byte(json, '[');
    yyjson_arr_foreach(value, i, max, item) {
        if (i)
            buf_add_byte(json, ',');
        if (yyjson_is_str(item))
            add_plain(json, json_text(item));
        else
            json_add_value(json, item);
    }
    buf_add_byte(json, ']');
}

static int by_pair(const void *a, const void *b) {
    const struct rank_pair *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->setting != y->setting)
        return x->setting < y->setting ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

/* Removes duplicate pairs and groups them by setting, if there are more than `most`. */
static void tidy(struct taking *taking, size_t most) {
    struct rank_pair *items = taking->pairs.items;
    size_t kept = 0, count = taking->pairs.count;
    if (count <= most)
        return;
    qsort(items, count, sizeof *items, by_pair);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || by_pair(&items[i], &items[kept - 1]) != 0)
            items[kept++] = items[i];
    taking->pairs.count = kept;
}

/* Takes a setting. `taken` is its value: JSON, without noise. */
static void take(struct taking *taking, uint32_t kind, struct slice name, struct slice taken) {
    struct rank_settings *settings = taking->settings;
    pthread_mutex_lock(&settings->lock);
    struct rank_pair pair = {kind, text_index(settings, &settings->settings[kind], name),
                             text_index(settings, &settings->values, taken)};
    pthread_mutex_unlock(&settings->lock);
    LIST_ADD(&taking->pairs, pair);
}

/* Takes the pairs of the configuration if they are known. */
static bool take_known(struct taking *taking, struct slice key) {
    struct rank_settings *settings = taking->settings;
    struct known_pairs known = {0};
    pthread_mutex_lock(&settings->lock);
    uint32_t at = map_get(&settings->config_map, key);
    if (at != MAP_NONE)
        known = settings->configs.items[at];
    pthread_mutex_unlock(&settings->lock);
    for (size_t i = 0; i < known.count; i++)
        LIST_ADD(&taking->pairs, known.items[i]);
    return at != MAP_NONE;
}

/* Keeps a copy of the pairs, unless another thread did. */
static void remember(struct rank_settings *settings, struct slice key, const struct rank_pair *pairs, size_t count) {
    bool added = false;
    pthread_mutex_lock(&settings->lock);
    if (settings->configs.count < KNOWN_CONFIGS_MAX)
        map_put_in(&settings->arena, &settings->config_map, key, (uint32_t)settings->configs.count, &added);
    if (added)
        ARENA_ADD(&settings->arena, &settings->configs,
                  (struct known_pairs){ARENA_COPY(&settings->arena, pairs, count), count});
    pthread_mutex_unlock(&settings->lock);
}

static void take_config(struct taking *taking, const struct config *config) {
    AUTO_ARENA arena = {0};
    AUTO_BUF own = {0}, text = {0};
    struct slice json = config->json;
    size_t before = taking->pairs.count, i, max;
    yyjson_val *root, *key, *value;
    buf_add_byte(&own, (char)config->kind);
    buf_add(&own, json);
    if (take_known(taking, buf_slice(&own)) || json_read(&json, JSON_NUMBERS_RAW, &arena, &root) == JSON_BAD ||
        !yyjson_is_obj(root))
        return;
    yyjson_obj_foreach(root, i, max, key, value) {
        text.len = 0;
        add_value(&text, value);
        take(taking, config->kind, json_text(key), buf_slice(&text));
    }
    if (taking->pairs.count > before)
        remember(taking->settings, buf_slice(&own), taking->pairs.items + before, taking->pairs.count - before);
}

/* The pairs of a rank in memory of the settings: those of an earlier rank if they are the same. */
static struct known_pairs share(struct taking *taking) {
    struct rank_settings *settings = taking->settings;
    size_t count = taking->pairs.count, bytes = count * sizeof *taking->pairs.items;
    uint64_t hash = XXH3_64bits(taking->pairs.items, bytes);
    bool added;
    pthread_mutex_lock(&settings->lock);
    uint32_t *at = map_put_in(&settings->arena, &settings->rank_map, slice_make((const char *)&hash, sizeof hash),
                              (uint32_t)settings->ranks.count, &added);
    const struct known_pairs *known = added ? NULL : &settings->ranks.items[*at];
    if (!known || known->count != count || memcmp(known->items, taking->pairs.items, bytes) != 0) {
        *at = (uint32_t)settings->ranks.count;
        ARENA_ADD(&settings->arena, &settings->ranks,
                  (struct known_pairs){ARENA_COPY(&settings->arena, taking->pairs.items, count), count});
    }
    struct known_pairs shared = settings->ranks.items[*at];
    pthread_mutex_unlock(&settings->lock);
    return shared;
}

static bool is_json_number(struct slice text) {
    AUTO_ARENA arena = {0};
    yyjson_val *root;
    bool good = text.len && (text.ptr[0] == '-' || (text.ptr[0] >= '0' && text.ptr[0] <= '9')) &&
                json_read(&text, JSON_NUMBERS, &arena, &root) == JSON_STRICT && yyjson_is_num(root);
    return good;
}

/* Adds a value in Python notation: numbers, True, False and None become JSON, anything else a string. */
static void add_python_value(struct buf *json, struct slice value) {
    struct slice plain = slice_trim(value);
    if (slice_is(plain, "True") || slice_is(plain, "False"))
        buf_add_str(json, slice_is(plain, "True") ? "true" : "false");
    else if (slice_is(plain, "None"))
        buf_add_lit(json, "null");
    else if (plain.len < 32 && is_json_number(plain))
        buf_add(json, plain);
    else
        add_plain(json, plain);
}

/* Takes the settings in a key of Inductor's cache: "inductor_config[max_autotune]". */
static void take_key(struct taking *taking, const struct model *model, uint32_t key) {
    static const struct slice head = SLICE_INIT("inductor_config[");
    struct slice name, value;
    AUTO_BUF text = {0};
    for (uint32_t i = 0; cache_keys_component(model, key, i, &name, &value); i++) {
        size_t close = slice_find(name, SLICE("]"));
        if (!slice_starts(name, head) || close == SIZE_MAX || !value.ptr)
            continue;
        text.len = 0;
        add_python_value(&text, value);
        take(taking, KIND_OF_KEYS, slice_make(name.ptr + head.len, close - head.len), buf_slice(&text));
    }
}

void rank_settings_take(struct rank_settings *settings, struct rank_facts *facts, const struct model *model) {
    enum { PAIRS_MAX = 8192 }; /* of several configurations, most of which are equal */
    struct taking taking = {.settings = settings};
    uint32_t seen[CONFIG_KINDS] = {0};
    struct slice name, value;
    for (size_t i = 0; i < model->configs.count; i++) {
        const struct config *config = &model->configs.items[i];
        if (seen[config->kind]++ >= CONFIGS_COMPARED_MAX)
            continue;
        take_config(&taking, config);
        tidy(&taking, PAIRS_MAX);
    }
    for (uint32_t key = 0; key < CONFIGS_COMPARED_MAX && cache_keys_component(model, key, 0, &name, &value); key++) {
        take_key(&taking, model, key);
        tidy(&taking, PAIRS_MAX);
    }
    tidy(&taking, 0);
    if (taking.pairs.count) {
        struct known_pairs shared = share(&taking);
        facts->settings.items = shared.items;
        facts->settings.count = facts->settings.cap = shared.count;
    }
    mem_free(taking.pairs.items);
}

void rank_pair_texts(const struct rank_settings *settings, struct rank_pair pair, struct slice *name,
                     struct slice *value) {
    *name = settings->settings[pair.kind].list.items[pair.setting];
    *value = settings->values.list.items[pair.value];
}

bool rank_pairs_add(struct rank_settings *settings, struct rank_pairs *pairs, struct arena *arena, uint32_t kind,
                    struct slice name, struct slice value) {
    if (kind >= KINDS)
        return false;
    pthread_mutex_lock(&settings->lock);
    struct rank_pair pair = {kind, text_index(settings, &settings->settings[kind], name),
                             text_index(settings, &settings->values, value)};
    pthread_mutex_unlock(&settings->lock);
    ARENA_ADD(arena, &pairs->list, pair);
    return true;
}

void rank_pairs_sort(struct rank_pairs *pairs) {
    if (pairs->list.count)
        qsort(pairs->list.items, pairs->list.count, sizeof *pairs->list.items, by_pair);
}

/* One setting on all ranks: for each rank, the range of its values among the pairs. */
struct column {
    const struct rank_settings *settings;
    struct rank_facts *const *facts;
    size_t count;
    uint32_t kind, setting;
    const struct rank_pair **pairs; /* for each of the facts; NULL: no configuration of this kind */
    size_t *lens;
    size_t *distinct; /* for each compared configuration, the first of the facts with it */
    size_t distinct_count;
};

static const struct rank_pair *first_pair(const struct rank_facts *facts, struct rank_pair from) {
    size_t low = 0;
    SEARCH(low, facts->settings.count, middle, by_pair(&facts->settings.items[middle], &from) < 0);
    return facts->settings.items + low;
}

static void look_up_one(struct column *column, size_t r) {
    const struct rank_facts *facts = column->facts[r];
    column->pairs[r] = NULL;
    column->lens[r] = 0;
    if (!rank_is_compared(facts) || !facts->settings.count)
        return;
    const struct rank_pair *end = facts->settings.items + facts->settings.count;
    const struct rank_pair *of_kind = first_pair(facts, (struct rank_pair){column->kind, 0, 0});
    if (of_kind == end || of_kind->kind != column->kind)
        return;
    const struct rank_pair *at = first_pair(facts, (struct rank_pair){column->kind, column->setting, 0});
    column->pairs[r] = at;
    while (at + column->lens[r] < end && at[column->lens[r]].kind == column->kind &&
           at[column->lens[r]].setting == column->setting)
        column->lens[r]++;
}

static void look_up(struct column *column) {
    for (size_t r = 0; r < column->count; r++)
        look_up_one(column, r);
}

/* Ranks usually have the same configuration, and share its list if their facts were merged. */
static void find_distinct(struct column *column) {
    AUTO_MAP known = {0};
    for (size_t r = 0; r < column->count; r++) {
        const struct rank_facts *facts = column->facts[r];
        bool added;
        if (!rank_is_compared(facts) || !facts->settings.count)
            continue;
        map_put(&known, slice_make((const char *)&facts->settings.items, sizeof facts->settings.items), 0, &added);
        if (added)
            column->distinct[column->distinct_count++] = r;
    }
}

static bool same_values(const struct column *column, size_t a, size_t b) {
    bool same = column->lens[a] == column->lens[b];
    for (size_t i = 0; same && i < column->lens[a]; i++)
        same = column->pairs[a][i].value == column->pairs[b][i].value;
    return same;
}

/* At most 18 digits, which cannot overflow. */
static bool whole_number(struct slice json, int64_t *number) {
    char text[19], *end;
    if (!json.len || json.len >= sizeof text)
        return false;
    memcpy(text, json.ptr, json.len);
    text[json.len] = 0;
    *number = strtoll(text, &end, 10);
    return end != text && *end == 0;
}

static bool has_value(const struct column *column, size_t r, uint32_t value) {
    for (size_t i = 0; i < column->lens[r]; i++)
        if (column->pairs[r][i].value == value)
            return true;
    return false;
}

/* Ranks log a configuration with each compile: a rank with fewer compiles, or whose log ends within one, may lack
 * values. */
static bool may_lack(const struct rank_facts *fewer, const struct rank_facts *more) {
    return fewer->compiles.count < more->compiles.count || fewer->unfinished.count;
}

static bool compatible(const struct column *column, size_t a, size_t b) {
    size_t fewer = column->lens[a] < column->lens[b] ? a : b, more = fewer == a ? b : a;
    if (same_values(column, a, b))
        return true;
    /* No cache key follows a graph from a cache. */
    bool within =
        column->lens[fewer] && (column->kind == KIND_OF_KEYS || may_lack(column->facts[fewer], column->facts[more]));
    for (size_t i = 0; i < column->lens[fewer] && within; i++)
        within = has_value(column, more, column->pairs[fewer][i].value);
    return within;
}

static struct slice value_text(const struct column *column, size_t r, size_t i) {
    return column->settings->values.list.items[column->pairs[r][i].value];
}

/* Whether the value only identifies the rank. */
static bool follows_rank(const struct column *column, size_t ranks) {
    bool numbers = true, strings = ranks >= ALWAYS_RANKS, first = true;
    int64_t offset = 0;
    AUTO_MAP seen = {0};
    for (size_t r = 0; r < column->count && (numbers || strings); r++) {
        int64_t number = 0;
        bool added = false;
        if (!column->pairs[r])
            continue;
        if (column->lens[r] != 1) {
            numbers = strings = false;
            break;
        }
        struct slice value = value_text(column, r, 0);
        numbers = numbers && whole_number(value, &number);
        if (numbers) {
            int64_t own; /* the rank's number in the log */
            numbers = !__builtin_sub_overflow(number, column->facts[r]->rank, &own) && (first || own == offset);
            offset = own;
        }
        map_put(&seen, value, 0, &added);
        strings = strings && added && value.ptr[0] == '"';
        first = false;
    }
    return strings || (numbers && (ranks >= ALWAYS_RANKS || offset >= PORT_MIN));
}

static bool differs(const struct column *column) {
    size_t first = column->count, ranks = 0;
    bool differ = false;
    for (size_t r = 0; r < column->count; r++) {
        if (!column->pairs[r])
            continue;
        ranks++;
        if (first == column->count)
            first = r;
        differ |= !compatible(column, first, r);
    }
    return differ && !follows_rank(column, ranks);
}

/* Whether all configurations of this kind have the same values of the setting: if so, it need not be looked up for each
 * rank. */
static bool is_same_everywhere(struct column *column) {
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < column->distinct_count; i++) {
        size_t r = column->distinct[i];
        look_up_one(column, r);
        if (!column->pairs[r])
            continue;
        if (first != SIZE_MAX && !same_values(column, first, r))
            return false;
        first = r;
    }
    return true;
}

static int by_text(const void *a, const void *b) {
    const struct slice *x = a, *y = b;
    return slice_cmp(*x, *y);
}

/* Adds a rank's values as one text. */
static void put_apart(const struct column *column, size_t r, struct slice setting) {
    struct rank_facts *facts = column->facts[r];
    AUTO_BUF key = {0}, value = {0};
    BUF_ADD(&key, kind_name(column->kind), ".", setting);
    if (!column->lens[r])
        buf_add_lit(&value, "(no such setting)");
    for (size_t i = 0; i < column->lens[r]; i++) {
        if (i)
            buf_add_lit(&value, ", ");
        buf_add(&value, value_text(column, r, i));
    }
    ARENA_ADD(&facts->arena, &facts->apart,
              (struct rank_item){arena_slice(&facts->arena, buf_slice(&key)),
                                 arena_slice(&facts->arena, buf_slice(&value))});
}

/* The ranks with one value, as indices of the facts. `set` is false: those without the setting. */
struct value_ranks {
    bool set;
    struct slice value;
    LIST(size_t) ranks;
};

/* Values, in the order of the first ranks that have them. */
struct value_list {
    LIST(struct value_ranks) list;
    struct map map; /* text → index; the empty text, which is not JSON, stands for a missing setting */
};

static void note_value(struct value_list *values, bool set, struct slice value, size_t r) {
    uint32_t at = *map_put(&values->map, set ? value : SLICE(""), (uint32_t)values->list.count, NULL);
    if (at == values->list.count)
        LIST_ADD(&values->list, (struct value_ranks){.set = set, .value = value});
    struct value_ranks *found = &values->list.items[at];
    if (found->ranks.count && found->ranks.items[found->ranks.count - 1] == r)
        return;
    LIST_ADD(&found->ranks, r);
}

static void write_value(struct jsonw *w, const struct column *column, const struct value_ranks *value) {
    jsonw_object(w, NULL);
    jsonw_bool(w, "set", value->set);
    jsonw_raw(w, "value", value->set ? value->value : (struct slice){0});
    JSON_LIST(w, "ranks", i, value->ranks.count, column->facts[value->ranks.items[i]]->rank);
    jsonw_end_object(w);
}

/* The values of one rank are sorted by text. */
static void find_values(struct value_list *values, const struct column *column) {
    for (size_t r = 0; r < column->count; r++) {
        struct slice *own = mem_alloc((column->lens[r] + 1) * sizeof *own);
        for (size_t i = 0; i < column->lens[r]; i++)
            own[i] = value_text(column, r, i);
        qsort(own, column->lens[r], sizeof *own, by_text);
        for (size_t i = 0; i < column->lens[r]; i++)
            note_value(values, true, own[i], r);
        if (column->pairs[r] && !column->lens[r])
            note_value(values, false, (struct slice){0}, r);
        mem_free(own);
    }
}

static void write_difference(struct jsonw *w, const struct column *column, struct slice setting) {
    struct value_list values = {0};
    find_values(&values, column);
    jsonw_object(w, NULL);
    JSON_ADD(w, "kind", kind_name(column->kind), "setting", setting);
    jsonw_array(w, "values");
    for (size_t i = 0; i < values.list.count; i++) {
        write_value(w, column, &values.list.items[i]);
        mem_free(values.list.items[i].ranks.items);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
    mem_free(values.list.items);
    map_free(&values.map);
}

/* Whether the configurations themselves differ in this setting. If so, that difference is reported instead. */
static bool inductor_differs(struct column *column, struct slice name) {
    uint32_t of_keys = column->setting, of_config = map_get(&column->settings->settings[CONFIG_INDUCTOR].map, name);
    bool differ = false;
    if (of_config == MAP_NONE)
        return false;
    column->kind = CONFIG_INDUCTOR;
    column->setting = of_config;
    look_up(column);
    differ = differs(column);
    column->kind = KIND_OF_KEYS;
    column->setting = of_keys;
    look_up(column);
    return differ;
}

/* Compares the settings of a kind by name, because the order in which they were taken depends on threads. */
static size_t compare_kind(struct column *column, size_t listed, struct jsonw *w) {
    const struct texts *texts = &column->settings->settings[column->kind];
    struct slice *names = mem_alloc((texts->list.count + 1) * sizeof *names);
    for (size_t i = 0; i < texts->list.count; i++)
        names[i] = texts->list.items[i];
    qsort(names, texts->list.count, sizeof *names, by_text);
    for (size_t i = 0; i < texts->list.count && listed < CONFIG_DIFFERENCES_MAX; i++) {
        column->setting = map_get(&texts->map, names[i]);
        if (is_same_everywhere(column))
            continue;
        look_up(column);
        if (!differs(column) || (column->kind == KIND_OF_KEYS && inductor_differs(column, names[i])))
            continue;
        listed++;
        write_difference(w, column, names[i]);
        for (size_t r = 0; r < column->count && !is_logging_setting(names[i]); r++)
            if (column->pairs[r])
                put_apart(column, r, names[i]);
    }
    mem_free(names);
    return listed;
}

void rank_settings_compare(const struct rank_settings *settings, struct rank_facts *const *facts, size_t count,
                           struct buf *differences) {
    struct column column = {.settings = settings, .facts = facts, .count = count};
    struct jsonw w = {.out = differences};
    size_t listed = 0;
    column.pairs = mem_alloc((count + 1) * sizeof *column.pairs);
    column.lens = mem_alloc((count + 1) * sizeof *column.lens);
    column.distinct = mem_alloc((count + 1) * sizeof *column.distinct);
    find_distinct(&column);
    jsonw_array(&w, NULL);
    for (uint32_t k = 0; k < KINDS; k++) {
        column.kind = k;
        listed = compare_kind(&column, listed, &w);
    }
    jsonw_end_array(&w);
    mem_free(column.pairs);
    mem_free(column.lens);
    mem_free(column.distinct);
}
