/* timeline.h - chromium events as spans: what happened when, for the page and for programs (doc/report-data.md, "Timeline").
 *
 * Events come one by one, in log order, from one thread. A begin (B) waits in its track (a process and thread) for its end (E);
 * what has ended goes to the page's parts as soon as there is a chunk of it, so memory is that of one chunk, of names and compile ids,
 * and of what is open. All of it has bounds; what is beyond them is counted in left_out, and still in the totals where it has a name.
 *
 * All times are whole microseconds since base_us. A negative one is possible: events need not come in order. */
#ifndef TLPARSE_ANALYSIS_TIMELINE_H
#define TLPARSE_ANALYSIS_TIMELINE_H

#include "analysis/phases.h"
#include "base/jsonw.h"
#include "base/map.h"
#include "model/model.h"
#include "sink/files.h"

enum {
    TIMELINE_SPANS_MAX = 1000000, /* in the parts */
    TIMELINE_NAMES_MAX = 20000,
    TIMELINE_IDS_MAX = 200000,
    TIMELINE_LANES_MAX = 1024,
    TIMELINE_DEPTH_MAX = 128, /* spans open at a time, in a track */
    RECENT_MAX = 8,
};

enum span_flag {
    SPAN_INSTANT = 1,
    SPAN_NO_END = 2,
    SPAN_COMPILE = 4, /* a compile as a whole: no span of the same compile is around it */
};

struct timeline_total {
    struct slice name;
    uint64_t count;
    int64_t total_us; /* without spans inside another of the same name */
    int64_t self_us, max_us;
};

/* An outermost span, with the phases in it. It is over when its end is known. */
struct outermost_span {
    int64_t start_us, end_us;
    uint32_t id;               /* in ids, or UINT32_MAX */
    bool whole;                /* no end was missed in it */
    int phase;                 /* its own; NO_PHASE: none */
    int64_t phases_us[PHASES]; /* of what has ended in it; 0: none */
};

struct open_span {
    uint32_t name, id;
    bool within;
    int flags;       /* SPAN_COMPILE */
    int phase;       /* NO_PHASE: none */
    int self_phase;  /* that its self time counts in */
    uint32_t around; /* a bit for each phase around it */
    int64_t start_us, children_us;
    struct buf args; /* "key":value, … */
};

struct timeline_track {
    struct slice pid, tid, process, thread; /* JSON; names are texts, ptr NULL: none */
    struct slice
        whose; /* JSON: the pid, or where several processes wrote the writer as people read it. From timeline_end() on */
    uint64_t writer; /* the process whose records told of it: PyTorch's pid is 0 in all of them */
    uint64_t spans, instants;
    int64_t busy_us; /* of the outermost spans */
    struct open_span *open;
    size_t open_count, open_cap;
    struct { /* whole spans (X) that a later one may hold */
        int64_t start_us, us;
    } whole[32];
    size_t whole_count;
    struct outermost_span recent[RECENT_MAX]; /* a ring: the latest outermost spans, the open one last */
    size_t recent_count;                      /* of all that there were */
    bool has_rank;                            /* in a sum over ranks: whose it is */
    uint64_t rank;
    struct slice dir;
};

/* A span that begins and does not end in the log, though no event was lost. */
struct unfinished_span {
    uint32_t name, id, track; /* id: in ids, or UINT32_MAX */
    int64_t start_us;         /* since base_us */
};

struct timeline {
    struct arena arena;
    struct map name_map, id_map, lane_map;
    LIST(struct timeline_total) totals; /* by name, in order of first appearance */
    LIST(struct slice) ids;
    LIST(struct slice) functions; /* by id: the compiled function, ptr NULL: not known; from timeline_end() on */
    LIST(int64_t) outermost_us;   /* by id: its spans while it is compiled that no other span is around, and that end */
    LIST(struct timeline_track) tracks;
    LIST(struct unfinished_span) unfinished; /* by track, outermost first; from timeline_end() on */
    struct files *files;                     /* NULL: a sum */
    struct buf rows, args;                   /* of the open chunk */
    uint64_t rows_count;                     /* in the open chunk */
    size_t chunks;
    bool has_base;
    int64_t base_us; /* since the epoch */
    int64_t first_us, last_us;
    uint64_t spans, kept, instants;
    uint64_t no_end, no_begin; /* begun and not ended; ended and not begun */
    uint64_t bad_times, other_events, left_out;
    uint64_t lost; /* begins and ends that were not matched, for their time or a bound */
};

struct timeline *timeline_create(struct files *files);
void timeline_destroy(struct timeline *timeline); /* NULL is fine */
/* The report's own, made where it has none. */
struct timeline *timeline_of(struct model *model, struct files *files);
/* The name of a compile until compiles have keys, for timeline_event(). */
void timeline_add_token(struct buf *id, uint32_t compile);
/* One event. `good_time` says whether its ts can be believed; id is the token of its compile, or the text that it is called by;
 * writer is the process of its record. `within` says that it was logged while that was compiled, and not later, at run time. */
void timeline_event(struct timeline *timeline, yyjson_val *event, uint64_t writer, bool good_time, struct slice id,
                    bool within);
/* The phases of a compile without timers, while its events are the latest: of the outermost spans of its writer that overlap the time from
 * start_us to end_us (since the epoch), which begin with its token or with no id. False where there are none, or an event of that time
 * is missing. */
bool timeline_phases(const struct timeline *timeline, uint64_t writer, struct slice id, int64_t start_us,
                     int64_t end_us, int64_t phases_us[PHASES]);
/* Tokens become the keys of compiles. Spans still open are noted as unfinished, and last to the last event in their row. What is left is
 * written, and data/timeline.js with the names. */
void timeline_end(struct timeline *timeline, const struct model *model);

/* Adds the totals and tracks of a rank to those of all. */
void timeline_add(struct timeline *sum, const struct timeline *of, bool has_rank, uint64_t rank, struct slice dir);
/* The member of report.json. */
void timeline_json_add(struct jsonw *w, const char *key, const struct timeline *timeline);

#endif
