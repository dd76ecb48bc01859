/* spend.h - what compile time is spent on, below the phases: kinds of spans that a setting or a cache can shorten. Pure. */
#ifndef TLPARSE_ANALYSIS_SPEND_H
#define TLPARSE_ANALYSIS_SPEND_H

#include "base/slice.h"

enum spend {
    SPEND_KERNELS,  /* C++ kernels, compiled in this process */
    SPEND_PROBES,   /* C++ test programs, built while Inductor writes code */
    SPEND_AUTOTUNE, /* kernels that are compared, with what compiles them */
    SPEND_GUARDS,
    SPEND_KEYS, /* hashes of PyTorch and Triton for the keys of caches */
    SPEND_SHAPES,
    SPENDS,
    SPEND_LOADING = SPENDS, /* spans that only say what is within them */
    SPEND_WRITING,
    SPEND_NONE,
};

/* What the self time of a span is spent on, below a span of `around`. */
enum spend spend_within(struct slice name, enum spend around);

/* Times of one compile: forward, then backward. */
struct spent {
    int64_t us[2][SPENDS];
    uint32_t count[2][SPENDS]; /* spans */
    int64_t longest_us[SPENDS];
};

#endif
