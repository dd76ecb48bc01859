#include "compare/comparison_parts.h"

#include "base/json.h"
#include "model/set_settings.h"

enum { COMPILES_LISTED_MAX = 100 };

/* Parsed configurations. */
struct roots {
    struct arena arena;
    LIST(struct {
        const char *json;
        yyjson_val *root;
    })
    list;
};

/* A value of a setting, and the compiles with it. */
struct held {
    struct slice value;
    /* The mode of torch.compile() that sets it in all of these compiles; ptr NULL: none, or several */
    struct slice mode;
    LIST(struct slice) compiles;
};
struct values {
    LIST(struct held) list;
    bool contradict; /* a value contradicts the configuration of its compile */
    bool complex;    /* a value is not a number, boolean, text or null */
    bool partial;    /* the value is unknown in some compiles */
    bool unset;      /* some compiles do not set it */
};

struct difference {
    enum config_kind kind;
    struct slice name;
    struct values sides[SIDES];
};

struct comparer {
    const struct run_facts *facts[SIDES];
    struct roots roots;
    struct arena arena; /* of names and values */
    struct map by_name;
    LIST(struct difference) list;
};

static yyjson_val *root_of(struct roots *roots, struct slice json) {
    for (size_t i = 0; i < roots->list.count; i++)
        if (roots->list.items[i].json == json.ptr)
            return roots->list.items[i].root;
    struct slice text = json;
    yyjson_val *root;
    if (json_read(&text, JSON_NUMBERS_RAW, &roots->arena, &root) == JSON_BAD || !yyjson_is_obj(root))
        root = NULL;
    ARENA_GROW(&roots->arena, &roots->list);
    roots->list.items[roots->list.count].json = json.ptr;
    roots->list.items[roots->list.count++].root = root;
    return root;
}

static void hold(struct comparer *c, struct values *values, struct slice value, const struct run_graph *graph,
                 struct slice mode) {
    struct held *found = NULL;
    for (size_t i = 0; i < values->list.count && !found; i++)
        if (slice_eq(values->list.items[i].value, value))
            found = &values->list.items[i];
    if (!found) {
        ARENA_GROW(&c->arena, &values->list);
        found = &values->list.items[values->list.count++];
        *found = (struct held){.value = arena_slice(&c->arena, value), .mode = mode};
    }
    if (!slice_eq(found->mode, mode))
        found->mode = (struct slice){0};
    ARENA_ADD(&c->arena, &found->compiles, graph->compile);
}

/* Whether the setting was changed outside of compiles, so a compile that does not set it may have reset it. */
static bool is_set_outside(const struct run_facts *facts, enum config_kind kind, struct slice name) {
    for (size_t i = 0; i < facts->effects.count; i++) {
        const struct run_effect *effect = &facts->effects.items[i];
        if (effect->kind == kind && !effect->configured.ptr && slice_eq(effect->name, name))
            return true;
    }
    return false;
}

static bool has_config(const struct run_facts *facts, enum config_kind kind) {
    for (size_t i = 0; i < facts->configs.count; i++)
        if (facts->configs.items[i].kind == kind)
            return true;
    return false;
}

static bool is_logged(const struct comparer *c, enum config_kind kind) {
    return has_config(c->facts[0], kind) || has_config(c->facts[1], kind);
}

/* Whether a key of the graph shows the value. */
static bool is_in_key(const struct run_facts *facts, const struct run_graph *graph, struct slice name) {
    if (graph->not_in_key == NOT_KEYED)
        return false;
    const struct setting_names *absent = &facts->not_in_key.items[graph->not_in_key];
    for (size_t i = 0; i < absent->list.count; i++)
        if (slice_eq(absent->list.items[i], name))
            return false;
    return true;
}

/* Takes the configured value if no record shows that a different one was set. */
static void hold_configured(struct comparer *c, int side, struct values *values, const struct run_graph *graph,
                            struct slice name) {
    yyjson_val *root = root_of(&c->roots, graph->config),
               *value = root ? yyjson_obj_getn(root, name.ptr, name.len) : NULL;
    AUTO_BUF json = {0};
    bool in_key = is_in_key(c->facts[side], graph, name);
    if (!value || (yyjson_is_ctn(value) && !graph->program) ||
        (!in_key && (!graph->program || is_set_outside(c->facts[side], CONFIG_INDUCTOR, name)))) {
        values->partial = true;
        return;
    }
    values->complex |= yyjson_is_ctn(value);
    json_add_value(&json, value);
    hold(c, values, buf_slice(&json), graph, (struct slice){0});
}

