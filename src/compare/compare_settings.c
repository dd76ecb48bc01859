#include "compare/comparison_parts.h"

/* The parsed configurations of one kind of a run. */
struct side {
    yyjson_val *roots[CONFIGS_COMPARED_MAX];
    yyjson_obj_iter at[CONFIGS_COMPARED_MAX]; /* configurations list their settings in the same order */
    size_t count;
};

/* Distinct values of a setting, as JSON; the value of the most compiles comes first. */
struct values {
    struct slice items[CONFIGS_COMPARED_MAX];
    size_t count;
};

static void side_read(struct side *side, const struct run_facts *facts, enum config_kind kind, struct arena *arena) {
    *side = (struct side){0};
    for (size_t i = 0; i < facts->configs.count && side->count < CONFIGS_COMPARED_MAX; i++) {
        struct slice json = facts->configs.items[i].json;
        yyjson_val *root;
        if (facts->configs.items[i].kind == kind && json_read(&json, JSON_NUMBERS_RAW, arena, &root) != JSON_BAD &&
            yyjson_is_obj(root)) {
            side->at[side->count] = yyjson_obj_iter_with(root);
            side->roots[side->count++] = root;
        }
    }
}

/* Whether both runs have the same configurations of this kind. Texts are stored once, so equal ones share an address.
 */
static bool same_configs(const struct run_facts *a, const struct run_facts *b, enum config_kind kind) {
    const struct run_facts *sides[] = {a, b};
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side]->configs.count; i++) {
            const struct run_config *config = &sides[side]->configs.items[i];
            bool found = config->kind != kind;
            for (size_t k = 0; k < sides[!side]->configs.count && !found; k++)
                found = sides[!side]->configs.items[k].kind == kind &&
                        sides[!side]->configs.items[k].json.ptr == config->json.ptr;
            if (!found)
                return false;
        }
    return true;
}

static bool has_value(const struct values *values, struct slice value) {
    for (size_t i = 0; i < values->count; i++)
        if (slice_eq(values->items[i], value))
            return true;
    return false;
}

static void values_of(struct values *values, struct side *side, struct slice setting, struct arena *arena) {
    values->count = 0;
    for (size_t i = 0; i < side->count; i++) {
        AUTO_BUF json = {0};
        yyjson_val *value = yyjson_obj_iter_getn(&side->at[i], setting.ptr, setting.len);
        if (!value)
            continue;
        json_add_value(&json, value);
        if (!has_value(values, buf_slice(&json)))
            values->items[values->count++] = arena_slice(arena, buf_slice(&json));
    }
}

static bool same_values(const struct values *a, const struct values *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = has_value(b, a->items[i]);
    return same;
}

struct names {
    LIST(struct slice) list;
    struct map known;
};

static void add_names(struct names *names, const struct side *side) {
    for (size_t s = 0; s < side->count; s++) {
        size_t i, max;
        yyjson_val *key, *value;
        yyjson_obj_foreach(side->roots[s], i, max, key, value) {
            bool added;
            (void)value;
            map_put(&names->known, json_text(key), 0, &added);
            if (!added)
                continue;
            LIST_ADD(&names->list, map_key(&names->known, json_text(key)));
        }
    }
}

static void write_values(struct jsonw *w, const struct values *values) {
    jsonw_array(w, NULL);
    for (size_t i = 0; i < values->count; i++)
        jsonw_raw(w, NULL, values->items[i]);
    jsonw_end_array(w);
}

/* A setting that differs. */
struct difference {
    struct slice name, a, b; /* a, b: values on each side, as a JSON array */
};
struct differences {
    LIST(struct difference) list;
};

static int by_name(const void *a, const void *b) {
    const struct difference *x = a, *y = b;
    return slice_cmp(x->name, y->name);
}

static struct slice values_json(const struct values *values, struct arena *arena) {
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    write_values(&w, values);
    return arena_keep(arena, &json);
}

static void find_differences(struct differences *found, struct side *a, struct side *b, const struct names *names,
                             struct arena *arena) {
    for (size_t i = 0; i < names->list.count; i++) {
        struct values one, other;
        values_of(&one, a, names->list.items[i], arena);
        values_of(&other, b, names->list.items[i], arena);
        if (same_values(&one, &other))
            continue;
        LIST_ADD(&found->list,
                 (struct difference){names->list.items[i], values_json(&one, arena), values_json(&other, arena)});
    }
    if (found->list.count)
        qsort(found->list.items, found->list.count, sizeof *found->list.items, by_name);
}

static void write_difference(struct jsonw *w, enum config_kind kind, const struct difference *difference) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "kind", config_kind_name(kind), "setting", difference->name);
    jsonw_array(w, "values");
    jsonw_raw(w, NULL, difference->a);
    jsonw_raw(w, NULL, difference->b);
    jsonw_end_array(w);
    jsonw_end_object(w);
}

static void compare_kind(struct jsonw *w, const struct run_facts *a, const struct run_facts *b, enum config_kind kind,
                         uint64_t *listed) {
    AUTO_ARENA arena = {0};
    struct side left, right;
    struct names names = {0};
    struct differences found = {0};
    side_read(&left, a, kind, &arena);
    side_read(&right, b, kind, &arena);
    if (left.count && right.count) { /* otherwise, one log does not have the setting */
        add_names(&names, &left);
        add_names(&names, &right);
        find_differences(&found, &left, &right, &names, &arena);
    }
    for (size_t i = 0; i < found.list.count; i++)
        if ((*listed)++ < CONFIG_DIFFERENCES_MAX)
            write_difference(w, kind, &found.list.items[i]);
    mem_free(found.list.items);
    mem_free(names.list.items);
    map_free(&names.known);
}

/* The kinds of configurations, in the order of the runs. */
static size_t kinds_of(const struct run_facts *a, const struct run_facts *b, enum config_kind kinds[CONFIG_KINDS]) {
    const struct run_facts *sides[] = {a, b};
    size_t count = 0;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < sides[side]->configs.count; i++) {
            bool known = false;
            for (size_t k = 0; k < count; k++)
                known |= kinds[k] == sides[side]->configs.items[i].kind;
            if (!known)
                kinds[count++] = sides[side]->configs.items[i].kind;
        }
    return count;
}

void settings_compare(struct jsonw *w, const struct run_facts *a, const struct run_facts *b) {
    enum config_kind kinds[CONFIG_KINDS];
    size_t count = kinds_of(a, b, kinds);
    uint64_t listed = 0;
    if (!a->configs.count || !b->configs.count) {
        jsonw_null(w, "settings");
    } else {
        jsonw_array(w, "settings");
        for (size_t k = 0; k < count; k++)
            if (!same_configs(a, b, kinds[k]))
                compare_kind(w, a, b, kinds[k], &listed);
        jsonw_end_array(w);
    }
    jsonw_u64(w, "more_settings", listed > CONFIG_DIFFERENCES_MAX ? listed - CONFIG_DIFFERENCES_MAX : 0);
}
