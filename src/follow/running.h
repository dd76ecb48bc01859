/* running.h - what a process compiles right now, as far as its log shows.
 *
 * A compile of Dynamo begins with its dynamo_start. A backward, AOTInductor and torch.export have no such record; what they have is an
 * event that begins a span around all of it (PyTorch 2.6 and later). Spans at run time, such as those of the autotuner, are no compile.
 * Without either, nothing is known to run.
 *
 * {0} runs nothing; one process of a log; one thread. */
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
    uint32_t compile;              /* in the model; of a span without a compile id, that of such records */
    uint64_t writer;               /* of its spans */
    struct running_span span;      /* RUNNING_SPAN: the outermost one */
    size_t artifacts;              /* of the compile before this began */
    int64_t start_us;              /* of its first record; time of day, -1: unknown */
    char date[RUNNING_DATE_MAX];   /* of that record, as logged */
    char clock[RUNNING_CLOCK_MAX]; /* as logged, cut */
    unsigned char date_len, clock_len;
    int64_t named_us; /* how long it had run when it was passed last; 0: never */
};

/* The record of the fold begins a compile of Dynamo. */
void running_start(struct running *running, const struct compile *compile, const struct fold *fold);
/* After each record: a span may have begun or ended. */
void running_see(struct running *running, struct fold *fold);
/* The compile has ended, or its backward. */
void running_end(struct running *running, const struct model *model, const struct compile *compile, bool backward);
/* The model is gone. */
void running_forget(struct running *running);

/* Whether events show that a compile of Dynamo has ended: a compile whose code was loaded has no metrics. */
bool running_has_ended(const struct running *running);
/* The name of the outermost span; ptr NULL: a compile of Dynamo. */
struct slice running_span(const struct running *running);
/* The innermost open span; ptr NULL: the log has none. */
struct slice running_phase(const struct running *running);
/* The last artifact since it began; ptr NULL: none. */
struct slice running_artifact(const struct running *running);
bool running_is_backward(const struct running *running);
