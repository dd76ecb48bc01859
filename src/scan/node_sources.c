#include "scan/node_sources.h"

#include "scan/fx_graph.h"

enum { NAME_MAX_BYTES = 300, CODE_MAX_BYTES = 300 };

void node_source_read(struct slice comment, struct node_source *source) {
    const struct slice head = SLICE(" File: "), in = SLICE(" in "), code = SLICE(", code: ");
    size_t at = slice_find(comment, head); /* "Annotation: {…}" may precede it */
    if (at == SIZE_MAX && slice_find(comment, SLICE(" No stacktrace")) != SIZE_MAX)
        *source = (struct node_source){0};
    if (at == SIZE_MAX)
        return;
    struct slice rest = slice_from(comment, at + head.len), place = rest;
    at = slice_find(rest, code);
    *source = (struct node_source){0};
    if (at != SIZE_MAX) {
        source->code = slice_first(slice_from(rest, at + code.len), CODE_MAX_BYTES);
        place = slice_first(rest, at);
    }
    at = slice_find(place, in);
    if (at != SIZE_MAX) {
        source->function = slice_from(place, at + in.len);
        place = slice_first(place, at);
    }
    uint64_t number;
    at = slice_rfind_byte(place, ':');
    if (at == SIZE_MAX || !slice_to_u64(slice_from(place, at + 1), &number) || number > UINT32_MAX)
        return;
    source->file = slice_first(place, at);
    source->line = (uint32_t)number;
}

/* Whether the right side is more than another name or an attribute. */
static bool is_op(struct slice right) {
    struct slice rest = slice_from(right, word_length(right));
    if (!rest.len || rest.ptr[0] == ';' || rest.ptr[0] == ' ') {
        struct slice value = fx_value(right);
        return word_length(value) < value.len;
    }
    return !fx_is_module(right) || !fx_is_attribute(fx_value(right));
}

struct node_sources *node_sources_scan(struct slice graph, struct arena *arena) {
    struct node_sources *sources = arena_zalloc(arena, sizeof *sources);
    LIST(struct node_source) list = {0};
    struct node_source now = {0};
    struct fx_reader reader = {.rest = graph};
    struct fx_item item;
    while (list.count < NODE_SOURCES_MAX && fx_next(&reader, &item)) {
        if (item.kind == FX_COMMENT)
            node_source_read(item.text, &now);
        if (item.kind != FX_STATEMENT || !item.name.len || item.name.len >= NAME_MAX_BYTES || !now.file.ptr)
            continue;
        now.node = item.name;
        now.op = is_op(item.right);
        LIST_ADD(&list, now);
    }
    sources->items = ARENA_COPY(arena, list.items, list.count);
    sources->count = (uint32_t)list.count;
    mem_free(list.items);
    return sources;
}
