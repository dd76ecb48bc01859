/* timeline.h - chromium events as spans, for the page and for programs (doc/report-data.md, "Timeline").
 *
 * Events are added in log order, on one thread. A begin event (B) waits in its track (a process and thread) for its
 * end event (E). Completed spans are written to the page's parts in chunks, so memory is limited to one chunk, names
 * and compile ids, and open spans. Everything is limited. Spans beyond a limit are counted in left_out, and in the
 * totals if they have a name.
 *
 * All times are in whole microseconds since base_us. They may be negative: events need not be in order. */
#pragma once

#include "analysis/phases.h"
#include "analysis/spend.h"
#include "base/jsonw.h"
#include "model/model.h"
#include "sink/files.h"

enum {
    TIMELINE_SPANS_MAX = 1000000, /* in the parts of the page */
    TIMELINE_NAMES_MAX = 20000,
    TIMELINE_IDS_MAX = 200000,
    TIMELINE_LANES_MAX = 1024,
    TIMELINE_DEPTH_MAX = 128,  /* open spans per track */
    TIMELINE_WORKERS_MAX = 64, /* threads that compile C++ kernels, for each track */
    RECENT_MAX = 8,
};

enum span_flag {
    SPAN_INSTANT = 1,
    SPAN_NO_END = 2,
    SPAN_COMPILE = 4, /* the span of a whole compile: no other span of the same compile is around it */
};

struct timeline_total {
    struct slice name;
    uint64_t count;
    int64_t total_us; /* nested spans with the same name count only once */
    int64_t self_us, max_us;
};

/* An outermost span, with its phases. It is complete when its end is known. */
struct outermost_span {
    int64_t start_us, end_us;
    uint32_t id;               /* index into ids, or UINT32_MAX */
    bool whole;                /* all end events within it were logged */
    int phase;                 /* its own phase; NO_PHASE: none */
    int64_t phases_us[PHASES]; /* times of completed spans within it; 0: none */
    struct spent spent;        /* times of completed spans within it if it has no id, until a compile takes them */
};

/* Builds within a span, which may be the span of AOTInductor's precompiled headers. */
struct header_builds {
    int64_t first_us, preprocessed_us;
    bool built; /* one of them was not a run of the preprocessor */
};

/* Builds in AotCodeCompiler.compile before code is written. They are test programs if the record of the code follows.
 */
struct first_builds {
    int64_t us, longest_us; /* self times */
    int64_t loading_us;     /* from the end of one to the start of the next, without another span in between */
    uint32_t count;
    int self_phase;
    bool over; /* the code is written */
};

struct open_span {
    uint32_t name, id;
    bool within;
    int flags;       /* SPAN_COMPILE */
    int phase;       /* NO_PHASE: none */
    int self_phase;  /* the phase to which its self time belongs */
    uint32_t around; /* one bit for each enclosing phase */
    enum spend spend;
    bool backward; /* it is the compile of a backward graph, or within one */
    int64_t start_us, children_us;
    struct first_builds builds;
    struct header_builds headers;
    int64_t probe_end_us; /* end of the latest child that built, or may have built, a test program; INT64_MIN: none */
    int64_t probe_children_us; /* children_us then */
    int64_t loading_us;        /* part of its self time that loaded test programs */
    int64_t longest_load_us;   /* of one of them */
    int64_t worked_us;         /* part of its self time during which threads for C++ kernels worked */
    struct buf args;           /* "key":value, … */
};

/* The latest spans of a track. */
struct track_history {
    struct { /* complete events (X) that may turn out to be children of a later one */
        int64_t start_us, us;
    } whole[32];
    size_t whole_count;
    struct outermost_span recent[RECENT_MAX]; /* a ring buffer: the latest outermost spans, with the open one last */
    size_t recent_count;                      /* number of all outermost spans */
    struct attempt attempt;                   /* the attempt of the compile of the open outermost span */
};

/* CUDA graphs of one compile: prepared once for each size and part of a graph, and recorded in a later call. */
struct cudagraph_counts {
    uint32_t prepared, recorded;
};

struct timeline_track {
    struct slice pid, tid, process, thread; /* JSON; names are texts, ptr NULL: none */
    /* JSON: the pid or, if the log has several processes, the name of the process; set by timeline_end() */
    struct slice whose;
    uint64_t writer; /* the process that wrote its records: PyTorch's pid is 0 in all processes */
    uint64_t spans, instants;
    int64_t busy_us; /* in outermost spans */
    int64_t last_us; /* end of its last event; INT64_MIN: none */
    struct open_span *open;
    size_t open_count, open_cap;
    uint32_t works_for;       /* for a thread that compiles C++ kernels: 1 + the index of the track that waits for it;
                               * 0: another thread */
    uint32_t working;         /* number of such threads of this track with an open span */
    int64_t working_since_us; /* if any has: when the first of them began, or the time up to which they were counted */
    struct track_history *history; /* NULL in a sum */
    bool has_rank;                 /* in a sum over ranks: whether its rank is known */
    uint64_t rank;
    struct slice dir;
};

