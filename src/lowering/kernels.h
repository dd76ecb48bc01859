/* kernels.h - the kernels of a log's output code: fused operators, source lines, and compile times.
 *
 * A part of the model (model.h), filled in log order by the fold's thread. Up to KERNELS_MAX kernels are stored; the
 * rest is counted. Nodes come from the provenance mapping, if the log has one, otherwise from the comments of the code
 * or from its buffers (kernel_flow.h). Source lines come from the kernel stack traces, if the log has them, otherwise
 * from the "# File:" comments of these nodes in the post-grad and the Dynamo graph. Only the graphs of the latest
 * compiles are kept for that purpose. */
#pragma once

#include "base/json.h"
#include "codegen/kernel_devices.h"
#include "codegen/kernel_flow.h"
#include "model/model.h"

/* The origin of a kernel's nodes. */
enum kernel_nodes_by {
    NODES_UNKNOWN,
    NODES_BY_COMMENT, /* in the comment above the kernel, or above its call */
    NODES_BY_FLOW,    /* kernel_flow.h */
    NODES_BY_MAPPING, /* the log's provenance */
};

/* Why nodes or source lines of a kernel are unknown. */
enum kernel_unknown {
    UNKNOWN_NOTHING,
    UNKNOWN_NO_GRAPH, /* the log has no post-grad graph for it, or it is no longer stored */
    UNKNOWN_TOO_LARGE,
    UNKNOWN_CODE_ENDS,
    UNKNOWN_NOT_CALLED,
    UNKNOWN_PARAMETERS, /* from here on, as flow_why in kernel_flow.h */
    UNKNOWN_RESULTS,
    UNKNOWN_OPERANDS,
    UNKNOWN_COPIES,
    UNKNOWN_SHARED,
    UNKNOWN_LINES,  /* nodes are known, but no graph has a line for them */
    UNKNOWN_NODES,  /* for lines: the nodes are unknown */
    UNKNOWN_CACHED, /* for lines: those of the code, which comes from a cache, are not the program's */
};
/* A sentence for each reason; NULL for UNKNOWN_NOTHING. */
const char *kernel_unknown_text(enum kernel_unknown why);

enum { KERNELS_MAX = 20000, KERNEL_SOURCES_MAX = 64 };

struct kernel_source {
    struct place place;
    struct slice code; /* the line's source text; ptr NULL: unknown */
};

struct kernel {
    enum kernel_kind kind;
    uint32_t compile, folder, next;  /* next: the compile's next kernel; UINT32_MAX: none */
    uint32_t artifact;               /* the code that defines or calls it, as an index in the compile's list */
    uint32_t line, call_line, calls; /* as in scanned_kernel */
    struct slice label;              /* as in scanned_kernel */
    struct place original;           /* the user's source line; file.ptr NULL: generated, or unknown */
    struct slice name, graph, heuristic, nodes, ops, post_nodes, autotune; /* autotune: JSON; ptr NULL if not logged */
    struct slice perhaps;    /* nodes that it may compute in addition to post_nodes */
    enum kernel_unknown why; /* why nodes are unknown; UNKNOWN_SHARED: why `perhaps` is ambiguous */
    struct slice handle;     /* as in scanned_kernel */
    uint32_t choice;         /* index in `choices`; UINT32_MAX: none, or unknown */
    enum kernel_nodes_by by;
    int64_t compile_us; /* -1: unknown */
    struct kernel_source *sources;
    uint32_t source_count;
    enum kernel_outside outside;
    uint32_t partitions;   /* number of parts of the graph, in its code, that can be CUDA graphs */
    bool copies;           /* a copy to another device */
    bool waits;            /* during the copy, the CPU waits for the GPU */
    struct slice from, to; /* for a copy: "cuda:0", "cpu"; ptr NULL: unknown */
    bool traced;           /* its sources come from stack traces */
    bool followed;         /* its operators come from its buffers */
    bool foreign;          /* its lines were those of another compile, see kernels_check_cached() */
};

/* For stages.h. */
enum { KERNEL_CHOICES_MAX = 2000 };

struct kernel_choice {
    uint32_t compile;
    struct slice operation;      /* "addmm" */
    struct slice shape;          /* shapes of its inputs: "256x256, 256x128"; ptr NULL: unknown */
    struct slice winner;         /* PyTorch's name for the fastest candidate: "triton_mm_3", "bias_addmm" */
    struct slice config;         /* configuration of the winner: "BLOCK_M=64, num_warps=8"; ptr NULL: unknown */
    uint64_t candidates, triton; /* triton: candidates from Triton templates */
    int64_t time_ns;             /* time of the winner; -1: unknown */
};

/* The kernels of a compile; UINT32_MAX: none. */
struct compile_kernels {
    uint32_t head, last, latest; /* latest: first kernel of the latest code */
    uint32_t since;              /* first kernel since the compile's previous metrics */
    uint32_t code;               /* latest item of `codes` */
};

/* A code that Inductor generated for a graph, and the kernels that its call() calls, in that order. */
struct code_calls {
    uint32_t compile, artifact; /* as in struct kernel */
    struct slice graph;         /* "0_forward"; ptr NULL: unknown */
    struct slice key;           /* of the graph in the FX graph cache; ptr NULL: not logged */
    uint32_t first, count;      /* in `call_order` */
    bool python;                /* otherwise it is the C++ code of AOTInductor */
    bool known;                 /* all calls are in the list: neither too many, nor some in a nested graph */
};

