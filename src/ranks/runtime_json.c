#include <assert.h>

#include "base/map.h"
#include "base/mem.h"
#include "ranks/json_parts.h"

/* The estimates of one graph on the ranks that have it, in order of rank. */
struct spread {
    LIST(uint32_t) ranks, graphs; /* indices into the facts, and into their runtimes */
};

static void spread_add(struct arena *arena, struct spread *spread, size_t rank, size_t graph) {
    ARENA_GROW(arena, &spread->ranks);
    spread->ranks.items[spread->ranks.count++] = (uint32_t)rank;
    ARENA_GROW(arena, &spread->graphs);
    spread->graphs.items[spread->graphs.count++] = (uint32_t)graph;
}

static double spread_ns(const struct rank_facts *const *facts, const struct spread *spread, size_t i) {
    return facts[spread->ranks.items[i]]->runtimes.items[spread->graphs.items[i]].total_ns;
}

static void write_spread(struct jsonw *w, const struct rank_facts *const *facts, const struct spread *spread,
                         size_t index) {
    size_t slowest = 0, fastest = 0;
    jsonw_object(w, NULL);
    jsonw_u64(w, "index", index);
    jsonw_array(w, "per_rank");
    for (size_t i = 0; i < spread->ranks.count; i++) {
        const struct rank_facts *f = facts[spread->ranks.items[i]];
        const struct rank_graph *graph = &f->runtimes.items[spread->graphs.items[i]];
        slowest = graph->total_ns > spread_ns(facts, spread, slowest) ? i : slowest;
        fastest = graph->total_ns < spread_ns(facts, spread, fastest) ? i : fastest;
        jsonw_object(w, NULL);
        jsonw_u64(w, "rank", f->rank);
        jsonw_text(w, "graph", graph->folder);
        jsonw_text(w, "compile", graph->id);
        jsonw_double(w, "ns", graph->total_ns);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "slowest", facts[spread->ranks.items[slowest]]->rank);
    jsonw_u64(w, "fastest", facts[spread->ranks.items[fastest]]->rank);
    jsonw_double(w, "spread_ns", spread_ns(facts, spread, slowest) - spread_ns(facts, spread, fastest));
    jsonw_end_object(w);
}

/* What matching graphs of several ranks share although their ids differ: the function, and how many of its compiles
 * precede. */
static void add_graph_key(struct buf *key, const struct rank_facts *facts, const struct rank_graph *graph) {
    const struct rank_compile *compile = rank_compile_by_id(facts, graph->id);
    if (compile && compile->frame.len) {
        size_t slash = slice_find(graph->id, SLICE("/"));
        buf_add(key, compile->frame);
        buf_add(key, slash == SIZE_MAX ? graph->id : slice_from(graph->id, slash));
    } else {
        buf_add(key, graph->folder);
    }
}

/* Upper estimate of the waiting time of one call of each function: the spreads of the graphs of a compile are added. A
 * call runs one compile of its function, so the one with the largest sum counts. */
static double wait_ns(const struct rank_facts *const *facts, const struct spread *spreads, size_t count) {
    struct map compiles = {0}, frames = {0};
    double *of_compile = mem_zalloc(count + 1, sizeof *of_compile), *of_frame = mem_zalloc(count + 1, sizeof *of_frame);
    uint32_t compile_count = 0, frame_count = 0;
    double wait = 0;
    for (size_t i = 0; i < count; i++) {
        const struct spread *spread = &spreads[i];
        if (spread->ranks.count < 2)
            continue;
        double low = spread_ns(facts, spread, 0), high = low;
        for (size_t r = 1; r < spread->ranks.count; r++) {
            double ns = spread_ns(facts, spread, r);
            low = ns < low ? ns : low;
            high = ns > high ? ns : high;
        }
        const struct rank_facts *first = facts[spread->ranks.items[0]];
        struct slice id = first->runtimes.items[spread->graphs.items[0]].id;
        const struct rank_compile *compile = rank_compile_by_id(first, id);
        bool added;
        uint32_t at = *map_put(&compiles, id, compile_count, &added);
        compile_count += added;
        of_compile[at] += high - low;
        uint32_t frame = *map_put(&frames, compile && compile->frame.len ? compile->frame : id, frame_count, &added);
        frame_count += added;
        double more = of_compile[at] > of_frame[frame] ? of_compile[at] - of_frame[frame] : 0;
        of_frame[frame] += more;
        wait += more;
    }
    mem_free(of_compile);
    mem_free(of_frame);
    map_free(&compiles);
    map_free(&frames);
    return wait;
}

void runtime_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    size_t graphs = SIZE_MAX, ranks = 0;
    const char *why = NULL;
    bool any = false, by_place = true, zero = true;
    LIST(struct spread) spreads = {0};
    struct map known = {0};
    struct arena arena = {0};
    for (size_t r = 0; r < count; r++) {
        if (!rank_is_compared(facts[r]))
            continue;
        ranks++;
        by_place = by_place && (graphs == SIZE_MAX || graphs == facts[r]->runtimes.count);
        graphs = facts[r]->runtimes.count;
        any = any || graphs > 0;
        for (size_t g = 0; g < graphs; g++)
            zero = zero && facts[r]->runtimes.items[g].total_ns == 0;
    }
    if (ranks < 2 || !any)
        why = ranks < 2 ? "Fewer than two ranks can be compared." : "The logs hold no runtime estimates.";
    else if (zero)
        why = "All estimates are 0, as Inductor writes them for a CPU.";
    for (size_t r = 0; r < count && !why; r++) {
        if (!rank_is_compared(facts[r]))
            continue;
        for (size_t g = 0; g < facts[r]->runtimes.count; g++) {
            size_t at = g;
            if (!by_place) {
                bool added;
                struct buf key = {0};
                add_graph_key(&key, facts[r], &facts[r]->runtimes.items[g]);
                at = *map_put_in(&arena, &known, buf_slice(&key), (uint32_t)spreads.count, &added);
                buf_free(&key);
            }
            if (at == spreads.count) {
                ARENA_GROW(&arena, &spreads);
                spreads.items[spreads.count++] = (struct spread){0};
            }
            assert(at < spreads.count);
            struct spread *spread = &spreads.items[at];
            if (!spread->ranks.count ||
                spread->ranks.items[spread->ranks.count - 1] != r) /* on a tie, the first one counts */
                spread_add(&arena, spread, r, g);
        }
    }
    if (!why && !by_place)
        why = "The ranks have different numbers of graphs with estimates. Graphs of the same function are compared.";
    jsonw_object(w, "runtime");
    jsonw_bool(w, "available", spreads.count > 0);
    jsonw_text(w, "reason", why ? slice_str(why) : (struct slice){0});
    jsonw_double(w, "wait_ns", wait_ns(facts, spreads.items, spreads.count));
    jsonw_array(w, "graphs");
    for (size_t i = 0; i < spreads.count; i++)
        if (spreads.items[i].ranks.count > 1)
            write_spread(w, facts, &spreads.items[i], i);
    jsonw_end_array(w);
    jsonw_end_object(w);
    arena_free(&arena);
}
