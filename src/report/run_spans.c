#include "profile/profile.h"
#include "report/members.h"

#define NONE UINT32_MAX

static uint32_t track_of(struct timeline *timeline, const struct profile *profile,
                         const struct profiled_thread *thread) {
    const struct profile_trace *trace = &profile->profiles->files.items[thread->file].trace;
    const struct profile_track *track = &trace->tracks.items[thread->track];
    AUTO_BUF process = {0}, name = {0};
    BUF_ADD(&process, thread->device ? "device " : "process ", track->process);
    BUF_ADD(&name, "run time, ", thread->device ? "stream " : "thread ", track->thread);
    return timeline_add_track(timeline, buf_slice(&process), buf_slice(&name));
}

/* Rounded to whole microseconds like the start, so that a span ends before its parent does. */
static int64_t us_at(const struct timeline *timeline, int64_t ns) {
    return ns / 1000 - timeline->base_us;
}

static struct slice name_in(const struct profile *profile, const struct profiled_span *span) {
    uint32_t file = profile->threads.items[span->thread].file;
    return profile->profiles->files.items[file].trace.names.items[span->name];
}

void run_spans_add(struct timeline *timeline, const struct profile *profile, const struct model *model) {
    static const char *const names[] = {
        [RAN_FRAME] = "call of a compiled frame",
        [RAN_GRAPH] = "call of a graph",
        [RAN_GUARDS] = "guard checks",
        [RAN_STEP] = "step",
    };
    struct arena arena = {0};
    struct map ids = {0};
    uint32_t
        name_ids[sizeof names / sizeof *names]; /* of all kinds but RAN_ON_DEVICE, whose work has names of its own */
    if (!timeline->has_base || !profile->spans.count)
        return;
    timeline_map_ids(&ids, timeline, &arena);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        name_ids[i] = timeline_name(timeline, slice_str(names[i]));
    uint32_t *tracks = mem_alloc((profile->threads.count + 1) * sizeof *tracks);
    for (size_t i = 0; i < profile->threads.count; i++)
        tracks[i] = track_of(timeline, profile, &profile->threads.items[i]);
    for (size_t i = 0; i < profile->spans.count; i++) {
        const struct profiled_span *span = &profile->spans.items[i];
        int64_t start_us = us_at(timeline, span->start_ns), end_us = us_at(timeline, span->start_ns + span->ns);
        uint32_t id = span->compile == NONE ? NONE : map_get(&ids, model->compiles.items[span->compile]->key);
        uint32_t name =
            span->kind == RAN_ON_DEVICE ? timeline_name(timeline, name_in(profile, span)) : name_ids[span->kind];
        if (tracks[span->thread] != NONE && name != NONE)
            timeline_add_ran(timeline, tracks[span->thread], name, id, start_us, end_us - start_us,
                             span->self_ns / 1000);
    }
    timeline->left_out += profile->more_spans;
    mem_free(tracks);
    arena_free(&arena);
}
