#include "codegen/flow_graph.h"

static bool is_same_line(const struct node_source *a, const struct node_source *b) {
    return a->line == b->line && slice_eq(a->file, b->file);
}

/* Adds the line unless the list has it. Returns false if the list is full. */
static bool add_line(const struct flow_graphs *graphs, uint32_t lines[INLINED_LINES_MAX], uint32_t *count,
                     uint32_t source) {
    for (uint32_t i = 0; i < *count; i++)
        if (is_same_line(&graphs->sources[lines[i]], &graphs->sources[source]))
            return true;
    if (*count == INLINED_LINES_MAX)
        return false;
    lines[(*count)++] = source;
    return true;
}

static const struct flow_graph *nested(const struct flow_graphs *graphs, struct slice name) {
    for (uint32_t i = 1; i < graphs->graph_count; i++)
        if (slice_eq(graphs->graphs[i].name, name))
            return &graphs->graphs[i];
    return NULL;
}

/* The lines of the graphs that the node receives as arguments. */
static bool lines_of(const struct flow_graphs *graphs, const struct flow_node *node, uint32_t lines[INLINED_LINES_MAX],
                     uint32_t *count) {
    for (uint32_t a = node->first; a < node->first + node->count; a++) {
        const struct flow_node *arg = &graphs->nodes[graphs->args[a].node];
        const struct flow_graph *graph = arg->constant ? nested(graphs, arg->name) : NULL;
        for (uint32_t n = graph ? graph->first : 0; graph && n < graph->first + graph->count; n++)
            if (graphs->nodes[n].source != UINT32_MAX && !add_line(graphs, lines, count, graphs->nodes[n].source))
                return false;
    }
    return true;
}

uint32_t inlined_lines(const struct flow_graphs *graphs, struct slice op, uint32_t lines[INLINED_LINES_MAX]) {
    static const struct slice head = SLICE_INIT("higher_order.");
    uint32_t count = 0, found = 0;
    for (uint32_t i = 0; graphs->graph_count > 1 && i < graphs->graphs[0].first + graphs->graphs[0].count; i++) {
        const struct flow_node *node = &graphs->nodes[i];
        uint32_t own[INLINED_LINES_MAX], own_count = 0;
        if (!slice_starts(node->op, head) || !slice_eq(slice_from(node->op, head.len), op))
            continue;
        if (!lines_of(graphs, node, own, &own_count) || (found && own_count != count))
            return 0;
        for (uint32_t k = 0; found && k < count; k++)
            if (!is_same_line(&graphs->sources[own[k]], &graphs->sources[lines[k]]))
                return 0;
        if (!found++)
            memcpy(lines, own, sizeof *own * (count = own_count));
    }
    return count;
}
