/* graph_trace.h - extracts the data for comparing ranks from a graph's text: source lines, collectives, and the world
 * size.
 *
 * A worker scans the text while it streams by. The fold keeps a bounded copy for the compile. A step is a sequence of
 * operations from one source line, according to the "# File:" comment above them. Its hash ignores types, sizes and
 * the positions of last uses, so graphs of the same lines have the same steps for any inputs.
 *
 * The process groups of a mesh have different names on each rank, although the groups correspond. So a group is
 * identified by its ordinal in the graph, except for the group of all ranks, "0". */
#pragma once

#include "base/base.h"

enum {
    GRAPH_STEPS_MAX = 2048,      /* per graph */
    GRAPH_STEPS_LOG_MAX = 32768, /* kept per log */
    GRAPH_CALLS_MAX = 4096,      /* collectives per compile */
    GRAPH_CALLS_LOG_MAX = 65536, /* per log */
    WORLD_SIZE_MAX = 1000000,    /* larger numbers are not world sizes */
};

struct graph_step {
    struct slice file, function, code; /* ptr NULL: the graph has no source for the operations */
    uint32_t line;
    uint64_t ops;      /* hash of its operations, ignoring types */
    struct slice text; /* lines of its operations, from the first to the last */
    struct slice type; /* type of that operation: "f32[8][1]cpu"; ptr NULL: unknown */
    uint64_t types;    /* hash of all types */
};

/* The number of ranks, according to a text. */
struct world_hints {
    uint64_t size;             /* of the default process group, which has all ranks; 0: unknown */
    uint64_t at_least;         /* the largest size of any other group or mesh; 0: none */
    const char *at_least_from; /* the source of at_least, a constant; NULL: none */
    bool contradicts;          /* texts state different sizes */
};

struct graph_trace {
    struct graph_step *steps;
    uint32_t count;
    bool cut;            /* there are more steps */
    struct slice *calls; /* operators of torch.ops._c10d_functional except waits, in text order: "all_reduce" */
    uint32_t call_count;
    struct world_hints world;
};

/* Scans a Dynamo graph, including steps. All texts are slices of the graph. */
struct graph_trace *graph_trace_scan(struct slice graph, struct arena *arena);
/* Scans another graph, or output code, without steps. NULL if the text has neither collectives nor a mesh. */
struct graph_trace *graph_calls_scan(struct slice text, struct arena *arena);
/* Scans fx_graph_runnable, a program with the graph, which sets up the process groups of its collectives with their
 * sizes. NULL if it has none. */
struct graph_trace *runnable_groups_scan(struct slice text, struct arena *arena);
/* A hash of the graph without noise (base/noise.h) and names of process groups. Never 0. */
uint64_t graph_text_hash(struct slice graph);
void world_hints_add(struct world_hints *hints, const struct world_hints *more);
