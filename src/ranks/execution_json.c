#include "diverge/cause.h"
#include "ranks/ranks_json.h"

/* Adds the ops, one per line, which identify a schedule. */
static void add_ops(struct buf *out, const struct rank_graph *graph) {
    for (size_t i = 0; i < graph->ops.count; i++)
        BUF_ADD(out, graph->ops.items[i], "\n");
}

void schedules_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count, enum calls_from from) {
    AUTO_MAP known = {0};
    size_t distinct = 0;
    jsonw_object(w, "schedules");
    jsonw_str(w, "from", calls_from_name(from));
    jsonw_array(w, "ops");
    for (size_t r = 0; r < count; r++) {
        size_t graph_count;
        const struct rank_graph *graphs = rank_calls(facts[r], from, &graph_count);
        for (size_t g = 0; g < graph_count; g++) {
            const struct rank_graph *graph = &graphs[g];
            AUTO_BUF key = {0};
            bool added;
            add_ops(&key, graph);
            map_put(&known, buf_slice(&key), (uint32_t)distinct, &added);
            if (added) {
                distinct++;
                JSON_LIST(w, NULL, i, graph->ops.count, graph->ops.items[i]);
            }
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
            AUTO_BUF key = {0};
            add_ops(&key, graph);
            jsonw_object(w, NULL);
            JSON_ADD(w, "graph", graph->folder, "compile", graph->id, "ops", map_get(&known, buf_slice(&key)));
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
}

/* Whether the rank's order can be compared: no graph appears under the id of another compile. */
static bool is_certain(const struct rank_facts *facts) {
    return rank_is_compared(facts) && facts->execution.count && !rank_ran_cached(facts);
}

/* By rank; the caller frees it. */
static bool *find_certain(const struct rank_facts *const *facts, size_t count) {
    bool *certain = mem_alloc(count + 1);
    for (size_t r = 0; r < count; r++)
        certain[r] = is_certain(facts[r]);
    return certain;
}

/* The collectives that a rank issues as it runs its graphs in sequence. */
struct issued {
    const struct rank_facts *facts;
    const struct rank_graph *graphs;
    size_t count, step, graph, op;
    struct map known; /* compile → its first graph */
    size_t *next;     /* for each graph, the next one of the same compile; `count`: none */
};

static void issued_begin(struct issued *issued, const struct rank_facts *facts, enum calls_from from) {
    *issued = (struct issued){.facts = facts};
    issued->graphs = rank_calls(facts, from, &issued->count);
    issued->graph = SIZE_MAX;
    issued->next = mem_alloc((issued->count + 1) * sizeof *issued->next);
    for (size_t g = issued->count; g-- > 0;) {
        bool added;
        uint32_t *first = map_put(&issued->known, issued->graphs[g].id, (uint32_t)g, &added);
        issued->next[g] = added ? issued->count : *first;
        *first = (uint32_t)g;
    }
}

static void issued_finish(struct issued *issued) {
    map_free(&issued->known);
    mem_free(issued->next);
}

/* The next collective. ptr NULL: no more; `step` is then the number of graphs that the rank runs. Waits are ignored. */
static struct slice issued_next(struct issued *issued) {
    const struct rank_facts *facts = issued->facts;
    while (issued->step < facts->execution.count) {
        struct slice id = facts->execution.items[issued->step];
        if (issued->graph == SIZE_MAX) {
            uint32_t first = map_get(&issued->known, id);
            issued->graph = first == MAP_NONE ? issued->count : first;
            issued->op = 0;
        }
        if (issued->graph >= issued->count) {
            issued->step++;
            issued->graph = SIZE_MAX;
            continue;
        }
        const struct rank_graph *graph = &issued->graphs[issued->graph];
        if (issued->op >= graph->ops.count) {
            issued->graph = issued->next[issued->graph];
            issued->op = 0;
            continue;
        }
        struct slice op = graph->ops.items[issued->op++];
        if (slice_find(op, SLICE("wait_tensor")) == SIZE_MAX)
            return op;
    }
    return (struct slice){0};
}

/* The first step at which the rank issues a different collective than the first rank, or SIZE_MAX. */
static size_t first_other(const struct rank_facts *first, const struct rank_facts *other, enum calls_from from) {
    struct issued a, b;
    size_t step = SIZE_MAX;
    issued_begin(&a, first, from);
    issued_begin(&b, other, from);
    for (;;) {
        struct slice x = issued_next(&a), y = issued_next(&b);
        if (!x.ptr && !y.ptr)
            break;
        if (!x.ptr || !y.ptr || !slice_eq(x, y)) {
            step = a.step < b.step ? a.step : b.step;
            break;
        }
    }
    issued_finish(&a);
    issued_finish(&b);
    return step;
}

static size_t first_mismatch(const struct rank_facts *const *facts, const bool *certain, size_t count,
                             enum calls_from from) {
    const struct rank_facts *first = NULL;
    size_t step = SIZE_MAX;
    for (size_t r = 0; r < count; r++) {
        if (!certain[r])
            continue;
        size_t other = first ? first_other(first, facts[r], from) : SIZE_MAX;
        first = first ? first : facts[r];
        step = other < step ? other : step;
    }
    return step;
}

/* A miss takes precedence over a hit, and a hit over a bypass. */
static enum cache_outcome cache_of(const struct rank_compile *compile) {
    return rank_compile_has(compile, OUTCOME_MISS) ? OUTCOME_MISS
         : rank_compile_has(compile, OUTCOME_HIT)  ? OUTCOME_HIT
         : compile->cache.count                    ? OUTCOME_BYPASS
                                                   : OUTCOME_NONE;
}

/* Whether the ranks that run the same function at this step had the same cache result. */
static bool cached_alike(const struct rank_facts *const *facts, const bool *certain, size_t count, size_t n) {
    const struct rank_compile *first = NULL;
    struct slice slot = {0};
    for (size_t r = 0; r < count; r++) {
        const struct rank_compile *compile = certain[r] && n < facts[r]->execution.count
                                               ? rank_compile_by_id(facts[r], facts[r]->execution.items[n])
                                               : NULL;
        if (!compile)
            continue;
        struct slice own = rank_slot_by_id(facts[r], facts[r]->execution.items[n]);
        slot = first ? slot : own;
        first = first ? first : compile;
        if (slice_eq(slot, own) && cache_of(first) != cache_of(compile))
            return false;
    }
    return true;
}

/* Whether the ranks whose order is certain run the same function at that step: false if a rank runs nothing there. */
static bool same_function(const struct rank_facts *const *facts, const bool *certain, size_t count, size_t n) {
    struct slice first = {0};
    bool any = false;
    for (size_t r = 0; r < count; r++) {
        if (!certain[r])
            continue;
        struct slice id = n < facts[r]->execution.count ? facts[r]->execution.items[n] : (struct slice){0};
        struct slice slot = id.ptr ? rank_slot_by_id(facts[r], id) : id, function = slot.ptr ? slot : id;
        if (any && !slice_eq(first, function))
            return false;
        first = function;
        any = true;
    }
    return true;
}

void execution_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count, enum calls_from from) {
    bool *certain = find_certain(facts, count);
    size_t longest = 0, other = first_mismatch(facts, certain, count, from);
    for (size_t r = 0; r < count; r++)
        longest = facts[r]->execution.count > longest ? facts[r]->execution.count : longest;
    jsonw_object(w, "execution");
    jsonw_array(w, "order");
    for (size_t r = 0; r < count && longest; r++) {
        jsonw_object(w, NULL);
        rank_number_write(w, facts[r]);
        JSON_LIST(w, "ids", i, facts[r]->execution.count, facts[r]->execution.items[i]);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_array(w, "mismatches");
    for (size_t n = 0; n < longest; n++) {
        bool schedule = n == other, cache = !cached_alike(facts, certain, count, n),
             function = !same_function(facts, certain, count, n);
        if (!schedule && !cache && !function)
            continue;
        jsonw_object(w, NULL);
        jsonw_u64(w, "index", n);
        jsonw_bool(w, "schedule", schedule);
        jsonw_bool(w, "cache", cache);
        jsonw_bool(w, "function", function);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
    mem_free(certain);
}
