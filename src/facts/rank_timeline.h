/* rank_timeline.h - the parts of one log's timeline that are kept: the totals by name, and the tracks, without spans.
 *
 * The totals are packed, because a report on many ranks has their number times many names. Lives in an arena, and is
 * immutable. */
#pragma once

#include "analysis/timeline.h"

/* The names of the totals, which several ranks may share. */
struct timeline_names {
    LIST(struct slice) list;
};

struct rank_track {
    struct slice pid, tid, process, thread;
    uint64_t writer, spans, instants;
    int64_t busy_us;
    bool has_rank;
    uint64_t rank;
    struct slice dir; /* folder of the rank's report, for a job; ptr NULL: that of the log */
};

struct rank_timeline {
    const struct timeline_names *names;
    const unsigned char *totals; /* packed, one for each name */
    LIST(struct rank_track) tracks;
    bool has_base;
    int64_t base_us, first_us, last_us;
    uint64_t spans, kept, instants, no_end, no_begin, bad_times, other_events, left_out;
};

/* The numbers of a name. */
struct rank_total {
    uint64_t count;
    int64_t total_us, self_us, max_us;
};

/* Copies the kept parts of the timeline; NULL for NULL. Tracks without a rank get this one. */
struct rank_timeline *rank_timeline_take(const struct timeline *timeline, bool has_rank, uint64_t rank,
                                         struct arena *arena);
/* Packs a total for each name. */
const unsigned char *rank_totals_pack(const struct rank_total *totals, size_t count, struct arena *arena);
/* Unpacks the next total. Start with `packed` at timeline->totals. */
struct rank_total rank_total_next(const unsigned char **packed);
/* Adds the timeline of a log to a sum (timeline.h). */
void rank_timeline_add(struct timeline *sum, const struct rank_timeline *timeline, bool has_rank, uint64_t rank,
                       struct slice dir);
