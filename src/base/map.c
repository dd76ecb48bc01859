#include "base/map.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/mem.h"

enum { CAP_FIRST = 8 };

struct map_entry {
    uint32_t value;
    size_t len;
    char key[];
};

/* Has the hash, so that only a key that is likely equal is read. */
struct map_slot {
    uint64_t hash;
    struct map_entry *entry; /* NULL: free */
};

void map_free(struct map *m) {
    arena_free(&m->arena);
    *m = (struct map){0};
}

static uint64_t hash_of(struct slice key) {
    return XXH3_64bits(key.ptr ? key.ptr : "", key.len);
}

/* The slot of the key, or the free one where it belongs. The map must have slots. */
static struct map_slot *slot_of(const struct map *m, struct slice key, uint64_t hash) {
    for (size_t i = hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
        struct map_slot *slot = &m->slots[i];
        if (!slot->entry)
            return slot;
        if (slot->hash == hash && slot->entry->len == key.len &&
            (!key.len || memcmp(slot->entry->key, key.ptr, key.len) == 0))
            return slot;
    }
}

static const struct map_entry *find(const struct map *m, struct slice key) {
    return m->count ? slot_of(m, key, hash_of(key))->entry : NULL;
}

uint32_t map_get(const struct map *m, struct slice key) {
    const struct map_entry *entry = find(m, key);
    return entry ? entry->value : MAP_NONE;
}

struct slice map_key(const struct map *m, struct slice key) {
    const struct map_entry *entry = find(m, key);
    return entry ? slice_make(entry->key, entry->len) : SLICE("");
}

/* Doubles the table. The outgrown one stays in the arena. */
static void grow(struct arena *arena, struct map *m) {
    struct map old = *m;
    m->cap = old.cap ? old.cap * 2 : CAP_FIRST;
    m->slots = arena_zalloc(arena, m->cap * sizeof *m->slots);
    for (size_t i = 0; i < old.cap; i++) {
        if (!old.slots[i].entry)
            continue;
        size_t to = old.slots[i].hash & (m->cap - 1);
        while (m->slots[to].entry)
            to = (to + 1) & (m->cap - 1);
        m->slots[to] = old.slots[i];
    }
}

static struct map_entry *put(struct arena *arena, struct map *m, struct slice key, uint32_t value, bool *added) {
    uint64_t hash = hash_of(key);
    if (4 * (m->count + 1) > 3 * m->cap)
        grow(arena, m);
    struct map_slot *slot = slot_of(m, key, hash);
    if (added)
        *added = !slot->entry;
    if (!slot->entry) {
        struct map_entry *entry = arena_alloc(arena, sizeof *entry + key.len);
        *entry = (struct map_entry){.value = value, .len = key.len};
        if (key.len)
            memcpy(entry->key, key.ptr, key.len);
        *slot = (struct map_slot){hash, entry};
        m->count++;
    }
    return slot->entry;
}

uint32_t *map_put_in(struct arena *arena, struct map *m, struct slice key, uint32_t value, bool *added) {
    return &put(arena, m, key, value, added)->value;
}

struct slice map_keep_in(struct arena *arena, struct map *m, struct slice key) {
    const struct map_entry *entry = put(arena, m, key, 0, NULL);
    return slice_make(entry->key, entry->len);
}

uint32_t *map_put(struct map *m, struct slice key, uint32_t value, bool *added) {
    return map_put_in(&m->arena, m, key, value, added);
}
