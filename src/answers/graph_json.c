#include "answers/graph_answer.h"
#include "base/jsonw.h"
#include "base/word.h"

/* Sizes are numbers, or texts such as "s0". */
static void add_sizes(struct jsonw *w, const char *key, struct slice list) {
    uint64_t number;
    jsonw_array(w, key);
    while (list.len) {
        size_t at = slice_find(list, SLICE(", "));
        struct slice size = slice_first(list, at);
        if (slice_to_u64(size, &number) && number <= INT64_MAX)
            jsonw_u64(w, NULL, number);
        else
            jsonw_text(w, NULL, size);
        list = slice_from(list, at == SIZE_MAX ? list.len : at + 2);
    }
    jsonw_end_array(w);
}

/* The parts of a node that a difference has only if they differ. */
enum part { PART_CALL = 1, PART_TYPE = 2, PART_PLACE = 4, PART_NAME = 8, PARTS = 15 };

static void add_type(struct jsonw *w, const struct op_node *node) {
    const struct op_type type = op_type_read(node->type);
    JSON_ADD(w, "type", node->type);
    if (!type.tensor) {
        jsonw_null(w, "shape");
        jsonw_null(w, "strides");
        jsonw_null(w, "dtype");
        jsonw_null(w, "device");
        return;
    }
    add_sizes(w, "shape", type.shape);
    if (type.strides.ptr)
        add_sizes(w, "strides", type.strides);
    else
        jsonw_null(w, "strides");
    jsonw_text(w, "dtype", type.dtype);
    jsonw_text(w, "device", type.device.len ? type.device : (struct slice){0});
}

static void add_call(struct jsonw *w, const struct op_graph *graph, const struct op_node *node) {
    JSON_ADD(w, "op", op_kind_name(node->kind), "target", node->target.len ? node->target : (struct slice){0});
    jsonw_array(w, "operands");
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (graph->tokens.items[i].node != OP_NONE)
            jsonw_text(w, NULL, graph->nodes.items[graph->tokens.items[i].node].name);
    jsonw_end_array(w);
    jsonw_text(w, "args", node->args.ptr ? node->args : SLICE(""));
}

static void add_place(struct jsonw *w, const struct op_graph *graph, const struct op_node *node) {
    if (node->source == OP_NONE) {
        jsonw_null(w, "place");
        return;
    }
    const struct node_source *source = &graph->sources.items[node->source];
    jsonw_object(w, "place");
    JSON_MEMBERS(w, source, file, line, function, code);
    jsonw_end_object(w);
}

/* ptr NULL: the outermost one. */
static struct slice graph_name_of(const struct op_graph *graph, const struct op_node *node) {
    struct slice name = node->graph ? graph->graphs.items[node->graph].name : (struct slice){0};
    return node->graph && !name.ptr ? SLICE("") : name;
}

static void add_parts(struct jsonw *w, const struct op_graph *graph, uint32_t index, unsigned parts) {
    const struct op_node *node = &graph->nodes.items[index];
    if (parts & PART_NAME) {
        jsonw_text(w, "graph", graph_name_of(graph, node));
        jsonw_text(w, "name", node->name.len ? node->name : (struct slice){0});
    }
    if (parts & PART_CALL)
        add_call(w, graph, node);
    if (parts & PART_TYPE)
        add_type(w, node);
    if (parts & PART_PLACE)
        add_place(w, graph, node);
}

static void add_module(struct jsonw *w, const struct op_graph *graph, const struct op_node *node,
                       const struct graph_subject *subject) {
    struct graph_module module = graph_module_of(graph, node, subject);
    AUTO_BUF name = {0};
    if (!module.root.ptr) {
        jsonw_null(w, "module");
        jsonw_null(w, "exact");
        return;
    }
    graph_module_add(&name, &module, false);
    jsonw_text(w, "module", buf_slice(&name));
    jsonw_bool(w, "exact", module.exact);
}

static void add_subject(struct jsonw *w, const struct op_graph *graph, const struct graph_subject *subject) {
    JSON_MEMBERS(w, subject, source, compile, stage, artifact);
    JSON_ADD(w, "ops", graph_ops(graph), "more_nodes", graph->more);
}

void graph_add_format(struct jsonw *w, const char *kind) {
    JSON_ADD(w, "format", "tlparse-graph", "version", (uint64_t)1, "kind", kind);
}

void graph_add_json(struct buf *out, const struct op_graph *graph, const struct graph_subject *subject) {
    struct jsonw w = {.out = out};
    jsonw_object(&w, NULL);
    graph_add_format(&w, "graph");
    add_subject(&w, graph, subject);
    jsonw_array(&w, "nodes");
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        jsonw_object(&w, NULL);
        add_parts(&w, graph, i, PARTS);
        add_module(&w, graph, &graph->nodes.items[i], subject);
        jsonw_end_object(&w);
    }
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    buf_add_lit(out, "\n");
}

static bool same_place(const struct graph_diff *diff, const struct op_node *a, const struct op_node *b) {
    if (a->source == OP_NONE || b->source == OP_NONE)
        return a->source == b->source;
    const struct node_source *one = &diff->a->sources.items[a->source], *other = &diff->b->sources.items[b->source];
    return one->line == other->line && slice_eq(one->file, other->file) && slice_eq(one->function, other->function) &&
           slice_eq(one->code, other->code);
}

