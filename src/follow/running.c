#include "follow/running.h"

#include "analysis/timeline.h"
#include "kinds/fold.h"
#include "kinds/kind.h"
#include "kinds/node.h"

#define BACKWARD "entire_backward_compile"

/* Names of spans that cover a whole compile. At run time, other spans may be outermost, too. */
static bool is_of_compile(struct slice name) {
    static const char *const names[] = {"dynamo",           "entire_frame_compile", BACKWARD,
                                        "compile_fx_aot",   "compiled_autograd",    "create_aot_dispatcher_function",
                                        "fullgraph_capture"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

static void begin(struct running *running, const struct compile *compile, const struct fold *fold) {
    const struct glog *glog = &fold->record->glog;
    *running = (struct running){.model = fold->model,
                                .compile = compile->index,
                                .writer = fold->process->track,
                                .artifacts = compile->artifacts.count,
                                .start_us = glog_time_of_day(glog)};
    struct slice date = slice_first(glog->date, RUNNING_DATE_MAX), clock = slice_first(glog->time, RUNNING_CLOCK_MAX);
    running->date_len = (unsigned char)date.len;
    running->clock_len = (unsigned char)clock.len;
    memcpy(running->date, date.ptr, date.len);
    memcpy(running->clock, clock.ptr, clock.len);
}

void running_start(struct running *running, const struct compile *compile, const struct fold *fold) {
    begin(running, compile, fold);
    running->what = RUNNING_COMPILE;
}

/* The event of the record, if it begins a span; NULL otherwise. */
static yyjson_val *begin_event(const struct fold *fold) {
    const struct node *node = fold->record->nodes;
    while (node && !(node->kind && node->kind->flags & KIND_EVENT))
        node = node->next;
    return node && slice_is(json_get_text(node->json, "ph"), "B") ? node->json : NULL;
}

static struct slice name_of(const struct timeline *timeline, const struct open_span *span) {
    return timeline->totals.items[span->name].name;
}

/* Call it when the record's event has begun a span with no other span around it. */
static void see_begin(struct running *running, struct fold *fold) {
    const struct timeline *timeline = fold->model->timeline;
    yyjson_val *event = begin_event(fold);
    struct slice name = json_get_text(event, "name");
    if (!event || !timeline || !is_of_compile(name))
        return;
    for (size_t i = 0; i < timeline->tracks.count; i++) {
        const struct timeline_track *track = &timeline->tracks.items[i];
        if (track->writer != fold->process->track || track->open_count != 1 ||
            !slice_eq(name_of(timeline, &track->open[0]), name))
            continue;
        begin(running, fold_compile(fold), fold);
        running->what = RUNNING_SPAN;
        running->span = (struct running_span){i, track->open[0].name, track->open[0].start_us};
    }
}

static bool is_open(const struct running *running) {
    const struct timeline_track *track = &running->model->timeline->tracks.items[running->span.track];
    return track->open_count && track->open[0].name == running->span.name &&
           track->open[0].start_us == running->span.start_us;
}

void running_see(struct running *running, struct fold *fold) {
    if (running->what == RUNNING_SPAN && !is_open(running))
        running->what = RUNNING_NOTHING;
    if (running->what == RUNNING_NOTHING)
        see_begin(running, fold);
}

void running_end(struct running *running, const struct model *model, const struct compile *compile, bool backward) {
    bool same = running->model == model && running->compile == compile->index;
    bool without_id = compile->frame_id < 0 && running_span(running).ptr; /* its metrics will be a separate compile */
    if (running->what != RUNNING_NOTHING && (same || without_id) && running_is_backward(running) == backward)
        running->what = RUNNING_NOTHING;
}

void running_forget(struct running *running) {
    *running = (struct running){0};
}

/* ---- what is known ---------------------------------------------------------------------------------------------- */

/* The index of the compile in the timeline's ids, or MAP_NONE. */
static uint32_t timeline_id(const struct model *model, uint32_t compile) {
    AUTO_BUF token = {0};
    if (!model->timeline)
        return MAP_NONE;
    timeline_add_token(&token, compile);
    uint32_t id = map_get(&model->timeline->id_map, buf_slice(&token));
    return id;
}

/* The track in which the compile has an open span; NULL: none. */
static const struct timeline_track *track_of(const struct running *running) {
    const struct timeline *timeline = running->model->timeline;
    if (running->what == RUNNING_SPAN)
        return &timeline->tracks.items[running->span.track];
    uint32_t id = timeline_id(running->model, running->compile);
    for (size_t i = 0; id != MAP_NONE && i < timeline->tracks.count; i++) {
        const struct timeline_track *track = &timeline->tracks.items[i];
        for (size_t k = 0; track->writer == running->writer && k < track->open_count; k++)
            if (track->open[k].id == id)
                return track;
    }
    return NULL;
}

struct slice running_phase(const struct running *running) {
    const struct timeline_track *track = track_of(running);
    if (!track || !track->open_count)
        return (struct slice){0};
    return name_of(running->model->timeline, &track->open[track->open_count - 1]);
}

bool running_has_ended(const struct running *running) {
    if (running->what != RUNNING_COMPILE)
        return false;
    uint32_t id = timeline_id(running->model, running->compile);
    return id != MAP_NONE && running->model->timeline->outermost_us.items[id] > 0 && !running_phase(running).ptr;
}

struct slice running_span(const struct running *running) {
    if (running->what != RUNNING_SPAN)
        return (struct slice){0};
    return running->model->timeline->totals.items[running->span.name].name;
}

struct slice running_artifact(const struct running *running) {
    const struct compile *compile = running->model->compiles.items[running->compile];
    if (compile->artifacts.count <= running->artifacts)
        return (struct slice){0};
    return running->model->artifacts.items[compile->artifacts.items[compile->artifacts.count - 1]].name;
}

bool running_is_backward(const struct running *running) {
    return slice_is(running_span(running), BACKWARD);
}
