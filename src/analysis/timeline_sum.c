#include "analysis/timeline.h"

/* The sum starts at the earlier of the two start times. */
static void add_times(struct timeline *sum, const struct timeline *of) {
    if (!of->has_base)
        return;
    if (!sum->has_base) {
        sum->base_us = of->base_us;
        sum->first_us = of->first_us;
        sum->last_us = of->last_us;
    }
    sum->has_base = true;
    timeline_see(sum, of->base_us - sum->base_us + of->first_us, of->base_us - sum->base_us + of->last_us);
}

void timeline_sum_add(struct timeline *sum, const struct timeline *of, bool has_rank, uint64_t rank, struct slice dir) {
    add_times(sum, of);
    for (size_t i = 0; i < of->totals.count; i++) {
        const struct timeline_total *from = &of->totals.items[i];
        uint32_t name = timeline_name(sum, from->name);
        if (name == MAP_NONE)
            continue;
        struct timeline_total *to = &sum->totals.items[name];
        to->count += from->count;
        to->total_us += from->total_us;
        to->self_us += from->self_us;
        to->max_us = from->max_us > to->max_us ? from->max_us : to->max_us;
    }
    for (size_t i = 0; i < of->tracks.count; i++) {
        const struct timeline_track *from = &of->tracks.items[i];
        struct slice texts[] = {from->pid, from->tid, from->process, from->thread, dir};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            texts[t] = texts[t].ptr ? arena_slice(&sum->arena, texts[t]) : texts[t];
        ARENA_ADD(&sum->arena, &sum->tracks,
                  (struct timeline_track){.pid = texts[0],
                                          .tid = texts[1],
                                          .process = texts[2],
                                          .thread = texts[3],
                                          .writer = from->writer,
                                          .spans = from->spans,
                                          .instants = from->instants,
                                          .busy_us = from->busy_us,
                                          .has_rank = from->has_rank || has_rank,
                                          .rank = from->has_rank ? from->rank : rank,
                                          .dir = from->dir.ptr ? arena_slice(&sum->arena, from->dir) : texts[4]});
    }
    sum->spans += of->spans;
    sum->kept += of->kept;
    sum->instants += of->instants;
    sum->no_end += of->no_end;
    sum->no_begin += of->no_begin;
    sum->bad_times += of->bad_times;
    sum->other_events += of->other_events;
    sum->left_out += of->left_out;
}

void timeline_sum_reserve(struct timeline *sum, size_t tracks) {
    if (sum->tracks.count || !tracks)
        return;
    sum->tracks.items = arena_reserve(&sum->arena, tracks, sizeof *sum->tracks.items);
    sum->tracks.cap = tracks;
}
