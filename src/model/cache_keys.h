/* cache_keys.h - what the keys of compile caches are made of, and what keeps a missed one from the nearest that was there.
 *
 * A cache's record lists the components of its key, "[hash] name: value", hundreds of them and mostly the same from one compile to
 * the next. Each distinct component is kept once, told by its name and hash (texts hold addresses), and so is each distinct run
 * of components of one name, as "inductor_config[…]": a key is some forty runs. Growth is bounded: beyond KEY_ITEMS_MAX numbers,
 * COMPONENTS_MAX distinct components or COMPONENT_TEXT_MAX bytes of them, keys are not compared, or without values.
 *
 * A log's keys belong to its report. Keys of several logs are compared in a store into which they are merged. One thread at a time. */
#ifndef TLPARSE_MODEL_CACHE_KEYS_H
#define TLPARSE_MODEL_CACHE_KEYS_H

#include "base/json.h"
#include "model/model.h"

enum {
    KEY_ITEMS_MAX = 2000000,
    COMPONENTS_MAX = 100000,
    COMPONENT_TEXT_MAX = 16 << 20,
    KEYS_COMPARED_MAX = 64, /* with one key, of those that come into question */
    KEY_DIFFERENCES_MAX = 8
};
#define KEY_NONE UINT32_MAX

struct key_difference {
    struct slice name; /* "inductor_config[max_fusion_size]" */
    struct slice had,
        has; /* where they differ in their text; ptr NULL: the key has no such component, or its text is not kept or says nothing */
};

struct key_comparison {
    uint32_t nearest; /* the key that differs least */
    uint32_t compile; /* that had it, in model->compiles */
    bool same_graph;  /* else another graph of the same function */
    uint32_t count;   /* of components that differ */
    uint32_t listed;
    struct key_difference list[KEY_DIFFERENCES_MAX];
};

/* Keeps the components of a cache's record, for the compile that it is of; KEY_NONE where it has none. `event_us` is when the
 * cache was asked, 0: not known. */
uint32_t cache_keys_note(struct model *model, uint32_t compile, enum cache cache, uint64_t event_us, yyjson_val *json);
/* How the key differs from the nearest one before it in the log, of the same cache: of those with the same graph; where there are
 * none, of those of other compiles of the same function. NULL: there is none. Worked out once, when the log is complete. */
const struct key_comparison *cache_keys_compare(const struct model *model, uint32_t key);
/* The i-th component of the key; false: it has fewer, or there is no such key. The value's ptr is NULL where its text is not kept. */
bool cache_keys_component(const struct model *model, uint32_t key, uint32_t i, struct slice *name, struct slice *value);
/* Components that a log lists of the key; 0: none. */
uint32_t cache_keys_components(const struct model *model, uint32_t key);

/* An empty store, which lives in the arena. */
struct cache_keys *cache_keys_create(struct arena *arena);
/* Adds the keys of `from`, each once, and writes where each is into `places`, for all of cache_keys_count(from); KEY_NONE beyond
 * the bounds. NULL for `from` is no key. */
void cache_keys_merge(struct cache_keys *into, const struct cache_keys *from, uint32_t *places);
size_t cache_keys_count(const struct cache_keys *keys); /* NULL: 0 */
/* The graph that the key is of, as a number within the store, and the same of its direction; KEY_NONE: the key does not say. */
uint32_t cache_key_graph(const struct cache_keys *keys, uint32_t key);
uint32_t cache_key_direction(const struct cache_keys *keys, uint32_t key);
/* Compares the key with others; found->nearest is the first of those that differ least. False: there are no others. */
bool cache_keys_nearest(struct cache_keys *keys, uint32_t key, const uint32_t *others, size_t count,
                        struct key_comparison *found);

#endif
