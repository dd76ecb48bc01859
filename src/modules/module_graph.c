#include "modules/module_graph.h"

#include "base/map.h"

enum { NESTING_MAX = 64 };

struct scan {
    struct op_graph graph;
    struct arena *arena;
    struct map graphs; /* by name */
    bool *entered;     /* by graph */
    uint32_t *inputs;  /* by node: its index in `names`, or MODULE_NONE */
    LIST(struct slice) names;
    LIST(struct module_op) ops;
    LIST(uint32_t) operands;
};

static bool holds_tensors(struct slice name) {
    return slice_find(name, SLICE("parameters_")) != SIZE_MAX || slice_find(name, SLICE("buffers_")) != SIZE_MAX;
}

static void number_inputs(struct scan *scan) {
    scan->inputs = mem_alloc((scan->graph.nodes.count + 1) * sizeof *scan->inputs);
    for (uint32_t i = 0; i < scan->graph.nodes.count; i++) {
        const struct op_node *node = &scan->graph.nodes.items[i];
        scan->inputs[i] = MODULE_NONE;
        if (node->kind == OP_INPUT && holds_tensors(node->name)) {
            scan->inputs[i] = (uint32_t)scan->names.count;
            LIST_ADD(&scan->names, node->name);
        }
    }
}

static struct slice whole_name(struct scan *scan, const struct op_node *node) {
    AUTO_BUF name = {0};
    if (!node->graph)
        return node->name;
    BUF_ADD(&name, scan->graph.graphs.items[node->graph].name, "/", node->name);
    return arena_slice(scan->arena, buf_slice(&name));
}

static void add_op(struct scan *scan, const struct op_node *node) {
    struct module_op op = {.name = whole_name(scan, node),
                           .target = node->target,
                           .method = node->kind == OP_METHOD,
                           .place = node->source == OP_NONE ? MODULE_NONE : node->source,
                           .first = (uint32_t)scan->operands.count};
    for (uint32_t t = node->first; t < node->first + node->count; t++) {
        uint32_t operand = scan->graph.tokens.items[t].node;
        if (operand != OP_NONE && scan->inputs[operand] != MODULE_NONE)
            LIST_ADD(&scan->operands, scan->inputs[operand]);
    }
    op.count = (uint32_t)scan->operands.count - op.first;
    LIST_ADD(&scan->ops, op);
}

static void add_graph(struct scan *scan, uint32_t graph, int depth);

/* The graphs that a node calls: attributes of that name are among its operands. */
static void add_called(struct scan *scan, const struct op_node *node, int depth) {
    for (uint32_t t = node->first; t < node->first + node->count; t++) {
        uint32_t operand = scan->graph.tokens.items[t].node;
        if (operand == OP_NONE || scan->graph.nodes.items[operand].kind != OP_ATTRIBUTE)
            continue;
        uint32_t called = map_get(&scan->graphs, scan->graph.nodes.items[operand].target);
        if (called != MAP_NONE)
            add_graph(scan, called, depth + 1);
    }
}

static void add_graph(struct scan *scan, uint32_t graph, int depth) {
    const struct op_nested *nested = &scan->graph.graphs.items[graph];
    if (scan->entered[graph] || depth > NESTING_MAX)
        return;
    scan->entered[graph] = true;
    for (uint32_t i = nested->first; i < nested->first + nested->count; i++) {
        const struct op_node *node = &scan->graph.nodes.items[i];
        if (node->kind == OP_INPUT || node->kind == OP_ATTRIBUTE || node->kind == OP_OUTPUT)
            continue;
        add_called(scan, node, depth);
        if (node->name.len)
            add_op(scan, node);
    }
}

/* The key of the annotation that PyTorch (2.15) writes above such operations. */
#define BUDGET "'_region_activation_memory_budget': "

static struct module_graph *result(struct scan *scan) {
    struct module_graph *graph = arena_zalloc(scan->arena, sizeof *graph);
    uint32_t places = (uint32_t)scan->graph.sources.count;
    graph->ops = ARENA_COPY(scan->arena, scan->ops.items, scan->ops.count);
    graph->op_count = (uint32_t)scan->ops.count;
    graph->inputs = ARENA_COPY(scan->arena, scan->names.items, scan->names.count);
    graph->input_count = (uint32_t)scan->names.count;
    graph->operands = ARENA_COPY(scan->arena, scan->operands.items, scan->operands.count);
    graph->operand_count = (uint32_t)scan->operands.count;
    graph->places = arena_alloc(scan->arena, (places + 1) * sizeof *graph->places);
    graph->place_count = places;
    for (uint32_t i = 0; i < places; i++) {
        const struct node_source *source = &scan->graph.sources.items[i];
        graph->places[i] = (struct module_place){source->file, source->function, source->code, source->line};
    }
    return graph;
}

struct module_graph *module_graph_scan(struct slice text, struct arena *arena) {
    struct scan scan = {.arena = arena};
    op_graph_read(&scan.graph, text);
    uint32_t graphs = (uint32_t)scan.graph.graphs.count;
    scan.entered = mem_zalloc(graphs + 1, sizeof *scan.entered);
    for (uint32_t i = 1; i < graphs; i++)
        map_put(&scan.graphs, scan.graph.graphs.items[i].name, i, NULL);
    number_inputs(&scan);
    for (uint32_t i = 0; i < graphs; i++)
        add_graph(&scan, i, 0);
    struct module_graph *graph = scan.ops.count ? result(&scan) : NULL;
    if (graph)
        graph->budget = slice_find(text, SLICE(BUDGET)) != SIZE_MAX;
    op_graph_free(&scan.graph);
    map_free(&scan.graphs);
    mem_free(scan.entered);
    mem_free(scan.inputs);
    mem_free(scan.names.items);
    mem_free(scan.ops.items);
    mem_free(scan.operands.items);
    return graph;
}
