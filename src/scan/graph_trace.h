/* graph_trace.h - what a graph's text says that ranks are compared by: the source lines it runs, its collectives, the size of the world.
 *
 * A worker scans the text as it passes; the fold keeps a bounded copy for the compile. A step is a run of operations of one source line,
 * by the "# File:" comment above them. Its hash leaves out types and sizes, and where a value is used last, so that two graphs of the same
 * lines have the same steps whatever their inputs were.
 *
 * The process groups of a mesh have other names on each rank, though every rank means the group that it is in itself: a group counts
 * as the how manieth of its graph it is. That of all ranks, "0", counts by its name. */
#ifndef TLPARSE_SCAN_GRAPH_TRACE_H
#define TLPARSE_SCAN_GRAPH_TRACE_H

#include "base/arena.h"

enum {
    GRAPH_STEPS_MAX = 2048,      /* of a graph */
    GRAPH_STEPS_LOG_MAX = 32768, /* kept of a log */
    GRAPH_CALLS_MAX = 4096,      /* collectives of a compile */
    GRAPH_CALLS_LOG_MAX = 65536, /* of a log */
    WORLD_SIZE_MAX = 1000000,    /* a larger number is not taken for the size of a world */
};

struct graph_step {
    struct slice file, function, code; /* ptr NULL: the graph does not say where the operations come from */
    uint32_t line;
    uint64_t ops;      /* hash of its operations without types */
    struct slice text; /* their lines, from the first operation to the last */
    struct slice type; /* of that: "f32[8][1]cpu"; ptr NULL: not known */
    uint64_t types;    /* hash of all types */
};

/* How many ranks the job has, by what a text says. */
struct world_hints {
    uint64_t size;             /* of the default process group, which holds all ranks; 0: not known */
    uint64_t at_least;         /* the size of any other group or mesh; 0: none */
    const char *at_least_from; /* what says so, a constant; NULL: nothing */
    bool contradicts;          /* texts name different sizes */
};

struct graph_trace {
    struct graph_step *steps;
    uint32_t count;
    bool cut;            /* there are more steps */
    struct slice *calls; /* operators of torch.ops._c10d_functional but waits, in the order of the text: "all_reduce" */
    uint32_t call_count;
    struct world_hints world;
};

/* Of Dynamo's graph: with steps. All texts are slices of the graph. */
struct graph_trace *graph_trace_scan(struct slice graph, struct arena *arena);
/* Of any other graph, or of output code: without steps; NULL where the text has no collectives and no mesh. */
struct graph_trace *graph_calls_scan(struct slice text, struct arena *arena);
/* Of fx_graph_runnable, the graph as a program: the process groups of its collectives, which it sets up, with their sizes; NULL: it has none. */
struct graph_trace *runnable_groups_scan(struct slice text, struct arena *arena);
/* A hash of the graph without its noise (base/noise.h) and without the names of process groups; never 0. */
uint64_t graph_text_hash(struct slice graph);
/* "mul: "f32[8][1]cpu" = l_x_ * 2;  l_x_ = None" → "mul", "f32[8][1]cpu", "l_x_ * 2"; false: it is no operation. Where the text has no
 * type its ptr is NULL. */
bool graph_operation_read(struct slice line, struct slice *name, struct slice *type, struct slice *value);
void world_hints_add(struct world_hints *hints, const struct world_hints *more);

#endif
