#include "trace/strings.h"

#include <stdlib.h>

#include "base/mem.h"

bool strings_define(struct strings *strings, uint64_t id, struct slice text) {
    if (id > STRINGS_ID_MAX)
        return false;
    if (id >= strings->cap) {
        size_t cap = strings->cap ? strings->cap : 256;
        while (cap <= id)
            cap *= 2;
        strings->items = mem_realloc(strings->items, cap, sizeof *strings->items);
        memset(strings->items + strings->cap, 0, (cap - strings->cap) * sizeof *strings->items);
        strings->cap = cap;
    }
    if (id >= strings->count)
        strings->count = id + 1;
    if (!slice_eq(strings->items[id], text) || !strings->items[id].ptr)
        strings->items[id] = arena_slice(&strings->arena, text);
    return true;
}

struct slice strings_get(const struct strings *strings, uint64_t id) {
    return id < strings->count ? strings->items[id] : (struct slice){0};
}

void strings_finish(struct strings *strings) {
    free(strings->items);
    arena_free(&strings->arena);
    *strings = (struct strings){0};
}
