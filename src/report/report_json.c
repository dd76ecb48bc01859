
#include "report/report_json.h"
#include "model/cache_keys.h"

#include <time.h>

#include "advice/advice.h"
#include "analysis/timeline.h"
#include "base/jsonw.h"
#include "modules/module_instances.h"
#include "pages/page_parts.h"
#include "report/members.h"
#include "report/saved_modules.h"
#include "scan/error_text.h"
#include "scan/library.h"

static void write_ids(struct jsonw *w, const char *key, const struct model *model, const uint32_t *items,
                      size_t count) {
    JSON_LIST(w, key, i, count, model->compiles.items[items[i]]->key);
}

/* Seconds and microseconds since the epoch as ISO 8601. */
static struct slice iso_time(char text[32], int64_t us) {
    time_t seconds = (time_t)(us / 1000000);
    struct tm tm;
    if (us <= 0 || !gmtime_r(&seconds, &tm))
        return (struct slice){0};
    return slice_make(text, strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &tm));
}

/* The world size in the log's graphs if it is plausible, otherwise -1. */
static int64_t world_size(const struct model *model) {
    const struct world_hints *world = &model->world;
    bool good = world->size && !world->contradicts && world->size >= world->at_least &&
                (!model->has_rank || model->rank < world->size);
    return good ? (int64_t)world->size : -1;
}

static void write_run(struct jsonw *w, const struct model *model) {
    char started[32];
    jsonw_object(w, "run");
    JSON_MEMBERS(w, model, torch, python, cuda, triton);
    if (model->torch_commit.len)
        jsonw_text(w, "torch_commit", model->torch_commit);
    struct slice device = cache_keys_device(model);
    if (device.len)
        jsonw_text(w, "device", device);
    JSON_ADD(w, "rank", model->has_rank ? (int64_t)model->rank : -1, "world_size", world_size(model), "started",
             iso_time(started, model->run_first_us), "duration_us",
             model->run_first_us ? model->run_last_us - model->run_first_us : model->prefixes_us, "vllm", model->vllm);
    if (model->inner)
        jsonw_str(w, "parent", "..");
    jsonw_end_object(w);
}

/* "<eval_with_key>.7" in line 12 → "dump_file/eval_with_key_7.html#L12", if such a file was dumped. */
static void write_dump(struct jsonw *w, const struct model *model, const struct frame *frame) {
    static const struct slice key = SLICE_INIT("<eval_with_key>.");
    AUTO_BUF name = {0};
    uint64_t number;
    if (slice_starts(frame->file, key) && slice_to_u64(slice_from(frame->file, key.len), &number))
        buf_addf(&name, "eval_with_key_%.*s", SLICE_ARG(slice_from(frame->file, key.len)));
    if (name.len && map_get(&model->dump_map, buf_slice(&name)) != MAP_NONE) {
        AUTO_BUF url = {0};
        buf_addf(&url, "dump_file/%.*s.html#L%" PRIu64, SLICE_ARG(buf_slice(&name)), frame->line);
        jsonw_text(w, "dump", buf_slice(&url));
    } else {
        jsonw_null(w, "dump");
    }
}

static void write_frame_fields(struct jsonw *w, const struct frame *frame) {
    JSON_MEMBERS(w, frame, function, file, line, code);
    jsonw_bool(w, "library", is_library_file(frame->file));
}

