/* kernel_devices.h - where the kernels of output code run: copies between devices, and calls outside of CUDA graphs.
 * Pure; any thread. */
#pragma once

#include "codegen/kernel_flow.h"

/* Why a call is outside of CUDA graphs although other parts of its graph can be in one. */
enum kernel_outside {
    OUTSIDE_NOT, /* it is inside, or no part of the graph can be */
    OUTSIDE_CPU,
    OUTSIDE_COPY,     /* to another device */
    OUTSIDE_UNBACKED, /* the size of its result is known only at run time: nonzero() */
    OUTSIDE_OTHER,    /* not known */
};

struct kernel_devices {
    enum kernel_outside outside;
    struct slice from, to; /* for a copy to another device: "cuda:0", "cpu" in the graph; empty: unknown */
    bool waits;            /* during the copy, the CPU waits for the GPU */
};

/* "cpu": one word for each reason; NULL for OUTSIDE_NOT. */
const char *kernel_outside_name(enum kernel_outside why);
/* Whether this is one of Inductor's kernels for the CPU. CUTLASS templates are in C++, too. */
bool kernel_for_cpu(enum kernel_kind kind, struct slice name);
/* The devices of a kernel in the code. post, flow: NULL if there is none. */
struct kernel_devices kernel_devices_find(const struct kernel_scan *scan, uint32_t index,
                                          const struct flow_graphs *post, const struct kernel_flow *flow);
