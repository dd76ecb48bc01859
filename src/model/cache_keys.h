/* cache_keys.h - what the keys of compile caches are made of, and what keeps a missed one from the nearest that was there.
 *
 * A cache's record lists the components of its key, "[hash] name: value", hundreds of them and mostly the same from one compile to
 * the next: each distinct one is kept once, told by its hash (texts hold addresses). Growth is bounded: beyond KEY_ITEMS_MAX
 * components of keys, COMPONENTS_MAX distinct ones or COMPONENT_TEXT_MAX bytes of them, keys are not compared, or without values.
 * One thread. */
#ifndef TLPARSE_MODEL_CACHE_KEYS_H
#define TLPARSE_MODEL_CACHE_KEYS_H

#include "base/json.h"
#include "model/model.h"

enum {
    KEY_ITEMS_MAX = 2000000,
    COMPONENTS_MAX = 100000,
    COMPONENT_TEXT_MAX = 16 << 20,
    KEYS_COMPARED_MAX = 64, /* the latest before it */
    KEY_DIFFERENCES_MAX = 8
};

struct key_difference {
    struct slice name; /* "inductor_config[max_fusion_size]" */
    struct slice had,
        has; /* where they differ in their text; ptr NULL: the key has no such component, or its text is not kept */
};

struct key_comparison {
    uint32_t nearest; /* the key, of an earlier compile, that differs least */
    uint32_t compile; /* that had it, in report->compiles */
    uint32_t count;   /* of components that differ */
    uint32_t listed;
    struct key_difference list[KEY_DIFFERENCES_MAX];
};

/* Keeps the components of a cache's record, for the compile that it is of; UINT32_MAX where it has none. */
uint32_t cache_keys_note(struct report *report, uint32_t compile, const char *cache, yyjson_val *json);
/* How the key differs from the nearest one before it in the log, of the same cache and of another compile or the same graph
 * (of a compile's forward and backward neither is a version of the other); NULL: there is none. Worked out once. */
const struct key_comparison *cache_keys_compare(const struct report *report, uint32_t key);
/* The i-th component of the key; false: it has fewer, or there is no such key. The value's ptr is NULL where its text is not kept. */
bool cache_keys_component(const struct report *report, uint32_t key, uint32_t i, struct slice *name,
                          struct slice *value);
void cache_keys_destroy(struct cache_keys *keys); /* NULL is fine */

#endif
