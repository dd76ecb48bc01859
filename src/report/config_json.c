#include "report/members.h"

enum { EFFECT_COMPILES_MAX = 100 }; /* compiles listed for one value */

static int by_place(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

uint64_t config_compiles(const struct model *model, const struct config *config) {
    size_t count = config->users.count;
    uint32_t *users = mem_alloc((count + 1) * sizeof *users);
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++)
        users[i] = config->users.items[i];
    qsort(users, count, sizeof *users, by_place);
    for (size_t i = 0; i < count; i++)
        found += (i == 0 || users[i] != users[i - 1]) && model->compiles.items[users[i]]->framed;
    mem_free(users);
    return found;
}

void configs_json_write(struct jsonw *w, const char *key, const struct model *model) {
    jsonw_array(w, key);
    for (size_t i = 0; i < model->configs.count; i++) {
        jsonw_object(w, NULL);
        jsonw_str(w, "kind", config_kind_name(model->configs.items[i].kind));
        jsonw_raw(w, "values", model->configs.items[i].json);
        jsonw_u64(w, "compiles", config_compiles(model, &model->configs.items[i]));
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* The configurations of one kind. */
struct side {
    const struct config *config;
    yyjson_val *root;
    yyjson_obj_iter at; /* configurations of a kind list their settings in the same order, so the search continues
                         * here */
};
struct sides {
    struct side items[CONFIGS_COMPARED_MAX];
    size_t count;
};

static void collect(struct sides *sides, const struct model *model, enum config_kind kind, struct arena *arena) {
    sides->count = 0;
    for (size_t i = 0; i < model->configs.count && sides->count < CONFIGS_COMPARED_MAX; i++) {
        const struct config *config = &model->configs.items[i];
        struct slice json = config->json;
        yyjson_val *root;
        if (config->kind != kind || json_read(&json, JSON_NUMBERS_RAW, arena, &root) == JSON_BAD ||
            !yyjson_is_obj(root))
            continue;
        sides->items[sides->count++] = (struct side){config, root, yyjson_obj_iter_with(root)};
    }
}

/* The value as JSON. ptr NULL if the configuration does not have the setting. */
static struct slice value_of(struct side *side, struct slice setting, struct arena *arena) {
    struct buf json = {0};
    yyjson_val *value = yyjson_obj_iter_getn(&side->at, setting.ptr, setting.len);
    if (!value)
        return (struct slice){0};
    json_add_value(&json, value);
    return arena_keep(arena, &json);
}

static bool same(struct slice a, struct slice b) {
    return !a.ptr == !b.ptr && slice_eq(a, b);
}

/* The compiles with one value of a setting. */
struct value_users {
    struct slice value; /* ptr NULL: the setting is not set */
    LIST(uint32_t) users;
};
struct values {
    LIST(struct value_users) list;
};

static struct value_users *users_of(struct values *values, struct slice value) {
    for (size_t i = 0; i < values->list.count; i++)
        if (same(values->list.items[i].value, value))
            return &values->list.items[i];
    MEM_GROW(&values->list);
    values->list.items[values->list.count] = (struct value_users){.value = value};
    return &values->list.items[values->list.count++];
}

static void add_user(struct value_users *value, uint32_t user) {
    LIST_ADD(&value->users, user);
}

static void values_free(struct values *values) {
    for (size_t i = 0; i < values->list.count; i++)
        mem_free(values->list.items[i].users.items);
    mem_free(values->list.items);
}

/* The settings of this name whose value in effect differs from the configurations in the metrics. */
struct exceptions {
    const struct setting_in_effect *items;
    size_t count;
};

static struct exceptions exceptions_of(const struct settings_in_effect *effect, enum config_kind kind,
                                       struct slice setting) {
    struct exceptions found = {0};
    for (size_t i = 0; i < effect->list.count; i++) {
        const struct setting_in_effect *item = &effect->list.items[i];
        if (item->kind != kind || !slice_eq(item->name, setting))
            continue;
        found.items = found.count ? found.items : item;
        found.count++;
    }
    return found;
}

static bool is_exception(const struct exceptions *exceptions, uint32_t compile) {
    for (size_t i = 0; i < exceptions->count; i++) {
        const struct setting_in_effect *item = &exceptions->items[i];
        if (item->configured.ptr &&
            bsearch(&compile, item->compiles.items, item->compiles.count, sizeof *item->compiles.items, by_place))
            return true;
    }
    return false;
}

/* Finds the values of configurations, and the values in effect that replace them. */
static void find_values(struct values *found, const struct sides *sides, const struct slice *values,
                        const struct exceptions *exceptions) {
    for (size_t i = 0; i < sides->count; i++) {
        const struct config *config = sides->items[i].config;
        struct value_users *own = NULL;
        for (size_t u = 0; u < config->users.count; u++) {
            if (is_exception(exceptions, config->users.items[u]))
                continue;
            own = own ? own : users_of(found, values[i]);
            add_user(own, config->users.items[u]);
        }
    }
    for (size_t i = 0; i < exceptions->count; i++)
        for (size_t c = 0; exceptions->items[i].configured.ptr && c < exceptions->items[i].compiles.count; c++)
            add_user(users_of(found, exceptions->items[i].value), exceptions->items[i].compiles.items[c]);
}

static void write_users(struct jsonw *w, const struct model *model, struct value_users *value) {
    if (value->users.count)
        qsort(value->users.items, value->users.count, sizeof *value->users.items, by_place);
    jsonw_array(w, "compiles");
    for (size_t u = 0; u < value->users.count; u++)
        if (u == 0 || value->users.items[u] != value->users.items[u - 1])
            jsonw_text(w, NULL, model->compiles.items[value->users.items[u]]->key);
    jsonw_end_array(w);
}

static void write_difference(struct jsonw *w, const struct model *model, enum config_kind kind, struct slice setting,
                             struct values *values) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "kind", config_kind_name(kind), "setting", setting);
    jsonw_array(w, "values");
    for (size_t i = 0; i < values->list.count; i++) {
        struct value_users *value = &values->list.items[i];
        jsonw_object(w, NULL);
        jsonw_bool(w, "set", value->value.ptr != NULL);
        jsonw_raw(w, "value", value->value);
        write_users(w, model, value);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
}

/* Compares settings in the order of the first configuration that has them. */
static void compare(struct jsonw *w, const struct model *model, struct sides *sides,
                    const struct settings_in_effect *effect, struct arena *arena) {
    AUTO_MAP seen = {0};
    size_t listed = 0;
    for (size_t s = 0; s < sides->count; s++) {
        size_t i, max;
        yyjson_val *key, *value;
        yyjson_obj_foreach(sides->items[s].root, i, max, key, value) {
            struct slice setting = json_text(key), values[CONFIGS_COMPARED_MAX];
            bool added;
            (void)value;
            map_put(&seen, setting, 0, &added);
            if (!added || listed == CONFIG_DIFFERENCES_MAX)
                continue;
            struct exceptions exceptions = exceptions_of(effect, sides->items[0].config->kind, setting);
            struct values found = {0};
            bool differ = exceptions.count > 0;
            for (size_t c = 0; c < sides->count; c++) {
                values[c] = value_of(&sides->items[c], setting, arena);
                differ |= !same(values[c], values[0]);
            }
            if (!differ)
                continue;
            find_values(&found, sides, values, &exceptions);
            if (found.list.count > 1) {
                listed++;
                write_difference(w, model, sides->items[0].config->kind, setting, &found);
            }
            values_free(&found);
        }
    }
}

/* Whether there can be differences: between several configurations of a kind, or from one to the values in effect. */
static bool may_differ(const struct model *model, enum config_kind kind, const struct settings_in_effect *effect) {
    size_t count = 0;
    for (size_t i = 0; i < model->configs.count; i++)
        count += model->configs.items[i].kind == kind;
    for (size_t i = 0; i < effect->list.count; i++)
        count += effect->list.items[i].kind == kind;
    return count > 1;
}

void config_differences_json_write(struct jsonw *w, const char *key, const struct model *model,
                                   const struct settings_in_effect *effect) {
    jsonw_array(w, key);
    for (int kind = 0; kind < CONFIG_KINDS; kind++) {
        AUTO_ARENA arena = {0};
        struct sides sides = {.count = 0};
        if (may_differ(model, kind, effect))
            collect(&sides, model, kind, &arena);
        if (sides.count)
            compare(w, model, &sides, effect, &arena);
    }
    jsonw_end_array(w);
}

static void write_effect(struct jsonw *w, const struct model *model, const struct setting_in_effect *item) {
    jsonw_object(w, NULL);
    jsonw_raw(w, "value", item->value);
    if (item->configured.ptr)
        jsonw_raw(w, "configured", item->configured);
    jsonw_array(w, "compiles");
    for (size_t i = 0; i < item->compiles.count && i < EFFECT_COMPILES_MAX; i++)
        jsonw_text(w, NULL, model->compiles.items[item->compiles.items[i]]->key);
    jsonw_end_array(w);
    if (item->compiles.count > EFFECT_COMPILES_MAX)
        jsonw_u64(w, "more_compiles", item->compiles.count - EFFECT_COMPILES_MAX);
    jsonw_end_object(w);
}

void settings_in_effect_json_write(struct jsonw *w, const char *key, const struct model *model,
                                   const struct settings_in_effect *effect) {
    jsonw_array(w, key);
    for (size_t begin = 0, end; begin < effect->list.count; begin = end) {
        const struct setting_in_effect *first = &effect->list.items[begin];
        jsonw_object(w, NULL);
        JSON_ADD(w, "kind", config_kind_name(first->kind), "setting", first->name);
        jsonw_array(w, "values");
        for (end = begin; end < effect->list.count && effect->list.items[end].kind == first->kind &&
                          slice_eq(effect->list.items[end].name, first->name);
             end++)
            write_effect(w, model, &effect->list.items[end]);
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}
