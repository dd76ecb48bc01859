#include "report/members.h"

#include "pages/page_parts.h"
#include "profile/profile.h"
#include "scan/library.h"

enum { COMPILES_MAX = 10000, GRAPHS_MAX = 2000, KERNELS_SHOWN = 2000, LINES_MAX = 1000, NAMES_MAX = 100 };

/* Microseconds with three decimals, as in the trace. */
static void write_us(struct jsonw *w, const char *key, int64_t ns) {
    AUTO_BUF number = {0};
    uint64_t whole = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
    buf_addf(&number, "%s%" PRIu64 ".%03" PRIu64, ns < 0 ? "-" : "", whole / 1000, whole % 1000);
    jsonw_raw(w, key, buf_slice(&number));
}

static void write_time(struct jsonw *w, const struct profile *profile, const struct run_time *time) {
    jsonw_u64(w, "calls", time->calls);
    write_us(w, "total_us", time->ns);
    if (profile->devices.count)
        write_us(w, "device_us", time->device_ns);
}

static void write_spread(struct jsonw *w, const struct run_spread *spread) {
    write_us(w, "min_us", spread->min_ns);
    write_us(w, "q1_us", spread->q1_ns);
    write_us(w, "median_us", spread->median_ns);
    write_us(w, "q3_us", spread->q3_ns);
    write_us(w, "max_us", spread->max_ns);
}

/* The time in each of the first steps. */
static void write_by_step(struct jsonw *w, const char *key, const struct profile *profile, const int64_t *by_step) {
    uint64_t steps = profile->step_spread.count < PROFILE_STEPS_MAX ? profile->step_spread.count : PROFILE_STEPS_MAX;
    jsonw_array(w, key);
    for (uint64_t i = 0; i < steps; i++)
        write_us(w, NULL, by_step && by_step[i] > 0 ? by_step[i] : 0);
    jsonw_end_array(w);
}

