/* advice_words.h - sentences that several pieces of advice share, and words for the results of caches. */
#pragma once

#include "model/cache_keys.h"

/* Requirements of torch.cond(). If one is not met, PyTorch 2.15 raises an error while it traces: with every backend,
 * and in exports. Shapes that differ only in their sizes are an error only with gradients. */
#define ADVICE_COND                                                                                                    \
    "`torch.cond`, whose branches must return new tensors of equal shapes, strides and types (`.clone()` an input "    \
    "or a view of one) and change no input in place"

/* For a branch of an export that raises: how to keep the check. */
#define ADVICE_ASSERT_TENSOR "`torch._assert_async()` of a tensor"
#define ADVICE_ASSERT "`torch._check()` of a comparison of `.item()`, or " ADVICE_ASSERT_TENSOR

/* For a LightningModule that is compiled as a whole. */
#define ADVICE_LIGHTNING                                                                                               \
    "Compile the networks of the `LightningModule`, as `self.net.compile()` does for one named `net`, instead of the " \
    "module itself"

/* cache_words.c - describes cache results and keys in sentences. Pure. */
/* "FX graph", for a cache with lookups. */
const char *cache_title(enum cache cache);
/* The number of components that differ, not counting the graph. */
uint32_t key_differences_beside_graph(const struct key_comparison *comparison);
/* Adds everything except the graph: "`inductor_config[max_fusion_size]` is `16` and was `32`; `layout` differs; and 2
 * more"; `was` is " and was ". */
void key_differences_add(struct buf *out, const struct key_comparison *comparison, struct slice was);
