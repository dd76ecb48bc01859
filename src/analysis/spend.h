/* spend.h - what compile time is spent on, below the phases: kinds of spans that a setting or a cache can shorten. Pure. */
#pragma once

#include "model/model.h"

enum spend {
    SPEND_KERNELS,    /* C++ kernels, compiled in this process */
    SPEND_PACKAGE,    /* C++ of AOTInductor: a wrapper with its kernels, one file after the other */
    SPEND_PROBES,     /* C++ test programs, built and loaded while Inductor lowers the graph or writes code, or before
                       AOTInductor writes the wrapper */
    SPEND_AUTOTUNE,   /* templates that max_autotune compares, with what compiles them */
    SPEND_BENCHMARKS, /* configurations of kernels that are compared, also without max_autotune */
    SPEND_GUARDS,
    SPEND_KEYS, /* hashes of PyTorch and Triton for the keys of caches */
    SPEND_SHAPES,
    SPEND_FUSION,  /* which operations share a kernel */
    SPEND_SOURCES, /* writing the kernels' source */
    SPENDS,
    SPEND_LOADING = SPENDS, /* spans that only say what is within them */
    SPEND_LOWERING,
    SPEND_PACKAGING,
    SPEND_NONE,
};

/* "autotuning", as the page names it. */
const char *spend_title(enum spend spend);

/* What the self time of a span is spent on, below a span of `around`. */
enum spend spend_within(struct slice name, enum spend around);

/* Times of one compile, by the phase that they are a part of. All of a backward is PHASE_BACKWARD. */
struct spent {
    int64_t us[SPENDS][PHASES];
    uint32_t count[SPENDS]; /* spans */
    int64_t longest_us[SPENDS];
    int64_t discarded_us
        [PHASES]; /* self times of all spans in traces that a restart discarded, which are not in the others */
};

/* A trace that Dynamo makes, which is discarded if another one begins in the same compile. */
struct attempt {
    bool open;
    struct spent before; /* what the compile was spent on when it began */
    int64_t us[PHASES];  /* self times of the spans since then */
};

/* Whether a span is that of an attempt, "compile_attempt_0". Another one than the first follows a restart. */
bool attempt_is(struct slice name, bool *again);
void attempt_begin(struct attempt *attempt, struct spent *spent, bool again);
