/* profile.h - what the compiled program costs when it runs: joins traces of torch.profiler with the compiles of a log.
 *
 * The keys that both have are exact: a region names the compile id, and the call of a graph names its key in the FX
 * graph cache. Within the call of a graph, its operators are the kernels that its code calls, in that order. A call
 * whose operators do not fit that order is counted as not aligned, and none of them gets a line. Nothing is guessed: an
 * id that several compiles have is decided by their start, and a key that several compiles have by the region or,
 * outside of regions, by the only one of them that the trace calls.
 *
 * When the compiler ran is known from its own events on each thread. Compiled code in an operator, of a graph or not, is
 * no part of that operator's time, and a graph in a graph no part of the time of all graphs.
 *
 * profiles_read() runs before the log is read, profile_join() when its model is complete, for different logs on any
 * thread. Times are in nanoseconds. */
#pragma once

#include <pthread.h>

#include "lowering/kernels.h"
#include "profile/profile_read.h"

/* A trace that the user gave. */
struct profile_file {
    const char *path; /* the caller's */
    struct profile_trace trace;
    uint64_t device, inode; /* of the file; 0: unknown */
    char *refused;          /* why it cannot be used for any log, in words that follow its name; NULL: it can */
    bool used;              /* by a log; protected by the lock, as is `why` */
    const char *why;        /* why logs have not used it: the most specific reason; NULL: none has been joined */
};

struct profiles {
    LIST(struct profile_file) files;
    pthread_mutex_t lock;
    int64_t sum_ns;     /* of all durations in files that are not refused */
    LIST(char *) owned; /* paths of files in folders */
    bool locks;         /* the lock exists */
    struct pool *pool;  /* while they are read; NULL: none */
};

/* profile.c */
/* Reads the traces, which may be packed, and those in folders. Fails if a file cannot be opened, or a folder has none;
 * a trace that cannot be used is `refused`. profiles_free() is needed even after a failure. workers: 0: do all work in
 * the calling thread. */
bool profiles_read(struct profiles *profiles, const char *const *paths, size_t count, unsigned workers,
                   struct err *err);
void profiles_free(struct profiles *profiles);
/* The reason why no log uses the nth file, in words that follow its name; NULL: one does. Call it after all reports. */
const char *profiles_complaint(const struct profiles *profiles, size_t n);

/* Time on the CPU and, for work that was started there, on devices. */
struct run_time {
    uint64_t calls;
    int64_t ns, device_ns;
};

/* For sorting: less than 0 if `one` takes more time than `other`, on devices or, if that is equal, on the CPU. */
static inline int run_time_order(const struct run_time *one, const struct run_time *other) {
    if (one->device_ns != other->device_ns)
        return one->device_ns > other->device_ns ? -1 : 1;
    return one->ns > other->ns ? -1 : one->ns < other->ns;
}

/* How times are spread. Quartiles are interpolated between the two nearest times. 0: there is no time. */
struct run_spread {
    uint64_t count;
    int64_t min_ns, q1_ns, median_ns, q3_ns, max_ns;
};

struct profiled_compile {
    uint32_t compile;
    bool
        replaced; /* calls of its function use a later frame, as after a reset, or a later compile of its frame failed */
    struct run_time time;
    struct run_spread spread; /* of its calls */
    int64_t *by_step;         /* as step_ns, of its calls; NULL: none is in a step */
    uint64_t guard_calls;     /* lookups in Dynamo's cache right before its calls */
    /* Those lookups before which the profile has a call of this version, and the versions that they tried before it: those that were called
     * since, at most, because PyTorch skips versions of another backend. 0 if the order of its frame's calls is unknown. */
    uint64_t ordered_calls, tried_before;
    int64_t guard_ns, overhead_ns;
    int64_t guard_median_ns; /* of these lookups: the first ones after something else ran take longer */
    int64_t nested_ns;       /* part of time.ns in calls of other versions of its function */
    int64_t compiling_ns;    /* in its calls while the compiler ran; in none of the other times */
    int64_t eager_ns;        /* in its calls, but in no graph, overhead or other region */
    int64_t unmatched_ns;    /* part of eager_ns: after guard checks in its calls that found no version */
    int64_t backward_ns;     /* of the calls of its backward graphs, which are outside of its own */
    int64_t late_ns;         /* as in profiled_devices: in its calls, before work that its own code or graphs start */
};

/* What ran at a graph break that ends the graph of its compiles. */
struct profiled_gap {
    uint32_t graph_break; /* in model->breaks */
    int64_t eager_ns;     /* sum of its compiles, without unmatched_ns */
    int64_t unmatched_ns; /* the same */
    int64_t graph_ns;     /* of the graphs in their calls, each once */
    int64_t *by_step;     /* of eager_ns, as step_ns; NULL: nothing of it is in a step */
};

struct profiled_graph {
    bool in_backward; /* AOTAutograd's function for the backward calls it */
    uint32_t code;    /* index in kernels->codes; UINT32_MAX: unknown */
    uint32_t compile; /* UINT32_MAX: unknown, or several */
    struct slice key; /* in the trace's arena; ptr NULL: its calls have none */
    struct run_time time;
    struct run_spread spread;    /* of its calls */
    int64_t *by_step;            /* as step_ns, of its calls; NULL: none is in a step */
    int64_t kernel_ns;           /* time of its operators, part of time.ns */
    uint64_t aligned, unaligned; /* calls */
    int64_t unaligned_ns;        /* time of the unaligned calls, part of time.ns */
    uint64_t replays;            /* calls, among those, that replay a CUDA graph */
    int64_t copy_ns;             /* on devices: copies of inputs into CUDA graphs, part of time.device_ns */
    bool generated;              /* its code calls generated kernels */
    bool kernel_events;          /* some aligned call has events of them */
};

