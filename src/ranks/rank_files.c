
#include "ranks/landing.h"

#include <math.h>

#include "base/jsonw.h"
#include "pipeline/pipeline.h"

static void write_schedules(const struct rank_facts *const *facts, size_t count, struct files *files) {
    struct stream stream;
    stream_open(&stream, files, "collective_schedules.json");
    struct jsonw w = {.out = &stream.buf};
    jsonw_array(&w, NULL);
    for (size_t r = 0; r < count; r++)
        for (size_t g = 0; g < facts[r]->schedules.count; g++) {
            const struct rank_graph *graph = &facts[r]->schedules.items[g];
            jsonw_object(&w, NULL);
            JSON_ADD(&w, "rank", facts[r]->rank, "graph", graph->folder);
            JSON_LIST(&w, "ops", i, graph->ops.count, graph->ops.items[i]);
            jsonw_end_object(&w);
            stream_flush_if_full(&stream);
        }
    jsonw_end_array(&w);
    stream_close(&stream);
}

static void write_runtimes(const struct rank_facts *const *facts, size_t count, struct files *files) {
    struct stream stream;
    stream_open(&stream, files, "runtime_estimations.json");
    struct jsonw w = {.out = &stream.buf};
    jsonw_array(&w, NULL);
    for (size_t r = 0; r < count; r++)
        for (size_t g = 0; g < facts[r]->runtimes.count; g++) {
            const struct rank_graph *graph = &facts[r]->runtimes.items[g];
            jsonw_object(&w, NULL);
            JSON_ADD(&w, "rank", facts[r]->rank, "graph", graph->folder);
            jsonw_array(&w, "ops");
            for (size_t i = 0; i < graph->timed.count; i++) {
                jsonw_object(&w, NULL);
                jsonw_text(&w, "name", graph->timed.items[i].name);
                jsonw_double(&w, "estimated_runtime_ns", graph->timed.items[i].ns);
                jsonw_end_object(&w);
            }
            jsonw_end_array(&w);
            jsonw_end_object(&w);
            stream_flush_if_full(&stream);
        }
    jsonw_end_array(&w);
    stream_close(&stream);
}

static void meta_event(struct jsonw *w, const char *name, uint64_t rank, int64_t thread, const char *arg,
                       struct slice text, uint64_t number) {
    jsonw_object(w, NULL);
    JSON_ADD(w, "name", name, "ph", "M", "pid", rank);
    if (thread >= 0)
        jsonw_u64(w, "tid", (uint64_t)thread);
    jsonw_object(w, "args");
    if (text.ptr)
        jsonw_text(w, arg, text);
    else
        jsonw_u64(w, arg, number);
    jsonw_end_object(w);
    jsonw_end_object(w);
}

static void graph_events(struct jsonw *w, const struct rank_facts *facts, const struct rank_graph *graph,
                         size_t thread) {
    struct buf name = {0};
    uint64_t at = 0;
    buf_addf(&name, "graph %.*s", SLICE_ARG(graph->folder));
    meta_event(w, "thread_name", facts->rank, (int64_t)thread, "name", buf_slice(&name), 0);
    meta_event(w, "thread_sort_index", facts->rank, (int64_t)thread, "sort_index", (struct slice){0}, thread);
    buf_free(&name);
    for (size_t i = 0; i < graph->timed.count; i++) {
        double us = ceil(graph->timed.items[i].ns / 1000);
        uint64_t duration = us >= 1 && us < 1e15 ? (uint64_t)us : 1;
        jsonw_object(w, NULL);
        JSON_ADD(w, "name", graph->timed.items[i].name, "ph", "X", "cat", "runtime", "ts", at, "dur", duration, "pid",
                 facts->rank);
        jsonw_u64(w, "tid", thread);
        jsonw_object(w, "args");
        JSON_ADD(w, "graph", graph->folder, "rank", facts->rank, "runtime_ns",
                 graph->timed.items[i].ns > 0 && graph->timed.items[i].ns < 9e18 ? (uint64_t)graph->timed.items[i].ns
                                                                                 : 0);
        jsonw_end_object(w);
        jsonw_end_object(w);
        at += duration;
    }
}

static void write_trace(const struct rank_facts *const *facts, size_t count, struct files *files) {
    struct stream stream;
    stream_open(&stream, files, "chromium_trace_with_runtime.json");
    struct jsonw w = {.out = &stream.buf};
    jsonw_array(&w, NULL);
    for (size_t r = 0; r < count; r++) {
        AUTO_BUF name = {0};
        if (!facts[r]->runtimes.count)
            continue;
        buf_addf(&name, "Rank %" PRIu64, facts[r]->rank);
        meta_event(&w, "process_name", facts[r]->rank, -1, "name", buf_slice(&name), 0);
        meta_event(&w, "process_sort_index", facts[r]->rank, -1, "sort_index", (struct slice){0}, facts[r]->rank);
        for (size_t g = 0; g < facts[r]->runtimes.count; g++) {
            graph_events(&w, facts[r], &facts[r]->runtimes.items[g], g + 1);
            stream_flush_if_full(&stream);
        }
    }
    jsonw_end_array(&w);
    stream_close(&stream);
}

void rank_files_write(const struct rank_facts *const *facts, size_t count, struct files *files) {
    bool schedules = false, runtimes = false;
    for (size_t r = 0; r < count; r++) {
        schedules |= facts[r]->schedules.count > 0;
        runtimes |= facts[r]->runtimes.count > 0;
    }
    if (schedules)
        write_schedules(facts, count, files);
    if (runtimes) {
        write_runtimes(facts, count, files);
        write_trace(facts, count, files);
    }
}

void rank_parity_write(const struct rank_facts *facts, struct files *files) {
    AUTO_BUF json = {0}, path = {0};
    struct jsonw w = {.out = &json};
    jsonw_object(&w, NULL);
    jsonw_str(&w, "description",
              "Difference of # of collectives in scheduler and inductor output code and missing wait collectives");
    jsonw_array(&w, "graphs");
    for (size_t i = 0; i < facts->parity.count; i++) {
        const struct rank_parity *parity = &facts->parity.items[i];
        jsonw_object(&w, NULL);
        JSON_ADD(&w, "graph", parity->folder, "compile_id", parity->key);
        JSON_MEMBERS(&w, parity, offset, missing_waits);
        jsonw_end_object(&w);
    }
    jsonw_end_array(&w);
    jsonw_end_object(&w);
    buf_add_byte(&json, '\n');
    buf_addf(&path, "%s%scollectives_parity.json", facts->dir, facts->dir[0] ? "/" : "");
    files_write(files, buf_slice(&path), buf_slice(&json));
}

void rank_events_write(const struct spooled *const *events, size_t count, struct files *files) {
    struct stream stream;
    bool any = false;
    stream_open(&stream, files, "chromium_events.json");
    stream_add(&stream, SLICE("["));
    for (size_t r = 0; r < count; r++) {
        if (any && events[r]->bytes)
            stream_add(&stream, SLICE(","));
        any |= events[r]->bytes > 0;
        spooled_copy(events[r], &stream);
    }
    stream_add(&stream, SLICE("\n]\n"));
    stream_close(&stream);
}
