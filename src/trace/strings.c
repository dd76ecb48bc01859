#include "trace/strings.h"

#include <stdlib.h>

#include "base/mem.h"
#include "trace/process.h"

enum { ELDERS_MAX = 64 };

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

/* What the processes before this one defined. */
static struct slice inherited(const struct strings *strings, uint64_t id) {
    struct slice found = {0};
    if (strings->count && strings->items[0].ptr)
        return found;
    for (size_t i = 0; i < strings->elders && i < ELDERS_MAX; i++) {
        const struct strings *elder = &strings->processes->items[i]->strings;
        struct slice text = id < elder->count ? elder->items[id] : (struct slice){0};
        if (text.ptr && found.ptr && !slice_eq(text, found))
            return (struct slice){0};
        found = text.ptr ? text : found;
    }
    return found;
}

struct slice strings_get(const struct strings *strings, uint64_t id) {
    struct slice own = id < strings->count ? strings->items[id] : (struct slice){0};
    return own.ptr ? own : inherited(strings, id);
}

void strings_finish(struct strings *strings) {
    free(strings->items);
    arena_free(&strings->arena);
    *strings = (struct strings){0};
}
