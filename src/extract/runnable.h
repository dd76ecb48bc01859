/* runnable.h - the parts of fx_graph_runnable, the program that PyTorch logs for a graph before Inductor compiles it.
 *
 * PyTorch's program sets the environment of the first run, including folders for its logs and caches. Here, settings and
 * environment become data, which the program checks and applies; imports and the call at the end are left out, because
 * the program has its own; what is left is the code: the graph, its inputs, kernels of the user.
 *
 * Slices point into the text. Pure; any thread. Life cycle: runnable_read, runnable_free. */
#pragma once

#include "base/base.h"

struct runnable_pair {
    struct slice name, value;
};

struct runnable {
    LIST(struct runnable_pair) settings;    /* "torch._inductor.config.max_autotune", "True" */
    LIST(struct runnable_pair) environment; /* variables of PyTorch that change what it compiles */
    LIST(struct runnable_pair) left;        /* settings and variables that belong to the first run */
    LIST(struct slice) code;                /* lines, in order */
    struct slice version, git, cuda;        /* of PyTorch, and CUDA's */
    LIST(struct slice) hardware;            /* comments on the GPUs of the run */
    struct slice groups;                    /* of processes: a dict in Python; empty: none */
    bool symbolic, is_inference;
    bool has_graph; /* class Repro and load_args() */
};

void runnable_read(struct runnable *runnable, struct slice text);
void runnable_free(struct runnable *runnable);
