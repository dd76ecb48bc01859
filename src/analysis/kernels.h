/* kernels.h - the kernels of a log's output codes: what they fuse, where that comes from, what compiling them took.
 *
 * A part of the model (model.h), filled in log order by the fold's thread. Kernels are kept up to KERNELS_MAX, counted
 * beyond. Nodes are those of the provenance mapping where the log has one, else those that the code's comments or its buffers
 * (kernel_flow.h) tell. Source lines come from the kernel stack traces where the log has them, else from the "# File:" comments
 * of the post-grad and the Dynamo graph above those nodes; graphs of the latest compiles only are remembered for that. */
#ifndef TLPARSE_ANALYSIS_KERNELS_H
#define TLPARSE_ANALYSIS_KERNELS_H

#include "base/json.h"
#include "model/model.h"
#include "scan/kernel_flow.h"

/* How the nodes of a kernel are known. */
enum kernel_nodes_by {
    NODES_UNKNOWN,
    NODES_BY_COMMENT, /* above the kernel, or its call */
    NODES_BY_FLOW,    /* kernel_flow.h */
    NODES_BY_MAPPING, /* the log's provenance */
};

/* Why nodes or source lines of a kernel are not known. */
enum kernel_unknown {
    UNKNOWN_NOTHING,
    UNKNOWN_NO_GRAPH, /* the log has no post-grad graph of it, or one that is not kept any more */
    UNKNOWN_TOO_LARGE,
    UNKNOWN_CODE_ENDS,
    UNKNOWN_NOT_CALLED,
    UNKNOWN_PARAMETERS, /* as flow_why in kernel_flow.h, and so on */
    UNKNOWN_RESULTS,
    UNKNOWN_OPERANDS,
    UNKNOWN_COPIES,
    UNKNOWN_SHARED,
    UNKNOWN_LINES, /* nodes are known; no graph names a line for them */
    UNKNOWN_NODES, /* of lines */
};
/* A sentence for each; NULL for UNKNOWN_NOTHING. */
const char *kernel_unknown_text(enum kernel_unknown why);

enum { KERNELS_MAX = 20000, KERNEL_SOURCES_MAX = 16 };

struct kernel_source {
    struct place place;
    struct slice code; /* the line's text; ptr NULL: not known */
};

struct kernel {
    enum kernel_kind kind;
    uint32_t compile, folder, next;  /* next: of the same compile; UINT32_MAX: none */
    uint32_t artifact;               /* the code that defines or calls it: its place in the compile's list */
    uint32_t line, call_line, calls; /* as in scanned_kernel */
    struct slice name, graph, heuristic, nodes, ops, post_nodes, autotune; /* autotune: JSON; ptr NULL where not told */
    struct slice perhaps;    /* nodes that it may compute besides post_nodes */
    enum kernel_unknown why; /* of nodes; UNKNOWN_SHARED: of `perhaps` */
    struct slice handle;     /* as in scanned_kernel */
    enum kernel_nodes_by by;
    int64_t compile_us; /* -1: not known */
    struct kernel_source *sources;
    uint32_t source_count;
    bool traced;   /* its sources are those of stack traces */
    bool followed; /* its operators are those that its buffers tell */
};

/* The kernels of a compile; UINT32_MAX: none. */
struct compile_kernels {
    uint32_t head, last, latest; /* latest: the first of the latest code */
    uint32_t since;              /* the first one since metrics of the compile were logged */
};

struct memories; /* kernels.c's */

struct kernels {
    LIST(struct kernel) list;
    LIST(struct compile_kernels) compiles; /* by the place of the compile */
    uint64_t counts[KERNEL_KINDS], calls[KERNEL_KINDS], more, text_bytes;
    int64_t compile_us;                   /* -1: not known */
    struct memories *graphs, *post_grads; /* Dynamo's graphs and post-grad graphs, of the latest compiles */
};

/* Of a compile's Dynamo graph. */
void kernels_note_graph(struct model *model, uint32_t folder, const struct node_sources *sources);
/* The graph that the next code of the compile is made of. */
void kernels_note_post_grad(struct model *model, uint32_t folder, const struct flow_graphs *graphs);
/* The code is the latest artifact of the folder's compile. A second code of AOTInductor (`merge`) may define what the first
 * calls. */
void kernels_add(struct model *model, uint32_t folder, const struct kernel_scan *scan, bool merge);
/* What further artifacts say of the folder's latest code, by the name of a kernel with or without its debug handle. */
void kernels_note_nodes(struct model *model, uint32_t folder, yyjson_val *nodes);   /* {"kernel:3": ["mul", …]} */
void kernels_note_traces(struct model *model, uint32_t folder, yyjson_val *traces); /* {"kernel:3": ["File …", …]} */
void kernels_note_info(struct model *model, uint32_t folder, yyjson_val *info); /* {"kernel": {"compile_time_us", …}} */
/* triton_kernel_compile_times_us of a compile's metrics, forward or backward: JSON in a text, [["kernel", us], …]. It speaks of
 * the kernels since the metrics before. */
void kernels_note_times(struct model *model, uint32_t folder, struct slice text);

/* Why the kernel has no source lines. */
enum kernel_unknown kernel_lines_unknown(const struct kernel *kernel);

/* Takes the next item of a kernel's list (nodes, ops), which is ", " between texts; false at its end. */
bool kernel_next_item(struct slice *list, struct slice *item);

#endif
