#include "report/members.h"

#include "analysis/vllm_parts.h"

/* The index of each artifact in the list of its compile. malloc'ed; the caller frees it. */
static uint32_t *places_in_compiles(const struct model *model) {
    uint32_t *places = mem_zalloc(model->artifacts.count + 1, sizeof *places);
    for (size_t c = 0; c < model->compiles.count; c++)
        for (size_t i = 0; i < model->compiles.items[c]->artifacts.count; i++)
            places[model->compiles.items[c]->artifacts.items[i]] = (uint32_t)i;
    return places;
}

static void write_ref(struct jsonw *w, const char *key, const struct model *model, const uint32_t *places,
                      size_t place) {
    jsonw_object(w, key);
    JSON_ADD(w, "compile", artifact_compile(model, &model->artifacts.items[place])->key, "index", places[place]);
    jsonw_end_object(w);
}

/* Time from the first to the last record of a subgraph, a lower bound of its compile time. -1: it has fewer than two
 * records. */
static int64_t elapsed(const struct model *model, const struct vllm_call *call, const struct vllm_piece *piece) {
    static const int64_t day = INT64_C(86400000000);
    int64_t first = -1, last = -1;
    for (size_t i = piece->first; i < vllm_end(model, piece->end); i++) {
        int64_t at = model->artifacts.items[i].day_us;
        if (at < 0 || !vllm_in_piece(model, call, i))
            continue;
        if (first < 0)
            first = at;
        else
            last = at;
    }
    return last < 0 ? -1 : last < first ? last + day - first : last - first; /* past midnight */
}

static void write_piece(struct jsonw *w, const struct model *model, const struct vllm_call *call,
                        const struct vllm_piece *piece, const uint32_t *places) {
    jsonw_object(w, NULL);
    int64_t us = elapsed(model, call, piece);
    jsonw_text(w, "name", piece->name);
    if (us >= 0)
        jsonw_i64(w, "elapsed_us", us);
    jsonw_array(w, "artifacts");
    for (size_t i = piece->first; i < vllm_end(model, piece->end); i++)
        if (vllm_in_piece(model, call, i))
            write_ref(w, NULL, model, places, i);
    jsonw_end_array(w);
    jsonw_end_object(w);
}

static void write_call(struct jsonw *w, const struct model *model, size_t nth, const uint32_t *owner,
                       const uint32_t *places) {
    const struct vllm_call *call = &model->vllm_facts->calls.items[nth];
    struct vllm_places dynamo = vllm_dynamo(model, nth, owner);
    jsonw_object(w, NULL);
    jsonw_raw(w, "config", call->config);
    jsonw_array(w, "dynamo");
    for (size_t i = 0; i < dynamo.list.count; i++)
        write_ref(w, NULL, model, places, dynamo.list.items[i]);
    mem_free(dynamo.list.items);
    jsonw_end_array(w);
    if (call->split_graph >= 0)
        write_ref(w, "split_graph", model, places, (size_t)call->split_graph);
    else
        jsonw_null(w, "split_graph");
    jsonw_array(w, "groups");
    for (size_t g = 0; g < call->groups.count; g++) {
        jsonw_object(w, NULL);
        jsonw_text(w, "label", call->groups.items[g].label);
        jsonw_array(w, "subgraphs");
        for (uint32_t p = call->groups.items[g].head; p != UINT32_MAX; p = call->pieces.items[p].next)
            write_piece(w, model, call, &call->pieces.items[p], places);
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
}

void vllm_json_add(struct jsonw *w, const char *key, const struct model *model) {
    if (!model->vllm_facts)
        return;
    uint32_t *places = places_in_compiles(model), *owner = vllm_owners(model);
    jsonw_object(w, key);
    jsonw_array(w, "calls");
    for (size_t i = 0; i < model->vllm_facts->calls.count; i++)
        write_call(w, model, i, owner, places);
    jsonw_end_array(w);
    jsonw_end_object(w);
    mem_free(places);
    mem_free(owner);
}
