#include "lowering/graph_memory.h"
#include "pages/page_parts.h"
#include "report/members.h"
#include "report/saved_modules.h"

/* "forward" for "0_forward" */
static struct slice direction_of(struct slice graph) {
    size_t bar = slice_rfind_byte(graph, '_');
    return bar == SIZE_MAX ? (struct slice){0} : slice_from(graph, bar + 1);
}

/* For each graph, the same graph of the function's version before it; UINT32_MAX: none. Versions are those of `recompiles`. A compile
 * with several graphs of one direction, as DDP makes them, is left out: which of them correspond is not in the log. */
struct versions {
    uint32_t *before;
};

enum { DIRECTIONS = 3 };
#define SEVERAL (UINT32_MAX - 1)

static int direction_index(struct slice graph) {
    static const char *const names[DIRECTIONS] = {"forward", "backward", "inference"};
    struct slice direction = direction_of(graph);
    for (int i = 0; i < DIRECTIONS; i++)
        if (slice_is(direction, names[i]))
            return i;
    return -1;
}

static void versions_find(struct versions *versions, const struct report_view *view) {
    const struct graph_memories *memories = view->model->memories;
    size_t compiles = view->model->compiles.count;
    uint32_t *graphs = mem_alloc((compiles + 1) * DIRECTIONS * sizeof *graphs);
    versions->before = mem_alloc((memories->list.count + 1) * sizeof *versions->before);
    memset(graphs, 0xff, compiles * DIRECTIONS * sizeof *graphs);
    memset(versions->before, 0xff, memories->list.count * sizeof *versions->before);
    for (size_t i = 0; i < memories->list.count; i++) {
        int direction = direction_index(memories->list.items[i].graph);
        if (direction < 0)
            continue;
        uint32_t *graph = &graphs[(size_t)memories->list.items[i].compile * DIRECTIONS + (size_t)direction];
        *graph = *graph == UINT32_MAX ? (uint32_t)i : SEVERAL;
    }
    for (size_t c = 0; view->chains && c < view->chains->list.count; c++)
        for (size_t direction = 0; direction < DIRECTIONS; direction++) {
            const struct chain *chain = &view->chains->list.items[c];
            uint32_t before = UINT32_MAX;
            for (size_t i = 0; i < chain->compiles.count; i++) {
                uint32_t graph = graphs[(size_t)chain->compiles.items[i] * DIRECTIONS + direction];
                if (graph >= SEVERAL)
                    continue;
                versions->before[graph] = before;
                before = graph;
            }
        }
    mem_free(graphs);
}

static bool exact_peak(const struct graph_memory *graph) {
    return graph->unknown == MEMORY_KNOWN && !graph->fallback.ptr;
}

static void write_change(struct jsonw *w, const char *name, bool known, int64_t from, int64_t to) {
    if (known && from >= 0 && to >= 0)
        jsonw_i64(w, name, to - from);
    else
        jsonw_null(w, name);
}

/* How the graph differs from that of the version before. */
static void write_before(struct jsonw *w, const struct model *model, const struct versions *versions, size_t index) {
    if (versions->before[index] == UINT32_MAX) {
        jsonw_null(w, "before");
        return;
    }
    const struct graph_memory *graph = &model->memories->list.items[index],
                              *before = &model->memories->list.items[versions->before[index]];
    bool derived = graph->unknown == MEMORY_KNOWN && before->unknown == MEMORY_KNOWN,
         exact = exact_peak(graph) && exact_peak(before);
    jsonw_object(w, "before");
    JSON_ADD(w, "compile", model->compiles.items[before->compile]->key, "artifact", (uint64_t)before->artifact);
    write_change(w, "net_change", derived, before->net, graph->net);
    write_change(w, "peak_change", exact, before->peak, graph->peak);
    write_change(w, "saved_change", derived, before->saved, graph->saved);
    write_change(w, "whole_peak_change", exact, before->whole_peak, graph->whole_peak);
    jsonw_end_object(w);
}

static void write_buffer(struct jsonw *w, const struct memory_buffer *buffer) {
    jsonw_object(w, NULL);
    JSON_MEMBERS(w, buffer, name, shape, dtype, bytes, kernel);
    JSON_ADD(w, "line", (uint64_t)buffer->line, "end_line", buffer->end ? (int64_t)buffer->end : -1);
    jsonw_bool(w, "returned", buffer->returned);
    jsonw_end_object(w);
}

