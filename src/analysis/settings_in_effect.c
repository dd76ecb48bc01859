#include "analysis/settings_in_effect.h"

#include "base/json.h"
#include "model/cache_keys.h"
#include "model/set_settings.h"

enum { NO_CONFIG = -1 };

/* Inductor's configurations, and the one of each compile. */
struct configs {
    yyjson_val *roots[CONFIGS_COMPARED_MAX];
    uint32_t places[CONFIGS_COMPARED_MAX]; /* in model->configs */
    int count;
    int *of_compile; /* NO_CONFIG: none, or several */
};

static void read_configs(struct configs *configs, const struct model *model, struct arena *arena) {
    configs->of_compile = mem_alloc((model->compiles.count + 1) * sizeof *configs->of_compile);
    for (size_t i = 0; i < model->compiles.count; i++)
        configs->of_compile[i] = NO_CONFIG;
    bool *several = mem_zalloc(model->compiles.count + 1, sizeof *several);
    for (size_t i = 0; i < model->configs.count && configs->count < CONFIGS_COMPARED_MAX; i++) {
        const struct config *config = &model->configs.items[i];
        struct slice json = config->json;
        yyjson_val *root;
        if (config->kind != CONFIG_INDUCTOR || json_read(&json, JSON_NUMBERS_RAW, arena, &root) == JSON_BAD ||
            !yyjson_is_obj(root))
            continue;
        for (size_t u = 0; u < config->users.count; u++) {
            uint32_t user = config->users.items[u];
            int own = configs->of_compile[user];
            several[user] |= own != NO_CONFIG && own != configs->count;
            configs->of_compile[user] = configs->count;
        }
        configs->places[configs->count] = (uint32_t)i;
        configs->roots[configs->count++] = root;
    }
    for (size_t i = 0; i < model->compiles.count; i++)
        if (several[i])
            configs->of_compile[i] = NO_CONFIG;
    mem_free(several);
}

static yyjson_val *configured(const struct configs *configs, uint32_t compile, struct slice name) {
    int own = configs->of_compile[compile];
    return own == NO_CONFIG ? NULL : yyjson_obj_getn(configs->roots[own], name.ptr, name.len);
}

/* Numbers of a configuration are raw: as they are in the log. */
static bool is_simple(yyjson_val *value) {
    return value && !yyjson_is_ctn(value);
}

static void add(struct settings_in_effect *settings, const struct setting_in_effect *setting, uint32_t compile) {
    AUTO_BUF key = {0};
    bool added;
    buf_addf(&key, "%d %.*s %.*s ", setting->kind, SLICE_ARG(setting->name), SLICE_ARG(setting->configured));
    buf_add(&key, setting->value);
    uint32_t at =
        *map_put_in(&settings->arena, &settings->map, buf_slice(&key), (uint32_t)settings->list.count, &added);
    if (added) {
        ARENA_GROW(&settings->arena, &settings->list);
        struct setting_in_effect *kept = &settings->list.items[settings->list.count++];
        *kept = *setting;
        kept->value = arena_slice(&settings->arena, setting->value);
        if (setting->configured.ptr)
            kept->configured = arena_slice(&settings->arena, setting->configured);
    }
    struct setting_in_effect *found = &settings->list.items[at];
    ARENA_ADD(&settings->arena, &found->compiles, compile);
}

bool settings_component(struct slice component, struct slice *name) {
    static const struct slice head = SLICE_INIT("inductor_config[");
    if (!slice_starts(component, head) || !slice_ends(component, SLICE("]")))
        return false;
    *name = slice_make(component.ptr + head.len, component.len - head.len - 1);
    return true;
}

/* Defaults of settings by process and name, each looked up once. */
struct defaults {
    struct map map;
    LIST(struct slice) values; /* as JSON; ptr NULL: unknown */
};

/* The value in the compile's first key with components, that of its first graph. */
static struct slice value_in_key(const struct model *model, uint32_t compile, struct slice setting,
                                 struct arena *arena) {
    const struct compile *of = model->compiles.items[compile];
    struct slice component, text, name, found = {0};
    size_t c = 0;
    while (c < of->caches.count && !cache_keys_components(model, of->caches.items[c].components))
        c++;
    for (uint32_t i = 0; c < of->caches.count && !found.ptr &&
                         cache_keys_component(model, of->caches.items[c].components, i, &component, &text);
         i++) {
        AUTO_BUF json = {0};
        if (settings_component(component, &name) && slice_eq(name, setting) && text.ptr &&
            python_value_add(&json, text, false))
            found = arena_slice(arena, buf_slice(&json));
    }
    return found;
}

