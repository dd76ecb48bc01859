/* map.h - maps texts to numbers.
 *
 * A hash map with open addressing (XXH3). Keys are slices, which are copied into the map. Values are 32-bit numbers, usually
 * indices into an array. {0} is a valid empty map. There is no iteration, because the order of output must not depend
 * on a hash: keep a separate array if you need an order. One thread at a time.
 *
 * A map either owns its memory, which map_free() frees, or lives in an arena. A map in an arena grows only with
 * map_put_in(), always in the same arena, and is not freed. */
#pragma once

#include "base/arena.h"

struct map_slot;

struct map {
    struct map_slot *slots;
    size_t count, cap;  /* cap: slots, a power of two or 0 */
    struct arena arena; /* of map_put() */
};

#define MAP_NONE UINT32_MAX

void map_free(struct map *m);
/* Declares maps that are freed at the end of their scope. */
#define AUTO_MAP __attribute__((cleanup(map_free))) struct map
/* The value of key, or MAP_NONE. */
uint32_t map_get(const struct map *m, struct slice key);
/* Returns a pointer to the value of key, valid until map_free(). *added is true if the key is new; its value is then
 * `value`. */
uint32_t *map_put(struct map *m, struct slice key, uint32_t value, bool *added);
/* The same for a map that lives in the arena. */
uint32_t *map_put_in(struct arena *arena, struct map *m, struct slice key, uint32_t value, bool *added);
/* The map's copy of the key, which is added with the value 0 if it is new. */
struct slice map_keep_in(struct arena *arena, struct map *m, struct slice key);
/* The map's copy of a key, or an empty slice if the key is missing. */
struct slice map_key(const struct map *m, struct slice key);
