#include "lowering/graph_memory.h"
#include "pages/page_parts.h"
#include "report/members.h"

/* "forward" for "0_forward" */
static struct slice direction_of(struct slice graph) {
    size_t bar = slice_rfind_byte(graph, '_');
    return bar == SIZE_MAX ? (struct slice){0} : slice_from(graph, bar + 1);
}

static void write_buffer(struct jsonw *w, const struct memory_buffer *buffer) {
    jsonw_object(w, NULL);
    JSON_MEMBERS(w, buffer, name, shape, dtype, bytes, kernel);
    JSON_ADD(w, "line", (uint64_t)buffer->line, "end_line", buffer->end ? (int64_t)buffer->end : -1);
    jsonw_bool(w, "returned", buffer->returned);
    jsonw_end_object(w);
}

static void write_saved(struct jsonw *w, const struct saved_tensor *tensor) {
    jsonw_object(w, NULL);
    JSON_MEMBERS(w, tensor, name, shape, dtype, bytes);
    if (tensor->place.file.ptr)
        place_json_write(w, "place", &tensor->place);
    else
        jsonw_null(w, "place");
    jsonw_text(w, "code", tensor->code);
    jsonw_bool(w, "result", tensor->result);
    jsonw_end_object(w);
}

static void write_details(struct jsonw *w, const struct graph_memory *memory) {
    jsonw_array(w, "buffers");
    for (uint32_t i = 0; i < memory->buffer_count; i++)
        write_buffer(w, &memory->buffers[i]);
    jsonw_end_array(w);
    jsonw_u64(w, "more_buffers", memory->more_buffers);
    jsonw_array(w, "saved");
    for (uint32_t i = 0; i < memory->value_count; i++)
        write_saved(w, &memory->values[i]);
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

static void write_memory(struct jsonw *w, const struct model *model, const struct graph_memory *memory) {
    bool derived = memory->unknown == MEMORY_KNOWN;
    jsonw_object(w, NULL);
    JSON_ADD(w, "compile", model->compiles.items[memory->compile]->key, "direction", direction_of(memory->graph));
    JSON_ADD(w, "artifact", (uint64_t)memory->artifact, "device", memory->device);
    jsonw_bool(w, "derived", derived);
    JSON_ADD(w, "not_derived", memory_unknown_text(memory->unknown), "line",
             memory->unknown_line ? (int64_t)memory->unknown_line : -1);
    if (derived) {
        jsonw_i64(w, "net_bytes", memory->net);
        JSON_ADD(w, "peak_bytes", memory->peak, "peak_line", memory->peak_line ? (int64_t)memory->peak_line : -1);
        jsonw_bool(w, "at_least", memory->fallback.ptr != NULL);
        JSON_ADD(w, "fallback", memory->fallback, "saved_bytes", memory->saved, "input_bytes", memory->input_bytes,
                 "whole_peak_bytes", memory->whole_peak);
        write_details(w, memory);
    }
    jsonw_end_object(w);
}

void memory_json_write(struct jsonw *w, const struct report_view *view) {
    const struct graph_memories *memories = view->model->memories;
    if (!memories)
        return;
    jsonw_array(w, "memory");
    for (size_t i = 0; i < memories->list.count; i++)
        write_memory(w, view->model, &memories->list.items[i]);
    jsonw_end_array(w);
    jsonw_u64(w, "more_memory", memories->more);
}