static void write_files(struct jsonw *w, const struct profile *profile) {
    jsonw_array(w, "files");
    for (size_t i = 0; i < profile->profiles->files.count; i++) {
        const struct profile_file *file = &profile->profiles->files.items[i];
        if (profile->refused[i] == profile_other_rank)
            continue;
        jsonw_object(w, NULL);
        jsonw_text(w, "name", path_last(slice_str(file->path)));
        jsonw_u64(w, "bytes", file->trace.bytes);
        jsonw_u64(w, "events", file->trace.events.count);
        jsonw_str(w, "refused", profile->refused[i]);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_compiles(struct jsonw *w, const struct report_view *view) {
    const struct profile *profile = view->profile;
    size_t shown = 0;
    jsonw_array(w, "compiles");
    for (size_t i = 0; i < view->model->compiles.count && shown < COMPILES_MAX; i++) {
        const struct profiled_compile *compile = &profile->compiles.items[view->order[i]];
        if (!compile->time.calls)
            continue;
        shown++;
        jsonw_object(w, NULL);
        jsonw_text(w, "compile", view->model->compiles.items[compile->compile]->key);
        write_time(w, profile, &compile->time);
        write_spread(w, &compile->spread);
        write_by_step(w, "by_step_us", profile, compile->by_step);
        jsonw_u64(w, "guard_calls", compile->guard_calls);
        write_us(w, "guard_us", compile->guard_ns);
        jsonw_u64(w, "ordered_calls", compile->ordered_calls);
        jsonw_u64(w, "tried_before", compile->tried_before);
        write_us(w, "overhead_us", compile->overhead_ns);
        write_us(w, "eager_us", compile->eager_ns);
        write_us(w, "unmatched_us", compile->unmatched_ns);
        write_us(w, "nested_us", compile->nested_ns);
        write_us(w, "compiling_us", compile->compiling_ns);
        if (profile->devices.count)
            write_us(w, "waiting_us", compile->late_ns);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* "forward" for "0_forward" */
static struct slice direction_of(const struct report_view *view, uint32_t code) {
    if (code == UINT32_MAX)
        return (struct slice){0};
    struct slice graph = view->model->kernels->codes.items[code].graph;
    size_t bar = slice_rfind_byte(graph, '_');
    return bar == SIZE_MAX ? (struct slice){0} : slice_from(graph, bar + 1);
}

static struct slice key_of(const struct report_view *view, uint32_t compile) {
    return compile == UINT32_MAX ? (struct slice){0} : view->model->compiles.items[compile]->key;
}

static void write_graphs(struct jsonw *w, const struct report_view *view) {
    const struct profile *profile = view->profile;
    jsonw_array(w, "graphs");
    for (size_t i = 0; i < profile->graphs.count && i < GRAPHS_MAX; i++) {
        const struct profiled_graph *graph = &profile->graphs.items[i];
        jsonw_object(w, NULL);
        jsonw_text(w, "compile", key_of(view, graph->compile));
        struct slice direction = direction_of(view, graph->code);
        jsonw_text(w, "direction", direction.ptr || !graph->in_backward ? direction : SLICE("backward"));
        jsonw_text(w, "key", graph->key);
        write_time(w, profile, &graph->time);
        write_spread(w, &graph->spread);
        write_by_step(w, "by_step_us", profile, graph->by_step);
        write_us(w, "kernel_us", graph->kernel_ns);
        if (graph->generated && graph->aligned)
            jsonw_bool(w, "kernel_events", graph->kernel_events);
        else
            jsonw_null(w, "kernel_events");
        jsonw_u64(w, "aligned_calls", graph->aligned);
        jsonw_u64(w, "unaligned_calls", graph->unaligned);
        write_us(w, "unaligned_us", graph->unaligned_ns);
        jsonw_u64(w, "replays", graph->replays);
        if (graph->replays)
            write_us(w, "copies_us", graph->copy_ns);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

/* A kernel that ran. */
struct ran {
    const struct run_time *time;
    uint32_t kernel;
};

static int by_time(const void *a, const void *b) {
    const struct ran *one = a, *other = b;
    int time = run_time_order(one->time, other->time);
    return time ? time : one->kernel < other->kernel ? -1 : one->kernel > other->kernel;
}

static void write_places(struct jsonw *w, const struct kernel *kernel) {
    bool users = kernel_user_source(kernel) != NULL;
    jsonw_array(w, "places");
    for (uint32_t i = 0; i < kernel->source_count; i++) {
        if (users && is_library_file(kernel->sources[i].place.file))
            continue;
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, &kernel->sources[i].place, file, line);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_kernels(struct jsonw *w, const struct report_view *view) {
    const struct profile *profile = view->profile;
    const struct kernels *kernels = view->model->kernels;
    LIST(struct ran) ran = {0};
    for (uint32_t i = 0; profile->kernels && i < kernels->list.count; i++)
        if (profile->kernels[i].calls)
            LIST_ADD(&ran, (struct ran){&profile->kernels[i], i});
    LIST_SORT(&ran, by_time);
    jsonw_array(w, "kernels");
    for (size_t i = 0; i < ran.count && i < KERNELS_SHOWN; i++) {
        const struct kernel *kernel = &kernels->list.items[ran.items[i].kernel];
        jsonw_object(w, NULL);
        jsonw_text(w, "name", kernel->name);
        jsonw_text(w, "compile", key_of(view, kernel->compile));
        jsonw_text(w, "graph", kernel->graph);
        jsonw_u64(w, "index", ran.items[i].kernel);
        write_time(w, profile, ran.items[i].time);
        write_spread(w, &profile->kernel_spreads[ran.items[i].kernel]);
        write_by_step(w, "by_step_us", profile, profile->kernels_by_step[ran.items[i].kernel]);
        write_places(w, kernel);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    mem_free(ran.items);
}

static void write_lines(struct jsonw *w, const struct profile *profile) {
    jsonw_array(w, "lines");
    for (size_t i = 0; i < profile->lines.count && i < LINES_MAX; i++) {
        const struct profiled_line *line = &profile->lines.items[i];
        jsonw_object(w, NULL);
        JSON_MEMBERS(w, line, file, line, code);
        write_us(w, "total_us", line->time.ns);
        if (profile->devices.count)
            write_us(w, "device_us", line->time.device_ns);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
}

static void write_never_ran(struct jsonw *w, const struct report_view *view) {
    jsonw_array(w, "never_ran");
    for (size_t i = 0; i < view->model->compiles.count; i++)
        if (profile_never_ran(view->profile, view->model, view->order[i]))
            jsonw_text(w, NULL, view->model->compiles.items[view->order[i]]->key);
    jsonw_end_array(w);
}

static void write_eager(struct jsonw *w, const struct report_view *view) {
    const struct profile *profile = view->profile;
    jsonw_object(w, "eager");
    write_us(w, "total_us", profile->eager_ns);
    write_by_step(w, "by_step_us", profile, profile->eager_by_step);
    jsonw_array(w, "gaps");
    for (size_t i = 0; i < profile->gaps.count; i++) {
        const struct profiled_gap *gap = &profile->gaps.items[i];
        jsonw_object(w, NULL);
        jsonw_u64(w, "graph_break", gap->graph_break);
        place_json_write(w, "place", &view->model->breaks.items[gap->graph_break]->place);
        write_us(w, "total_us", gap->eager_ns);
        write_by_step(w, "by_step_us", profile, gap->by_step);
        write_us(w, "unmatched_us", gap->unmatched_ns);
        write_us(w, "graphs_us", gap->graph_ns);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_array(w, "operators");
    for (size_t i = 0; i < profile->eager.count && i < NAMES_MAX; i++) {
        jsonw_object(w, NULL);
        jsonw_text(w, "name", profile->eager.items[i].name);
        write_time(w, profile, &profile->eager.items[i].time);
        jsonw_end_object(w);
    }
    jsonw_end_array(w);
    jsonw_end_object(w);
}

static void write_sum(struct jsonw *w, const char *key, const struct profile *profile, const struct run_time *time) {
    jsonw_object(w, key);
    write_time(w, profile, time);
    jsonw_end_object(w);
}

static void write_steps(struct jsonw *w, const struct profile *profile) {
    if (!profile->step_spread.count) {
        jsonw_null(w, "step_us");
        return;
    }
    jsonw_object(w, "step_us");
    jsonw_u64(w, "steps", profile->step_spread.count);
    write_spread(w, &profile->step_spread);
    write_by_step(w, "by_step_us", profile, profile->step_ns);
    jsonw_end_object(w);
}

static void write_guards(struct jsonw *w, const struct profile *profile) {
    jsonw_object(w, "guards");
    write_time(w, profile, &profile->lookups);
    write_spread(w, &profile->lookup_spread);
    write_by_step(w, "by_step_us", profile, profile->lookups_by_step);
    jsonw_u64(w, "unmatched", profile->unmatched);
    jsonw_end_object(w);
}

static void write_devices(struct jsonw *w, const struct profiled_devices *devices) {
    if (!devices->count)
        return;
    jsonw_object(w, "devices");
    jsonw_u64(w, "count", devices->count);
    write_us(w, "busy_us", devices->busy_ns);
    write_us(w, "idle_us", devices->idle_ns);
    write_us(w, "waiting_us", devices->late_ns);
    write_us(w, "waiting_in_graphs_us", devices->late_graphs_ns);
    write_us(w, "waiting_in_frames_us", devices->late_frames_ns);
    write_us(w, "compiling_us", devices->compiling_ns);
    write_us(w, "kernel_us", devices->kernel_ns);
    write_us(w, "without_line_us", devices->without_line_ns);
    jsonw_end_object(w);
}

void profile_json_write(struct jsonw *w, const char *key, const struct report_view *view) {
    const struct profile *profile = view->profile;
    if (!profile)
        return;
    jsonw_object(w, key);
    write_files(w, profile);
    jsonw_u64(w, "steps", profile->steps);
    jsonw_known(w, "start_us", profile->start_ns == INT64_MAX ? -1 : profile->start_ns / 1000);
    write_steps(w, profile);
    write_us(w, "window_us", profile->window_ns);
    write_sum(w, "regions", profile, &profile->regions);
    write_sum(w, "graph_calls", profile, &profile->graph_calls);
    write_guards(w, profile);
    write_us(w, "overhead_us", profile->overhead_ns);
    write_by_step(w, "overhead_by_step_us", profile, profile->overhead_by_step);
    write_us(w, "compiling_us", profile->compiling_ns);
    write_us(w, "kernel_us", profile->kernel_ns);
    write_us(w, "without_line_us", profile->without_line_ns);
    write_devices(w, &profile->devices);
    jsonw_u64(w, "unknown_regions", profile->unknown_ids);
    jsonw_u64(w, "unknown_graphs", profile->unknown_keys);
    write_compiles(w, view);
    write_graphs(w, view);
    write_kernels(w, view);
    write_lines(w, profile);
    write_never_ran(w, view);
    write_eager(w, view);
    jsonw_end_object(w);
}