static bool same_operands(const struct graph_diff *diff, const struct op_node *a, const struct op_node *b) {
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t one = diff->a->tokens.items[a->first + i].node, other = diff->b->tokens.items[b->first + i].node;
        if ((one == OP_NONE) != (other == OP_NONE) ||
            (one != OP_NONE && !slice_eq(diff->a->nodes.items[one].name, diff->b->nodes.items[other].name)))
            return false;
    }
    return true;
}

/* The parts of a matched node that are not as in the first graph. */
static unsigned parts_of(const struct graph_diff *diff, uint32_t index) {
    const struct op_node *a = &diff->a->nodes.items[diff->match_b[index]], *b = &diff->b->nodes.items[index];
    struct slice graph_a = graph_name_of(diff->a, a), graph_b = graph_name_of(diff->b, b);
    bool same_graph = (graph_a.ptr != NULL) == (graph_b.ptr != NULL) && slice_eq(graph_a, graph_b);
    bool call = a->kind != b->kind || !slice_eq(a->target, b->target) || !slice_eq(a->args, b->args) ||
                !same_operands(diff, a, b);
    bool type = (a->type.ptr != NULL) != (b->type.ptr != NULL) || !slice_eq(a->type, b->type);
    return (call ? PART_CALL : 0u) | (type ? PART_TYPE : 0u) | (same_place(diff, a, b) ? 0u : PART_PLACE) |
           (slice_eq(a->name, b->name) && same_graph ? 0u : PART_NAME);
}

static void add_differences(struct jsonw *w, const struct graph_diff *diff, uint32_t index) {
    static const struct {
        unsigned flag;
        const char *name;
    } names[] = {{OP_RESIZED, "sizes"},
                 {OP_REWIRED, "operands"},
                 {OP_CHANGED, "call"},
                 {OP_RETYPED, "type"},
                 {OP_RESTRIDED, "strides"}};
    jsonw_array(w, "differs");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (diff->differs[index] & names[i].flag)
            jsonw_str(w, NULL, names[i].name);
    jsonw_end_array(w);
}

static void add_nodes(struct jsonw *w, const struct graph_diff *diff) {
    jsonw_array(w, "nodes");
    for (uint32_t i = 0; i < diff->b->nodes.count; i++) {
        bool matched = diff->match_b[i] != OP_NONE;
        jsonw_object(w, NULL);
        if (matched) {
            JSON_ADD(w, "of", diff->match_b[i]);
            add_differences(w, diff, i);
        } else {
            jsonw_null(w, "of");
        }
        add_parts(w, diff->b, i, matched ? parts_of(diff, i) : PARTS);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void add_side(struct jsonw *w, const char *key, const struct op_graph *graph,
                     const struct graph_subject *subject) {
    jsonw_object(w, key);
    add_subject(w, graph, subject);
    jsonw_u64(w, "nodes", graph->nodes.count);
    jsonw_end_object(w);
}

/* A line that says what the node is, for readers. */
static void add_members(struct jsonw *w, const char *key, const struct graph_diff *diff, const struct op_graph *graph,
                        uint32_t first, uint32_t count) {
    AUTO_BUF text = {0};
    jsonw_array(w, key);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = diff->members.items[first + i];
        const struct op_node *node = &graph->nodes.items[index];
        text.len = 0;
        graph_add_call(&text, node);
        jsonw_object(w, NULL);
        jsonw_text(w, "graph", graph_name_of(graph, node));
        JSON_ADD(w, "node", index, "name", node->name.len ? node->name : (struct slice){0}, "value", buf_slice(&text));
        add_place(w, graph, node);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void add_edits(struct jsonw *w, const struct graph_diff *diff) {
    jsonw_object(w, "counts");
    for (int change = 0; change < GRAPH_CHANGES; change++)
        jsonw_u64(w, graph_change_name((enum graph_change)change), diff->counts[change]);
    jsonw_end_object(w);
    jsonw_array(w, "changes");
    for (size_t i = 0; i < diff->edits.count; i++) {
        const struct graph_edit *edit = &diff->edits.items[i];
        jsonw_object(w, NULL);
        jsonw_str(w, "change", graph_change_name(edit->change));
        if (edit->times)
            jsonw_null(w, "equal_to");
        else
            jsonw_u64(w, "equal_to", edit->equal_to);
        add_members(w, "base", diff, diff->a, edit->first_a, edit->count_a);
        add_members(w, "new", diff, diff->b, edit->first_b, edit->count_b);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void add_pairs(struct jsonw *w, const char *key, const struct size_change *pairs, size_t count) {
    jsonw_array(w, key);
    for (size_t i = 0; i < count; i++) {
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, &pairs[i], from, to, nodes);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

void graph_diff_add_json(struct buf *out, const struct graph_diff *diff, const struct graph_subject subjects[2]) {
    struct jsonw w = {.out = out};
    jsonw_object(&w, NULL);
    graph_add_format(&w, "difference");
    add_side(&w, "base", diff->a, &subjects[0]);
    add_side(&w, "new", diff->b, &subjects[1]);
    JSON_MEMBERS(&w, diff, same, resized, rewired, restrided, retyped, inputs);
    add_edits(&w, diff);
    add_pairs(&w, "sizes", diff->sizes.items, diff->sizes.count);
    add_pairs(&w, "types", diff->types.items, diff->types.count);
    add_nodes(&w, diff);
    jsonw_end_object(&w);
    buf_add_lit(out, "\n");
}
