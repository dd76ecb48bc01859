#include "facts/rank_timeline.h"

#include "analysis/timeline.h"
#include "base/packed.h"

enum { MEMBERS = 4 }; /* of a total */

const unsigned char *rank_totals_pack(const struct rank_total *totals, size_t count, struct arena *arena) {
    unsigned char *scratch = mem_alloc(count * MEMBERS * PACKED_BYTES_MAX + 1), *end = scratch;
    for (size_t i = 0; i < count; i++) {
        end = pack_u64(end, totals[i].count);
        end = pack_i64(end, totals[i].total_us);
        end = pack_i64(end, totals[i].self_us);
        end = pack_i64(end, totals[i].max_us);
    }
    struct slice kept = arena_slice(arena, slice_make((const char *)scratch, (size_t)(end - scratch)));
    mem_free(scratch);
    return (const unsigned char *)kept.ptr;
}

struct rank_total rank_total_next(const unsigned char **packed) {
    uint64_t count = unpack_u64(packed);
    int64_t total_us = unpack_i64(packed), self_us = unpack_i64(packed), max_us = unpack_i64(packed);
    return (struct rank_total){count, total_us, self_us, max_us};
}

static struct slice copy(struct arena *arena, struct slice text) {
    return text.ptr ? arena_slice(arena, text) : text;
}

static void take_totals(struct rank_timeline *taken, const struct timeline *timeline, struct arena *arena) {
    size_t count = timeline->totals.count;
    struct timeline_names *names = arena_zalloc(arena, sizeof *names);
    struct rank_total *totals = mem_alloc((count + 1) * sizeof *totals);
    names->list.items = arena_alloc(arena, (count + 1) * sizeof *names->list.items);
    for (size_t i = 0; i < count; i++) {
        const struct timeline_total *total = &timeline->totals.items[i];
        names->list.items[names->list.count++] = copy(arena, total->name);
        totals[i] = (struct rank_total){total->count, total->total_us, total->self_us, total->max_us};
    }
    taken->names = names;
    taken->totals = rank_totals_pack(totals, count, arena);
    mem_free(totals);
}

static void take_tracks(struct rank_timeline *taken, const struct timeline *timeline, bool has_rank, uint64_t rank,
                        struct arena *arena) {
    taken->tracks.items = arena_alloc(arena, (timeline->tracks.count + 1) * sizeof *taken->tracks.items);
    for (size_t i = 0; i < timeline->tracks.count; i++) {
        const struct timeline_track *track = &timeline->tracks.items[i];
        taken->tracks.items[taken->tracks.count++] = (struct rank_track){.pid = copy(arena, track->pid),
                                                                         .tid = copy(arena, track->tid),
                                                                         .process = copy(arena, track->process),
                                                                         .thread = copy(arena, track->thread),
                                                                         .writer = track->writer,
                                                                         .spans = track->spans,
                                                                         .instants = track->instants,
                                                                         .busy_us = track->busy_us,
                                                                         .has_rank = track->has_rank || has_rank,
                                                                         .rank = track->has_rank ? track->rank : rank,
                                                                         .dir = copy(arena, track->dir)};
    }
}

struct rank_timeline *rank_timeline_take(const struct timeline *timeline, bool has_rank, uint64_t rank,
                                         struct arena *arena) {
    if (!timeline)
        return NULL;
    struct rank_timeline *taken = arena_zalloc(arena, sizeof *taken);
    take_totals(taken, timeline, arena);
    take_tracks(taken, timeline, has_rank, rank, arena);
    taken->has_base = timeline->has_base;
    taken->base_us = timeline->base_us;
    taken->first_us = timeline->first_us;
    taken->last_us = timeline->last_us;
    taken->spans = timeline->spans;
    taken->kept = timeline->kept;
    taken->instants = timeline->instants;
    taken->no_end = timeline->no_end;
    taken->no_begin = timeline->no_begin;
    taken->bad_times = timeline->bad_times;
    taken->other_events = timeline->other_events;
    taken->left_out = timeline->left_out;
    return taken;
}

void rank_timeline_add(struct timeline *sum, const struct rank_timeline *timeline, bool has_rank, uint64_t rank,
                       struct slice dir) {
    const unsigned char *packed = timeline->totals;
    struct timeline whole = {.has_base = timeline->has_base,
                             .base_us = timeline->base_us,
                             .first_us = timeline->first_us,
                             .last_us = timeline->last_us,
                             .spans = timeline->spans,
                             .kept = timeline->kept,
                             .instants = timeline->instants,
                             .no_end = timeline->no_end,
                             .no_begin = timeline->no_begin,
                             .bad_times = timeline->bad_times,
                             .other_events = timeline->other_events,
                             .left_out = timeline->left_out};
    AUTO_ARENA arena = {0};
    whole.totals.items = arena_alloc(&arena, (timeline->names->list.count + 1) * sizeof *whole.totals.items);
    for (size_t i = 0; i < timeline->names->list.count; i++) {
        struct rank_total total = rank_total_next(&packed);
        whole.totals.items[whole.totals.count++] = (struct timeline_total){timeline->names->list.items[i], total.count,
                                                                           total.total_us, total.self_us, total.max_us};
    }
    whole.tracks.items = arena_zalloc(&arena, (timeline->tracks.count + 1) * sizeof *whole.tracks.items);
    for (size_t i = 0; i < timeline->tracks.count; i++) {
        const struct rank_track *track = &timeline->tracks.items[i];
        whole.tracks.items[whole.tracks.count++] = (struct timeline_track){.pid = track->pid,
                                                                           .tid = track->tid,
                                                                           .process = track->process,
                                                                           .thread = track->thread,
                                                                           .writer = track->writer,
                                                                           .spans = track->spans,
                                                                           .instants = track->instants,
                                                                           .busy_us = track->busy_us,
                                                                           .has_rank = track->has_rank,
                                                                           .rank = track->rank,
                                                                           .dir = track->dir};
    }
    timeline_sum_add(sum, &whole, has_rank, rank, dir);
}