struct memories; /* for kernels.c */

struct kernels {
    LIST(struct kernel) list;
    LIST(struct kernel_choice) choices;
    LIST(struct compile_kernels) compiles; /* by index of the compile */
    LIST(struct code_calls) codes;         /* in log order; empty unless model->profiled */
    LIST(uint32_t) call_order;             /* indices in `list` */
    uint64_t counts[KERNEL_KINDS], calls[KERNEL_KINDS], more, text_bytes;
    struct map texts;                     /* of kernels, each of them once */
    int64_t compile_us;                   /* -1: unknown */
    struct memories *graphs, *post_grads; /* Dynamo's graphs and post-grad graphs, of the latest compiles */
};

/* The kernels of the model, created on demand. */
struct kernels *kernels_in(struct model *model);
/* Notes the sources of a compile's Dynamo graph. */
void kernels_note_graph(struct model *model, uint32_t folder, const struct node_sources *sources);
/* Notes the graph from which the next code of the compile is generated. */
void kernels_note_post_grad(struct model *model, uint32_t folder, const struct flow_graphs *graphs);
/* Adds the kernels of a code, the latest artifact of the folder's compile. A second code of AOTInductor (`merge`) may
 * define kernels that the first one calls. */
void kernels_add(struct model *model, uint32_t folder, const struct kernel_scan *scan, bool merge);
/* The number of generated kernels, listed or not, without library calls. `kernels` may be NULL. */
uint64_t kernels_generated(const struct kernels *kernels);
/* Why the kernel has no source lines. */
enum kernel_unknown kernel_lines_unknown(const struct kernel *kernel);

/* Its first source line that is not in a library; NULL: none. */
const struct kernel_source *kernel_user_source(const struct kernel *kernel);
/* The compile's first kernel, as an index in `list`; UINT32_MAX: none. `kernels` may be NULL. */
uint32_t kernels_first(const struct kernels *kernels, size_t compile);

/* Takes the next item of a kernel's list (nodes, ops), which is separated by ", ". Returns false at the end. */
bool kernel_next_item(struct slice *list, struct slice *item);

/* For kernel_records.c. */
enum { POST_NODES_MAX = 2000 }; /* bytes */
/* The kernels of the folder's current compile. model->kernels is not NULL. Valid until the next compile is added. */
struct compile_kernels *kernels_of_folder(struct model *model, uint32_t folder);
/* The post-grad graph of the folder's current compile; NULL: none, or it is no longer stored. */
const struct flow_graphs *kernels_post_grad(const struct model *model, uint32_t folder);
/* The first kernel with this name in the compile's list, from this index on; NULL: none. */
struct kernel *kernel_find(struct kernels *kernels, uint32_t from, struct slice name);
/* A copy in the model; ptr NULL if there is no room. */
struct slice kernels_keep(struct model *model, struct slice text);

/* Adds a line unless it is already there. `list` has room for KERNEL_SOURCES_MAX. */
void kernel_add_source(struct model *model, struct kernel_source *list, uint32_t *count, struct place place,
                       struct slice code);
void kernel_add_node_source(struct model *model, struct kernel_source *list, uint32_t *count,
                            const struct node_source *source);
/* Sets the kernel's source lines, if there are any. */
void kernel_keep_sources(struct model *model, struct kernel *kernel, const struct kernel_source *list, uint32_t count);
/* Adds an item to a list "a, b" of at most POST_NODES_MAX bytes, once. */
void kernel_add_item(struct buf *list, struct slice item);
/* "aten.mul" for "aten.mul.Tensor" */
struct slice kernel_operator(struct slice op);

/* kernel_records.c - reads the records after a code about its kernels (kernels.h): nodes, stack traces, autotuning, and
 * compile times. The fold's thread. */
/* Note facts about the folder's latest code from later artifacts, by kernel name, with or without its debug handle. */
void kernels_note_nodes(struct model *model, uint32_t folder, yyjson_val *nodes);   /* {"kernel:3": ["mul", …]} */
void kernels_note_traces(struct model *model, uint32_t folder, yyjson_val *traces); /* {"kernel:3": ["File …", …]} */
void kernels_note_info(struct model *model, uint32_t folder, yyjson_val *info); /* {"kernel": {"compile_time_us", …}} */
/* triton_kernel_compile_times_us of a compile's metrics, forward or backward: JSON in a text, [["kernel", us], …]. It
 * covers the kernels since the previous metrics. */
void kernels_note_times(struct model *model, uint32_t folder, struct slice text);

/* code_calls.c - the order in which codes call their kernels, for profiles. The fold's thread. */
/* Adds a code of the compile that `own` belongs to. Its kernels are in `list` from index `first` on, in the order of the
 * scan. Sets all members of `code` but the first three. */
void code_calls_note(struct model *model, struct compile_kernels *own, struct code_calls code,
                     const struct kernel_scan *scan, uint32_t first);
/* Sets the key of the latest code of the compile, unless it has one. ptr NULL: nothing happens. */
void code_calls_note_key(struct model *model, uint32_t compile, struct slice key);
