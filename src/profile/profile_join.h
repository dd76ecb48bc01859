/* profile_join.h - shared by the files that join traces with the log: the state of the join. One thread. Times are
 * nanoseconds. */
#pragma once

#include "profile/profile_parts.h"

#define NONE UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)
/* Guard checks. ns: -1: none. */
struct lookup {
    int64_t ns, end_ns, known_ns; /* known_ns: of the frame around it, at the end */
    bool compiles;                /* the compiler ran after it */
};

/* An open event. */
struct open_event {
    const struct profile_event *event;
    enum role role;
    uint32_t region;            /* index of the innermost region in the stack, this one included; NONE */
    uint32_t outer;             /* of a region: the next one around it; NONE */
    uint32_t graph;             /* the same for graphs */
    uint32_t child;             /* index in `children` of the operator of the graph that contains it; NONE */
    uint32_t eager;             /* index in profile->eager of the outermost operator outside of graphs; NONE */
    uint32_t wrapper;           /* index of the wrapper in the stack; NONE */
    uint32_t compile;           /* of a region; NONE: not in the log */
    uint32_t place;             /* of a graph: index in profile->graphs */
    size_t children;            /* of a graph: where its children begin in `children` */
    int64_t known_ns;           /* of a region: time of what has its own place */
    struct lookup lookup;       /* of the lookup that no region has taken */
    struct lookup unmatched;    /* of a region: the first lookup in it that no region has taken */
    int64_t compiling_ns;       /* of a region: time in it during which the compiler ran */
    int64_t inner_compiling_ns; /* part of it in regions in it */
    bool in_graph;              /* a graph around the innermost region calls it */
    uint32_t within;            /* index of the region in which that graph is; NONE */
    bool has_graph;             /* of a wrapper: compiled code is called in it */
    bool replays;               /* of a graph: a CUDA graph */
    int64_t spans_ns;           /* of what is a span of its own, if this is one */
};

/* What ran in a graph: an operator or, if `replayed`, work on a device. */
struct child {
    uint32_t name;
    bool replayed;
    int64_t ns, device_ns;
};

/* Times whose spread is wanted: at most one for each event of a trace. */
struct times {
    LIST(int64_t) ns;
    int64_t *by_step; /* sums of what begins in each of the first PROFILE_STEPS_MAX steps; NULL: nothing does */
};

/* In which order calls try the versions of each frame. */
struct tried {
    uint32_t *frame;            /* by compile: its frame, in orders */
    uint32_t *next;             /* by compile: the version after it in its frame's order; NONE */
    bool *listed;               /* by compile: it is in that order */
    struct tried_order *orders; /* by frame */
    uint32_t frames;
};

/* A time in which the compiler ran. */
struct compiler_run {
    int64_t start_ns, end_ns;
    uint32_t track;
};

struct open_step {
    const struct profile_event *event; /* NULL: none */
    int64_t spans_ns;                  /* of what is a span of its own */
};

/* A step of a trace, wherever what runs in it is. */
struct whole_step {
    int64_t start_ns, ns;
    bool used;       /* something starts in it */
    uint32_t number; /* among the steps whose times are kept; NONE */
};

struct join {
    struct profile *profile;
    const struct model *model;
    const struct kernels *kernels; /* NULL: none */
    struct map ids;                /* id → its latest compile */
    uint32_t package;              /* the only code of AOTInductor; NONE, or SEVERAL */
    uint32_t *earlier;             /* by compile: the previous one with its id; NONE */
    struct map keys;               /* key → its latest code */
    uint32_t *same_key;            /* by code: the previous one with its key; NONE */
    uint32_t *keyless;             /* by compile: its only code without a key that is no backward; NONE, or SEVERAL */
    uint32_t keyless_backward;     /* the only such code of a backward */
    struct tried tried;
    struct map graphs;                /* key, code and compile → index in profile->graphs */
    struct map eager;                 /* name → index in profile->eager */
    struct profile_calls *code_calls; /* by code */
    bool clock_unknown;               /* of a trace that is used */
    struct times *calls;              /* by compile: times of its calls */
    struct times *guards;             /* by compile: times of the lookups before them */
    struct times *kernel_calls;       /* by kernel: the same */
    struct times *kernel_device_calls;
    LIST(struct times) graph_calls; /* by index in profile->graphs */
    struct times *eager_calls;      /* by compile: what it runs eagerly, without what follows unmatched guard checks */
    struct times lookups, steps, overhead, eager_work; /* the latter two: by_step only */
    const struct whole_step *latest_step;              /* NULL: none */
    uint32_t now;                                      /* the step of the event that begins or ends; NONE */
    /* of the current trace */
    const struct profile_trace *trace;
    uint32_t file;
    bool *called; /* by compile: a region of it is in the trace */
    bool has_steps;
    LIST(struct whole_step) trace_steps; /* by start */
    uint32_t *threads;                   /* by track: in profile->threads; NONE: not yet */
    struct name_role *roles;
    bool compiles;            /* it has events of the compiler */
    bool shows_graphs;        /* it has calls of graphs, as those of older versions have not */
    LIST(uint64_t) processes; /* that it names, by number, each once */
    struct device_works works;
    LIST(struct compiler_run) compilers; /* of all tracks, by end */
    LIST(struct compiler_run) compiler;  /* when it ran on the current track: by time, apart from each other */
    LIST(struct open_event) stack;
    LIST(struct child) children;
    struct lookup top_lookup; /* as frame.lookup, outside of everything */
    struct open_step step;
    size_t open_spans; /* in the stack */
    /* By role: the trace has it as an operator, so annotations with it are the user's. */
    bool of_operators[ROLES], packages_are_operators;
};

