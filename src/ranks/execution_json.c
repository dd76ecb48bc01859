#include "base/map.h"
#include "base/mem.h"
#include "ranks/json_parts.h"

/* One a line: what tells schedules apart. */
static void add_ops(struct buf *out, const struct rank_graph *graph) {
    for (size_t i = 0; i < graph->ops.count; i++) {
        buf_add(out, graph->ops.items[i]);
        buf_add_byte(out, '\n');
    }
}

void schedules_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count,
                          enum calls_from from) {
    struct map known = {0};
    size_t distinct = 0;
    jsonw_object(w, "schedules");
    jsonw_str(w, "from", calls_from_name(from));
    jsonw_array(w, "ops");
    for (size_t r = 0; r < count; r++) {
        size_t graph_count;
        const struct rank_graph *graphs = rank_calls(facts[r], from, &graph_count);
        for (size_t g = 0; g < graph_count; g++) {
            const struct rank_graph *graph = &graphs[g];
            struct buf key = {0};
            bool added;
            add_ops(&key, graph);
            map_put(&known, buf_slice(&key), (uint32_t)distinct, &added);
            if (added) {
                distinct++;
                jsonw_array(w, NULL);
                for (size_t i = 0; i < graph->ops.count; i++)
                    jsonw_text(w, NULL, graph->ops.items[i]);
                jsonw_end_array(w);
            }
            buf_free(&key);
        }
    }
    jsonw_end_array(w);
    jsonw_array(w, "ranks");
    for (size_t r = 0; r < count; r++) {
        size_t graph_count;
        const struct rank_graph *graphs = rank_calls(facts[r], from, &graph_count);
        if (!graph_count)
            continue;
        jsonw_object(w, NULL);
        rank_number_write(w, facts[r]);
        jsonw_array(w, "graphs");
        for (size_t g = 0; g < graph_count; g++) {
            const struct rank_graph *graph = &graphs[g];
            struct buf key = {0};
            add_ops(&key, graph);
            jsonw_object(w, NULL);
            jsonw_text(w, "graph", graph->folder);
            jsonw_text(w, "compile", graph->id);
            jsonw_u64(w, "ops", map_get(&known, buf_slice(&key)));
            jsonw_end_object(w);
            buf_free(&key);
        }
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
    map_free(&known);
}

/* What the n-th graph that the rank ran has of one aspect, as bytes. */
static void add_executed(struct buf *out, const struct rank_facts *facts, size_t n, bool schedule,
                         enum calls_from from) {
    if (n >= facts->execution.count)
        return;
    struct slice id = facts->execution.items[n];
    const struct rank_compile *compile = rank_compile_by_id(facts, id);
    if (!schedule) {
        /* A miss counts before a hit, a hit before a bypass. */
        struct slice letters = compile ? compile->cache : (struct slice){0};
        bool miss = slice_find(letters, SLICE("m")) != SIZE_MAX, hit = slice_find(letters, SLICE("h")) != SIZE_MAX;
        buf_add_str(out, miss ? "miss" : hit ? "hit" : letters.len ? "bypass" : "");
        return;
    }
    size_t count;
    const struct rank_graph *graphs = rank_calls(facts, from, &count);
    for (size_t g = 0; g < count; g++)
        if (slice_eq(graphs[g].id, id))
            add_ops(out, &graphs[g]);
}

static bool executed_alike(const struct rank_facts *const *facts, size_t count, size_t n, bool schedule,
                         enum calls_from from) {
    struct buf first = {0}, other = {0};
    bool any = false, same = true;
    for (size_t r = 0; r < count && same; r++) {
        if (!rank_is_compared(facts[r]) || !facts[r]->execution.count)
            continue;
        other.len = 0;
        add_executed(&other, facts[r], n, schedule, from);
        if (!any)
            buf_add(&first, buf_slice(&other));
        same = !any || slice_eq(buf_slice(&first), buf_slice(&other));
        any = true;
    }
    buf_free(&first);
    buf_free(&other);
    return same;
}

void execution_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count,
                          enum calls_from from) {
    size_t longest = 0;
    for (size_t r = 0; r < count; r++)
        longest = facts[r]->execution.count > longest ? facts[r]->execution.count : longest;
    jsonw_object(w, "execution");
    jsonw_array(w, "order");
    for (size_t r = 0; r < count && longest; r++) {
        jsonw_object(w, NULL);
        rank_number_write(w, facts[r]);
        jsonw_array(w, "ids");
        for (size_t i = 0; i < facts[r]->execution.count; i++)
            jsonw_text(w, NULL, facts[r]->execution.items[i]);
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_array(w, "mismatches");
    for (size_t n = 0; n < longest; n++) {
        bool schedule = !executed_alike(facts, count, n, true, from), cache = !executed_alike(facts, count, n, false, from);
        if (!schedule && !cache)
            continue;
        jsonw_object(w, NULL);
        jsonw_u64(w, "index", n);
        jsonw_bool(w, "schedule", schedule);
        jsonw_bool(w, "cache", cache);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
}
