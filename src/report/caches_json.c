#include "report/members.h"

#include "model/extras.h"

/* Writes the members for caches without lookups: each only if the log has that cache. */
static void write_further(struct jsonw *w, const struct extras *extras) {
    uint64_t bundled = extras->cache_counts[CACHE_FX_GRAPH_BUNDLED][OUTCOME_HIT];
    uint64_t precompile = extras->cache_counts[CACHE_PRECOMPILE][OUTCOME_BYPASS];
    const uint64_t *dynamo = extras->cache_counts[CACHE_DYNAMO];
    if (bundled) {
        jsonw_object(w, cache_name(CACHE_FX_GRAPH_BUNDLED));
        jsonw_u64(w, cache_outcome_name(OUTCOME_HIT), bundled);
        jsonw_end_object(w);
    }
    if (precompile) {
        jsonw_object(w, cache_name(CACHE_PRECOMPILE));
        jsonw_u64(w, cache_outcome_name(OUTCOME_BYPASS), precompile);
        jsonw_end_object(w);
    }
    if (dynamo[OUTCOME_BYPASS] || dynamo[OUTCOME_EXCEPTION] || extras->cache_entries >= 0) {
        jsonw_object(w, cache_name(CACHE_DYNAMO));
        if (extras->cache_entries >= 0)
            jsonw_u64(w, "entries", (uint64_t)extras->cache_entries);
        jsonw_u64(w, cache_outcome_name(OUTCOME_BYPASS), dynamo[OUTCOME_BYPASS]);
        jsonw_u64(w, cache_outcome_name(OUTCOME_EXCEPTION), dynamo[OUTCOME_EXCEPTION]);
        jsonw_end_object(w);
    }
}

void caches_json_write(struct jsonw *w, const struct report_view *view) {
    const struct extras *extras = view->model->extras;
    jsonw_object(w, "caches");
    for (int cache = 0; cache < CACHES_COUNTED; cache++) {
        const uint64_t *counts = view->sums ? view->sums->cache_counts[cache] : view->model->cache_counts[cache];
        uint64_t unsaved = extras ? extras->cache_counts[cache][OUTCOME_PICKLE_FAILURE] : 0;
        jsonw_object(w, cache_name((enum cache)cache));
        for (int outcome = 0; outcome < OUTCOMES_COUNTED; outcome++)
            jsonw_u64(w, cache_outcome_name((enum cache_outcome)outcome), counts[outcome]);
        if (unsaved)
            jsonw_u64(w, cache_outcome_name(OUTCOME_PICKLE_FAILURE), unsaved);
        jsonw_end_object(w);
    }
    if (extras)
        write_further(w, extras);
    jsonw_end_object(w);
}

void key_comparison_write(struct jsonw *w, const struct key_comparison *found) {
    JSON_ADD(w, "same_graph", found->same_graph, "differences", found->count);
    jsonw_array(w, "components");
    for (uint32_t i = 0; i < found->listed; i++) {
        jsonw_object(w, NULL);
        JSON_ADD(w, "name", found->list[i].name, "had", found->list[i].had, "has", found->list[i].has);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* Writes why a key missed, if the log has its components. */
static void write_miss(struct jsonw *w, const struct model *model, const struct cache_result *cache) {
    const struct key_comparison *found = cache_keys_compare(model, cache->components);
    uint32_t components = cache_keys_components(model, cache->components);
    jsonw_text(w, "detail", cache->detail);
    if (cache->guards.ptr)
        jsonw_text(w, "guards", cache->guards);
    if (components)
        jsonw_u64(w, "key_components", components);
    if (!found)
        return;
    jsonw_object(w, "nearest");
    jsonw_text(w, "compile", model->compiles.items[found->compile]->key);
    key_comparison_write(w, found);
    jsonw_end_object(w);
}

static void write_result(struct jsonw *w, const struct model *model, const struct compile *compile,
                         const struct cache_result *cache) {
    size_t attempts = compile->attempts.count;
    jsonw_object(w, NULL);
    JSON_ADD(w, "cache", cache_name(cache->cache), "result", cache_outcome_name(cache->outcome), "reason",
             cache->reason);
    if (cache->time_us >= 0)
        jsonw_known(w, "time_us", cache->time_us);
    if (cache->attempt != PART_MISSING && attempts && cache->attempt < compile->attempts.items[attempts - 1])
        jsonw_known(w, "discarded_attempt", cache->attempt);
    if (cache->outcome == OUTCOME_MISS)
        write_miss(w, model, cache);
    jsonw_end_object(w);
}

void compile_caches_write(struct jsonw *w, const struct model *model, const struct compile *compile) {
    jsonw_array(w, "cache");
    for (size_t i = 0; i < compile->caches.count; i++)
        write_result(w, model, compile, &compile->caches.items[i]);
    for (size_t i = 0; i < compile->further_caches.count; i++)
        write_result(w, model, compile, &compile->further_caches.items[i]);
    jsonw_end_array(w);
}
