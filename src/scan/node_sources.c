#include "scan/node_sources.h"

enum { NAME_MAX_BYTES = 300, CODE_MAX_BYTES = 300 };

static struct slice name_at(struct slice text) {
    size_t len = word_length(text);
    return len && len < NAME_MAX_BYTES && !(text.ptr[0] >= '0' && text.ptr[0] <= '9') ? slice_first(text, len)
                                                                                      : (struct slice){0};
}

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

struct node_sources *node_sources_scan(struct slice graph, struct arena *arena) {
    struct node_sources *sources = arena_zalloc(arena, sizeof *sources);
    struct {
        struct node_source *items;
        size_t count, cap;
    } list = {0};
    struct node_source now = {0};
    struct slice line;
    while (list.count < NODE_SOURCES_MAX && slice_next_line(&graph, &line)) {
        struct slice text = slice_trim(line);
        if (slice_starts(text, SLICE("#"))) {
            node_source_read(text, &now);
            continue;
        }
        now.node = name_at(text);
        struct slice rest = slice_from(text, now.node.len);
        if (!now.node.len || !now.file.ptr || !(slice_starts(rest, SLICE(": \"")) || slice_starts(rest, SLICE(" = "))))
            continue;
        LIST_ADD(&list, now);
    }
    if (list.count) {
        sources->items = arena_alloc(arena, list.count * sizeof *list.items);
        memcpy(sources->items, list.items, list.count * sizeof *list.items);
        sources->count = (uint32_t)list.count;
    }
    mem_free(list.items);
    return sources;
}
