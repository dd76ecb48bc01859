/* profile_parts.h - shared by the files of profile.h: what names in traces stand for, and the order of kernels in a code. */
#pragma once

#include "profile/profile.h"

/* profile_names.c - what a name in a trace stands for. Pure; any thread. */
enum role {
    ROLE_OPERATOR,
    ROLE_REGION,   /* a call of a compiled frame */
    ROLE_GRAPH,    /* a call of a graph that Inductor compiled */
    ROLE_LOOKUP,   /* the guard checks of a frame */
    ROLE_PROLOGUE, /* what runs in a region before its graph */
    ROLE_WRAPPER,  /* AOTAutograd's function around a graph */
    ROLE_STEP,     /* a step of the profiler */
    ROLE_COMPILER, /* the compiler */
    ROLES,
};

struct name_role {
    enum role role;
    struct slice detail; /* the id of a compile, the key of a graph */
    bool package;        /* of a graph: it is AOTInductor's */
    bool launches_graph; /* of a launch: it replays a CUDA graph */
    bool generated;      /* of an operator: it has the number of a graph, as generated C++ kernels have */
    struct slice base;   /* of an operator: without its namespace, or without the number of its graph */
};

struct name_role profile_name_role(struct slice name);
/* The name by which events and code can be compared: "addmm" for "extern_kernels.addmm". A slice of the kernel's name. */
struct slice profile_kernel_base(const struct kernel *kernel);

/* profile_align.c - assigns what ran in a call of a graph to the kernels that its code calls. One thread. */
/* What a code calls; made on demand. {0} is not made yet. */
struct profile_calls {
    struct map bases;    /* base name → whether it is that of a generated kernel */
    struct map works;    /* names of generated kernels on a device */
    const uint32_t *all; /* kernels in the order of their calls */
    uint32_t *library;   /* the same, without generated kernels */
    uint32_t count, library_count;
};
void profile_calls_make(struct profile_calls *calls, const struct kernels *kernels, const struct code_calls *code);
void profile_calls_free(struct profile_calls *calls);
/* An operator in a call of a graph or, if `replayed`, work on a device that a CUDA graph in it starts. */
struct profile_operator {
    struct slice name; /* of an operator: its base */
    bool replayed, generated;
};
/* The kernel of an operator; UINT32_MAX: none. more: the work belongs to the same call as the one before. */
struct profile_assigned {
    uint32_t kernel;
    bool more;
};
/* Sets `assigned`, by operator. An operator that the code does not name has no kernel. Returns false unless the
 * operators that it names are those that it calls, in that order; those of the user may be missing, and a generated C++
 * kernel may have another name, as those of templates do. On the CPU, generated kernels have events only if the
 * setting for that was on: without any, only library calls are expected. *generated: there are some.
 *
 * Replayed work has the names of generated kernels, but not those of library calls. What is between two generated
 * kernels belongs to the only library call between them, or to each of them in order if there are as many; otherwise it
 * has no kernel. The second kernel of a product that cuBLAS splits goes with the first one. While a CUDA graph is recorded, operators are called that do not run: if the call has all of them and
 * replays, too, they have no kernel. */
bool profile_align(const struct profile_calls *calls, const struct kernels *kernels,
                   const struct profile_operator *operators, size_t count, struct profile_assigned *assigned,
                   bool *generated);

/* profile_device.c - the work of a trace on devices, and when they had none. One thread. */
struct device_work {
    uint32_t id;    /* correlation; 0: none */
    uint32_t event; /* in the trace; UINT32_MAX: a launch has taken it */
    int64_t start_ns;
    int64_t gap_ns; /* how long its device had no work before; 0 for the first one */
};
struct device_works {
    LIST(struct device_work) list; /* by id, then by start */
    uint64_t devices;              /* that had work */
    int64_t busy_ns, idle_ns;      /* from the first to the last work of each device; their sums */
};
/* Finds the works of the trace in place of others. */
void profile_find_works(struct device_works *works, const struct profile_trace *trace);
/* The work that a launch with this id starts: *count items, 0 if there is none or another launch has taken it. */
struct device_work *profile_works_of(struct device_works *works, uint32_t id, size_t *count);

/* profile_sum.c - what follows from the times of calls and kernels. One thread. */
/* Divides the time of each kernel equally among its lines: those of the user or, if it has none, all. */
void profile_find_lines(struct profile *profile, const struct kernels *kernels);
/* Adds up the time of each compile's backward graphs. */
void profile_find_backward(struct profile *profile, const struct kernels *kernels);
/* Whether events do not tell its graph from the rest of its calls: its backend is not Inductor. */
bool profile_hides_graphs(const struct model *model, const struct compile *compile);
/* The graph break that ends the compile's graph; UINT32_MAX: none, or unknown. */
uint32_t profile_break_of(const struct model *model, const struct compile *compile);
/* Adds up the eager time of the compiles of each graph break in profile->gaps, which has all breaks, and keeps those
 * with any. */
void profile_find_gaps(struct profile *profile, const struct model *model);
/* The spread of the times, which it sorts. */
struct run_spread profile_spread(int64_t *times, size_t count);
/* Sorts lines, graphs and operators by time. */
void profile_sort(struct profile *profile);
