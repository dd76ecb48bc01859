/* map.h - from a text to a number.
 *
 * A hash map (uthash with XXH3) whose keys are slices and whose values are 32-bit numbers, mostly places in an array.
 * Keys are copied into the map. {0} is a valid empty map. A map has its memory of its own, freed by map_free(), or lives in an arena
 * with all that dies with it: then it grows with map_put_in() alone, always in the same arena, and nobody frees it. Never iterated: the order of anything written must not depend
 * on a hash, so who needs an order keeps an array beside. One thread at a time. */
#ifndef TLPARSE_BASE_MAP_H
#define TLPARSE_BASE_MAP_H

#include "base/arena.h"

struct map_entry;

struct map {
    struct map_entry *head;
    struct arena arena; /* of map_put() */
};

#define MAP_NONE UINT32_MAX

void map_free(struct map *m);
/* The value of key, or MAP_NONE. */
uint32_t map_get(const struct map *m, struct slice key);
/* The place of key's value; *added tells a fresh key, whose value is `value`. Valid as long as the map. */
uint32_t *map_put(struct map *m, struct slice key, uint32_t value, bool *added);
/* The same for a map that lives in the arena. */
uint32_t *map_put_in(struct arena *arena, struct map *m, struct slice key, uint32_t value, bool *added);
/* The map's own copy of a key that it holds, else the empty slice. */
struct slice map_key(const struct map *m, struct slice key);

#endif