/* Devices, from their first to their last work in each trace. */
struct profiled_devices {
    uint64_t count;                         /* 0: no trace has work on devices */
    int64_t busy_ns, idle_ns;               /* sums of the devices */
    int64_t late_ns;                        /* part of idle_ns in which the next work had not been started */
    int64_t late_graphs_ns, late_frames_ns; /* parts of it: in graphs; in frames around them */
    int64_t compiling_ns;                   /* part of idle_ns in which it had not, as the compiler ran */
    int64_t kernel_ns, without_line_ns;     /* as in struct profile, on devices */
};

struct profiled_line {
    struct slice file;
    uint64_t line;
    struct slice code;    /* ptr NULL: unknown */
    struct run_time time; /* without calls */
};

struct profiled_name {
    struct slice name;
    struct run_time time;
};

enum ran_kind { RAN_FRAME, RAN_GRAPH, RAN_GUARDS, RAN_STEP, RAN_ON_DEVICE };
enum { PROFILE_SPANS_MAX = 200000, PROFILE_STEPS_MAX = 512 };

/* A call, or work on a device that a call starts, for the timeline. */
struct profiled_span {
    int64_t start_ns, ns, self_ns; /* since the epoch; self_ns: without the spans in it */
    uint32_t thread;               /* in profile->threads */
    uint32_t compile;              /* UINT32_MAX: none, or unknown */
    uint32_t name;                 /* of work on a device: in the names of its trace */
    enum ran_kind kind;
};

/* A thread, or a stream of a device, of a trace with spans. */
struct profiled_thread {
    uint32_t file, track;
    bool device;
};

/* A process whose calls a trace has. */
struct profiled_process {
    uint64_t number;
    int64_t last_ns; /* end of the last event of its trace; INT64_MAX: the trace's clock is unknown */
};

struct profile {
    const struct profiles *profiles;
    const char **refused; /* by file: why it is not used for this log; NULL: it is */
    uint64_t steps;
    int64_t start_ns;              /* of the first event, since the epoch; INT64_MAX: unknown */
    struct run_spread step_spread; /* of the steps of traces with a call of compiled code in one */
    int64_t *step_ns;              /* the first PROFILE_STEPS_MAX of these steps, in order; NULL: none */
    int64_t *overhead_by_step, *eager_by_step,
        *lookups_by_step;                   /* what of these times begins in each of these steps; NULL: nothing */
    int64_t window_ns;                      /* from the first to the last event, of all files together */
    LIST(struct profiled_compile) compiles; /* by index of the compile */
    LIST(struct profiled_graph) graphs;     /* by time, the longest first */
    struct run_time *kernels;               /* by index in kernels->list; NULL: no kernel was aligned */
    struct run_spread *kernel_spreads;      /* the same, of their calls: on devices if there are any, else on the CPU */
    size_t kernel_count;                    /* of these lists */
    int64_t **kernels_by_step;              /* the same times by step, as step_ns; NULL: none is in a step */
    LIST(struct profiled_line) lines;       /* by time, the longest first */
    LIST(struct profiled_gap) gaps;         /* by index of the break; those with eager time */
    LIST(struct profiled_name) eager;       /* operators that no graph contains, by time, the longest first */
    LIST(struct profiled_span) spans;       /* of traces with a known clock, the first PROFILE_SPANS_MAX */
    uint64_t more_spans;                    /* the number of those that were left out */
    LIST(struct profiled_thread) threads;   /* of spans */
    LIST(struct profiled_process) processes;       /* by number, each once */
    struct run_time regions, graph_calls, lookups; /* the time of regions is that of the outermost ones */
    struct run_spread lookup_spread;
    uint64_t unmatched;                 /* lookups after which no compiled code is called: no version fits */
    int64_t kernel_ns, without_line_ns; /* in graphs */
    int64_t overhead_ns, eager_ns;
    int64_t compiling_ns; /* the compiler, of all threads; a part of no other time but that of steps */
    struct profiled_devices devices;
    uint64_t unknown_ids;  /* calls of regions whose id is not in the log */
    uint64_t unknown_keys; /* calls of graphs whose key is not in the log */
};

/* The value of `refused` for a trace of another rank, which is no problem. */
extern const char profile_other_rank[];

/* A collective operation that ran. */
struct collective_call {
    struct slice name; /* in the trace's arena */
    int64_t start_ns, ns;
};
enum { COLLECTIVES_MAX = 20000 };
typedef LIST(struct collective_call) collective_calls;

/* profile_collectives.c */
/* Adds the collectives of the traces that are used, by start: kernels of NCCL or, without those, work of Gloo. None if
 * there are more than COLLECTIVES_MAX. The caller frees the items. */
void profile_find_collectives(const struct profile *profile, collective_calls *calls);

/* profile_join.c */
/* Joins the traces, except those that are refused: profiles_read() could not use them, they have no compiled region, or
 * none that is in the log, or no process that wrote it. Keeps pointers into `profiles` and the model. */
void profile_join(struct profile *profile, struct profiles *profiles, const struct model *model);
void profile_free(struct profile *profile);
/* Joins the traces as model->profile, which the model owns. */
void profile_attach(struct model *model, struct profiles *profiles);
/* profile_sum.c */
/* Whether the compile has code that no call in the traces used, although its process called others by then. False if a
 * region of the traces is not in the log: it may have been a call of this compile. */
/* Whether a graph with this code is a backward. */
bool profile_is_backward(const struct profiled_graph *graph, const struct code_calls *code);
bool profile_never_ran(const struct profile *profile, const struct model *model, uint32_t compile);
