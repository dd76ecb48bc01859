#include "base/map.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/mem.h"

#define HASH_FUNCTION(key, len, hash) (hash) = (unsigned)XXH3_64bits((key), (len))
#define uthash_fatal(message) mem_exhausted()
/* The tables live in the arena of map_put_in(); an outgrown table stays there. */
#define uthash_malloc(bytes) arena_alloc(arena, (bytes))
#define uthash_free(table, bytes) ((void)(table))
#include <uthash.h>

struct map_entry {
    UT_hash_handle hh;
    uint32_t value;
    size_t len;
    char key[];
};

void map_free(struct map *m) {
    arena_free(&m->arena);
    m->head = NULL;
}

static struct map_entry *find(const struct map *m, struct slice key) {
    struct map_entry *entry = NULL;
    HASH_FIND(hh, m->head, key.ptr ? key.ptr : "", key.len, entry);
    return entry;
}

uint32_t map_get(const struct map *m, struct slice key) {
    const struct map_entry *entry = find(m, key);
    return entry ? entry->value : MAP_NONE;
}

struct slice map_key(const struct map *m, struct slice key) {
    const struct map_entry *entry = find(m, key);
    return entry ? slice_make(entry->key, entry->len) : SLICE("");
}

uint32_t *map_put_in(struct arena *arena, struct map *m, struct slice key, uint32_t value, bool *added) {
    struct map_entry *entry = find(m, key);
    if (added)
        *added = !entry;
    if (!entry) {
        entry = arena_zalloc(arena, sizeof *entry + key.len);
        entry->value = value;
        entry->len = key.len;
        if (key.len)
            memcpy(entry->key, key.ptr, key.len);
        HASH_ADD_KEYPTR(hh, m->head, entry->key, entry->len, entry);
    }
    return &entry->value;
}

uint32_t *map_put(struct map *m, struct slice key, uint32_t value, bool *added) {
    return map_put_in(&m->arena, m, key, value, added);
}