static void write_saved(struct jsonw *w, const struct saved_tensor *tensor, const struct saved_module *module) {
    jsonw_object(w, NULL);
    JSON_MEMBERS(w, tensor, name, shape, dtype, bytes);
    if (tensor->place.file.ptr)
        place_json_write(w, "place", &tensor->place);
    else
        jsonw_null(w, "place");
    jsonw_text(w, "code", tensor->code);
    jsonw_bool(w, "result", tensor->result);
    if (module) {
        jsonw_object(w, "module");
        JSON_MEMBERS(w, module, root, name);
        jsonw_bool(w, "exact", module->exact);
        jsonw_end_object(w);
    } else {
        jsonw_null(w, "module");
    }
    jsonw_end_object(w);
}

static void write_details(struct jsonw *w, const struct graph_memory *memory, const struct saved_modules *modules,
                          size_t graph) {
    jsonw_array(w, "buffers");
    for (uint32_t i = 0; i < memory->buffer_count; i++)
        write_buffer(w, &memory->buffers[i]);
    jsonw_end_array(w);
    jsonw_u64(w, "more_buffers", memory->more_buffers);
    jsonw_array(w, "saved");
    for (uint32_t i = 0; i < memory->value_count; i++)
        write_saved(w, &memory->values[i], saved_modules_get(modules, graph, i));
    jsonw_end_array(w);
    jsonw_u64(w, "more_saved", memory->more_values);
    jsonw_array(w, "course");
    for (uint32_t i = 0; i < memory->point_count; i++) {
        const struct memory_point *point = &memory->points[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, point, line, bytes);
        jsonw_i64(w, "saved_bytes", point->saved);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_memory(struct jsonw *w, const struct model *model, const struct saved_modules *modules,
                         const struct versions *versions, size_t graph) {
    const struct graph_memory *memory = &model->memories->list.items[graph];
    bool derived = memory->unknown == MEMORY_KNOWN;
    jsonw_object(w, NULL);
    JSON_ADD(w, "compile", model->compiles.items[memory->compile]->key, "direction", direction_of(memory->graph));
    JSON_ADD(w, "artifact", (uint64_t)memory->artifact, "device", memory->device);
    jsonw_bool(w, "derived", derived);
    JSON_ADD(w, "not_derived", memory_unknown_text(memory->unknown), "line",
             memory->unknown_line ? (int64_t)memory->unknown_line : -1);
    write_before(w, model, versions, graph);
    if (derived) {
        jsonw_i64(w, "net_bytes", memory->net);
        JSON_ADD(w, "peak_bytes", memory->peak, "peak_line", memory->peak_line ? (int64_t)memory->peak_line : -1);
        jsonw_bool(w, "at_least", memory->fallback.ptr != NULL);
        JSON_ADD(w, "fallback", memory->fallback, "saved_bytes", memory->saved, "input_bytes", memory->input_bytes,
                 "whole_peak_bytes", memory->whole_peak);
        write_details(w, memory, modules, graph);
    }
    jsonw_end_object(w);
}

void memory_json_write(struct jsonw *w, const struct report_view *view, const struct saved_modules *modules) {
    const struct graph_memories *memories = view->model->memories;
    if (!memories)
        return;
    struct versions versions;
    versions_find(&versions, view);
    jsonw_array(w, "memory");
    for (size_t i = 0; i < memories->list.count; i++)
        write_memory(w, view->model, modules, &versions, i);
    jsonw_end_array(w);
    jsonw_u64(w, "more_memory", memories->more);
    mem_free(versions.before);
}

void memory_json_write_short(struct jsonw *w, const struct report_view *view) {
    const struct graph_memories *memories = view->model->memories;
    if (!memories)
        return;
    jsonw_array(w, "memory");
    for (size_t i = 0; i < memories->list.count; i++) {
        const struct graph_memory *memory = &memories->list.items[i];
        jsonw_object(w, NULL);
        JSON_ADD(w, "compile", view->model->compiles.items[memory->compile]->key, "direction",
                 direction_of(memory->graph));
        jsonw_bool(w, "derived", memory->unknown == MEMORY_KNOWN);
        jsonw_bool(w, "at_least", memory->fallback.ptr != NULL);
        if (memory->unknown == MEMORY_KNOWN)
            JSON_ADD(w, "peak_bytes", memory->peak, "whole_peak_bytes", memory->whole_peak, "saved_bytes",
                     memory->saved);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "more_memory", memories->more);
}
