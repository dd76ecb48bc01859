/* running.h - what a process is compiling right now, as far as its log shows.
 *
 * A compile by Dynamo begins with its dynamo_start. A backward, AOTInductor and torch.export have no such record, but
 * an event that begins a span around all of it (PyTorch 2.6 and later). Spans at run time, such as the autotuner's, are
 * not compiles. Without a record or an event, nothing is known to run.
 *
 * {0}: nothing runs. For one process of a log; one thread. */
#pragma once

#include "model/model.h"

struct fold;

enum running_what { RUNNING_NOTHING, RUNNING_COMPILE, RUNNING_SPAN };

enum { RUNNING_DATE_MAX = 4, RUNNING_CLOCK_MAX = 16 };

/* A span of the timeline. */
struct running_span {
    size_t track;
    uint32_t name;
    int64_t start_us; /* since the timeline's base */
};

struct running {
    enum running_what what;
    const struct model *model;
    uint32_t compile;            /* index in the model; for a span without a compile id, the compile of such records */
    uint64_t writer;             /* of its spans */
    struct running_span span;    /* RUNNING_SPAN: the outermost one */
    size_t artifacts;            /* number of the compile's artifacts before this began */
    int64_t start_us;            /* time of day of its first record; -1: unknown */
    char date[RUNNING_DATE_MAX]; /* date of that record, as logged */
    char clock[RUNNING_CLOCK_MAX]; /* as logged, cut */
    unsigned char date_len, clock_len;
    int64_t named_us; /* its running time when it was last reported; 0: never */
};

/* The fold's record begins a compile by Dynamo. */
void running_start(struct running *running, const struct compile *compile, const struct fold *fold);
/* Call it after each record: a span may have begun or ended. */
void running_see(struct running *running, struct fold *fold);
/* The compile, or its backward, has ended. */
void running_end(struct running *running, const struct model *model, const struct compile *compile, bool backward);
/* The model is gone. */
void running_forget(struct running *running);

/* Whether events show that a compile by Dynamo has ended: a compile that loads its code has no metrics. */
bool running_has_ended(const struct running *running);
/* The name of the outermost span; ptr NULL: a compile by Dynamo. */
struct slice running_span(const struct running *running);
/* The innermost open span; ptr NULL: the log has none. */
struct slice running_phase(const struct running *running);
/* The latest artifact since it began; ptr NULL: none. */
struct slice running_artifact(const struct running *running);
bool running_is_backward(const struct running *running);
