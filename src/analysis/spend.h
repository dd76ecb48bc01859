/* spend.h - what compile time is spent on within phases: kinds of spans that a setting or a cache can shorten. Pure. */
#pragma once

#include "model/model.h"

enum spend {
    SPEND_KERNELS,    /* C++ kernels, compiled in this process */
    SPEND_PACKAGE,    /* C++ of AOTInductor: a wrapper and its kernels, one file after another */
    SPEND_PROBES,     /* C++ test programs, built and loaded while Inductor lowers the graph or writes code, or before
                       * AOTInductor writes the wrapper */
    SPEND_AUTOTUNE,   /* templates that max_autotune compares, including their compilation */
    SPEND_BENCHMARKS, /* configurations of kernels that are compared, even without max_autotune */
    SPEND_GUARDS,
    SPEND_KEYS, /* hashes of PyTorch and Triton for cache keys */
    SPEND_SHAPES,
    SPEND_FUSION,  /* decisions on which operations share a kernel */
    SPEND_SOURCES, /* writing the kernels' source */
    SPENDS,
    SPEND_LOADING = SPENDS, /* spans that only determine the kind of the spans within them */
    SPEND_LOWERING,
    SPEND_PACKAGING,
    SPEND_NONE,
};

/* "autotuning", as the page names it. */
const char *spend_title(enum spend spend);

/* The kind for the self time of a span, within a span of kind `around`. */
enum spend spend_within(struct slice name, enum spend around);

/* The times of one compile, by the phase that they are part of. The whole backward is PHASE_BACKWARD. */
struct spent {
    int64_t us[SPENDS][PHASES];
    uint32_t count[SPENDS]; /* spans */
    int64_t longest_us[SPENDS];
    int64_t discarded_us
        [PHASES]; /* self times of all spans in traces that a restart discarded; the other members do not include them */
};

/* A trace by Dynamo. It is discarded if another one begins in the same compile. */
struct attempt {
    bool open;
    struct spent before; /* the times of the compile when the trace began */
    int64_t us[PHASES];  /* self times of the spans since the trace began */
};

/* Whether the span is that of an attempt, "compile_attempt_0". Sets *again for all but the first, which follow a
 * restart. */
bool attempt_is(struct slice name, bool *again);
void attempt_begin(struct attempt *attempt, struct spent *spent, bool again);