static void write_stacks(struct jsonw *w, const struct report_view *view) {
    const struct stacks *starts = &view->model->starts;
    /* Lists of compiles by the node of their start, linked through two arrays. */
    size_t nodes = starts->nodes.count, count = view->model->compiles.count;
    uint32_t *first = mem_alloc((nodes + 1) * sizeof *first), *next = mem_alloc((count + 1) * sizeof *next);
    int64_t *times = mem_alloc((nodes + 1) * sizeof *times);
    memset(first, 0xff, (nodes + 1) * sizeof *first);
    for (size_t n = 0; n < nodes; n++)
        times[n] = -1;
    for (size_t i = count; i-- > 0;) {
        const struct compile *compile = view->model->compiles.items[view->order[i]];
        if (!compile->stack)
            continue;
        next[i] = first[compile->stack->index];
        first[compile->stack->index] = (uint32_t)i;
        add_known(&times[compile->stack->index], compile->time_us);
    }
    for (size_t n = nodes; n-- > 0;) /* children come after their parents */
        if (starts->nodes.items[n]->parent && times[n] >= 0)
            add_known(&times[starts->nodes.items[n]->parent->index], times[n]);
    jsonw_array(w, "stacks");
    for (size_t n = 0; n < nodes; n++) {
        const struct stack_node *node = starts->nodes.items[n];
        jsonw_object(w, NULL);
        jsonw_i64(w, "parent", node->parent ? (int64_t)node->parent->index : -1);
        write_frame_fields(w, node->frame);
        write_dump(w, view->model, node->frame);
        jsonw_known(w, "time_us", times[n]);
        jsonw_array(w, "compiles");
        for (uint32_t i = first[n]; i != UINT32_MAX; i = next[i])
            jsonw_text(w, NULL, view->model->compiles.items[view->order[i]]->key);
        jsonw_end_array(w);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    mem_free(first);
    mem_free(next);
    mem_free(times);
}

static void write_breaks(struct jsonw *w, const struct model *model) {
    jsonw_array(w, "graph_breaks");
    for (size_t i = 0; i < model->breaks.count; i++) {
        const struct graph_break *found = model->breaks.items[i];
        int64_t time = -1;
        for (size_t c = 0; c < found->compiles.count; c++) {
            int64_t one = model->compiles.items[found->compiles.items[c]]->time_us;
            if (one >= 0)
                time = (time < 0 ? 0 : time) + one;
        }
        jsonw_object(w, NULL);
        JSON_ADD(w, "id", found->gb_id, "reason", found->reason, "explanation",
                 found->explanation.ptr ? found->explanation : SLICE(""));
        jsonw_texts(w, "hints", found->hints.items, found->hints.count);
        jsonw_text(w, "url", found->url);
        place_json_write(w, "place", &found->place);
        JSON_MEMBERS(w, found, library, skipped);
        jsonw_bool(w, "exception", !graph_break_counts(found));
        JSON_ADD(w, "then", found->then_reason, "then_id", found->then_id);
        jsonw_array(w, "stack");
        for (size_t f = 0; f < found->stack.count; f++) {
            jsonw_object(w, NULL);
            write_frame_fields(w, &found->stack.items[f]);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        jsonw_u64(w, "count", found->count);
        write_ids(w, "compiles", model, found->compiles.items, found->compiles.count);
        jsonw_known(w, "time_us", time);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* The number of the module that each compile is for, and the class of these modules. */
static void write_modules(struct jsonw *w, const struct model *model, const struct chain *chain) {
    jsonw_array(w, "modules");
    for (size_t i = 0; i < chain->compiles.count; i++)
        jsonw_known(w, NULL, chain->modules[i] == MODULE_NONE ? -1 : (int64_t)chain->modules[i]);
    jsonw_end_array(w);
    jsonw_text(w, "module_class", chain_module_class(model, chain));
}

static void write_recompiles(struct jsonw *w, const struct report_view *view) {
    jsonw_array(w, "recompiles");
    for (size_t i = 0; i < view->chains->list.count; i++) {
        const struct chain *chain = &view->chains->list.items[i];
        jsonw_object(w, NULL);
        const struct compile *first =
            chain->compiles.count ? view->model->compiles.items[chain->compiles.items[0]] : NULL;
        frame_json_write(w, "frame", &chain->frame, first ? first->label : (struct slice){0});
        write_ids(w, "chain", view->model, chain->compiles.items, chain->compiles.count);
        write_modules(w, view->model, chain);
        JSON_MEMBERS(w, chain, recompiles, refused, limit_hit);
        jsonw_array(w, "causes");
        for (size_t c = 0; c < chain->causes.count; c++) {
            const struct cause *cause = &chain->causes.items[c];
            jsonw_object(w, NULL);
            JSON_MEMBERS(w, cause, guard, source);
            recompile_cause_write(w, cause);
            JSON_MEMBERS(w, cause, count, first, example, code);
            place_json_write(w, "place", &cause->place);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
        recompile_steps_write(w, view->model, chain);
        jsonw_u64(w, "time_us", (uint64_t)chain->time_us);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* Writes the sections of a PyTorch text. Writes nothing if the text has none. */
static void write_sections(struct jsonw *w, struct slice text) {
    struct break_text said;
    AUTO_BUF id = {0};
    break_text_read(text, true, &said);
    if (!said.cause.explanation.ptr && !said.hint_count) {
        jsonw_null(w, "sections");
        return;
    }
    jsonw_object(w, "sections");
    break_id_add(&id, said.cause.url);
    jsonw_text(w, "id", id.len ? buf_slice(&id) : (struct slice){0});
    JSON_MEMBERS(w, &said.cause, reason, explanation);
    jsonw_texts(w, "hints", said.hints, said.hint_count);
    JSON_MEMBERS(w, &said.cause, context, url);
    jsonw_text(w, "then", said.then.reason);
    jsonw_end_object(w);
}

static void write_restarts(struct jsonw *w, const struct report_view *view) {
    jsonw_array(w, "restart_causes");
    for (size_t i = 0; i < view->findings->restarts.count; i++) {
        const struct restart_cause *cause = &view->findings->restarts.items[i];
        jsonw_object(w, NULL);
        jsonw_text(w, "reason", restart_reason(cause->text));
        write_sections(w, cause->text);
        write_ids(w, "compiles", view->model, cause->compiles.items, cause->compiles.count);
        jsonw_known(w, "finding", cause->finding == NO_FINDING ? -1 : (int64_t)cause->finding);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_failures(struct jsonw *w, const struct report_view *view) {
    const struct model *model = view->model;
    for (int backward = 0; backward < 2; backward++) {
        jsonw_array(w, backward ? "backward_failures" : "failures");
        for (size_t i = 0; i < model->failures.count; i++) {
            const struct failure *failure = &model->failures.items[i];
            if (failure->backward != backward)
                continue;
            jsonw_object(w, NULL);
            jsonw_text(w, "compile", model->compiles.items[failure->compile]->key);
            jsonw_known(w, "attempt", model->folders.items[failure->folder].attempt);
            JSON_MEMBERS(w, failure, type, reason);
            place_json_write(w, "place", &failure->place);
            write_sections(w, failure->reason);
            uint32_t finding = view->findings->of_failures[i];
            jsonw_known(w, "finding", finding == NO_FINDING ? -1 : (int64_t)finding);
            jsonw_end_object(w);
        }
        jsonw_end_array(w);
    }
}

static void write_findings(struct jsonw *w, const struct report_view *view) {
    jsonw_array(w, "findings");
    for (size_t i = 0; i < view->findings->list.count; i++) {
        const struct finding *finding = &view->findings->list.items[i];
        jsonw_object(w, NULL);
        JSON_ADD(w, "kind", finding_kind_name(finding->kind), "severity", severity_name(finding->severity), "impact",
                 impact_name(finding->impact), "cost", cost_name(finding->cost));
        JSON_MEMBERS(w, finding, title, id, message);
        place_json_write(w, "place", &finding->place);
        jsonw_text(w, "code", finding->code);
        place_json_write(w, "caller", &finding->caller);
        jsonw_bool(w, "library", finding->library);
        write_ids(w, "compiles", view->model, finding->compiles.items, finding->compiles.count);
        JSON_ADD(w, "time_us", finding->time_us, "saves_us", finding_saves_us(finding));
        if (finding->run_us)
            jsonw_i64(w, "run_us", finding->run_us);
        JSON_MEMBERS(w, finding, why, advice, evidence, expected, link);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_times(struct jsonw *w, const struct totals *totals) {
    JSON_MEMBERS(w, totals, time_us, forward_us, backward_us, runtime_us, restart_us);
    jsonw_object(w, "phases_us");
    for (int phase = 0; phase < PHASES; phase++)
        if (totals->timers[phase] >= 0)
            jsonw_known(w, phase_name((enum phase)phase), totals->timers[phase]);
    jsonw_end_object(w);
    own_times_json_write(w, totals->own, totals->has_phase, totals->other_us);
}

/* Writes the outcomes of the compiles, and their total times. */
static void write_totals(struct jsonw *w, const struct report_view *view) {
    static const enum status order[] = {STATUS_OK, STATUS_RESTART, STATUS_ERROR, STATUS_EMPTY, STATUS_MISSING};
    const struct totals *totals = view->totals;
    jsonw_object(w, "totals");
    jsonw_u64(w, "compiles", totals->compiles);
    jsonw_u64(w, "compiled", totals->statuses[STATUS_OK] + totals->statuses[STATUS_RESTART]);
    jsonw_object(w, "statuses");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        jsonw_u64(w, status_name(order[i]), totals->statuses[order[i]]);
    jsonw_end_object(w);
    JSON_MEMBERS(w, totals, interrupted, ops_unknown, restarts, recompiles);
    JSON_ADD(w, "recompiles_refused", totals->refused, "graph_breaks",
             view->sums ? view->sums->graph_breaks : model_graph_breaks(view->model), "failures",
             view->sums ? view->sums->failures : view->model->failures.count, "findings",
             view->sums ? view->sums->findings : view->findings->list.count);
    write_times(w, totals);
    jsonw_end_object(w);
}

void report_json_add_together(struct jsonw *w, const char *key, const struct report_view *view) {
    jsonw_object(w, key);
    jsonw_u64(w, "records", view->sums->records);
    jsonw_object(w, "counters");
    for (int counter = 0; counter < COUNTERS; counter++)
        jsonw_u64(w, counter_name(counter), view->sums->counters[counter]);
    jsonw_end_object(w);
    caches_json_write(w, view);
    write_totals(w, view);
    jsonw_raw(w, "unfinished", view->unfinished);
    jsonw_end_object(w);
}

void report_json_head(struct jsonw *w, const struct report_view *view, bool whole) {
    static const char *const kinds[REPORT_KINDS] =
        {[REPORT_RUN] = "run", [REPORT_RANKS] = "ranks", [REPORT_RUNS] = "runs"};
    const struct model *model = view->model;
    jsonw_object(w, NULL);
    JSON_ADD(w, "format", "tlparse-report", "version", 2U, "kind", kinds[view->kind]);
    jsonw_object(w, "tool");
    JSON_ADD(w, "name", "tlparse", "version", TLPARSE_VERSION);
    jsonw_end_object(w);
    write_run(w, model);
    shown_phases_json_write(w, "phases");
    log_json_add(w, view, whole);
}

static void write_settings(struct jsonw *w, const struct report_view *view) {
    static const struct settings_in_effect none;
    const struct settings_in_effect *effect = view->settings ? view->settings : &none;
    config_differences_json_write(w, "config_differences", view->model, effect);
    settings_in_effect_json_write(w, "settings_in_effect", view->model, effect);
}

static void write_modules_and_memory(struct jsonw *w, const struct report_view *view) {
    struct saved_modules saved;
    saved_modules_init(&saved, view->model);
    modules_json_write(w, view, &saved);
    memory_json_write(w, view, &saved);
    saved_modules_finish(&saved);
}

void report_json_rest(struct jsonw *w, const struct report_view *view, bool whole) {
    write_stacks(w, view);
    write_breaks(w, view->model);
    write_recompiles(w, view);
    write_failures(w, view);
    write_restarts(w, view);
    caches_json_write(w, view);
    write_findings(w, view);
    write_totals(w, view);
    if (view->time)
        compile_time_json_write(w, "compile_time", view->time, view->model);
    if (view->coverage)
        coverage_json_write(w, "coverage", view->coverage, view->model);
    profile_json_write(w, "profile", view);
    lines_json_write(w, view);
    write_modules_and_memory(w, view);
    guard_checks_json_write(w, view);
    truth_json_write(w, view);
    write_settings(w, view);
    kernels_json_write(w, "kernels", view->model, whole);
    export_json_write(w, "export", view->model, whole);
    vllm_json_add(w, "vllm", view->model);
    extras_json_write(w, view->model);
    timeline_json_add(w, "timeline", view->model->timeline);
}

void source_link_member_add(struct buf *extra, struct slice value) {
    if (value.ptr)
        buf_addf(extra, ",\"source_link\":%.*s", SLICE_ARG(value));
}

static void to_stream(void *context, struct buf *out) {
    (void)out; /* it is the stream's own */
    stream_flush_if_full(context);
}

/* Writes everything, in the order of the schema. */
static void write_whole(struct jsonw *w, const struct report_view *view) {
    struct stack_table stacks;
    stack_table_init(&stacks, view->model);
    report_json_head(w, view, true);
    configs_json_write(w, "configs", view->model);
    jsonw_array(w, "compiles");
    for (size_t i = 0; i < view->model->compiles.count; i++) {
        compile_json_write(w, view, view->model->compiles.items[view->order[i]], &stacks);
    }
    jsonw_end_array(w);
    stack_table_write(w, "shape_stacks", &stacks);
    stack_table_free(&stacks);
    report_json_rest(w, view, true);
}

/* Writes the members that answers/summary.h reads. */
static void write_for_summary(struct jsonw *w, const struct report_view *view) {
    report_json_head(w, view, false);
    jsonw_array(w, "compiles");
    for (size_t i = 0; i < view->model->compiles.count; i++) {
        compile_json_write_short(w, view->model, view->model->compiles.items[view->order[i]]);
    }
    jsonw_end_array(w);
    caches_json_write(w, view);
    write_findings(w, view);
    write_totals(w, view);
    if (view->time)
        compile_time_json_write(w, "compile_time", view->time, view->model);
    if (view->coverage)
        coverage_json_write(w, "coverage", view->coverage, view->model);
    memory_json_write_short(w, view);
    profile_json_write(w, "profile", view);
    guard_checks_json_write(w, view);
    export_json_write(w, "export", view->model, false);
}

void report_json_write(const struct report_view *view, struct files *files) {
    struct stream stream;
    stream_open(&stream, files, "report.json");
    struct jsonw w = {.out = &stream.buf, .take = to_stream, .context = &stream};
    if (files->sink->keeps == SINK_SUMMARY)
        write_for_summary(&w, view);
    else
        write_whole(&w, view);
    if (view->long_extra)
        spooled_copy(view->long_extra, &stream);
    buf_add(&stream.buf, view->extra);
    jsonw_end_object(&w);
    buf_add_byte(&stream.buf, '\n');
    stream_close(&stream);
}
