/* graph_memory.h - the memory that compiled graphs allocate when they run, from their output code.
 *
 * A part of the model (model.h), filled in log order by the fold's thread from scans of output code (scanned_memory.h).
 * A forward graph and the backward graph of the same compile are joined: what the one returns only for the other is
 * saved for the backward. All sizes are bytes; those of tensors on other devices than the CPU are rounded as PyTorch's
 * allocator for CUDA does. Up to GRAPH_MEMORIES_MAX graphs are stored, the first DETAILED_MAX with details; further ones
 * are counted. */
#pragma once

#include "codegen/scanned_memory.h"
#include "model/model.h"

enum {
    GRAPH_MEMORIES_MAX = 20000,
    DETAILED_MAX = 2000,
    MEMORY_BUFFERS_MAX = 10,
    MEMORY_SAVED_MAX = 24,
    MEMORY_LINES_MAX = 64,
    MEMORY_POINTS_MAX = 32
};

/* A tensor that the call allocates and that lives when most memory is in use. */
struct memory_buffer {
    struct slice name, shape, dtype; /* "buf3", "(512, 1024)", "torch.float32" */
    struct slice kernel;             /* what writes it first; ptr NULL: unknown */
    int64_t bytes;
    uint32_t line, end; /* lines of the code that allocate and free it; end 0: it outlives the call */
    bool returned;
};

/* A tensor that the forward allocates and the backward uses. */
struct saved_tensor {
    struct slice name, shape, dtype; /* name: its node in the graph, or else its variable in the code */
    struct place place;              /* file.ptr NULL: unknown */
    struct slice code;               /* the line's source text; ptr NULL: unknown */
    int64_t bytes;
    bool result; /* the user gets it, too */
};

/* What a forward saves of the tensors that a line of source computes. */
struct saved_line {
    struct place place; /* file.ptr NULL: no line of the graph computes them */
    struct slice code;  /* as in struct saved_tensor */
    int64_t bytes;
    int64_t result_bytes; /* of these, tensors that the user gets, too */
    uint32_t tensors;
    bool symbolic; /* a size is that of the example inputs */
};

/* The memory in use at a line of the code. */
struct memory_point {
    uint32_t line;
    int64_t bytes; /* allocated by this call */
    int64_t saved; /* saved by the forward and not yet freed */
};

struct graph_memory {
    uint32_t compile, artifact; /* as in struct kernel */
    struct slice graph;         /* "0_forward"; ptr NULL: unknown */
    struct slice device;        /* where most is allocated; ptr NULL: nothing is */
    struct slice fallback;      /* an operator that may allocate more: peaks are lower bounds. ptr NULL: none */
    enum memory_unknown unknown;
    uint32_t unknown_line; /* of the code; 0: none */
    uint32_t peak_line;
    int64_t net, peak;             /* what the call leaves allocated; the most that is allocated at a time */
    int64_t saved;                 /* forward: bytes saved for the backward. -1: unknown, or no backward */
    int64_t whole_peak;            /* backward: the most at a time, with what is saved. -1: unknown */
    int64_t input_bytes;           /* forward: inputs that the backward uses, too. -1: as `saved` */
    struct memory_buffer *buffers; /* alive at the peak, largest first */
    struct saved_tensor *values;   /* largest first */
    struct saved_line
        *lines; /* of all that is saved, largest first; lines with the same bytes in the order of tensors */
    struct memory_point *points;
    uint32_t buffer_count, value_count, point_count;
    uint32_t line_count, more_buffers, more_values, more_lines;
};

struct graph_memories {
    LIST(struct graph_memory) list;
    uint64_t more;
    struct pending_results *pending; /* of the latest forwards */
};

/* Adds the memory of the folder's latest code. `kernels` is the scan of the same code. */
void graph_memory_add(struct model *model, uint32_t folder, const struct memory_scan *scan,
                      const struct kernel_scan *kernels);
/* A sentence without the line; NULL if it is known. */
const char *memory_unknown_text(enum memory_unknown unknown);
