
#include "diverge/cause.h"
#include "ranks/ranks_json.h"

/* The estimates of one graph on the ranks that have it, in order of rank. */
struct spread {
    LIST(uint32_t) ranks, graphs; /* indices into the facts, and into their runtimes */
};

struct spreads {
    LIST(struct spread) list;
};

static void spread_add(struct arena *arena, struct spread *spread, size_t rank, size_t graph) {
    ARENA_ADD(arena, &spread->ranks, (uint32_t)rank);
    ARENA_ADD(arena, &spread->graphs, (uint32_t)graph);
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
        JSON_ADD(w, "rank", f->rank, "graph", graph->folder, "compile", graph->id);
        jsonw_double(w, "ns", graph->total_ns);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "slowest", facts[spread->ranks.items[slowest]]->rank);
    jsonw_u64(w, "fastest", facts[spread->ranks.items[fastest]]->rank);
    jsonw_double(w, "spread_ns", spread_ns(facts, spread, slowest) - spread_ns(facts, spread, fastest));
    jsonw_end_object(w);
}

/* Adds the key that matches graphs of several ranks although their ids differ: the compile, and the number of its
 * preceding graphs. */
static void add_graph_key(struct buf *key, const struct rank_facts *facts, const struct rank_graph *graph,
                          struct map *times) {
    struct slice slot = rank_slot_by_id(facts, graph->id);
    bool added;
    buf_add(key, slot.ptr ? slot : graph->folder);
    uint32_t *nth = map_put(times, buf_slice(key), 0, &added);
    buf_addf(key, "%c%u", 0, (*nth)++);
}

/* Adds the rank's graphs. Returns whether they are the same as the first rank's, in the same order. */
static bool add_graphs(struct arena *arena, struct map *known, struct spreads *spreads,
                       const struct rank_facts *const *facts, uint32_t rank) {
    const struct rank_facts *f = facts[rank];
    AUTO_MAP times = {0};
    bool first = !spreads->list.count, same = true;
    for (size_t g = 0; g < f->runtimes.count; g++) {
        AUTO_BUF key = {0};
        bool added;
        add_graph_key(&key, f, &f->runtimes.items[g], &times);
        uint32_t at = *map_put_in(arena, known, buf_slice(&key), (uint32_t)spreads->list.count, &added);
        if (added)
            ARENA_ADD(arena, &spreads->list, (struct spread){0});
        assert(spreads->list.items && at < spreads->list.count);
        spread_add(arena, &spreads->list.items[at], rank, g);
        same &= at == g && (first || !added);
    }
    return same;
}

/* Upper estimate of the waiting time of one call of each function: the spreads of a compile's graphs are added. A call
 * runs one compile of its function, so the compile with the largest sum counts. */
static double wait_ns(const struct rank_facts *const *facts, const struct spread *spreads, size_t count) {
    AUTO_MAP compiles = {0}, frames = {0};
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
    return wait;
}

void runtime_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    size_t graphs = SIZE_MAX, ranks = 0;
    const char *why = NULL;
    bool any = false, same = true, zero = true;
    struct spreads spreads = {0};
    struct map known = {0};
    AUTO_ARENA arena = {0};
    for (size_t r = 0; r < count; r++) {
        if (!rank_is_compared(facts[r]))
            continue;
        ranks++;
        same = same && (graphs == SIZE_MAX || graphs == facts[r]->runtimes.count);
        graphs = facts[r]->runtimes.count;
        any = any || graphs > 0;
        for (size_t g = 0; g < graphs; g++)
            zero = zero && facts[r]->runtimes.items[g].total_ns == 0;
    }
    if (ranks < 2 || !any)
        why = ranks < 2 ? "Fewer than two ranks can be compared." : "The logs hold no runtime estimates.";
    else if (zero)
        why = "All estimates are 0, as Inductor writes them for a CPU.";
    for (uint32_t r = 0; r < count && !why; r++)
        if (rank_is_compared(facts[r]))
            same &= add_graphs(&arena, &known, &spreads, facts, r);
    if (!why && !same)
        why = "The ranks do not have the same graphs with estimates in the same order. Graphs of the same function are "
              "compared.";
    jsonw_object(w, "runtime");
    jsonw_bool(w, "available", spreads.list.count > 0);
    jsonw_text(w, "reason", why ? slice_str(why) : (struct slice){0});
    jsonw_double(w, "wait_ns", wait_ns(facts, spreads.list.items, spreads.list.count));
    jsonw_array(w, "graphs");
    for (size_t i = 0; i < spreads.list.count; i++)
        if (spreads.list.items[i].ranks.count > 1)
            write_spread(w, facts, &spreads.list.items[i], i);
    jsonw_end_array(w);
    jsonw_end_object(w);
}
