/* cache_keys.h - the components of compile cache keys, and the nearest earlier key of a miss.
 *
 * The record of a cache lists the components of its key, "[hash] name: value". There are hundreds, most of them equal
 * from one compile to the next. Each distinct component is stored once, identified by name and hash (texts contain
 * addresses). So is each distinct run of consecutive components with the same name, such as "inductor_config[…]": a key
 * has about forty runs. Memory is bounded: beyond KEY_ITEMS_MAX numbers, COMPONENTS_MAX distinct components or
 * COMPONENT_TEXT_MAX bytes, keys are not compared, or compared without values.
 *
 * The keys of a log belong to its report. To compare keys of several logs, merge them into one store. One thread at a
 * time. */
#pragma once

#include "base/json.h"
#include "model/model.h"

enum {
    KEY_ITEMS_MAX = 2000000,
    COMPONENTS_MAX = 100000,
    COMPONENT_TEXT_MAX = 16 << 20,
    KEYS_COMPARED_MAX = 64, /* candidates that one key is compared with */
    KEY_DIFFERENCES_MAX = 8
};
#define KEY_NONE UINT32_MAX

struct key_difference {
    struct slice name; /* "inductor_config[max_fusion_size]" */
    struct slice had,
        has; /* the differing parts of their texts; ptr NULL: the component is missing, or its text is not stored or
              * shows no difference */
};

struct key_comparison {
    uint32_t nearest; /* the key with the fewest differences */
    uint32_t compile; /* its compile, in model->compiles */
    /* False: another graph of the same function, which another process may have run from another folder */
    bool same_graph;
    uint32_t count; /* number of differing components */
    uint32_t listed;
    struct key_difference list[KEY_DIFFERENCES_MAX];
};

/* Stores the components in a cache's record for its compile. Returns KEY_NONE if the record has none. `event_us` is the
 * time of the lookup; 0: unknown. */
uint32_t cache_keys_note(struct model *model, uint32_t compile, enum cache cache, uint64_t event_us, yyjson_val *json);
/* Compares the key with the nearest earlier key of the same cache: among keys of the same graph, or else of other
 * compiles of the same function, or else of that function in a script that another process ran from another folder.
 * Returns NULL if there is none. Computed once, when the log is complete. */
const struct key_comparison *cache_keys_compare(const struct model *model, uint32_t index);
/* The i-th component of the key. Returns false if it has fewer, or if there is no such key. The value's ptr is NULL if
 * its text is not stored. */
bool cache_keys_component(const struct model *model, uint32_t key, uint32_t i, struct slice *name, struct slice *value);
/* The accelerator that the keys name: "NVIDIA H100 80GB HBM3"; the first of several. ptr NULL: none, as on a CPU. */
struct slice cache_keys_device(const struct model *model);
/* The number of logged components of the key; 0: none. */
uint32_t cache_keys_components(const struct model *model, uint32_t key);

/* Creates an empty store in the arena. */
struct cache_keys *cache_keys_create(struct arena *arena);
/* Adds the keys of `from`, each once, and writes their indices to `places`, which has cache_keys_count(from) items;
 * KEY_NONE beyond the limits. NULL for `from` means no keys. */
void cache_keys_merge(struct cache_keys *into, const struct cache_keys *from, uint32_t *places);
size_t cache_keys_count(const struct cache_keys *keys); /* 0 for NULL */
/* A component of a key as it is stored. */
struct key_part {
    struct slice name, hash, text; /* text.ptr NULL: not stored */
};
/* The parts of the r-th run of the key: consecutive components whose names differ only in their brackets. The caller
 * frees the result; NULL: the key has fewer runs. */
struct key_part *cache_key_run(const struct cache_keys *keys, uint32_t key, uint32_t r, size_t *count);
/* The run of the key whose names begin with this group: "inductor_config". Returns a number that equal runs of the
 * store share, and the run's position in the key; KEY_NONE: the group is missing or split into several runs. */
uint32_t cache_key_group(const struct cache_keys *keys, uint32_t key, struct slice group, uint32_t *r);
/* Adds a key with these parts, in this order, unless the store has it. `name` identifies a lookup: the cache and the
 * hash. Returns its index; KEY_NONE beyond the limits. */
uint32_t cache_keys_add(struct cache_keys *keys, enum cache cache, struct slice name, const struct key_part *parts,
                        size_t count);
/* The graph of the key, and its direction, as numbers within the store. KEY_NONE: not logged. */
uint32_t cache_key_graph(const struct cache_keys *keys, uint32_t key);
uint32_t cache_key_direction(const struct cache_keys *keys, uint32_t key);
/* Compares the key with others. found->nearest is the first of those with the fewest differences. Returns false if
 * there are no others. */
bool cache_keys_nearest(struct cache_keys *keys, uint32_t key, const uint32_t *others, size_t count,
                        struct key_comparison *found);
