/* provenance_maps.h - the line maps of one set. Pure; one thread. */
#pragma once

#include "lowering/provenance_sets.h"

/* The texts of a set; empty if missing or too long. */
struct loaded {
    const struct provenance_set *set;
    struct buf pre, post, mapping_text, stacks_text, codes[SET_CODES];
    struct arena arena;           /* of the documents */
    yyjson_val *mapping, *stacks; /* NULL: none */
};

struct set_maps {
    struct map pre, post; /* lines by node */
    struct relation pre_to_post, post_to_pre;
    struct kernels kernels;
    struct kernel_lines codes[SET_CODES];
};

/* The names are valid as long as *loaded. */
void set_maps_find(struct set_maps *maps, const struct loaded *loaded);
void set_maps_free(struct set_maps *maps);
/* NULL if this code does not contain the kernel's own code. */
const struct kernel_body *maps_body(const struct kernel_lines *lines, uint32_t kernel);
