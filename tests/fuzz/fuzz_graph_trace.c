/* Any text as a graph: items, steps, collectives and source lines of nodes are within it and within their limits. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct slice text = {(const char *)data, size};
    struct arena arena = {0};
    check_items(text);
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
