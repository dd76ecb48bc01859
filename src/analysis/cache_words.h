/* cache_words.h - what answers of compile caches and their keys are called in sentences. Pure. */
#ifndef TLPARSE_ANALYSIS_CACHE_WORDS_H
#define TLPARSE_ANALYSIS_CACHE_WORDS_H

#include "base/buf.h"
#include "model/cache_keys.h"

/* "FX graph", of a cache that answers lookups. */
const char *cache_title(enum cache cache);
/* How many components differ beside the graph. */
uint32_t key_differences_beside_graph(const struct key_comparison *comparison);
/* All but the graph: "`inductor_config[max_fusion_size]` is `16` and was `32`; `layout` differs; and 2 more"; `was` is " and was ". */
void key_differences_add(struct buf *out, const struct key_comparison *comparison, struct slice was);

#endif
