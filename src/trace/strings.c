#include "trace/strings.h"

enum { ELDERS_MAX = 64 };

static struct slice id_key(const uint32_t *id) {
    return slice_make((const char *)id, sizeof *id);
}

/* MAP_NONE if there is no such id. */
static uint32_t place_of(const struct strings *strings, uint64_t id) {
    if (id < strings->list.count && strings->list.items[id].id == id)
        return (uint32_t)id;
    if (id >= strings->count || !strings->places.count)
        return MAP_NONE;
    uint32_t key = (uint32_t)id;
    return map_get(&strings->places, id_key(&key));
}

static struct slice own_text(const struct strings *strings, uint64_t id) {
    uint32_t place = place_of(strings, id);
    return place != MAP_NONE ? strings->list.items[place].text : (struct slice){0};
}

bool strings_define(struct strings *strings, uint64_t id, struct slice text) {
    if (id > STRINGS_ID_MAX)
        return false;
    uint32_t place = place_of(strings, id), key = (uint32_t)id;
    if (place == MAP_NONE) {
        place = (uint32_t)strings->list.count;
        LIST_ADD(&strings->list, (struct string){.id = key});
        if (place != id)
            map_put(&strings->places, id_key(&key), place, NULL);
    }
    if (id >= strings->count)
        strings->count = id + 1;
    struct string *string = &strings->list.items[place];
    if (!string->text.ptr || !slice_eq(string->text, text))
        string->text = arena_slice(&strings->arena, text);
    return true;
}

bool strings_has(const struct strings *strings, uint64_t id) {
    return place_of(strings, id) != MAP_NONE;
}

/* The definition of earlier processes. */
static struct slice inherited(const struct strings *strings, uint64_t id) {
    struct slice found = {0};
    if (strings_has(strings, 0))
        return found;
    for (size_t i = 0; i < strings->elders && i < ELDERS_MAX; i++) {
        struct slice text = own_text(strings->family->members.items[i], id);
        if (text.ptr && found.ptr && !slice_eq(text, found))
            return (struct slice){0};
        found = text.ptr ? text : found;
    }
    return found;
}

struct slice strings_get(const struct strings *strings, uint64_t id) {
    struct slice own = own_text(strings, id);
    return own.ptr ? own : inherited(strings, id);
}

void strings_finish(struct strings *strings) {
    mem_free(strings->list.items);
    map_free(&strings->places);
    arena_free(&strings->arena);
    *strings = (struct strings){0};
}
