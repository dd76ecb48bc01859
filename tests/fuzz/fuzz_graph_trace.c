/* Any text as a graph: items, steps, collectives, nodes and their source lines are within it and within their limits; and as two
 * graphs: what differs names each node that only one of them has. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"
#include "graph/graph_diff.h"
#include "scan/fx_graph.h"
#include "scan/graph_trace.h"
#include "scan/node_sources.h"

static void check_world(const struct world_hints *world) {
    MUST(world->size <= WORLD_SIZE_MAX && world->at_least <= WORLD_SIZE_MAX &&
         (!world->at_least == !world->at_least_from));
}

/* Each item takes at least one byte, so reading ends. */
static void check_items(struct slice text) {
    struct fx_reader reader = {.rest = text};
    struct fx_item item;
    for (size_t count = 0; fx_next(&reader, &item); count++) {
        struct slice value = fx_value(item.right);
        MUST(count < text.len && item.kind <= FX_RETURN);
        MUST(fuzz_inside(item.text, text) && fuzz_inside(item.name, text) && fuzz_inside(item.type, text));
        MUST(fuzz_inside(item.right, text) && (!value.len || fuzz_inside(value, item.right)));
        MUST(item.kind != FX_PARAMETER || item.name.len);
    }
}

static void check_nodes(const struct op_graph *graph, struct slice text) {
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct op_node *node = &graph->nodes.items[i];
        MUST(fuzz_inside(node->name, text) && fuzz_inside(node->args, text) && fuzz_inside(node->type, text));
        MUST(node->graph < graph->graphs.count && node->first + node->count <= graph->tokens.count);
        MUST(node->source == OP_NONE || node->source < graph->sources.count);
        for (uint32_t t = node->first; t < node->first + node->count; t++) {
            const struct op_token *token = &graph->tokens.items[t];
            MUST(token->text.len && fuzz_inside(token->text, text));
            MUST(token->node == OP_NONE || (token->node < i && graph->nodes.items[token->node].graph == node->graph));
        }
    }
}

/* The number of nodes in changes, of one graph. */
static size_t count_changed(const struct graph_diff *diff, bool of_b) {
    size_t count = 0;
    for (size_t i = 0; i < diff->edits.count; i++) {
        const struct graph_edit *edit = &diff->edits.items[i];
        bool lone = edit->change == CHANGE_ADDED || edit->change == CHANGE_REMOVED || edit->change == CHANGE_REPLACED;
        count += lone ? of_b ? edit->count_b : edit->count_a : 0;
    }
    return count;
}

/* The text up to a line "----", and what follows it. */
static void check_difference(struct slice text) {
    size_t at = slice_find(text, SLICE("----"));
    struct op_graph a = {0}, b = {0};
    struct graph_diff diff = {0};
    size_t lone_a = 0, lone_b = 0;
    op_graph_read(&a, slice_first(text, at));
    op_graph_read(&b, slice_from(text, at == SIZE_MAX ? 0 : at));
    check_nodes(&a, text);
    check_nodes(&b, text);
    graph_diff_make(&diff, &a, &b);
    for (uint32_t i = 0; i < a.nodes.count; i++) {
        lone_a += diff.match_a[i] == OP_NONE;
        MUST(diff.match_a[i] == OP_NONE || diff.match_b[diff.match_a[i]] == i);
    }
    for (uint32_t i = 0; i < b.nodes.count; i++)
        lone_b += diff.match_b[i] == OP_NONE;
    MUST(a.nodes.count - lone_a == b.nodes.count - lone_b);
    MUST(lone_a == count_changed(&diff, false) && lone_b == count_changed(&diff, true));
    MUST(at != SIZE_MAX || (!diff.edits.count && !diff.sizes.count)); /* the same graph twice */
    graph_diff_free(&diff);
    op_graph_free(&a);
    op_graph_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice text = {(const char *)data, size};
    struct arena arena = {0};
    check_items(text);
    check_difference(text);
    struct graph_trace *trace = graph_trace_scan(text, &arena), *calls = graph_calls_scan(text, &arena);
    MUST(trace->count <= GRAPH_STEPS_MAX && trace->call_count <= GRAPH_CALLS_MAX);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct graph_step *step = &trace->steps[i];
        MUST(fuzz_inside(step->file, text) && fuzz_inside(step->function, text) && fuzz_inside(step->code, text));
        MUST(fuzz_inside(step->text, text) && step->text.len && fuzz_inside(step->type, text));
    }
    for (uint32_t i = 0; i < trace->call_count; i++)
        MUST(fuzz_inside(trace->calls[i], text));
    check_world(&trace->world);
    MUST(!calls == !(trace->call_count || trace->world.size || trace->world.at_least));
    MUST(!calls || (calls->call_count == trace->call_count && !calls->count && calls->world.size == trace->world.size));
    struct world_hints sum = trace->world;
    if (calls)
        world_hints_add(&sum, &calls->world);
    check_world(&sum);
    MUST(sum.contradicts == trace->world.contradicts);
    struct node_sources *sources = node_sources_scan(text, &arena);
    MUST(sources->count <= NODE_SOURCES_MAX);
    for (uint32_t i = 0; i < sources->count; i++)
        MUST(sources->items[i].node.len && fuzz_inside(sources->items[i].node, text) &&
             fuzz_inside(sources->items[i].file, text));
    arena_free(&arena);
    return 0;
}
