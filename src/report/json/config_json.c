#include "report/json/config_json.h"

#include <stdlib.h>

#include "base/mem.h"

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
    yyjson_obj_iter at; /* configurations of a kind list their settings in the same order, so search from here */
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
    struct slice kept = arena_slice(arena, buf_slice(&json));
    buf_free(&json);
    return kept;
}

static bool same(struct slice a, struct slice b) {
    return !a.ptr == !b.ptr && slice_eq(a, b);
}

/* Writes each compile of the configurations with this value of the setting once. */
static void write_users(struct jsonw *w, const struct model *model, const struct sides *sides,
                        const struct slice *values, size_t like) {
    LIST(uint32_t) users = {0};
    for (size_t i = like; i < sides->count; i++)
        for (size_t u = 0; same(values[i], values[like]) && u < sides->items[i].config->users.count; u++) {
            MEM_GROW(&users);
            users.items[users.count++] = sides->items[i].config->users.items[u];
        }
    if (users.count)
        qsort(users.items, users.count, sizeof *users.items, by_place);
    jsonw_array(w, "compiles");
    for (size_t u = 0; u < users.count; u++)
        if (u == 0 || users.items[u] != users.items[u - 1])
            jsonw_text(w, NULL, model->compiles.items[users.items[u]]->key);
    jsonw_end_array(w);
    free(users.items);
}

static void write_difference(struct jsonw *w, const struct model *model, const struct sides *sides,
                             struct slice setting, const struct slice *values) {
    jsonw_object(w, NULL);
    jsonw_str(w, "kind", config_kind_name(sides->items[0].config->kind));
    jsonw_text(w, "setting", setting);
    jsonw_array(w, "values");
    for (size_t i = 0; i < sides->count; i++) {
        bool listed = false;
        for (size_t before = 0; before < i; before++)
            listed |= same(values[before], values[i]);
        if (listed)
            continue;
        jsonw_object(w, NULL);
        jsonw_bool(w, "set", values[i].ptr != NULL);
        jsonw_raw(w, "value", values[i]);
        write_users(w, model, sides, values, i);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
}

/* Compares settings in the order of the first configuration that has them. */
static void compare(struct jsonw *w, const struct model *model, struct sides *sides, struct arena *arena) {
    struct map seen = {0};
    size_t listed = 0;
    for (size_t s = 0; s < sides->count; s++) {
        size_t i, max;
        yyjson_val *key, *value;
        yyjson_obj_foreach(sides->items[s].root, i, max, key, value) {
            struct slice setting = json_text(key), values[CONFIGS_COMPARED_MAX];
            bool added, differ = false;
            (void)value;
            map_put(&seen, setting, 0, &added);
            if (!added || listed == CONFIG_DIFFERENCES_MAX)
                continue;
            for (size_t c = 0; c < sides->count; c++) {
                values[c] = value_of(&sides->items[c], setting, arena);
                differ |= !same(values[c], values[0]);
            }
            if (!differ)
                continue;
            listed++;
            write_difference(w, model, sides, setting, values);
        }
    }
    map_free(&seen);
}

void config_differences_json_write(struct jsonw *w, const char *key, const struct model *model) {
    jsonw_array(w, key);
    for (int kind = 0; kind < CONFIG_KINDS; kind++) {
        struct arena arena = {0};
        struct sides sides;
        collect(&sides, model, kind, &arena);
        if (sides.count > 1)
            compare(w, model, &sides, &arena);
        arena_free(&arena);
    }
    jsonw_end_array(w);
}
