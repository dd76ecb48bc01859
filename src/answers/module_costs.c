#include "answers/module_costs.h"

#include "answers/report_doc.h"
#include "base/map.h"
#include "base/word.h"

/* "h.11.attn" → "h.*.attn", "layers[0]" → "layers[*]". */
static void add_pattern(struct buf *out, struct slice name) {
    for (size_t i = 0; i < name.len;) {
        size_t digits = digits_length(slice_from(name, i)), end = i + digits;
        bool part = digits && (!i || name.ptr[i - 1] == '.' || name.ptr[i - 1] == '[') &&
                    (end == name.len || name.ptr[end] == '.' || name.ptr[end] == ']' || name.ptr[end] == '[');
        buf_add(out, part ? SLICE("*") : slice_make(name.ptr + i, digits ? digits : 1));
        i += digits ? digits : 1;
    }
}

static struct module_cost *cost_of(struct module_costs *costs, struct map *rows, yyjson_val *module,
                                   struct slice function) {
    struct slice root = json_get_text(module, "root"), class = json_get_text(module, "class");
    AUTO_BUF key = {0}, name = {0};
    bool added;
    add_pattern(&name, json_get_text(module, "name"));
    BUF_ADD(&key, function, "\n", root, "\n", class, "\n", buf_slice(&name));
    uint32_t place = *map_put(rows, buf_slice(&key), (uint32_t)costs->list.count, &added);
    if (added)
        LIST_ADD(&costs->list, (struct module_cost){.function = function,
                                                    .root = root,
                                                    .class = class,
                                                    .name = arena_slice(&costs->arena, buf_slice(&name))});
    return &costs->list.items[place];
}

static void add_module(struct module_cost *cost, yyjson_val *module) {
    struct slice compile = json_get_text(module, "compile");
    if (!slice_eq(compile, cost->compile))
        cost->of_compile[0] = cost->of_compile[1] = 0;
    cost->compile = compile;
    cost->of_compile[0]++;
    cost->of_compile[1] += report_count(module, "parameters");
    cost->modules = cost->of_compile[0] > cost->modules ? cost->of_compile[0] : cost->modules;
    cost->parameters = cost->of_compile[1] > cost->parameters ? cost->of_compile[1] : cost->parameters;
    cost->ops += report_count(module, "ops");
    cost->exact_ops += report_count(module, "exact_ops");
    cost->kernels += report_count(module, "kernels");
    cost->guards += report_count(module, "guards");
    cost->run_us += report_count(module, "run_us");
}

static int by_cost(const void *a, const void *b) {
    const struct module_cost *one = a, *other = b;
    const uint64_t ones[] = {one->run_us, one->kernels, one->ops, one->parameters};
    const uint64_t others[] = {other->run_us, other->kernels, other->ops, other->parameters};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        if (ones[i] != others[i])
            return ones[i] > others[i] ? -1 : 1;
    int function = slice_cmp(one->function, other->function), root = slice_cmp(one->root, other->root);
    int name = slice_cmp(one->name, other->name);
    return function ? function : root ? root : name ? name : slice_cmp(one->class, other->class);
}

static void index_functions(struct map *functions, yyjson_val *root) {
    size_t i, max;
    yyjson_val *compile;
    yyjson_arr_foreach(json_get(root, "compiles"), i, max, compile)
        map_put(functions, json_get_text(compile, "key"), (uint32_t)i, NULL);
}

void module_costs_find(struct module_costs *costs, yyjson_val *root, size_t most) {
    AUTO_MAP rows = {0}, functions = {0};
    yyjson_val *compiles = json_get(root, "compiles"), *module;
    size_t i, max;
    *costs = (struct module_costs){0};
    index_functions(&functions, root);
    yyjson_arr_foreach(json_get(root, "modules"), i, max, module) {
        uint32_t compile = map_get(&functions, json_get_text(module, "compile"));
        yyjson_val *frame = compile == MAP_NONE ? NULL : json_get(yyjson_arr_get(compiles, compile), "frame");
        add_module(cost_of(costs, &rows, module, json_get_text(frame, "label")), module);
        costs->profiled |= yyjson_is_uint(json_get(module, "run_us"));
    }
    LIST_SORT(&costs->list, by_cost);
    costs->all = costs->list.count;
    costs->list.count = costs->list.count < most ? costs->list.count : most;
}

void module_costs_finish(struct module_costs *costs) {
    mem_free(costs->list.items);
    arena_free(&costs->arena);
    *costs = (struct module_costs){0};
}

static void add_count(struct table *table, uint64_t count, bool time) {
    AUTO_BUF text = {0};
    if (count && time)
        unit_add_time(&text, (int64_t)count);
    else if (count)
        unit_add_count(&text, count);
    table_cell(table, TERM_PLAIN, buf_slice(&text));
}

/* The name, or the root of another than `self`. */
static void add_name(struct table *table, const struct module_cost *cost) {
    AUTO_BUF name = {0};
    bool of_self = slice_is(cost->root, "L['self']");
    if (!of_self || !cost->name.len)
        buf_add(&name, cost->root);
    if (cost->name.len)
        BUF_ADD(&name, of_self ? "" : slice_starts(cost->name, SLICE("[")) ? "" : ".", cost->name);
    table_cell(table, TERM_BOLD, buf_slice(&name));
}

static bool has_several_functions(const struct module_costs *costs) {
    for (size_t i = 1; i < costs->list.count; i++)
        if (!slice_eq(costs->list.items[i].function, costs->list.items[0].function))
            return true;
    return false;
}

void module_costs_table(struct table *table, const struct module_costs *costs) {
    static const char *const heads[] = {"modules", "parameters", "ops",   "kernels",
                                        "guards",  "module",     "class", "function"};
    bool functions = has_several_functions(costs);
    table_init(table, costs->profiled ? functions ? "rrrrrrlbb" : "rrrrrrlb" : functions ? "rrrrrlbb" : "rrrrrlb");
    if (costs->profiled)
        table_cell_str(table, TERM_DIM, "run");
    for (size_t i = 0; i < sizeof heads / sizeof *heads - !functions; i++)
        table_cell_str(table, TERM_DIM, heads[i]);
    for (size_t i = 0; i < costs->list.count; i++) {
        const struct module_cost *cost = &costs->list.items[i];
        size_t dot = slice_rfind_byte(cost->class, '.');
        if (costs->profiled)
            add_count(table, cost->run_us, true);
        add_count(table, cost->modules, false);
        add_count(table, cost->parameters, false);
        add_count(table, cost->ops, false);
        add_count(table, cost->kernels, false);
        add_count(table, cost->guards, false);
        add_name(table, cost);
        table_cell(table, TERM_PLAIN, dot == SIZE_MAX ? cost->class : slice_from(cost->class, dot + 1));
        if (functions)
            table_cell(table, TERM_DIM, cost->function);
    }
}

void module_costs_add_json(struct jsonw *w, const struct module_costs *costs) {
    jsonw_array(w, "modules");
    for (size_t i = 0; i < costs->list.count; i++) {
        const struct module_cost *cost = &costs->list.items[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, cost, function, root, name);
        jsonw_text(w, "class", cost->class);
        JSON_MEMBERS(w, cost, modules, parameters, ops, exact_ops, kernels, guards);
        if (costs->profiled)
            jsonw_u64(w, "run_us", cost->run_us);
        else
            jsonw_null(w, "run_us");
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_modules", costs->all - costs->list.count);
}
