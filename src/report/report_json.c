#define _POSIX_C_SOURCE 200809L /* gmtime_r */
#include "report/report_json.h"

#include <stdio.h>
#include <time.h>

#include "base/jsonw.h"
#include "base/mem.h"
#include "base/path.h"
#include "report/config_json.h"
#include "report/export_json.h"
#include "report/kernels.h"
#include "report/log_json.h"
#include "report/passes.h"
#include "report/phases.h"
#include "report/place_json.h"
#include "report/recompiles_json.h"
#include "report/script.h"
#include "report/shapes_json.h"
#include "report/stages.h"
#include "report/timeline.h"
#include "report/vllm.h"

enum { PART_COMPILES = 32 };

static void write_ids(struct jsonw *w, const char *key, const struct report *report, const uint32_t *items,
                      size_t count) {
    jsonw_array(w, key);
    for (size_t i = 0; i < count; i++)
        jsonw_text(w, NULL, report->compiles.items[items[i]]->id);
    jsonw_end_array(w);
}

static void write_texts(struct jsonw *w, const char *key, const struct slice *items, size_t count) {
    jsonw_array(w, key);
    for (size_t i = 0; i < count; i++)
        jsonw_text(w, NULL, items[i]);
    jsonw_end_array(w);
}

/* Seconds and microseconds since the epoch as ISO 8601. */
static struct slice iso_time(char text[32], int64_t us) {
    time_t seconds = (time_t)(us / 1000000);
    struct tm tm;
    if (us <= 0 || !gmtime_r(&seconds, &tm))
        return (struct slice){0};
    return slice_make(text, strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &tm));
}

static void write_run(struct jsonw *w, const struct report *report) {
    char started[32];
    jsonw_object(w, "run");
    jsonw_text(w, "torch", report->torch);
    jsonw_text(w, "python", report->python);
    jsonw_text(w, "cuda", report->cuda);
    jsonw_text(w, "triton", report->triton);
    jsonw_known(w, "rank", report->has_rank ? (int64_t)report->rank : -1);
    jsonw_known(w, "world_size", report->world_size ? (int64_t)report->world_size : -1);
    jsonw_text(w, "started", iso_time(started, report->first_us));
    jsonw_known(w, "duration_us", report->first_us ? report->last_us - report->first_us : -1);
    jsonw_bool(w, "vllm", report->vllm);
    if (report->inner)
        jsonw_str(w, "parent", "..");
    jsonw_end_object(w);
}

static void write_failure(struct jsonw *w, const char *key, const struct report *report, int64_t index) {
    if (index < 0) {
        jsonw_null(w, key);
        return;
    }
    const struct failure *failure = &report->failures.items[index];
    jsonw_object(w, key);
    jsonw_text(w, "type", failure->type);
    jsonw_text(w, "reason", failure->reason);
    jsonw_text(w, "file", failure->place.file);
    jsonw_known(w, "line", failure->place.file.ptr ? (int64_t)failure->place.line : -1);
    jsonw_end_object(w);
}

