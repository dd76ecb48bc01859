#include "profile/profile_join.h"

static uint32_t graph_place(struct join *j, struct slice key, uint32_t code, uint32_t compile) {
    AUTO_BUF text = {0};
    bool added;
    buf_addf(&text, "%" PRIu32 " %" PRIu32 " %.*s", code, compile, SLICE_ARG(key));
    uint32_t place = *map_put(&j->graphs, buf_slice(&text), (uint32_t)j->profile->graphs.count, &added);
    if (added) {
        LIST_ADD(&j->profile->graphs, (struct profiled_graph){.code = code, .compile = compile, .key = key});
        LIST_ADD(&j->graph_calls, (struct times){0});
    }
    return place;
}

static uint32_t break_of(const struct join *j, uint32_t region) {
    uint32_t compile = j->stack.items[region].compile;
    return compile == NONE ? NONE : profile_break_of(j->model, j->model->compiles.items[compile]);
}

/* Adds the time of a graph to the break of a region around it, unless one of those between has the same break, as
 * frames that Dynamo inlined do. */
static void add_to_gap(struct join *j, uint32_t innermost, uint32_t region, int64_t ns) {
    uint32_t found = break_of(j, region);
    for (uint32_t i = innermost; i != region && found != NONE; i = join_frame(j, i)->outer)
        found = break_of(j, i) == found ? NONE : found;
    if (found != NONE)
        j->profile->gaps.items[found].graph_ns += ns;
}

void join_begin_graph(struct join *j, struct open_event *frame) {
    struct slice key = j->roles[frame->event->name].detail;
    struct open_event *region = join_frame(j, frame->region);
    uint32_t compile = region ? region->compile : NONE, code = join_code_of(j, frame->event, compile);
    if (code != NONE)
        compile = j->kernels->codes.items[code].compile;
    j->profile->unknown_keys += code == NONE;
    frame->place = graph_place(j, key, code, compile);
    frame->children = j->children.count;
    if (frame->wrapper != NONE && slice_ends(j->trace->names.items[join_frame(j, frame->wrapper)->event->name],
                                             SLICE("CompiledFunctionBackward")))
        j->profile->graphs.items[frame->place].in_backward = true;
    frame->compiling_ns = join_compiling(j, frame->event);
    int64_t ns = frame->event->ns - frame->compiling_ns;
    join_add_time(&j->profile->graphs.items[frame->place].time, ns, 0);
    join_note_time(j, &j->graph_calls.items[frame->place], ns);
    join_add_time(&j->profile->graph_calls, frame->in_graph || frame->graph != NONE ? 0 : ns, 0);
    if (frame->graph != NONE)
        return;
    for (uint32_t i = frame->region; i != frame->within; i = join_frame(j, i)->outer)
        add_to_gap(j, frame->region, i, ns);
    if (frame->wrapper != NONE) { /* whose time counts as overhead */
        join_add_overhead(j, frame->region, -ns);
        join_frame(j, frame->wrapper)->has_graph = true;
    } else {
        join_note_inner(j, frame->region, frame->event->ns, frame->compiling_ns);
    }
}

/* Whether the operators of the call fit its code; then sets the kernel of each. */
static bool align(struct join *j, const struct open_event *frame, struct profiled_graph *graph,
                  struct profile_assigned *assigned) {
    size_t count = j->children.count - frame->children;
    bool generated = false, known = graph->code != NONE && j->kernels->codes.items[graph->code].known;
    if (!known)
        return false;
    struct profile_operator *operators = mem_alloc((count + 1) * sizeof *operators);
    for (size_t i = 0; i < count; i++) {
        const struct child *child = &j->children.items[frame->children + i];
        operators[i] = (struct profile_operator){.name = child->replayed ? j->trace->names.items[child->name]
                                                                         : j->roles[child->name].base,
                                                 .replayed = child->replayed,
                                                 .generated = !child->replayed && j->roles[child->name].generated};
    }
    profile_calls_make(&j->code_calls[graph->code], j->kernels, &j->kernels->codes.items[graph->code]);
    bool good = profile_align(&j->code_calls[graph->code], j->kernels, operators, count, assigned, &generated);
    graph->kernel_events |= good && generated;
    graph->generated = j->code_calls[graph->code].count > j->code_calls[graph->code].library_count;
    mem_free(operators);
    return good;
}

static void add_kernel(struct join *j, const struct child *child, const struct profile_assigned *assigned) {
    struct times *device_calls = &j->kernel_device_calls[assigned->kernel];
    struct run_time *time = &j->profile->kernels[assigned->kernel];
    if (assigned->more) {
        time->device_ns += child->device_ns;
        device_calls->ns.items[device_calls->ns.count - 1] += child->device_ns;
        join_add_in_step(j, device_calls, child->device_ns);
        return;
    }
    join_add_time(time, child->ns, child->device_ns);
    join_note_time(j, &j->kernel_calls[assigned->kernel], child->ns);
    join_note_time(j, device_calls, child->device_ns);
}

void join_end_graph(struct join *j, const struct open_event *frame) {
    struct profiled_graph *graph = &j->profile->graphs.items[frame->place];
    size_t count = j->children.count - frame->children;
    struct profile_assigned *assigned = mem_zalloc(count + 1, sizeof *assigned);
    bool good = align(j, frame, graph, assigned);
    graph->aligned += good;
    graph->unaligned += !good;
    graph->unaligned_ns += good ? 0 : frame->event->ns - frame->compiling_ns;
    graph->replays += frame->replays;
    for (size_t i = 0; i < count; i++) {
        const struct child *child = &j->children.items[frame->children + i];
        graph->kernel_ns += child->ns;
        j->profile->kernel_ns += child->ns;
        j->profile->devices.kernel_ns += child->device_ns;
        if (good && assigned[i].kernel != NONE)
            add_kernel(j, child, &assigned[i]);
        else if (frame->replays && !child->replayed && slice_ends(j->roles[child->name].base, SLICE("copy_")))
            graph->copy_ns += child->device_ns;
    }
    mem_free(assigned);
    j->children.count = frame->children;
}
