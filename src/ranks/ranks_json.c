#include "ranks/ranks_json.h"

#include <stdlib.h>

#include "base/jsonw.h"
#include "base/mem.h"
#include "ranks/diverge.h"

enum { MISSING_MAX = 1024, TEXT_MAX = 2000 };

uint64_t ranks_missing(const struct rank_facts *const *facts, size_t count, uint64_t *missing, size_t most) {
    uint64_t next = 0, total = 0;
    for (size_t i = 0; i < count; i++) { /* in order of rank */
        if (!facts[i]->has_rank || facts[i]->rank < next)
            continue;
        for (uint64_t rank = next; rank < facts[i]->rank && total + (rank - next) < most; rank++)
            missing[total + (rank - next)] = rank;
        total += facts[i]->rank - next;
        next = facts[i]->rank + 1;
    }
    return total;
}

static void write_rank_number(struct jsonw *w, const char *key, const struct rank_facts *facts) {
    jsonw_known(w, key, facts->has_rank ? (int64_t)facts->rank : -1);
}

static void write_ranks(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    jsonw_array(w, "ranks");
    for (size_t i = 0; i < count; i++) {
        const struct rank_facts *f = facts[i];
        size_t failed = 0;
        int64_t time = 0;
        for (size_t c = 0; c < f->compiles.count; c++) {
            failed += f->compiles.items[c].status == STATUS_ERROR;
            time += f->compiles.items[c].time_us > 0 ? f->compiles.items[c].time_us : 0;
        }
        jsonw_object(w, NULL);
        write_rank_number(w, "rank", f);
        jsonw_str(w, "dir", f->dir);
        jsonw_array(w, "files");
        jsonw_str(w, NULL, f->file);
        jsonw_end_array(w);
        jsonw_str(w, "status", f->bad ? "bad" : failed ? "error" : "ok");
        jsonw_bool(w, "older", f->older);
        jsonw_text(w, "error", f->error ? slice_str(f->error) : (struct slice){0});
        jsonw_u64(w, "bytes", f->bytes);
        jsonw_u64(w, "compiles", f->compiles.count);
        jsonw_u64(w, "failed", failed);
        jsonw_u64(w, "time_us", (uint64_t)time);
        jsonw_known(w, "first_us", f->first_us ? f->first_us : -1);
        jsonw_known(w, "last_us", f->last_us ? f->last_us : -1);
        jsonw_object(w, "counters");
        for (int c = 0; c < COUNTERS; c++)
            if (f->counters[c])
                jsonw_u64(w, counter_name(c), f->counters[c]);
        jsonw_end_object(w);
        jsonw_array(w, "parity");
        for (size_t p = 0; p < f->parity.count; p++) {
            jsonw_object(w, NULL);
            jsonw_text(w, "graph", f->parity.items[p].folder);
            jsonw_u64(w, "offset", f->parity.items[p].offset);
            jsonw_u64(w, "missing_waits", f->parity.items[p].missing_waits);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_array(w, "decisions");
        for (size_t d = 0; d < f->decisions.count; d++)
            jsonw_text(w, NULL, slice_first(f->decisions.items[d], TEXT_MAX));
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    uint64_t missing[MISSING_MAX], total = ranks_missing(facts, count, missing, MISSING_MAX);
    jsonw_array(w, "missing_ranks");
    for (uint64_t i = 0; i < total && i < MISSING_MAX; i++)
        jsonw_u64(w, NULL, missing[i]);
    jsonw_end_array(w);
}

static void write_group_ranks(struct jsonw *w, const char *key, const struct rank_facts *const *facts, const struct group *group) {
    jsonw_array(w, key);
    for (size_t i = 0; i < group->ranks.count; i++)
        jsonw_u64(w, NULL, facts[group->ranks.items[i]]->rank);
    jsonw_end_array(w);
}

static void write_divergence(struct jsonw *w, const struct rank_facts *const *facts, size_t count, enum aspect aspect) {
    struct divergence found;
    struct arena arena = {0};
    diverge_find(&found, facts, count, aspect, &arena);
    jsonw_object(w, aspect_name(aspect));
    jsonw_str(w, "title", aspect_title(aspect));
    jsonw_str(w, "why", aspect_why(aspect));
    jsonw_bool(w, "known", found.known);
    jsonw_bool(w, "diverges", found.groups.count > 1);
    jsonw_array(w, "groups");
    for (size_t g = 0; g < found.groups.count; g++) {
        jsonw_object(w, NULL);
        write_group_ranks(w, "ranks", facts, &found.groups.items[g]);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    if (found.groups.count > 1) {
        jsonw_object(w, "first");
        jsonw_u64(w, "index", found.first);
        jsonw_array(w, "sides");
        for (size_t g = 0; g < found.groups.count; g++) {
            const struct side *side = &found.groups.items[g].side;
            jsonw_object(w, NULL);
            write_group_ranks(w, "ranks", facts, &found.groups.items[g]);
            jsonw_text(w, "key", side->ended ? (struct slice){0} : side->key);
            jsonw_text(w, "value", side->ended ? (struct slice){0} : slice_first(side->value, TEXT_MAX));
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_end_object(w);
    } else {
        jsonw_null(w, "first");
    }
    jsonw_end_object(w);
    diverge_finish(&found);
    arena_free(&arena);
}

/* A rank's compiles whose function is another one than what the first rank with that id compiled. */
static void write_others(struct jsonw *w, const struct rank_facts *facts, const struct map *ids, const uint32_t *frames, const struct map *frame_map) {
    jsonw_array(w, "other");
    for (size_t c = 0; c < facts->compiles.count; c++) {
        uint32_t at = map_get(ids, facts->compiles.items[c].id), frame = map_get(frame_map, facts->compiles.items[c].frame);
        if (frame == frames[at])
            continue;
        jsonw_array(w, NULL);
        jsonw_u64(w, NULL, at);
        jsonw_u64(w, NULL, frame);
        jsonw_end_array(w);
    }
    jsonw_end_array(w);
}

/* Ranks × compile ids: a letter each for how it ended ("." where the rank has no such id), its time, and where it is of another
 * function than elsewhere. */
static void write_matrix(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    static const char shown[] = {[STATUS_MISSING] = '?', [STATUS_OK] = 'o', [STATUS_RESTART] = 'r', [STATUS_EMPTY] = 'e', [STATUS_ERROR] = 'x'};
    struct map known = {0}, frame_map = {0};
    LIST(struct slice) ids = {0}, frames = {0};
    LIST(uint32_t) of_ids = {0};
    for (size_t r = 0; r < count; r++)
        for (size_t c = 0; c < facts[r]->compiles.count; c++) {
            bool added;
            struct slice id = facts[r]->compiles.items[c].id, frame = facts[r]->compiles.items[c].frame;
            uint32_t at = *map_put(&frame_map, frame, (uint32_t)frames.count, &added);
            if (added) {
                MEM_GROW(&frames);
                frames.items[frames.count++] = frame;
            }
            map_put(&known, id, (uint32_t)ids.count, &added);
            if (added) {
                MEM_GROW(&ids);
                ids.items[ids.count++] = id;
                MEM_GROW(&of_ids);
                of_ids.items[of_ids.count++] = at;
            }
        }
    jsonw_object(w, "matrix");
    jsonw_array(w, "ids");
    for (size_t i = 0; i < ids.count; i++)
        jsonw_text(w, NULL, ids.items[i]);
    jsonw_end_array(w);
    jsonw_array(w, "frames");
    for (size_t i = 0; i < frames.count; i++)
        jsonw_text(w, NULL, frames.items[i].ptr ? frames.items[i] : SLICE(""));
    jsonw_end_array(w);
    jsonw_array(w, "id_frames");
    for (size_t i = 0; i < of_ids.count; i++)
        jsonw_u64(w, NULL, of_ids.items[i]);
    jsonw_end_array(w);
    jsonw_array(w, "rows");
    char *row = mem_alloc(ids.count + 1);
    int64_t *times = mem_alloc((ids.count + 1) * sizeof *times);
    for (size_t r = 0; r < count; r++) {
        memset(row, '.', ids.count);
        for (size_t i = 0; i < ids.count; i++)
            times[i] = -1;
        for (size_t c = 0; c < facts[r]->compiles.count; c++) {
            uint32_t at = map_get(&known, facts[r]->compiles.items[c].id);
            row[at] = shown[facts[r]->compiles.items[c].status];
            times[at] = facts[r]->compiles.items[c].time_us;
        }
        jsonw_object(w, NULL);
        jsonw_str(w, "dir", facts[r]->dir);
        jsonw_text(w, "status", slice_make(row, ids.count));
        jsonw_array(w, "time_us");
        for (size_t i = 0; i < ids.count; i++)
            jsonw_known(w, NULL, times[i]);
        jsonw_end_array(w);
        write_others(w, facts[r], &known, of_ids.items, &frame_map);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
    mem_free(row);
    mem_free(times);
    free(ids.items);
    free(frames.items);
    free(of_ids.items);
    map_free(&known);
    map_free(&frame_map);
}

/* The estimates of one graph over the ranks that have it, in order of rank. */
struct spread {
    LIST(uint32_t) ranks, graphs; /* in facts, and in their runtimes */
};

static void spread_add(struct spread *spread, size_t rank, size_t graph) {
    MEM_GROW(&spread->ranks);
    spread->ranks.items[spread->ranks.count++] = (uint32_t)rank;
    MEM_GROW(&spread->graphs);
    spread->graphs.items[spread->graphs.count++] = (uint32_t)graph;
}

static double spread_ns(const struct rank_facts *const *facts, const struct spread *spread, size_t i) {
    return facts[spread->ranks.items[i]]->runtimes.items[spread->graphs.items[i]].total_ns;
}

static void write_spread(struct jsonw *w, const struct rank_facts *const *facts, const struct spread *spread, size_t index) {
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

static const struct rank_compile *compile_by_id(const struct rank_facts *facts, struct slice id) {
    for (size_t i = 0; i < facts->compiles.count; i++)
        if (slice_eq(facts->compiles.items[i].id, id))
            return &facts->compiles.items[i];
    return NULL;
}

/* What graphs of several ranks have in common though their ids differ: the function, and its how manieth compile it is. */
static void add_graph_key(struct buf *key, const struct rank_facts *facts, const struct rank_graph *graph) {
    const struct rank_compile *compile = compile_by_id(facts, graph->id);
    if (compile && compile->frame.len) {
        size_t slash = slice_find(graph->id, SLICE("/"));
        buf_add(key, compile->frame);
        buf_add(key, slash == SIZE_MAX ? graph->id : slice_from(graph->id, slash));
    } else {
        buf_add(key, graph->folder);
    }
}

/* Graphs answer to each other by their place in the order, or, where ranks have different numbers of them, by their function. */
static void write_runtime(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    size_t graphs = SIZE_MAX, ranks = 0;
    const char *why = NULL;
    bool any = false, by_place = true, zero = true;
    LIST(struct spread) spreads = {0};
    struct map known = {0};
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
        why = ranks < 2 ? "There is only one rank." : "The logs hold no runtime estimates.";
    else if (zero)
        why = "All estimates are 0: Inductor estimates nothing on a CPU.";
    for (size_t r = 0; r < count && !why; r++) {
        if (!rank_is_compared(facts[r]))
            continue;
        for (size_t g = 0; g < facts[r]->runtimes.count; g++) {
            size_t at = g;
            if (!by_place) {
                bool added;
                struct buf key = {0};
                add_graph_key(&key, facts[r], &facts[r]->runtimes.items[g]);
                at = *map_put(&known, buf_slice(&key), (uint32_t)spreads.count, &added);
                buf_free(&key);
            }
            if (at == spreads.count) {
                MEM_GROW(&spreads);
                spreads.items[spreads.count++] = (struct spread){0};
            }
            struct spread *spread = &spreads.items[at];
            if (!spread->ranks.count || spread->ranks.items[spread->ranks.count - 1] != r) /* the first of equals counts */
                spread_add(spread, r, g);
        }
    }
    if (!why && !by_place)
        why = "Ranks have different numbers of graphs with estimates: those of the same function are compared.";
    jsonw_object(w, "runtime");
    jsonw_bool(w, "available", spreads.count > 0);
    jsonw_text(w, "reason", why ? slice_str(why) : (struct slice){0});
    jsonw_array(w, "graphs");
    for (size_t i = 0; i < spreads.count; i++) {
        if (spreads.items[i].ranks.count > 1)
            write_spread(w, facts, &spreads.items[i], i);
        free(spreads.items[i].ranks.items);
        free(spreads.items[i].graphs.items);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
    free(spreads.items);
    map_free(&known);
}

/* Each distinct schedule once, and which graph of which rank has it. */
static void write_schedules(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    struct map known = {0};
    size_t distinct = 0;
    jsonw_object(w, "schedules");
    jsonw_array(w, "ops");
    for (size_t r = 0; r < count; r++)
        for (size_t g = 0; g < facts[r]->schedules.count; g++) {
            const struct rank_graph *graph = &facts[r]->schedules.items[g];
            struct buf key = {0};
            bool added;
            for (size_t i = 0; i < graph->ops.count; i++) {
                buf_add(&key, graph->ops.items[i]);
                buf_add_byte(&key, '\n');
            }
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
    jsonw_end_array(w);
    jsonw_array(w, "ranks");
    for (size_t r = 0; r < count; r++) {
        if (!facts[r]->schedules.count)
            continue;
        jsonw_object(w, NULL);
        write_rank_number(w, "rank", facts[r]);
        jsonw_array(w, "graphs");
        for (size_t g = 0; g < facts[r]->schedules.count; g++) {
            const struct rank_graph *graph = &facts[r]->schedules.items[g];
            struct buf key = {0};
            for (size_t i = 0; i < graph->ops.count; i++) {
                buf_add(&key, graph->ops.items[i]);
                buf_add_byte(&key, '\n');
            }
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
static void add_executed(struct buf *out, const struct rank_facts *facts, size_t n, bool schedule) {
    if (n >= facts->execution.count)
        return;
    struct slice id = facts->execution.items[n];
    const struct rank_compile *compile = compile_by_id(facts, id);
    if (!schedule) {
        /* A miss counts before a hit, a hit before a bypass. */
        struct slice letters = compile ? compile->cache : (struct slice){0};
        bool miss = slice_find(letters, SLICE("m")) != SIZE_MAX, hit = slice_find(letters, SLICE("h")) != SIZE_MAX;
        buf_add_str(out, miss ? "miss" : hit ? "hit" : letters.len ? "bypass" : "");
        return;
    }
    for (size_t g = 0; g < facts->schedules.count; g++)
        if (slice_eq(facts->schedules.items[g].id, id))
            for (size_t i = 0; i < facts->schedules.items[g].ops.count; i++) {
                buf_add(out, facts->schedules.items[g].ops.items[i]);
                buf_add_byte(out, '\n');
            }
}

static bool executed_alike(const struct rank_facts *const *facts, size_t count, size_t n, bool schedule) {
    struct buf first = {0}, other = {0};
    bool any = false, same = true;
    for (size_t r = 0; r < count && same; r++) {
        if (!rank_is_compared(facts[r]) || !facts[r]->execution.count)
            continue;
        other.len = 0;
        add_executed(&other, facts[r], n, schedule);
        if (!any)
            buf_add(&first, buf_slice(&other));
        same = !any || slice_eq(buf_slice(&first), buf_slice(&other));
        any = true;
    }
    buf_free(&first);
    buf_free(&other);
    return same;
}

static void write_execution(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    size_t longest = 0;
    for (size_t r = 0; r < count; r++)
        longest = facts[r]->execution.count > longest ? facts[r]->execution.count : longest;
    jsonw_object(w, "execution");
    jsonw_array(w, "order");
    for (size_t r = 0; r < count && longest; r++) {
        jsonw_object(w, NULL);
        write_rank_number(w, "rank", facts[r]);
        jsonw_array(w, "ids");
        for (size_t i = 0; i < facts[r]->execution.count; i++)
            jsonw_text(w, NULL, facts[r]->execution.items[i]);
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_array(w, "mismatches");
    for (size_t n = 0; n < longest; n++) {
        bool schedule = !executed_alike(facts, count, n, true), cache = !executed_alike(facts, count, n, false);
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

/* Findings that several ranks share are one, with its ranks. */
static void write_findings(struct jsonw *w, const struct rank_facts *const *facts, size_t count) {
    struct shared {
        const struct rank_finding *finding;
        LIST(uint32_t) ranks;
        int64_t time_us;
    };
    struct map known = {0};
    LIST(struct shared) list = {0};
    for (size_t r = 0; r < count; r++)
        for (size_t i = 0; i < facts[r]->findings.count; i++) {
            const struct rank_finding *finding = &facts[r]->findings.items[i];
            struct buf key = {0};
            bool added;
            buf_addf(&key, "%s %llu ", finding->kind, (unsigned long long)finding->place.line);
            buf_add(&key, finding->place.file);
            buf_add_byte(&key, 0);
            buf_add(&key, finding->title);
            uint32_t index = *map_put(&known, buf_slice(&key), (uint32_t)list.count, &added);
            buf_free(&key);
            if (added) {
                MEM_GROW(&list);
                list.items[list.count++] = (struct shared){.finding = finding, .time_us = -1};
            }
            struct shared *shared = &list.items[index];
            MEM_GROW(&shared->ranks);
            shared->ranks.items[shared->ranks.count++] = (uint32_t)r;
            shared->time_us = finding->time_us > shared->time_us ? finding->time_us : shared->time_us;
        }
    jsonw_array(w, "rank_findings");
    for (int severity = SEVERITY_ERROR; severity <= SEVERITY_INFO; severity++)
        for (size_t i = 0; i < list.count; i++) {
            const struct rank_finding *finding = list.items[i].finding;
            if ((int)finding->severity != severity)
                continue;
            jsonw_object(w, NULL);
            jsonw_str(w, "kind", finding->kind);
            jsonw_str(w, "severity", severity_name(finding->severity));
            jsonw_text(w, "title", finding->title);
            jsonw_text(w, "why", finding->why);
            jsonw_text(w, "advice", finding->advice);
            if (finding->place.file.ptr) {
                jsonw_object(w, "place");
                jsonw_text(w, "file", finding->place.file);
                jsonw_u64(w, "line", finding->place.line);
                jsonw_text(w, "function", finding->place.function);
                jsonw_end_object(w);
            } else {
                jsonw_null(w, "place");
            }
            jsonw_known(w, "time_us", list.items[i].time_us);
            jsonw_array(w, "dirs");
            for (size_t r = 0; r < list.items[i].ranks.count; r++)
                jsonw_str(w, NULL, facts[list.items[i].ranks.items[r]]->dir);
            jsonw_end_array(w);
            jsonw_end_object(w);
        }
    jsonw_end_array(w);
    for (size_t i = 0; i < list.count; i++)
        free(list.items[i].ranks.items);
    free(list.items);
    map_free(&known);
}

void ranks_json_add(struct buf *out, const struct rank_facts *const *facts, size_t count) {
    struct jsonw w = {.out = out, .filled = 1}; /* inside an object that has members already */
    write_ranks(&w, facts, count);
    jsonw_object(&w, "divergence");
    for (int aspect = 0; aspect < ASPECTS; aspect++)
        write_divergence(&w, facts, count, aspect);
    jsonw_end_object(&w);
    write_matrix(&w, facts, count);
    write_runtime(&w, facts, count);
    write_schedules(&w, facts, count);
    write_execution(&w, facts, count);
    write_findings(&w, facts, count);
}