/* The value in the process before any program set it. */
static struct slice default_of(struct defaults *defaults, const struct model *model, uint64_t process,
                               const struct set_setting *set, struct arena *arena) {
    AUTO_BUF key = {0};
    bool added;
    BUF_ADD(&key, process, " ", set->name);
    uint32_t at = *map_put_in(arena, &defaults->map, buf_slice(&key), (uint32_t)defaults->values.count, &added);
    if (added) {
        uint32_t first = set_settings_first_without(model, process, set->kind, set->name);
        ARENA_ADD(arena, &defaults->values,
                  first == UINT32_MAX ? (struct slice){0} : value_in_key(model, first, set->name, arena));
    }
    return defaults->values.items[at];
}

/* Whether the value is both the default and the configured value. */
static bool is_default(struct settings_in_effect *settings, struct defaults *defaults, const struct model *model,
                       const struct configs *configs, const struct set_setting *set, uint32_t compile) {
    if (set->kind != CONFIG_INDUCTOR || !set->simple)
        return false;
    struct slice found = default_of(defaults, model, model->compiles.items[compile]->process, set, &settings->arena);
    yyjson_val *value = configured(configs, compile, set->name);
    AUTO_BUF json = {0};
    if (is_simple(value))
        json_add_value(&json, value);
    bool same = found.ptr && slice_eq(found, set->value) && slice_eq(buf_slice(&json), set->value);
    return same;
}

static void add_set(struct settings_in_effect *settings, struct defaults *defaults, const struct model *model,
                    const struct configs *configs, const struct set_setting *set) {
    for (size_t i = 0; i < set->users.count; i++) {
        struct setting_in_effect found = {.kind = set->kind,
                                          .name = set->name,
                                          .value = set->value,
                                          .simple = set->simple};
        if (is_default(settings, defaults, model, configs, set, set->users.items[i]))
            continue;
        yyjson_val *other = set->kind == CONFIG_INDUCTOR ? configured(configs, set->users.items[i], set->name) : NULL;
        AUTO_BUF json = {0};
        if (set->simple && is_simple(other)) {
            json_add_value(&json, other);
            if (!slice_eq(buf_slice(&json), set->value))
                found.configured = buf_slice(&json);
        }
        add(settings, &found, set->users.items[i]);
    }
}

/* The parts of a key that contradict a configuration. */
struct contradictions {
    LIST(struct setting_in_effect) list;
    const struct setting_names *absent; /* settings that are missing in the key */
    bool partial;                       /* some values could not be compared */
};

/* The settings of a configuration by name: a key has a different order. */
struct named_setting {
    struct slice name;
    yyjson_val *value;
    bool in_key;
};
struct settings_by_name {
    struct map map;
    LIST(struct named_setting) list;
};

static void index_settings(struct settings_by_name *settings, yyjson_val *root, struct arena *arena) {
    size_t i, max;
    yyjson_val *key, *value;
    yyjson_obj_foreach(root, i, max, key, value) {
        map_put(&settings->map, json_text(key), (uint32_t)settings->list.count, NULL);
        ARENA_ADD(arena, &settings->list, (struct named_setting){json_text(key), value, false});
    }
}

/* `text` is the value as str() prints it, so texts have no quotes. */
static void compare_component(struct contradictions *found, struct settings_by_name *settings, struct slice component,
                              struct slice text, struct arena *arena) {
    struct slice name;
    if (!settings_component(component, &name))
        return;
    uint32_t place = map_get(&settings->map, name);
    if (place == MAP_NONE)
        return;
    yyjson_val *other = settings->list.items[place].value;
    settings->list.items[place].in_key = true;
    if (!is_simple(other))
        return;
    if (!text.ptr) {
        found->partial = true;
        return;
    }
    if ((yyjson_is_str(other) && slice_eq(json_text(other), text)))
        return;
    AUTO_BUF value = {0}, json = {0};
    json_add_value(&json, other);
    if (!python_value_add(&value, text, false)) {
        found->partial = true;
    } else if (!slice_eq(buf_slice(&value), buf_slice(&json))) {
        ARENA_ADD(arena, &found->list,
                  (struct setting_in_effect){.kind = CONFIG_INDUCTOR,
                                             .name = name,
                                             .value = arena_slice(arena, buf_slice(&value)),
                                             .simple = true,
                                             .configured = arena_slice(arena, buf_slice(&json))});
    }
}

static const struct setting_names *absent_of(const struct settings_by_name *settings, struct arena *arena) {
    struct setting_names *absent = arena_zalloc(arena, sizeof *absent);
    for (size_t i = 0; i < settings->list.count; i++) {
        if (settings->list.items[i].in_key)
            continue;
        ARENA_ADD(arena, &absent->list, arena_slice(arena, settings->list.items[i].name));
    }
    return absent;
}