static void hold_graph(struct comparer *c, int side, struct values *values, const struct run_graph *graph,
                       enum config_kind kind, struct slice name) {
    bool found = false;
    for (size_t i = 0; i < graph->effects.count; i++) {
        const struct run_effect *effect = &c->facts[side]->effects.items[graph->effects.items[i]];
        if (effect->kind != kind || !slice_eq(effect->name, name))
            continue;
        AUTO_BUF plain = {0};
        found = true;
        values->contradict |= effect->configured.ptr != NULL;
        values->complex |= !effect->simple;
        if (effect->simple)
            buf_add(&plain, effect->value);
        else
            noise_add_without(&plain, effect->value);
        hold(c, values, buf_slice(&plain), graph, effect->configured.ptr ? graph->mode : (struct slice){0});
    }
    if (found)
        return;
    if (kind == CONFIG_INDUCTOR && graph->config.ptr)
        hold_configured(c, side, values, graph, name);
    else if (graph->program && !is_logged(c, kind) && !set_setting_is_usual(kind, name))
        values->unset = true;
    else
        values->partial = true;
}

static void hold_function(struct comparer *c, int side, struct values *values, const struct run_function *function,
                          enum config_kind kind, struct slice name) {
    values->partial |= function->other_graphs > 0;
    for (size_t i = 0; i < function->graphs.count; i++)
        hold_graph(c, side, values, &function->graphs.items[i], kind, name);
}

static bool has(const struct values *values, struct slice value) {
    for (size_t i = 0; i < values->list.count; i++)
        if (slice_eq(values->list.items[i].value, value))
            return true;
    return false;
}

/* The number of values of one side that the other side has, too. */
static size_t shared(const struct values *a, const struct values *b) {
    size_t count = a->unset && b->unset;
    for (size_t i = 0; i < a->list.count; i++)
        count += has(b, a->list.items[i].value);
    return count;
}

/* Whether the values differ. If a value is unknown in some compiles of a side, any value is possible there. */
static bool differ(const struct values *a, const struct values *b) {
    size_t one = a->list.count + a->unset, other = b->list.count + b->unset, same = shared(a, b);
    if (!one || !other || (same == one && same == other))
        return false;
    return same == 0 || (!a->partial && !b->partial);
}

/* Whether the first configurations of both functions have the same value of the setting. */
static bool same_config(struct comparer *c, const struct run_function *const functions[SIDES], struct slice name) {
    struct buf json[SIDES] = {{0}, {0}};
    for (int side = 0; side < SIDES; side++) {
        yyjson_val *root = root_of(&c->roots, functions[side]->graphs.items[0].config);
        if (root)
            json_add_value(&json[side], yyjson_obj_getn(root, name.ptr, name.len));
    }
    bool same = slice_eq(buf_slice(&json[0]), buf_slice(&json[1]));
    for (int side = 0; side < SIDES; side++)
        buf_free(&json[side]);
    return same;
}

/* Whether the difference is not in the configurations, which settings_compare() lists. */
static bool is_own(struct comparer *c, const struct values sides[SIDES],
                   const struct run_function *const functions[SIDES], enum config_kind kind, struct slice name) {
    if (sides[0].contradict || sides[1].contradict || !is_logged(c, kind))
        return true;
    return (sides[0].complex || sides[1].complex) && same_config(c, functions, name);
}

static void merge(struct comparer *c, struct values *into, const struct values *from) {
    into->unset |= from->unset;
    for (size_t i = 0; i < from->list.count; i++) {
        const struct held *held = &from->list.items[i];
        for (size_t k = 0; k < held->compiles.count; k++)
            hold(c, into, held->value, &(struct run_graph){.compile = held->compiles.items[k]}, held->mode);
    }
}

static void compare_setting(struct comparer *c, const struct run_function *const functions[SIDES],
                            const struct run_effect *effect) {
    struct values sides[SIDES] = {0};
    AUTO_BUF key = {0};
    bool added;
    for (int side = 0; side < SIDES; side++)
        hold_function(c, side, &sides[side], functions[side], effect->kind, effect->name);
    if (!differ(&sides[0], &sides[1]) || !is_own(c, sides, functions, effect->kind, effect->name))
        return;
    buf_addf(&key, "%d ", (int)effect->kind);
    buf_add(&key, effect->name);
    uint32_t at = *map_put(&c->by_name, buf_slice(&key), (uint32_t)c->list.count, &added);
    if (added)
        ARENA_ADD(&c->arena, &c->list, (struct difference){.kind = effect->kind, .name = effect->name});
    for (int side = 0; side < SIDES; side++)
        merge(c, &c->list.items[at].sides[side], &sides[side]);
}