static inline struct open_event *join_frame(struct join *j, uint32_t index) {
    return index == NONE ? NULL : &j->stack.items[index];
}

static inline struct profiled_compile *join_compile(struct join *j, uint32_t compile) {
    return &j->profile->compiles.items[compile];
}

static inline void join_add_time(struct run_time *time, int64_t ns, int64_t device_ns) {
    time->calls++;
    time->ns += ns;
    time->device_ns += device_ns;
}

static inline int64_t profile_event_end(const struct profile_event *event) {
    return event->start_ns + event->ns;
}

/* Whether the timeline shows events of this role. */
static inline bool role_is_span(enum role role) {
    return role == ROLE_REGION || role == ROLE_GRAPH || role == ROLE_LOOKUP;
}

/* Notes time of the region, unless it is NONE, that has its own place. */
static inline void join_note_known(struct join *j, uint32_t region, int64_t ns) {
    struct open_event *frame = join_frame(j, region);
    if (frame)
        frame->known_ns += ns;
}

/* The same for compiled code, with the time in it during which the compiler ran. */
static inline void join_note_inner(struct join *j, uint32_t region, int64_t ns, int64_t compiling_ns) {
    struct open_event *frame = join_frame(j, region);
    join_note_known(j, region, ns);
    if (frame)
        frame->inner_compiling_ns += compiling_ns;
}

/* Adds time to the step of the current event. */
static inline void join_add_in_step(const struct join *j, struct times *times, int64_t ns) {
    if (j->now >= PROFILE_STEPS_MAX)
        return;
    if (!times->by_step)
        times->by_step = mem_zalloc(PROFILE_STEPS_MAX, sizeof *times->by_step);
    times->by_step[j->now] += ns;
}

/* Notes a time of the current event. */
static inline void join_note_time(const struct join *j, struct times *times, int64_t ns) {
    LIST_ADD(&times->ns, ns);
    join_add_in_step(j, times, ns);
}

/* Adds what is neither graph nor code of the user to the region and to all; < 0: takes it back. */
static inline void join_add_overhead(struct join *j, uint32_t region, int64_t ns) {
    struct open_event *frame = join_frame(j, region);
    j->profile->overhead_ns += ns;
    join_add_in_step(j, &j->overhead, ns);
    if (frame && frame->compile != NONE)
        join_compile(j, frame->compile)->overhead_ns += ns;
}

/* profile_index.c - which compile and which code a name in a trace stands for. */
/* Makes the index of the log. */
void join_index(struct join *j);
void join_index_free(struct join *j);
/* Notes that the current trace calls the compile of this region. */
void join_note_called(struct join *j, const struct profile_event *event);
/* Why the current trace is not one of this log, or NULL. Notes its processes. */
const char *join_complaint(struct join *j);
extern const char join_other_process[];
/* The compile that a region calls: the latest one with this id that had started by then; NONE. */
uint32_t join_compile_at(const struct join *j, struct slice id, const struct profile_event *event);
/* The code of a graph that is called in `compile`, which may be NONE. If several have its key, the region's own; outside
 * of regions, as in the backward, that of the only compile that is called. NONE: not known. */
uint32_t join_code_of(const struct join *j, const struct profile_event *event, uint32_t compile);

/* profile_tried.c - how many versions a call tries before the one that fits. */
enum { TRIED_MAX = 256 };
void join_tried_index(struct join *j);
/* Begins a trace. */
void join_tried_begin(struct join *j);
/* Notes a call of the compile, in the order of time on its track; `looked_up`: guards were checked right before it. */
void join_note_tried(struct join *j, uint32_t compile, uint32_t track, bool looked_up);
/* Takes back what is not known after all, and frees the index. */
void join_tried_end(struct join *j);

/* profile_compiler.c - when the compiler ran. */
/* Notes an event of the compiler; events come by track and start. */
void join_note_compiler(struct join *j, const struct profile_event *event);
/* After the last one. */
void join_sort_compilers(struct join *j);
/* Finds more exactly when it ran on the track of the nth event. */
void join_find_compiler(struct join *j, size_t n);
/* How long it ran between these times. ns. */
int64_t join_compiling_between(const struct join *j, int64_t start_ns, int64_t end_ns);
static inline int64_t join_compiling(const struct join *j, const struct profile_event *event) {
    return j->compiler.count ? join_compiling_between(j, event->start_ns, profile_event_end(event)) : 0;
}

/* profile_graph.c - calls of graphs. */
void join_begin_graph(struct join *j, struct open_event *frame);
/* Assigns what ran in the call to the kernels of its code. */
void join_end_graph(struct join *j, const struct open_event *frame);

/* profile_launch.c - work on devices. */
/* Finds that of the current trace. */
void join_find_works(struct join *j);
/* Adds the work that a launch started to everything that it is in. */
void join_launch(struct join *j, const struct open_event *frame);

/* profile_steps.c - steps, and what the timeline shows. */
void join_add_span(struct join *j, const struct profile_event *event, uint32_t compile, enum ran_kind kind,
                   int64_t self_ns);
/* Keeps the span of an event of the stack that has ended. */
void join_note_span(struct join *j, const struct open_event *frame);
/* Steps need not begin and end between calls: they are no part of the stack. */
void join_begin_step(struct join *j, const struct profile_event *event);
void join_end_step(struct join *j);
/* Finds the steps of the trace, and keeps their times if compiled code is called in any. */
void join_find_steps(struct join *j);
/* The number of the step in which something starts; NONE: in none whose time is kept. */
uint32_t join_step_number(struct join *j, int64_t start_ns);
/* Notes what begins in the current step. */
void join_note_in_step(struct join *j, const struct profile_event *event, enum role role);

/* profile_sweep.c - the events of a trace as a stack per track. */
void join_sweep(struct join *j);
