/* spend.h - what compile time is spent on, below the phases: kinds of spans that a setting or a cache can shorten. Pure. */
#ifndef TLPARSE_ANALYSIS_SPEND_H
#define TLPARSE_ANALYSIS_SPEND_H

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
};

#endif