/* Only Inductor's settings can be known to contradict a configuration. */
static bool is_compared(const struct comparer *c, enum config_kind kind) {
    return kind == CONFIG_INDUCTOR || !is_logged(c, kind);
}

static void compare_functions(struct comparer *c, const struct run_function *const functions[SIDES]) {
    AUTO_MAP seen = {0};
    if (!functions[0]->graphs.count || !functions[1]->graphs.count)
        return;
    for (int side = 0; side < SIDES; side++)
        for (size_t g = 0; g < functions[side]->graphs.count; g++)
            for (size_t i = 0; i < functions[side]->graphs.items[g].effects.count; i++) {
                const struct run_effect *effect =
                    &c->facts[side]->effects.items[functions[side]->graphs.items[g].effects.items[i]];
                AUTO_BUF key = {0};
                bool added;
                buf_addf(&key, "%d ", (int)effect->kind);
                buf_add(&key, effect->name);
                map_put(&seen, buf_slice(&key), 0, &added);
                if (added && is_compared(c, effect->kind))
                    compare_setting(c, functions, effect);
            }
}

static void write_values(struct jsonw *w, const struct values *values) {
    jsonw_array(w, NULL);
    for (size_t i = 0; i < values->list.count; i++) {
        const struct held *held = &values->list.items[i];
        jsonw_object(w, NULL);
        jsonw_raw(w, "value", held->value);
        if (held->mode.ptr)
            jsonw_text(w, "mode", held->mode);
        jsonw_array(w, "compiles");
        for (size_t k = 0; k < held->compiles.count && k < COMPILES_LISTED_MAX; k++)
            jsonw_text(w, NULL, held->compiles.items[k]);
        jsonw_end_array(w);
        if (held->compiles.count > COMPILES_LISTED_MAX)
            jsonw_u64(w, "more_compiles", held->compiles.count - COMPILES_LISTED_MAX);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_difference(struct jsonw *w, const struct difference *difference) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "kind", config_kind_name(difference->kind), "setting", difference->name);
    jsonw_array(w, "values");
    for (int side = 0; side < SIDES; side++)
        write_values(w, &difference->sides[side]);
    jsonw_end_array(w);
    jsonw_end_object(w);
}

static int by_name(const void *a, const void *b) {
    const struct difference *x = a, *y = b;
    return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : slice_cmp(x->name, y->name);
}

static bool has_graphs(const struct run_facts *facts) {
    for (size_t i = 0; i < facts->functions.count; i++)
        if (facts->functions.items[i].graphs.count)
            return true;
    return false;
}

void effects_compare(struct jsonw *w, const struct run_facts *a, const struct run_facts *b) {
    struct comparer c = {.facts = {a, b}};
    struct matches matches;
    uint64_t listed = 0;
    if (!has_graphs(a) || !has_graphs(b)) {
        jsonw_null(w, "settings_in_effect");
        jsonw_u64(w, "more_settings_in_effect", 0);
        return;
    }
    functions_match(&matches, a, b);
    for (size_t i = 0; i < matches.count; i++)
        if (matches.items[i].a != NO_MATCH && matches.items[i].b != NO_MATCH)
            compare_functions(&c, (const struct run_function *const[]){&a->functions.items[matches.items[i].a],
                                                                       &b->functions.items[matches.items[i].b]});
    matches_finish(&matches);
    if (c.list.count)
        qsort(c.list.items, c.list.count, sizeof *c.list.items, by_name);
    jsonw_array(w, "settings_in_effect");
    for (size_t i = 0; i < c.list.count; i++)
        if (listed++ < CONFIG_DIFFERENCES_MAX)
            write_difference(w, &c.list.items[i]);
    jsonw_end_array(w);
    jsonw_u64(w, "more_settings_in_effect", listed > CONFIG_DIFFERENCES_MAX ? listed - CONFIG_DIFFERENCES_MAX : 0);
    map_free(&c.by_name);
    arena_free(&c.roots.arena);
    arena_free(&c.arena);
}
