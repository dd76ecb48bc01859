/* kernels.h - the kernels of a log's output code: fused operators, source lines, and compile times.
 *
 * A part of the model (model.h), filled in log order by the fold's thread. Up to KERNELS_MAX kernels are stored; the
 * rest is counted. Nodes come from the provenance mapping, if the log has one, otherwise from the comments of the code
 * or from its buffers (kernel_flow.h). Source lines come from the kernel stack traces, if the log has them, otherwise
 * from the "# File:" comments of these nodes in the post-grad and the Dynamo graph. Only the graphs of the latest
 * compiles are stored for that. */
#ifndef TLPARSE_ANALYSIS_KERNELS_H
#define TLPARSE_ANALYSIS_KERNELS_H

#include "base/json.h"
#include "model/model.h"
#include "scan/kernel_flow.h"

/* The origin of a kernel's nodes. */
enum kernel_nodes_by {
    NODES_UNKNOWN,
    NODES_BY_COMMENT, /* above the kernel, or above its call */
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
    UNKNOWN_PARAMETERS, /* as flow_why in kernel_flow.h, also for the next ones */
    UNKNOWN_RESULTS,
    UNKNOWN_OPERANDS,
    UNKNOWN_COPIES,
    UNKNOWN_SHARED,
    UNKNOWN_LINES, /* nodes are known, but no graph has a line for them */
    UNKNOWN_NODES, /* for lines: the nodes are unknown */
};
/* A sentence for each; NULL for UNKNOWN_NOTHING. */
const char *kernel_unknown_text(enum kernel_unknown why);

enum { KERNELS_MAX = 20000, KERNEL_SOURCES_MAX = 16 };

struct kernel_source {
    struct place place;
    struct slice code; /* the source text; ptr NULL: unknown */
};

struct kernel {
    enum kernel_kind kind;
    uint32_t compile, folder, next;  /* next: next of the same compile; UINT32_MAX: none */
    uint32_t artifact;               /* the code that defines or calls it: index in the compile's list */
    uint32_t line, call_line, calls; /* as in scanned_kernel */
    struct slice name, graph, heuristic, nodes, ops, post_nodes, autotune; /* autotune: JSON; ptr NULL if not logged */
    struct slice perhaps;    /* further nodes that it may compute, in addition to post_nodes */
    enum kernel_unknown why; /* why nodes are unknown; UNKNOWN_SHARED: why `perhaps` is ambiguous */
    struct slice handle;     /* as in scanned_kernel */
    enum kernel_nodes_by by;
    int64_t compile_us; /* -1: unknown */
    struct kernel_source *sources;
    uint32_t source_count;
    bool traced;   /* its sources come from stack traces */
    bool followed; /* its operators come from its buffers */
};

/* The kernels of a compile; UINT32_MAX: none. */
struct compile_kernels {
    uint32_t head, last, latest; /* latest: first kernel of the latest code */
    uint32_t since;              /* first kernel since the compile's previous metrics */
};

struct memories; /* for kernels.c */

struct kernels {
    LIST(struct kernel) list;
    LIST(struct compile_kernels) compiles; /* by index of the compile */
    uint64_t counts[KERNEL_KINDS], calls[KERNEL_KINDS], more, text_bytes;
    int64_t compile_us;                   /* -1: unknown */
    struct memories *graphs, *post_grads; /* Dynamo's graphs and post-grad graphs, of the latest compiles */
};

/* Notes the sources of a compile's Dynamo graph. */
void kernels_note_graph(struct model *model, uint32_t folder, const struct node_sources *sources);
/* Notes the graph from which the next code of the compile is generated. */
void kernels_note_post_grad(struct model *model, uint32_t folder, const struct flow_graphs *graphs);
/* The code is the latest artifact of the folder's compile. A second code of AOTInductor (`merge`) may define what the
 * first one calls. */
void kernels_add(struct model *model, uint32_t folder, const struct kernel_scan *scan, bool merge);
/* Facts about the folder's latest code from further artifacts, by name of a kernel, with or without its debug handle.
 */
void kernels_note_nodes(struct model *model, uint32_t folder, yyjson_val *nodes);   /* {"kernel:3": ["mul", …]} */
void kernels_note_traces(struct model *model, uint32_t folder, yyjson_val *traces); /* {"kernel:3": ["File …", …]} */
void kernels_note_info(struct model *model, uint32_t folder, yyjson_val *info); /* {"kernel": {"compile_time_us", …}} */
/* triton_kernel_compile_times_us of a compile's metrics, forward or backward: JSON in a text, [["kernel", us], …]. It
 * covers the kernels since the previous metrics. */
void kernels_note_times(struct model *model, uint32_t folder, struct slice text);

/* How many kernels were generated, listed or not: calls of libraries are none. `kernels` may be NULL. */
uint64_t kernels_generated(const struct kernels *kernels);
/* Why the kernel has no source lines. */
enum kernel_unknown kernel_lines_unknown(const struct kernel *kernel);

/* Takes the next item of a kernel's list (nodes, ops), which is separated by ", ". Returns false at the end. */
bool kernel_next_item(struct slice *list, struct slice *item);

#endif
