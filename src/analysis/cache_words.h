/* cache_words.h - describes cache results and keys in sentences. Pure. */
#pragma once

#include "model/cache_keys.h"

/* "FX graph", for a cache with lookups. */
const char *cache_title(enum cache cache);
/* The number of components that differ, apart from the graph. */
uint32_t key_differences_beside_graph(const struct key_comparison *comparison);
/* Adds everything except the graph: "`inductor_config[max_fusion_size]` is `16` and was `32`; `layout` differs; and 2
 * more"; `was` is " and was ". */
void key_differences_add(struct buf *out, const struct key_comparison *comparison, struct slice was);
