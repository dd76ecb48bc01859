/* kernel_devices.h - where the kernels of a code run: copies between devices, and calls outside of CUDA graphs. Pure; any
 * thread. */
#pragma once

#include "codegen/kernel_flow.h"

/* Why a call is not in a CUDA graph, although parts of its graph can be. */
enum kernel_outside {
    OUTSIDE_NOT, /* it is, or no part of the graph can be */
    OUTSIDE_CPU,
    OUTSIDE_COPY,     /* to another device */
    OUTSIDE_UNBACKED, /* only its result has its size: nonzero() */
    OUTSIDE_OTHER,    /* not known */
};

struct kernel_devices {
    enum kernel_outside outside;
    struct slice from, to; /* of a copy to another device: "cuda:0", "cpu", in the graph; empty: unknown */
    bool waits;            /* a copy during which the CPU waits for the GPU */
};

/* "cpu": a word for each reason; NULL for OUTSIDE_NOT. */
const char *kernel_outside_name(enum kernel_outside why);
/* Whether it is a kernel of Inductor for the CPU. Templates of CUTLASS are in C++, too. */
bool kernel_for_cpu(enum kernel_kind kind, struct slice name);
/* Those of a kernel of the code. post, flow: NULL if there is none. */
struct kernel_devices kernel_devices_find(const struct kernel_scan *scan, uint32_t index,
                                          const struct flow_graphs *post, const struct kernel_flow *flow);