/* A span without an end event, although no event was lost. */
struct unfinished_span {
    uint32_t name, id, track; /* id: index into ids, or UINT32_MAX */
    int64_t start_us;         /* since base_us */
};

struct timeline {
    struct arena arena;
    /* Time to build AOTInductor's precompiled headers, without the preprocessor, which always runs */
    int64_t headers_us;
    struct map name_map, id_map, lane_map;
    LIST(struct timeline_total) totals; /* by name, in order of first appearance */
    LIST(struct slice) ids;
    LIST(struct slice) functions; /* by id: the compiled function, ptr NULL: unknown; set by timeline_end() */
    LIST(int64_t) outermost_us;   /* by id: time in completed outermost spans during its compile */
    LIST(int64_t) timers_us;      /* by id: time in completed spans with the timers of its forward and backward */
    LIST(struct spent *) spent;   /* by id: self times of the spans in these, by kind; NULL: none */
    LIST(struct cudagraph_counts) cudagraphs; /* by id */
    LIST(struct timeline_track) tracks;
    LIST(struct unfinished_span) unfinished; /* by track, outermost first; set by timeline_end() */
    struct files *files;                     /* NULL for a sum */
    struct buf rows, args;                   /* of the open chunk */
    uint64_t rows_count;                     /* in the open chunk */
    size_t chunks;
    bool has_base;
    int64_t base_us; /* since the epoch */
    int64_t first_us, last_us;
    uint64_t spans, kept, instants;
    uint64_t no_end, no_begin; /* begin events without end, end events without begin */
    uint64_t bad_times, other_events, left_out;
    uint64_t lost; /* begin and end events that did not match because of their time or a limit */
};

struct timeline *timeline_create(struct files *files);
void timeline_destroy(struct timeline *timeline); /* NULL is allowed */
/* The timeline of the report, created on demand. */
struct timeline *timeline_of(struct model *model, struct files *files);
/* A token that stands for a compile until compiles have keys, for timeline_event(). */
void timeline_add_token(struct buf *id, uint32_t compile);
/* Maps the keys of compiles to their ids in the finished timeline, which may be NULL. The map lives in the arena. */
void timeline_map_ids(struct map *ids, const struct timeline *timeline, struct arena *arena);
/* Adds an event. good_time: its ts is valid. id: the token of its compile, or the text that names it. writer: the
 * process that wrote the record. within: it was logged during the compile, not later at run time. */
void timeline_event(struct timeline *timeline, yyjson_val *event, uint64_t writer, bool good_time, struct slice id,
                    bool within);
/* Call it when AOTInductor has written the code of a wrapper. Before, it checks which vector instructions work, so
 * earlier builds in AotCodeCompiler.compile are test programs. writer: the process that wrote the record. */
void timeline_wrote_wrapper(struct timeline *timeline, uint64_t writer);
/* The phases of a compile without timers. Call it while the compile's events are the latest ones. Uses the outermost
 * spans of its writer that overlap the time from start_us to end_us (since the epoch) and have its token or no id.
 * Returns false if there are none, or if an event in this time is missing. Times of spans without an id then belong to
 * the compile. */
bool timeline_phases(struct timeline *timeline, uint64_t writer, struct slice id, int64_t start_us, int64_t end_us,
                     int64_t phases_us[PHASES]);
/* Replaces tokens with the keys of compiles. Records open spans as unfinished; they last until the last event of their
 * process. */
void timeline_end(struct timeline *timeline, const struct model *model);
/* Adds a track for what ran, after timeline_end(). Returns its index; UINT32_MAX: there are too many. */
uint32_t timeline_add_track(struct timeline *timeline, struct slice process, struct slice thread);
/* Adds a span to such a track, and to no total. id: index in ids, or UINT32_MAX. */
void timeline_add_ran(struct timeline *timeline, uint32_t track, uint32_t name, uint32_t id, int64_t start_us,
                      int64_t us, int64_t self_us);
/* Writes the rest of the spans; timeline_json_write_head() writes the file that names them. */
void timeline_write(struct timeline *timeline);

/* The index of the name in `totals`, to which it is added if it is new; UINT32_MAX: there are too many. */
uint32_t timeline_name(struct timeline *timeline, struct slice name);
/* Extends first_us and last_us. */
void timeline_see(struct timeline *timeline, int64_t from_us, int64_t to_us);

/* timeline_sum.c - the timelines of several ranks as one: totals by name, and all tracks. It has no spans. One thread. */
/* Adds the totals and tracks of a rank to the sum, with copies of all texts. dir: the folder of its report. */
void timeline_sum_add(struct timeline *sum, const struct timeline *of, bool has_rank, uint64_t rank, struct slice dir);

/* Reserves space for this number of tracks. Call it before adding the first one. */
void timeline_sum_reserve(struct timeline *sum, size_t tracks);