static void write_text_facts(struct jsonw *w, const struct text_facts *facts) {
    if (facts->graph.graphs) {
        jsonw_object(w, "graph");
        jsonw_u64(w, "graphs", facts->graph.graphs);
        jsonw_u64(w, "inputs", facts->graph.inputs);
        jsonw_u64(w, "ops", facts->graph.ops);
        jsonw_u64(w, "nodes", facts->graph.nodes);
        if (facts->graph.inner_ops)
            jsonw_u64(w, "inner_ops", facts->graph.inner_ops);
        jsonw_end_object(w);
    }
    if (facts->kernels)
        jsonw_u64(w, "kernels", facts->kernels);
    if (facts->instructions)
        jsonw_u64(w, "instructions", facts->instructions);
    if (facts->guards) {
        jsonw_object(w, "guards");
        jsonw_u64(w, "count", facts->guards);
        jsonw_u64(w, "more", facts->more_guards);
        jsonw_array(w, "list");
        jsonw_u64(w, NULL, facts->list_offset);
        jsonw_u64(w, NULL, facts->list_bytes);
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
}

static void write_artifacts(struct jsonw *w, const struct report *report, const struct compile *compile) {
    jsonw_array(w, "artifacts");
    for (size_t i = 0; i < compile->artifacts.count; i++) {
        const struct artifact *artifact = &report->artifacts.items[compile->artifacts.items[i]];
        const struct folder *folder = &report->folders.items[artifact->folder];
        jsonw_object(w, NULL);
        jsonw_text(w, "name", artifact->name);
        jsonw_text(w, "kind", artifact->kind);
        jsonw_text(w, "url", artifact->url);
        jsonw_u64(w, "bytes", artifact->bytes);
        jsonw_u64(w, "line", artifact->line);
        jsonw_known(w, "number", artifact->number);
        jsonw_known(w, "attempt", folder->attempt);
        jsonw_str(w, "suffix", artifact_suffix(artifact));
        jsonw_text(w, "readable_url", artifact->readable_url.len ? artifact->readable_url : (struct slice){0});
        jsonw_text(w, "dir", folder->name);
        if (artifact->has_text) {
            jsonw_array(w, "text");
            jsonw_u64(w, NULL, artifact->text_offset);
            jsonw_u64(w, NULL, artifact->bytes);
            jsonw_end_array(w);
        } else {
            jsonw_null(w, "text");
        }
        jsonw_str(w, "lang", artifact->lang);
        jsonw_text(w, "subgraph", artifact->subgraph);
        if (artifact->payload_url.ptr)
            jsonw_text(w, "payload_url", artifact->payload_url);
        if (artifact->facts)
            write_text_facts(w, artifact->facts);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_details(struct jsonw *w, const struct report *report, const struct compile *compile) {
    write_artifacts(w, report, compile);
    stages_write(w, "stages", report, compile);
    passes_write(w, report, compile);
    jsonw_raw(w, "metrics", compile->metrics);
    jsonw_raw(w, "backward_metrics", compile->backward_metrics);
}

static void write_numbers(struct jsonw *w, const struct compile *compile) {
    jsonw_known(w, "time_us", compile->time_us);
    jsonw_object(w, "phases_us");
    for (int phase = 0; phase < PHASES; phase++)
        if (compile->phases_us[phase] >= 0)
            jsonw_known(w, phase_name(phase), compile->phases_us[phase]);
    jsonw_end_object(w);
    jsonw_object(w, "graph");
    jsonw_known(w, "ops", compile->ops);
    jsonw_known(w, "nodes", compile->nodes);
    jsonw_known(w, "inputs", compile->inputs);
    jsonw_end_object(w);
    jsonw_known(w, "guards", compile->guards);
}

/* Pages of its attempts; the member is there where there are any. */
static void write_provenance(struct jsonw *w, const struct report *report, const struct compile *compile) {
    bool any = false;
    for (size_t i = 0; i < compile->folders.count; i++) {
        uint32_t entry = report->folders.items[compile->folders.items[i]].entry;
        struct slice page = report->entries.items[entry].provenance;
        if (!page.ptr || (i && report->folders.items[compile->folders.items[i - 1]].entry == entry))
            continue;
        if (!any)
            jsonw_array(w, "provenance");
        any = true;
        jsonw_text(w, NULL, page);
    }
    if (any)
        jsonw_end_array(w);
}

/* With the table of stacks: as report.json has it, with all details; without: as the summary. */
static void write_compile(struct jsonw *w, const struct report *report, const struct compile *compile,
                          struct stack_table *stacks) {
    jsonw_object(w, NULL);
    jsonw_text(w, "id", compile->id);
    jsonw_known(w, "frame_id", compile->frame_id);
    jsonw_array(w, "attempts");
    for (size_t i = 0; i < compile->attempts.count; i++)
        jsonw_known(w, NULL, compile->attempts.items[i]);
    jsonw_end_array(w);
    jsonw_array(w, "dirs");
    for (size_t i = 0; i < compile->folders.count; i++)
        jsonw_text(w, NULL, report->folders.items[compile->folders.items[i]].name);
    jsonw_end_array(w);
    jsonw_str(w, "status", status_name(compile_status(compile)));
    place_json_write(w, "frame", &compile->frame);
    jsonw_text(w, "subgraph", compile->subgraph);
    jsonw_known(w, "stack", compile->stack ? (int64_t)compile->stack->index : -1);
    write_numbers(w, compile);
    write_texts(w, "recompile_reasons", compile->reasons.items, compile->reasons.count);
    write_texts(w, "restarts", compile->restarts.items, compile->restarts.count);
    write_failure(w, "failure", report, compile->failure);
    write_failure(w, "backward_failure", report, compile->backward_failure);
    jsonw_array(w, "graph_breaks");
    for (size_t i = 0; i < compile->breaks.count; i++)
        jsonw_u64(w, NULL, compile->breaks.items[i]);
    jsonw_end_array(w);
    write_provenance(w, report, compile);
    jsonw_array(w, "cache");
    for (size_t i = 0; i < compile->caches.count; i++) {
        jsonw_object(w, NULL);
        jsonw_str(w, "cache", compile->caches.items[i].cache);
        jsonw_str(w, "result", compile->caches.items[i].result);
        jsonw_text(w, "reason", compile->caches.items[i].reason);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_u64(w, "artifact_count", compile->artifacts.count);
    jsonw_u64(w, "bytes", compile->bytes);
    if (shapes_any(compile))
        shapes_write_counts(w, "shape_counts", compile);
    passes_write_counts(w, report, compile);
    if (stacks) {
        write_details(w, report, compile);
        if (shapes_any(compile))
            shapes_write(w, "shapes", report, compile, stacks);
    }
    jsonw_end_object(w);
}

/* "<eval_with_key>.7" in line 12 → "dump_file/eval_with_key_7.html#L12", where such a file was dumped. */
static void write_dump(struct jsonw *w, const struct report *report, const struct frame *frame) {
    static const struct slice key = {"<eval_with_key>.", 16};
    struct buf name = {0};
    uint64_t number;
    if (slice_starts(frame->file, key) && slice_to_u64(slice_from(frame->file, key.len), &number))
        buf_addf(&name, "eval_with_key_%.*s", SLICE_ARG(slice_from(frame->file, key.len)));
    if (name.len && map_get(&report->dump_map, buf_slice(&name)) != MAP_NONE) {
        struct buf url = {0};
        buf_addf(&url, "dump_file/%.*s.html#L%llu", SLICE_ARG(buf_slice(&name)), (unsigned long long)frame->line);
        jsonw_text(w, "dump", buf_slice(&url));
        buf_free(&url);
    } else {
        jsonw_null(w, "dump");
    }
    buf_free(&name);
}

static void write_frame_fields(struct jsonw *w, const struct frame *frame) {
    jsonw_text(w, "function", frame->function);
    jsonw_text(w, "file", frame->file);
    jsonw_u64(w, "line", frame->line);
    jsonw_text(w, "code", frame->code);
}

/* To a time of which -1 says that it is not known. */
static void add_time(int64_t *time, int64_t more) {
    *time = (*time < 0 ? 0 : *time) + more;
}

static void write_stacks(struct jsonw *w, const struct report_view *view) {
    const struct stacks *starts = &view->report->starts;
    /* Compiles by the node at which they start: a list through two arrays. */
    size_t nodes = starts->nodes.count, count = view->report->compiles.count;
    uint32_t *first = mem_alloc((nodes + 1) * sizeof *first), *next = mem_alloc((count + 1) * sizeof *next);
    int64_t *times = mem_alloc((nodes + 1) * sizeof *times);
    memset(first, 0xff, (nodes + 1) * sizeof *first);
    for (size_t n = 0; n < nodes; n++)
        times[n] = -1;
    for (size_t i = count; i-- > 0;) {
        const struct compile *compile = view->report->compiles.items[view->order[i]];
        if (!compile->stack)
            continue;
        next[i] = first[compile->stack->index];
        first[compile->stack->index] = (uint32_t)i;
        if (compile->time_us >= 0)
            add_time(&times[compile->stack->index], compile->time_us);
    }
    for (size_t n = nodes; n-- > 0;) /* nodes stand behind their parents */
        if (starts->nodes.items[n]->parent && times[n] >= 0)
            add_time(&times[starts->nodes.items[n]->parent->index], times[n]);
    jsonw_array(w, "stacks");
    for (size_t n = 0; n < nodes; n++) {
        const struct stack_node *node = starts->nodes.items[n];
        jsonw_object(w, NULL);
        jsonw_i64(w, "parent", node->parent ? (int64_t)node->parent->index : -1);
        write_frame_fields(w, node->frame);
        write_dump(w, view->report, node->frame);
        jsonw_known(w, "time_us", times[n]);
        jsonw_array(w, "compiles");
        for (uint32_t i = first[n]; i != UINT32_MAX; i = next[i])
            jsonw_text(w, NULL, view->report->compiles.items[view->order[i]]->id);
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    mem_free(first);
    mem_free(next);
    mem_free(times);
}

static void write_breaks(struct jsonw *w, const struct report *report) {
    jsonw_array(w, "graph_breaks");
    for (size_t i = 0; i < report->breaks.count; i++) {
        const struct graph_break *found = report->breaks.items[i];
        int64_t time = -1;
        for (size_t c = 0; c < found->compiles.count; c++) {
            int64_t one = report->compiles.items[found->compiles.items[c]]->time_us;
            if (one >= 0)
                time = (time < 0 ? 0 : time) + one;
        }
        jsonw_object(w, NULL);
        jsonw_text(w, "id", found->gb_id);
        jsonw_text(w, "reason", found->reason);
        jsonw_text(w, "explanation", found->explanation.ptr ? found->explanation : SLICE(""));
        write_texts(w, "hints", found->hints.items, found->hints.count);
        jsonw_text(w, "url", found->url);
        place_json_write(w, "place", &found->place);
        jsonw_array(w, "stack");
        for (size_t f = 0; f < found->stack.count; f++) {
            jsonw_object(w, NULL);
            write_frame_fields(w, &found->stack.items[f]);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_u64(w, "count", found->count);
        write_ids(w, "compiles", report, found->compiles.items, found->compiles.count);
        jsonw_known(w, "time_us", time);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_recompiles(struct jsonw *w, const struct report_view *view) {
    jsonw_array(w, "recompiles");
    for (size_t i = 0; i < view->chains->list.count; i++) {
        const struct chain *chain = &view->chains->list.items[i];
        jsonw_object(w, NULL);
        place_json_write(w, "frame", &chain->frame);
        write_ids(w, "chain", view->report, chain->compiles.items, chain->compiles.count);
        jsonw_bool(w, "limit_hit", chain->limit_hit);
        jsonw_array(w, "causes");
        for (size_t c = 0; c < chain->causes.count; c++) {
            const struct cause *cause = &chain->causes.items[c];
            jsonw_object(w, NULL);
            jsonw_text(w, "guard", cause->guard);
            jsonw_text(w, "source", cause->source);
            jsonw_u64(w, "count", cause->count);
            jsonw_text(w, "first", cause->first);
            jsonw_text(w, "example", cause->example);
            jsonw_text(w, "code", cause->code);
            place_json_write(w, "place", &cause->place);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        recompile_steps_write(w, view->report, chain);
        jsonw_u64(w, "time_us", (uint64_t)chain->time_us);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_failures(struct jsonw *w, const struct report *report) {
    for (int backward = 0; backward < 2; backward++) {
        jsonw_array(w, backward ? "backward_failures" : "failures");
        for (size_t i = 0; i < report->failures.count; i++) {
            const struct failure *failure = &report->failures.items[i];
            if (failure->backward != backward)
                continue;
            jsonw_object(w, NULL);
            jsonw_text(w, "compile", report->compiles.items[failure->compile]->id);
            jsonw_known(w, "attempt", report->folders.items[failure->folder].attempt);
            jsonw_text(w, "type", failure->type);
            jsonw_text(w, "reason", failure->reason);
            place_json_write(w, "place", &failure->place);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
    }
}

static void write_caches(struct jsonw *w, const struct report *report) {
    static const char *const caches[] = {"fx_graph", "aotautograd"}, *const results[] = {"hit", "miss", "bypass"};
    jsonw_object(w, "caches");
    for (int cache = 0; cache < 2; cache++) {
        jsonw_object(w, caches[cache]);
        for (int result = 0; result < 3; result++)
            jsonw_u64(w, results[result], report->cache_counts[cache][result]);
        jsonw_end_object(w);
    }
    jsonw_end_object(w);
}

static void write_findings(struct jsonw *w, const struct report_view *view) {
    jsonw_array(w, "findings");
    for (size_t i = 0; i < view->findings->list.count; i++) {
        const struct finding *finding = &view->findings->list.items[i];
        jsonw_object(w, NULL);
        jsonw_str(w, "kind", finding->kind);
        jsonw_str(w, "severity", severity_name(finding->severity));
        jsonw_str(w, "impact", impact_name(finding->impact));
        jsonw_text(w, "title", finding->title);
        place_json_write(w, "place", &finding->place);
        write_ids(w, "compiles", view->report, finding->compiles.items, finding->compiles.count);
        jsonw_known(w, "time_us", finding->time_us);
        jsonw_text(w, "why", finding->why);
        jsonw_text(w, "advice", finding->advice);
        jsonw_text(w, "link", finding->link);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* Sums over the compiles that a frame has: how they ended, and where the time went. */
static void write_totals(struct jsonw *w, const struct report *report) {
    static const enum status order[] = {STATUS_OK, STATUS_RESTART, STATUS_ERROR, STATUS_EMPTY, STATUS_MISSING};
    uint64_t statuses[STATUS_ERROR + 1] = {0}, restarts = 0;
    int64_t time = -1, restart = -1, timers[PHASES], own[PHASES];
    for (int phase = 0; phase < PHASES; phase++)
        timers[phase] = -1;
    for (size_t i = 0; i < report->compiles.count; i++) {
        const struct compile *compile = report->compiles.items[i];
        phases_add(timers, compile->phases_us);
        if (!compile->framed)
            continue;
        statuses[compile_status(compile)]++;
        restarts += compile->restarts.count;
        if (compile->time_us >= 0)
            time = (time < 0 ? 0 : time) + compile->time_us;
        if (compile->restart_us >= 0)
            restart = (restart < 0 ? 0 : restart) + compile->restart_us;
    }
    phases_own(timers, own);
    jsonw_object(w, "totals");
    jsonw_u64(w, "compiles", report->framed_count);
    jsonw_object(w, "statuses");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        jsonw_u64(w, status_name(order[i]), statuses[order[i]]);
    jsonw_end_object(w);
    jsonw_u64(w, "restarts", restarts);
    jsonw_known(w, "time_us", time);
    jsonw_known(w, "restart_us", restart);
    for (int alone = 0; alone < 2; alone++) {
        jsonw_object(w, alone ? "own_us" : "phases_us");
        for (int phase = 0; phase < PHASES; phase++)
            if (timers[phase] >= 0)
                jsonw_known(w, phase_name(phase), alone ? own[phase] : timers[phase]);
        jsonw_end_object(w);
    }
    jsonw_end_object(w);
}

/* Everything before the compiles, the open object included. */
static void write_head(struct jsonw *w, const struct report_view *view, bool whole) {
    const struct report *report = view->report;
    jsonw_object(w, NULL);
    jsonw_str(w, "format", "tlparse-report");
    jsonw_u64(w, "version", 1);
    jsonw_object(w, "tool");
    jsonw_str(w, "name", "tlparse");
    jsonw_str(w, "version", TLPARSE_VERSION);
    jsonw_end_object(w);
    write_run(w, report);
    log_json_add(w, view, whole);
}

/* Everything behind the compiles, without the end of the object. */
static void write_rest(struct jsonw *w, const struct report_view *view, bool whole) {
    write_stacks(w, view);
    write_breaks(w, view->report);
    write_recompiles(w, view);
    write_failures(w, view->report);
    write_caches(w, view->report);
    write_findings(w, view);
    write_totals(w, view->report);
    config_differences_json_write(w, "config_differences", view->report);
    kernels_json_write(w, "kernels", view->report, whole);
    export_json_write(w, "export", view->report, whole);
    vllm_json_add(w, "vllm", view->report);
    timeline_json_add(w, "timeline", view->report->timeline);
    buf_add(w->out, view->extra);
}

void report_json_write(const struct report_view *view, struct files *files) {
    struct stream stream;
    struct stack_table stacks;
    stream_open(&stream, files, "report.json");
    stack_table_init(&stacks, view->report);
    struct jsonw w = {.out = &stream.buf};
    write_head(&w, view, true);
    configs_json_write(&w, "configs", view->report);
    jsonw_array(&w, "compiles");
    for (size_t i = 0; i < view->report->compiles.count; i++) {
        write_compile(&w, view->report, view->report->compiles.items[view->order[i]], &stacks);
        stream_flush_if_full(&stream);
    }
    jsonw_end_array(&w);
    stack_table_write(&w, "shape_stacks", &stacks);
    stack_table_free(&stacks);
    write_rest(&w, view, true);
    jsonw_end_object(&w);
    buf_add_byte(&stream.buf, '\n');
    stream_close(&stream);
}

static void write_script(struct files *files, const char *name, struct slice key, const struct buf *json) {
    struct buf script = {0};
    script_add_put(&script, key, buf_slice(json));
    files_write(files, slice_str(name), buf_slice(&script));
    buf_free(&script);
}

/* The details of the compiles, some to a script. */
static void write_parts(const struct report_view *view, struct files *files) {
    size_t count = view->report->compiles.count;
    struct buf json = {0};
    for (size_t part = 0; part * PART_COMPILES < count; part++) {
        char name[64], key[64];
        struct jsonw w = {.out = &json};
        json.len = 0;
        jsonw_array(&w, NULL);
        for (size_t i = part * PART_COMPILES; i < count && i < (part + 1) * PART_COMPILES; i++) {
            jsonw_object(&w, NULL);
            write_details(&w, view->report, view->report->compiles.items[view->order[i]]);
            jsonw_end_object(&w);
        }
        jsonw_end_array(&w);
        snprintf(name, sizeof name, "data/compiles.%zu.js", part);
        snprintf(key, sizeof key, "compiles/%zu", part);
        write_script(files, name, slice_str(key), &json);
    }
    buf_free(&json);
}

/* The symbols of the compiles, cut as the details; a part without any is not written. */
static void write_shapes(const struct report_view *view, struct files *files) {
    size_t count = view->report->compiles.count;
    struct stack_table stacks;
    struct buf json = {0};
    stack_table_init(&stacks, view->report);
    for (size_t part = 0; part * PART_COMPILES < count; part++) {
        char name[64], key[64];
        bool any = false;
        struct jsonw w = {.out = &json};
        json.len = 0;
        jsonw_object(&w, NULL);
        jsonw_array(&w, "compiles");
        for (size_t i = part * PART_COMPILES; i < count && i < (part + 1) * PART_COMPILES; i++) {
            const struct compile *compile = view->report->compiles.items[view->order[i]];
            any |= shapes_any(compile);
            shapes_write(&w, NULL, view->report, compile, &stacks);
        }
        jsonw_end_array(&w);
        stack_table_write(&w, "stacks", &stacks);
        stack_table_clear(&stacks);
        jsonw_end_object(&w);
        snprintf(name, sizeof name, "data/shapes.%zu.js", part);
        snprintf(key, sizeof key, "shapes/%zu", part);
        if (any)
            write_script(files, name, slice_str(key), &json);
    }
    stack_table_free(&stacks);
    buf_free(&json);
}

static void write_part_table(struct jsonw *w, const struct report *report) {
    jsonw_object(w, "parts");
    jsonw_u64(w, "compiles", PART_COMPILES);
    jsonw_bool(w, "configs", report->configs.count > 0);
    jsonw_u64(w, "kernels", kernels_parts(report));
    jsonw_object(w, "texts");
    for (size_t i = 0; i < report->folders.count; i++) {
        const struct folder *folder = &report->folders.items[i];
        if (!folder->text_bytes)
            continue;
        jsonw_key(w, folder->name);
        jsonw_array(w, NULL);
        for (size_t c = 0; c < folder->chunks.count; c++)
            jsonw_u64(w, NULL, folder->chunks.items[c]);
        jsonw_u64(w, NULL, folder->text_bytes);
        jsonw_end_array(w);
    }
    jsonw_end_object(w);
    jsonw_end_object(w);
}

void page_data_write(const struct report_view *view, struct files *files) {
    struct buf json = {0};
    struct jsonw w = {.out = &json};
    files_folder(files, SLICE("data/"));
    write_head(&w, view, false);
    jsonw_array(&w, "compiles");
    for (size_t i = 0; i < view->report->compiles.count; i++)
        write_compile(&w, view->report, view->report->compiles.items[view->order[i]], NULL);
    jsonw_end_array(&w);
    write_rest(&w, view, false);
    write_part_table(&w, view->report);
    jsonw_end_object(&w);
    write_script(files, "data/report.js", SLICE("report"), &json);
    write_parts(view, files);
    kernels_parts_write(view->report, files);
    write_shapes(view, files);
    json.len = 0;
    w = (struct jsonw){.out = &json};
    log_shares_add(&w, view);
    write_script(files, "data/log.js", SLICE("log"), &json);
    if (view->report->configs.count) {
        json.len = 0;
        w = (struct jsonw){.out = &json};
        configs_json_write(&w, NULL, view->report);
        write_script(files, "data/configs.js", SLICE("configs"), &json);
    }
    if (exports_shown(view->report)) {
        json.len = 0;
        w = (struct jsonw){.out = &json};
        export_json_write(&w, NULL, view->report, true);
        write_script(files, "data/export.js", SLICE("export"), &json);
    }
    buf_free(&json);
}

void directory_write(const struct report *report, struct files *files) {
    struct stream stream;
    stream_open(&stream, files, "compile_directory.json");
    struct jsonw w = {.out = &stream.buf};
    jsonw_object(&w, NULL);
    for (size_t i = 0; i < report->entries.count; i++) {
        const struct entry *entry = &report->entries.items[i];
        if (!entry->listed)
            continue;
        jsonw_key(&w, entry->key);
        jsonw_object(&w, NULL);
        jsonw_array(&w, "artifacts");
        for (size_t a = 0; a < entry->artifacts.count; a++) {
            const struct artifact *artifact = &report->artifacts.items[entry->artifacts.items[a]];
            jsonw_object(&w, NULL);
            jsonw_text(&w, "url", artifact->url);
            jsonw_text(&w, "name", artifact->outer ? artifact->name : path_last(artifact->url));
            jsonw_known(&w, "number", artifact->number);
            jsonw_str(&w, "suffix", artifact_suffix(artifact));
            jsonw_text(&w, "readable_url", artifact->readable_url);
            jsonw_end_object(&w);
        }
        jsonw_end_array(&w);
        jsonw_end_object(&w);
        stream_flush_if_full(&stream);
    }
    jsonw_end_object(&w);
    buf_add_byte(&stream.buf, '\n');
    stream_close(&stream);
}
