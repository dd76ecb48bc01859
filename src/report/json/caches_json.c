#include "report/json/caches_json.h"

#include "model/extras.h"

/* Of those beyond hit, miss and bypass, each where there is one. */
static void write_further(struct jsonw *w, const struct extras *extras) {
    if (extras->caches[FURTHER_BUNDLED_HIT]) {
        jsonw_object(w, "fx_graph_bundled");
        jsonw_u64(w, "hit", extras->caches[FURTHER_BUNDLED_HIT]);
        jsonw_end_object(w);
    }
    if (extras->caches[FURTHER_PRECOMPILE_BYPASS]) {
        jsonw_object(w, "precompile");
        jsonw_u64(w, "bypass", extras->caches[FURTHER_PRECOMPILE_BYPASS]);
        jsonw_end_object(w);
    }
    if (extras->caches[FURTHER_PACKAGE_BYPASS] || extras->caches[FURTHER_PACKAGE_ERROR] || extras->cache_entries >= 0) {
        jsonw_object(w, "dynamo");
        if (extras->cache_entries >= 0)
            jsonw_u64(w, "entries", (uint64_t)extras->cache_entries);
        jsonw_u64(w, "bypass", extras->caches[FURTHER_PACKAGE_BYPASS]);
        jsonw_u64(w, "exception", extras->caches[FURTHER_PACKAGE_ERROR]);
        jsonw_end_object(w);
    }
}

void caches_json_write(struct jsonw *w, const struct report_view *view) {
    const struct model *model = view->model;
    static const char *const caches[] = {"fx_graph", "aotautograd"}, *const results[] = {"hit", "miss", "bypass"};
    const struct extras *extras = model->extras;
    jsonw_object(w, "caches");
    for (int cache = 0; cache < 2; cache++) {
        jsonw_object(w, caches[cache]);
        for (int result = 0; result < 3; result++)
            jsonw_u64(w, results[result], (view->sums ? view->sums->cache_counts : model->cache_counts)[cache][result]);
        if (cache == 1 && extras && extras->caches[FURTHER_PICKLE_FAILURE])
            jsonw_u64(w, "pickle_failure", extras->caches[FURTHER_PICKLE_FAILURE]);
        jsonw_end_object(w);
    }
    if (extras)
        write_further(w, extras);
    jsonw_end_object(w);
}

void key_comparison_write(struct jsonw *w, const struct key_comparison *found) {
    jsonw_bool(w, "same_graph", found->same_graph);
    jsonw_u64(w, "differences", found->count);
    jsonw_array(w, "components");
    for (uint32_t i = 0; i < found->listed; i++) {
        jsonw_object(w, NULL);
        jsonw_text(w, "name", found->list[i].name);
        jsonw_text(w, "had", found->list[i].had);
        jsonw_text(w, "has", found->list[i].has);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* Why a key missed, as far as the log takes it apart. */
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

static void write_result(struct jsonw *w, const struct model *model, const struct cache_result *cache) {
    jsonw_object(w, NULL);
    jsonw_str(w, "cache", cache->cache);
    jsonw_str(w, "result", cache->result);
    jsonw_text(w, "reason", cache->reason);
    if (cache->time_us >= 0)
        jsonw_known(w, "time_us", cache->time_us);
    if (strcmp(cache->result, "miss") == 0)
        write_miss(w, model, cache);
    jsonw_end_object(w);
}

void compile_caches_write(struct jsonw *w, const struct model *model, const struct compile *compile) {
    jsonw_array(w, "cache");
    for (size_t i = 0; i < compile->caches.count; i++)
        write_result(w, model, &compile->caches.items[i]);
    for (size_t i = 0; i < compile->further_caches.count; i++)
        write_result(w, model, &compile->further_caches.items[i]);
    jsonw_end_array(w);
}