/* Pairs of a run in a key and a configuration, each compared once. */
struct pairs {
    struct map map;
    LIST(struct contradictions) list;
};

static const struct contradictions *contradictions_of(struct pairs *pairs, const struct model *model, uint32_t key,
                                                      const struct configs *configs, int config, struct arena *arena) {
    uint32_t first, run = cache_key_group(model->cache_keys, key, SLICE("inductor_config"), &first);
    uint32_t pair[] = {run, (uint32_t)config};
    bool added;
    if (run == KEY_NONE)
        return NULL;
    uint32_t at = *map_put_in(arena, &pairs->map, slice_make((const char *)pair, sizeof pair),
                              (uint32_t)pairs->list.count, &added);
    if (added) {
        struct contradictions found = {0};
        size_t count;
        struct key_part *parts = cache_key_run(model->cache_keys, key, first, &count);
        struct settings_by_name settings = {0};
        index_settings(&settings, configs->roots[config], arena);
        for (size_t i = 0; parts && i < count; i++)
            compare_component(&found, &settings, parts[i].name, parts[i].text, arena);
        found.absent = absent_of(&settings, arena);
        map_free(&settings.map);
        mem_free(parts);
        ARENA_ADD(arena, &pairs->list, found);
    }
    return &pairs->list.items[at];
}

static void add_keys(struct settings_in_effect *settings, const struct model *model, const struct configs *configs,
                     struct arena *arena) {
    struct pairs pairs = {0};
    for (uint32_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        for (size_t c = 0; c < compile->caches.count && configs->of_compile[i] != NO_CONFIG; c++) {
            uint32_t key = compile->caches.items[c].components;
            const struct contradictions *found =
                key < cache_keys_count(model->cache_keys)
                    ? contradictions_of(&pairs, model, key, configs, configs->of_compile[i], arena)
                    : NULL;
            if (found && !found->partial)
                settings->evidence[i].not_in_key = found->absent;
            for (size_t k = 0; found && k < found->list.count; k++)
                add(settings, &found->list.items[k], i);
        }
    }
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_compiles(struct setting_in_effect *setting) {
    size_t kept = 0;
    qsort(setting->compiles.items, setting->compiles.count, sizeof *setting->compiles.items, by_number);
    for (size_t i = 0; i < setting->compiles.count; i++)
        if (!kept || setting->compiles.items[kept - 1] != setting->compiles.items[i])
            setting->compiles.items[kept++] = setting->compiles.items[i];
    setting->compiles.count = kept;
}

/* Values of one setting are sorted by their first compile. */
static int by_name(const void *a, const void *b) {
    const struct setting_in_effect *x = a, *y = b;
    int order = slice_cmp(x->name, y->name);
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (!order)
        order = by_number(&x->compiles.items[0], &y->compiles.items[0]);
    if (!order)
        order = slice_cmp(x->value, y->value);
    return order ? order : slice_cmp(x->configured, y->configured);
}

static void find_evidence(struct settings_in_effect *settings, const struct model *model,
                          const struct configs *configs) {
    const struct set_settings *set = model->set_settings;
    settings->evidence = arena_zalloc(&settings->arena, (model->compiles.count + 1) * sizeof *settings->evidence);
    for (size_t i = 0; i < model->compiles.count; i++)
        settings->evidence[i].config =
            configs->of_compile[i] == NO_CONFIG ? EFFECT_NO_CONFIG : configs->places[configs->of_compile[i]];
    for (size_t i = 0; set && !set->more && i < set->programs.count; i++)
        settings->evidence[set->programs.items[i]].program = true;
}

void settings_in_effect_find(struct settings_in_effect *settings, const struct model *model) {
    AUTO_ARENA arena = {0};
    struct configs configs = {0};
    struct defaults defaults = {0};
    *settings = (struct settings_in_effect){0};
    read_configs(&configs, model, &arena);
    find_evidence(settings, model, &configs);
    for (size_t i = 0; model->set_settings && i < model->set_settings->list.count; i++)
        add_set(settings, &defaults, model, &configs, &model->set_settings->list.items[i]);
    if (configs.count)
        add_keys(settings, model, &configs, &settings->arena);
    for (size_t i = 0; i < settings->list.count; i++)
        sort_compiles(&settings->list.items[i]);
    if (settings->list.count)
        qsort(settings->list.items, settings->list.count, sizeof *settings->list.items, by_name);
    mem_free(configs.of_compile);
}

void settings_in_effect_free(struct settings_in_effect *settings) {
    arena_free(&settings->arena);
}
