#include "model/cache.h"

static const char *const cache_names[CACHES] = {
    [CACHE_FX_GRAPH] = "fx_graph",
    [CACHE_AOTAUTOGRAD] = "aotautograd",
    [CACHE_FX_GRAPH_BUNDLED] = "fx_graph_bundled",
    [CACHE_PRECOMPILE] = "precompile",
    [CACHE_DYNAMO] = "dynamo",
};

static const struct {
    const char *name, *suffix;
} outcomes[CACHE_OUTCOMES + 1] = {
    [OUTCOME_HIT] = {"hit", "✅"},
    [OUTCOME_MISS] = {"miss", "❌"},
    [OUTCOME_BYPASS] = {"bypass", "❓"},
    [OUTCOME_PICKLE_FAILURE] = {"pickle_failure", ""},
    [OUTCOME_EXCEPTION] = {"exception", ""},
    [OUTCOME_NONE] = {"", ""},
};

const char *cache_name(enum cache cache) {
    return cache_names[cache];
}

const char *cache_outcome_name(enum cache_outcome outcome) {
    return outcomes[outcome].name;
}

const char *cache_outcome_suffix(enum cache_outcome outcome) {
    return outcomes[outcome].suffix;
}

enum cache_outcome cache_outcome_in(struct slice text) {
    return slice_find(text, SLICE("cache_bypass")) != SIZE_MAX ? OUTCOME_BYPASS
         : slice_find(text, SLICE("cache_miss")) != SIZE_MAX   ? OUTCOME_MISS
         : slice_find(text, SLICE("cache_hit")) != SIZE_MAX    ? OUTCOME_HIT
                                                               : OUTCOME_NONE;
}

bool cache_lookup_parse(struct slice name, enum cache *cache, enum cache_outcome *outcome) {
    for (int c = 0; c < CACHES_COUNTED; c++) {
        struct slice own = slice_str(cache_names[c]), between = SLICE("_cache_");
        struct slice rest = slice_starts(name, own) ? slice_from(name, own.len) : (struct slice){0};
        if (!slice_starts(rest, between))
            continue;
        for (int o = 0; o < OUTCOMES_COUNTED; o++)
            if (slice_is(slice_from(rest, between.len), outcomes[o].name)) {
                *cache = (enum cache)c;
                *outcome = (enum cache_outcome)o;
                return true;
            }
    }
    return false;
}
