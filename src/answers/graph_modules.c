#include "answers/graph_modules.h"

#include "base/jsonw.h"

static void add_nodes(struct graph_modules *modules, yyjson_val *module, bool exact) {
    size_t i, max;
    yyjson_val *node;
    yyjson_arr_foreach(json_get(module, exact ? "exact_nodes" : "nodes_within"), i, max, node) {
        uint32_t place = (uint32_t)modules->list.count;
        map_put(&modules->nodes, json_text(node), place, NULL);
        LIST_ADD(&modules->list,
                 (struct graph_module){json_get_text(module, "root"), json_get_text(module, "name"), exact});
    }
}

void graph_modules_read(struct graph_modules *modules, yyjson_val *report, struct slice compile) {
    size_t i, max;
    yyjson_val *module;
    *modules = (struct graph_modules){0};
    yyjson_arr_foreach(json_get(report, "modules"), i, max, module) {
        if (!slice_eq(json_get_text(module, "compile"), compile))
            continue;
        add_nodes(modules, module, true);
        add_nodes(modules, module, false);
    }
}

void graph_modules_free(struct graph_modules *modules) {
    mem_free(modules->list.items);
    map_free(&modules->nodes);
    *modules = (struct graph_modules){0};
}

struct graph_module graph_modules_find(const struct graph_modules *modules, struct slice graph, struct slice node) {
    AUTO_BUF key = {0};
    if (graph.ptr)
        BUF_ADD(&key, graph, "/");
    buf_add(&key, node);
    uint32_t place = map_get(&modules->nodes, buf_slice(&key));
    return place == MAP_NONE ? (struct graph_module){0} : modules->list.items[place];
}

void graph_module_add(struct buf *out, const struct graph_module *module, bool is_short) {
    bool of_self = slice_is(module->root, "L['self']");
    if (!is_short || !of_self || !module->name.len)
        buf_add(out, module->root);
    if (module->name.len)
        BUF_ADD(out, is_short && of_self ? "" : slice_starts(module->name, SLICE("[")) ? "" : ".", module->name);
}
