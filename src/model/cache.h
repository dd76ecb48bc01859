/* cache.h - PyTorch's compile caches and their results: the enums and all of their names.
 *
 * Pure, any thread. */
#pragma once

#include "base/base.h"

/* The first CACHES_COUNTED are looked up for the graph of a compile; the model counts their lookups. */
enum cache {
    CACHE_FX_GRAPH,
    CACHE_AOTAUTOGRAD,
    CACHES_COUNTED,
    CACHE_FX_GRAPH_BUNDLED = CACHES_COUNTED, /* code bundled with an entry of the AOTAutograd cache */
    CACHE_PRECOMPILE,
    CACHE_DYNAMO,
    CACHES,
};

/* The first OUTCOMES_COUNTED are results of a lookup. */
enum cache_outcome {
    OUTCOME_HIT,
    OUTCOME_MISS,
    OUTCOME_BYPASS,
    OUTCOMES_COUNTED,
    OUTCOME_PICKLE_FAILURE = OUTCOMES_COUNTED, /* the result could not be saved */
    OUTCOME_EXCEPTION,                         /* the entry could not be created */
    CACHE_OUTCOMES,
    OUTCOME_NONE = CACHE_OUTCOMES, /* not a cache record */
};

/* As in PyTorch's records and in report.json: "fx_graph". */
const char *cache_name(enum cache cache);
/* "hit"; "" for OUTCOME_NONE. */
const char *cache_outcome_name(enum cache_outcome outcome);
/* The mark that the reference adds to the name of an artifact: "✅", "❌", "❓"; "" for all other outcomes. */
const char *cache_outcome_suffix(enum cache_outcome outcome);
/* The outcome in a text such as "…_cache_miss_12.json": a hit, a miss, a bypass, or OUTCOME_NONE. */
enum cache_outcome cache_outcome_in(struct slice text);
/* Whether the artifact's name is the name of a lookup: "fx_graph_cache_miss". */
bool cache_lookup_parse(struct slice name, enum cache *cache, enum cache_outcome *outcome);
