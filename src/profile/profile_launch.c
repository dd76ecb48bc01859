#include "profile/profile_join.h"

/* The time between these, from the start of the frame on, in which the compiler did not run. */
static int64_t late_in(const struct join *j, const struct open_event *frame, int64_t from_ns, int64_t until_ns) {
    if (frame && frame->event->start_ns > from_ns)
        from_ns = frame->event->start_ns;
    if (!frame || from_ns >= until_ns)
        return 0;
    return until_ns - from_ns - (j->compiler.count ? join_compiling_between(j, from_ns, until_ns) : 0);
}

/* The compile whose code starts work. */
static uint32_t starter_of(struct join *j, const struct open_event *launch) {
    const struct open_event *region = join_frame(j, launch->region), *graph = join_frame(j, launch->graph);
    return graph ? j->profile->graphs.items[graph->place].compile : region ? region->compile : NONE;
}

/* How long the device waited for the launch of this work, and where the CPU was meanwhile. */
static void add_late(struct join *j, const struct open_event *launch, const struct device_work *work) {
    struct profiled_devices *devices = &j->profile->devices;
    const struct open_event *region = join_frame(j, launch->region), *graph = join_frame(j, launch->graph), *outermost;
    int64_t from_ns = work->start_ns - work->gap_ns, launched_ns = launch->event->start_ns,
            until_ns = launched_ns < work->start_ns ? launched_ns : work->start_ns;
    if (!work->gap_ns || until_ns <= from_ns)
        return;
    int64_t compiling_ns = j->compiler.count ? join_compiling_between(j, from_ns, until_ns) : 0,
            graph_ns = late_in(j, graph, from_ns, until_ns);
    for (outermost = region; outermost && outermost->outer != NONE;)
        outermost = join_frame(j, outermost->outer);
    int64_t frame_ns = late_in(j, outermost, from_ns, until_ns);
    devices->compiling_ns += compiling_ns;
    devices->late_ns += until_ns - from_ns - compiling_ns;
    devices->late_graphs_ns += graph_ns;
    devices->late_frames_ns += frame_ns > graph_ns ? frame_ns - graph_ns : 0;
    if (region && region->compile != NONE)
        join_compile(j, region->compile)->late_ns += late_in(j, region, from_ns, until_ns);
}

/* The time of the work that a launch starts. What a CUDA graph replays takes the place of operators. */
static int64_t take_works(struct join *j, const struct open_event *frame) {
    size_t count = 0;
    int64_t ns = 0;
    struct device_work *works = frame->event->id ? profile_works_of(&j->works, frame->event->id, &count) : NULL;
    bool replay = count && frame->graph != NONE && j->roles[frame->event->name].launches_graph;
    for (size_t i = 0; i < count; i++) {
        const struct profile_event *event = &j->trace->events.items[works[i].event];
        add_late(j, frame, &works[i]);
        if (j->trace->clock_known && (frame->graph != NONE || frame->region != NONE))
            join_add_span(j, event, starter_of(j, frame), RAN_ON_DEVICE, event->ns);
        ns += event->ns;
        if (replay)
            LIST_ADD(&j->children, (struct child){.name = event->name, .replayed = true, .device_ns = event->ns});
        works[i].event = NONE;
    }
    if (replay)
        join_frame(j, frame->graph)->replays = true;
    return ns;
}

/* Adds the work that a launch started to everything that it is in. */
void join_launch(struct join *j, const struct open_event *frame) {
    size_t children = j->children.count;
    int64_t ns = take_works(j, frame);
    struct open_event *region = join_frame(j, frame->region), *graph = join_frame(j, frame->graph);
    if (!ns)
        return;
    if (frame->child != NONE && children == j->children.count)
        j->children.items[frame->child].device_ns += ns;
    if (frame->eager != NONE)
        j->profile->eager.items[frame->eager].time.device_ns += ns;
    if (graph) {
        j->profile->graphs.items[graph->place].time.device_ns += ns;
        j->profile->graph_calls.device_ns += ns;
    }
    j->profile->regions.device_ns += region ? ns : 0;
    for (; region; region = join_frame(j, region->outer))
        if (region->compile != NONE)
            join_compile(j, region->compile)->time.device_ns += ns;
}

void join_find_works(struct join *j) {
    struct profiled_devices *devices = &j->profile->devices;
    profile_find_works(&j->works, j->trace);
    devices->count += j->works.devices;
    devices->busy_ns += j->works.busy_ns;
    devices->idle_ns += j->works.idle_ns;
}
