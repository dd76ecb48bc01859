/* kernel_flow_parts.h - shared by the kernel_flow_*.c files: values in memory, calls, and the search. */
#pragma once

#include "codegen/flow_graph.h"
#include "codegen/scanned_kernel.h"

#define NONE UINT32_MAX
#define COPIES (UINT32_MAX - 1) /* instead of a node: several nodes */

enum { WORK_PER_BYTE = 64, BORDER_MAX = 64 };

/* A value in memory: a name in the code between two writes. */
struct buffer {
    uint32_t node;   /* the node whose value it holds; NONE: unknown */
    uint32_t writer; /* the call that wrote it; NONE: it is an input */
    uint32_t piece;  /* index in `pieces`; NONE: it is not a part */
    bool read;       /* a call reads it, or it is returned */
};

/* A part of memory that is written separately: "buf1 = reinterpret_tensor(buf3, (8, 8), (8, 1), 64)  # alias". */
struct piece {
    struct slice whole;
    uint64_t offset;
    uint32_t buffer; /* NONE: not written yet */
    uint32_t next;   /* the next part of the same whole, by offset; NONE: none */
};

struct use {
    uint32_t buffer, place; /* place: index among the arguments of the call */
    bool perhaps;           /* reused memory, whose previous value may not be read */
};

struct call {
    uint32_t kernel, graph;      /* kernel: NONE for a nested graph, and for parts that are joined to one value */
    uint32_t in, ins, out, outs; /* ranges of uses */
    uint32_t node;               /* the node of a library call */
    bool library, joins,
        opaque; /* joins: its inputs are the parts of its result; opaque: it is unknown which arguments it writes */
};

struct finder {
    const struct flow_graphs *graphs; /* of flow_split_lists() */
    const struct flow_graphs *logged; /* the nodes as in the log */
    const struct kernel_scan *scan;
    struct map names;  /* name → buffer */
    struct map lists;  /* name of an argument list → step */
    struct map parts;  /* name of a part of memory that has not been written yet → index into `pieces` */
    struct map wholes; /* name of memory with such parts → first part */
    LIST(struct piece) pieces;
    LIST(struct buffer) buffers;
    LIST(struct use) uses;
    LIST(struct call) calls;
    struct code_step selector;           /* selector of the next branch: "buf2_selector = int(buf1.item())" */
    uint32_t graph;                      /* graph of the current function, or NONE */
    bool results;                        /* its return value is the graph's result */
    uint32_t *readers;                   /* per node: number of nodes that have it as an operand, also through views */
    uint32_t *copies;                    /* per input: the node that overwrites it */
    bool *external;                      /* per node: it comes from a library call, never from a kernel */
    uint32_t *holders;                   /* per node: the buffer that holds it */
    struct map ops;                      /* flow_operator() → first node with that operator */
    uint32_t *alike;                     /* per node: next node with the same operator, or NONE */
    uint32_t *mark, *seen, *used, stamp; /* used: marked nodes that the last search reached */
    uint32_t *may, *sure, *own, *cut;    /* used by kernel_flow_shared.c, also stamped */
    uint32_t *stack, *found, found_count;
    uint32_t border[BORDER_MAX], border_count; /* nodes of library calls at which the last search ended */
    uint64_t work;                             /* remaining budget */
};

/* kernel_flow_code.c */
/* Subtracts work from the budget. Returns false if it is exhausted. */
bool flow_spend(struct finder *f, uint64_t work);
/* The node that this node is a view of. */
uint32_t flow_strip(const struct flow_graphs *graphs, uint32_t node);
/* Whether the buffer may hold this input: the input is a constant, or the call that wrote the buffer reads the input
 * and copies it to another layout. */
bool flow_may_copy(const struct finder *f, uint32_t buffer, uint32_t node);
/* Binds the buffer to the node, if possible and if the buffer has no node yet. */
void flow_bind(struct finder *f, uint32_t buffer, uint32_t node);
/* Reads the steps of the code into buffers, uses and calls. */
void flow_read_code(struct finder *f);

/* kernel_flow_graph.c */
/* "mm" of "extern_kernels.mm", "aten.mm.default" and "aoti_torch_cpu_mm_out". */
struct slice flow_operator(struct slice name);
/* Whether op is the ATen operator with one of these names, with any overload: "aten.view.default". */
bool flow_is_aten(struct slice op, const struct slice *names, size_t count);

/* kernel_flow_lists.c */
/* The graphs, with an added node for each item of list operators that kernels compute. The other nodes keep their
 * indices. */
const struct flow_graphs *flow_split_lists(const struct flow_graphs *graphs, const struct kernel_scan *scan,
                                           struct arena *arena);
/* The node in whose memory the result is: the node itself, unless its operator writes to its operand. */
uint32_t flow_overwritten(const struct flow_graphs *graphs, uint32_t node);
/* Whether the node's kernel need not read the first operand: it is only written to, or is an input that is written in
 * part. */
bool flow_ignores_operand(const struct flow_graphs *graphs, const struct flow_node *node);

/* kernel_flow_search.c */
/* Marks the nodes that the call reads. Returns false if some of them are unknown. */
bool flow_mark_inputs(struct finder *f, const struct call *call);
/* Collects the nodes between the marked nodes and the call's results (and `more`, a node). Returns false if it reaches
 * a value that the call cannot have: an input that it does not read, or a value that an earlier call wrote. */
bool flow_collect(struct finder *f, const struct call *call, uint32_t index, uint32_t more);
/* Whether the node of at least one result of the call is known. */
bool flow_has_result(const struct finder *f, const struct call *call);
/* Whether the call's kernel is written for this attention node: it reads some operands of the node and computes none of
 * them. */
bool flow_attends(const struct finder *f, const struct call *call, const struct flow_node *node);
/* An ATen operator whose result is always stored in memory. */
bool flow_is_reduction(struct slice op);
/* Binds buffers to nodes until no more can be derived or the budget is exhausted. */
void flow_search(struct finder *f);
/* After the search: a call that may read a value does read it if it needs the value. */
void flow_read_perhaps(struct finder *f);

/* kernel_flow_shared.c */
/* Finds the nodes of a call that shares otherwise unknown values with other calls. Returns false if they cannot be
 * determined. Passes each node to `found` with its call; `perhaps`: it only may belong to that call. */
typedef void (*flow_found)(void *to, uint32_t call, uint32_t node, bool perhaps);
bool flow_share(struct finder *f, uint32_t index, flow_found found, void *to);
