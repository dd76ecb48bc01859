#include "facts/rank_keys.h"

#include "base/packed.h"

enum { GUARDS_MAX = 300 };

struct rank_keys *rank_keys_take(const struct model *model, const struct map *compiles, struct arena *arena) {
    struct rank_keys *taken = arena_zalloc(arena, sizeof *taken);
    uint32_t *places = mem_alloc((cache_keys_count(model->cache_keys) + 1) * sizeof *places);
    taken->own = cache_keys_create(&taken->own_arena);
    cache_keys_merge(taken->own, model->cache_keys, places);
    for (size_t i = 0; i < model->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        uint32_t at = map_get(compiles, compile->key);
        for (size_t c = 0; at != MAP_NONE && c < compile->caches.count; c++) {
            const struct cache_result *cache = &compile->caches.items[c];
            AUTO_BUF name = {0};
            if (!cache->key.len)
                continue;
            if (taken->lookups.count == LOOKUPS_MAX) {
                taken->more += cache->outcome == OUTCOME_MISS;
                continue;
            }
            BUF_ADD(&name, cache_name(cache->cache), " ", cache->key);
            ARENA_ADD(arena, &taken->lookups,
                      (struct rank_lookup){
                          .compile = at,
                          .key = cache->components == KEY_NONE ? KEY_NONE : places[cache->components],
                          .name = arena_slice(arena, buf_slice(&name)),
                          .cache = cache->cache,
                          .outcome = cache->outcome,
                          .guards = cache->guards.ptr ? arena_slice(arena, slice_first(cache->guards, GUARDS_MAX))
                                                      : (struct slice){0},
                          .guard_miss = cache->guard_miss,
                      });
            ARENA_ADD(arena, &taken->times_us, cache->time_us);
        }
    }
    mem_free(places);
    return taken;
}

int64_t rank_keys_time(const struct rank_keys *keys, size_t i) {
    const unsigned char *packed = keys->packed_us;
    int64_t time_us = -1;
    if (!packed)
        return keys->times_us.items[i];
    for (size_t n = 0; n <= i; n++)
        time_us = unpack_i64(&packed);
    return time_us;
}

void rank_keys_forget(struct rank_keys *keys) {
    if (!keys)
        return;
    arena_free(&keys->own_arena);
    keys->own = NULL;
}
