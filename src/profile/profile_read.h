/* profile_read.h - the events of a trace that torch.profiler exported (Chrome's trace format, JSON).
 *
 * Reads a stream, in memory proportional to the number of events, and parses no more of an event than what is kept. A
 * trace is untrusted: events, names, tracks, and the size of one event have limits, and a trace beyond them is refused,
 * as is one that is not complete. Times are in nanoseconds.
 *
 * The caller owns the struct: profile_read() .. profile_trace_free(), also after a failure. {0} may be freed. One
 * thread at a time. */
#pragma once

#include "base/base.h"

struct pool;
struct source;

enum profile_kind {
    PROFILE_OP,         /* cpu_op: an operator, or a range of PyTorch itself */
    PROFILE_ANNOTATION, /* user_annotation: record_function(), or a step */
    PROFILE_LAUNCH,     /* cuda_runtime, cuda_driver: a call that may start work on a device */
    PROFILE_DEVICE,     /* kernel, gpu_memcpy, gpu_memset: work on a device */
};

/* A complete event ("ph": "X"). */
struct profile_event {
    int64_t start_ns; /* since the epoch, if trace->clock_known */
    int64_t ns;       /* duration, from 0 */
    uint32_t name;    /* index in trace->names */
    uint32_t track;   /* index in trace->tracks */
    uint32_t id;      /* correlation of a launch and of the work that it starts; 0: none */
    enum profile_kind kind;
};

/* A thread of a process, or a stream of a device. */
struct profile_track {
    struct slice process, thread; /* as numbers or texts in the trace; for a stream, the device and the stream */
};

struct profile_trace {
    LIST(struct profile_event) events; /* by track and start; of those that start together, the longest first */
    LIST(struct slice) names;          /* unescaped */
    LIST(struct profile_track) tracks;
    uint64_t bytes;     /* of the unpacked trace */
    int64_t sum_ns;     /* of all durations, less than 2^60 */
    bool listed;        /* it has a list of events, even an empty one: it is a trace, not any other JSON */
    bool clock_known;   /* the trace has baseTimeNanoseconds */
    int64_t rank;       /* distributedInfo; -1: none */
    struct arena arena; /* of texts */
    struct map name_map, track_map;
};

/* Reads the whole stream. A worker of the pool reads ahead; NULL: all work is done in the calling thread. block: bytes
 * that are read at a time; 0: the default. Returns false if reading failed, or if the trace is refused: it is no trace,
 * damaged, cut off, or beyond a limit. err has code ERR_INPUT then, and says why in the words that follow the name of a
 * file: "is not complete". */
bool profile_read(struct profile_trace *trace, struct source *source, struct pool *pool, size_t block, struct err *err);
void profile_trace_free(struct profile_trace *trace);
