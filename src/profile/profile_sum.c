#include "model/log_info.h"
#include "profile/profile_parts.h"
#include "scan/library.h"

static int by_number(const void *a, const void *b) {
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return one < other ? -1 : one > other;
}

/* The time that `quarters` of the sorted times do not exceed. */
static int64_t quartile(const int64_t *times, size_t count, size_t quarters) {
    size_t at = (count - 1) * quarters / 4, part = (count - 1) * quarters % 4;
    return times[at] + (part ? (times[at + 1] - times[at]) * (int64_t)part / 4 : 0);
}

struct run_spread profile_spread(int64_t *times, size_t count) {
    if (!count)
        return (struct run_spread){0};
    qsort(times, count, sizeof *times, by_number);
    return (struct run_spread){.count = count,
                               .min_ns = times[0],
                               .q1_ns = quartile(times, count, 1),
                               .median_ns = quartile(times, count, 2),
                               .q3_ns = quartile(times, count, 3),
                               .max_ns = times[count - 1]};
}

/* The lines of a kernel: those of the user or, if it has none, all. */
static uint32_t count_lines(const struct kernel *kernel, bool *users) {
    uint32_t own = 0;
    for (uint32_t i = 0; i < kernel->source_count; i++)
        own += !is_library_file(kernel->sources[i].place.file);
    *users = own > 0;
    return own ? own : kernel->source_count;
}

static void add_line(struct profile *profile, struct map *places, const struct kernel_source *source, int64_t ns,
                     int64_t device_ns) {
    AUTO_BUF key = {0};
    bool added;
    buf_addf(&key, "%" PRIu64 " %.*s", source->place.line, SLICE_ARG(source->place.file));
    uint32_t place = *map_put(places, buf_slice(&key), (uint32_t)profile->lines.count, &added);
    if (added)
        LIST_ADD(&profile->lines,
                 (struct profiled_line){.file = source->place.file, .line = source->place.line, .code = source->code});
    profile->lines.items[place].time.ns += ns;
    profile->lines.items[place].time.device_ns += device_ns;
}

void profile_find_lines(struct profile *profile, const struct kernels *kernels) {
    AUTO_MAP places = {0};
    int64_t with_line = 0, with_line_on_devices = 0;
    for (size_t i = 0; profile->kernels && i < kernels->list.count; i++) {
        const struct kernel *kernel = &kernels->list.items[i];
        const struct run_time *time = &profile->kernels[i];
        bool users;
        uint32_t count = time->calls ? count_lines(kernel, &users) : 0, done = 0;
        for (uint32_t s = 0; count && s < kernel->source_count; s++) {
            if (users && is_library_file(kernel->sources[s].place.file))
                continue;
            /* The parts add up to the whole. */
            int64_t ns = time->ns / count + (done < time->ns % count);
            int64_t device_ns = time->device_ns / count + (done < time->device_ns % count);
            add_line(profile, &places, &kernel->sources[s], ns, device_ns);
            done++;
        }
        with_line += count ? time->ns : 0;
        with_line_on_devices += count ? time->device_ns : 0;
    }
    profile->without_line_ns = profile->kernel_ns - with_line;
    profile->devices.without_line_ns = profile->devices.kernel_ns - with_line_on_devices;
}

/* C++ wrappers do not say which graph they are of. */
bool profile_is_backward(const struct profiled_graph *graph, const struct code_calls *code) {
    return code->graph.ptr ? slice_ends(code->graph, SLICE("_backward")) : graph->in_backward;
}

void profile_find_backward(struct profile *profile, const struct kernels *kernels) {
    for (size_t i = 0; i < profile->graphs.count; i++) {
        const struct profiled_graph *graph = &profile->graphs.items[i];
        if (graph->code != UINT32_MAX && graph->compile < profile->compiles.count &&
            profile_is_backward(graph, &kernels->codes.items[graph->code]))
            profile->compiles.items[graph->compile].backward_ns += graph->time.ns;
    }
}

/* Inductor logs these graphs also if nothing is left to generate code for. */
static bool uses_inductor(const struct model *model, const struct compile *compile) {
    for (size_t i = 0; i < compile->artifacts.count; i++) {
        struct slice name = model->artifacts.items[compile->artifacts.items[i]].name;
        if (slice_is(name, "before_pre_grad_graph") || slice_is(name, "before_joint_graph") ||
            slice_is(name, "before_post_grad_graph"))
            return true;
    }
    return false;
}

bool profile_hides_graphs(const struct model *model, const struct compile *compile) {
    return compile->ops > 0 && !compile->has_code && !uses_inductor(model, compile);
}

/* Of several breaks, it is the last one: at each of them, Dynamo traces the frame again from its start, up to the break. */
uint32_t profile_break_of(const struct model *model, const struct compile *compile) {
    return compile->breaks.count && !profile_hides_graphs(model, compile) ? compile->last_break : UINT32_MAX;
}

void profile_find_gaps(struct profile *profile, const struct model *model) {
    struct profiled_gap *gaps = profile->gaps.items;
    for (size_t i = 0; i < profile->compiles.count; i++) {
        const struct compile *compile = model->compiles.items[i];
        const struct profiled_compile *ran = &profile->compiles.items[i];
        uint32_t graph_break = profile_break_of(model, compile);
        if (graph_break == UINT32_MAX)
            continue;
        gaps[graph_break].eager_ns += ran->eager_ns - ran->unmatched_ns;
        gaps[graph_break].unmatched_ns += ran->unmatched_ns;
    }
    size_t kept = 0;
    for (size_t i = 0; i < profile->gaps.count; i++)
        if (gaps[i].eager_ns || gaps[i].unmatched_ns)
            gaps[kept++] = gaps[i];
        else
            mem_free(gaps[i].by_step);
    profile->gaps.count = kept;
}

static int by_line_time(const void *a, const void *b) {
    const struct profiled_line *one = a, *other = b;
    int time = run_time_order(&one->time, &other->time), file = time ? time : slice_cmp(one->file, other->file);
    return file ? file : one->line < other->line ? -1 : one->line > other->line;
}

static int by_graph_time(const void *a, const void *b) {
    const struct profiled_graph *one = a, *other = b;
    int time = run_time_order(&one->time, &other->time), key = time ? time : slice_cmp(one->key, other->key);
    return key                            ? key
         : one->compile != other->compile ? (one->compile < other->compile ? -1 : 1)
         : one->code < other->code        ? -1
                                          : one->code > other->code;
}

static int by_name_time(const void *a, const void *b) {
    const struct profiled_name *one = a, *other = b;
    int time = run_time_order(&one->time, &other->time);
    return time ? time : slice_cmp(one->name, other->name);
}

void profile_sort(struct profile *profile) {
    LIST_SORT(&profile->lines, by_line_time);
    LIST_SORT(&profile->graphs, by_graph_time);
    LIST_SORT(&profile->eager, by_name_time);
}

bool profile_never_ran(const struct profile *profile, const struct model *model, uint32_t compile) {
    const struct compile *of = model->compiles.items[compile];
    if (!profile->regions.calls || profile->unknown_ids || profile->compiles.items[compile].time.calls ||
        profile->compiles.items[compile].replaced || !of->framed || of->frame_id < 0 || !of->has_code || of->failed ||
        of->export_dynamic)
        return false;
    uint64_t number = model_process(model, of->process).number;
    size_t at = 0;
    SEARCH(at, profile->processes.count, middle, profile->processes.items[middle].number < number);
    return at < profile->processes.count && profile->processes.items[at].number == number &&
           of->started_us <= profile->processes.items[at].last_ns / 1000;
}
