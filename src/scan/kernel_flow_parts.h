/* kernel_flow_parts.h - what the files of kernel_flow.h share: values in memory, calls, and the search. */
#ifndef TLPARSE_SCAN_KERNEL_FLOW_PARTS_H
#define TLPARSE_SCAN_KERNEL_FLOW_PARTS_H

#include "base/map.h"
#include "scan/flow_graph.h"
#include "scan/kernel_scan.h"

#define NONE UINT32_MAX
#define COPIES (UINT32_MAX - 1) /* in place of a node: there are several */

enum { WORK_PER_BYTE = 64, BORDER_MAX = 64 };

/* A value in memory: a name of the code from one write to the next. */
struct buffer {
    uint32_t node;   /* that it holds; NONE: not known */
    uint32_t writer; /* a call; NONE: it is an input */
    uint32_t piece;  /* that it is; NONE: none */
    bool read;       /* by a call, or it is returned */
};

/* A part of memory that is written on its own: "buf1 = reinterpret_tensor(buf3, (8, 8), (8, 1), 64)  # alias". */
struct piece {
    struct slice whole;
    uint64_t offset;
    uint32_t buffer; /* NONE: not written yet */
    uint32_t next;   /* of the same whole, by offset; NONE: none */
};

struct use {
    uint32_t buffer, place; /* place: among the arguments of the call */
    bool perhaps;           /* memory that is used again: what it held may not be read */
};

struct call {
    uint32_t kernel, graph; /* kernel: NONE of a graph within the graph, and where parts are one value from here on */
    uint32_t in, ins, out, outs; /* in uses */
    uint32_t node;               /* of a library's call */
    bool library, joins,
        opaque; /* joins: its inputs are the parts of what it gives; opaque: nobody knows which of its arguments it writes */
};

struct finder {
    const struct flow_graphs *graphs;
    const struct kernel_scan *scan;
    struct map names;  /* to buffers */
    struct map lists;  /* names of lists of arguments: to the step */
    struct map parts;  /* names of parts of memory that nobody has written yet: to `pieces` */
    struct map wholes; /* names of memory that has such parts: to the first of them */
    struct {
        struct piece *items;
        size_t count, cap;
    } pieces;
    struct {
        struct buffer *items;
        size_t count, cap;
    } buffers;
    struct {
        struct use *items;
        size_t count, cap;
    } uses;
    struct {
        struct call *items;
        size_t count, cap;
    } calls;
    struct code_step selector; /* of the branch that comes: its "buf2_selector = int(buf1.item())" */
    uint32_t graph;            /* of the function that is read, or NONE */
    bool results;              /* what it returns is what the graph returns */
    uint32_t *readers;         /* of a node: how many others are made of it, through views too */
    uint32_t *copies;          /* of an input: the node that overwrites it */
    bool *external;            /* of a node: a call of a library gives it, never a kernel */
    uint32_t *holders;         /* of a node: the buffer that it is in */
    struct map ops;            /* of nodes: flow_operator() → the first node of it */
    uint32_t *alike;           /* of a node: the next of its operator, or NONE */
    uint32_t *mark, *seen, stamp;
    uint32_t *may, *sure, *own, *cut; /* kernel_flow_shared.c's, stamped too */
    uint32_t *stack, *found, found_count;
    uint32_t border[BORDER_MAX], border_count; /* nodes of libraries at which the last search ended */
    uint64_t work;                             /* that is left */
};

/* Takes work off what is left; false where there is none. */
bool flow_spend(struct finder *f, uint64_t work);
/* What the node is another look at. */
uint32_t flow_strip(const struct flow_graphs *graphs, uint32_t node);
/* Whether the buffer may hold this input: the call that wrote it reads it, and lays it out anew; or it is a constant. */
bool flow_may_copy(const struct finder *f, uint32_t buffer, uint32_t node);
/* The buffer holds the node, if it may and nothing else is known of it. */
void flow_bind(struct finder *f, uint32_t buffer, uint32_t node);
/* "mm" of "extern_kernels.mm", "aten.mm.default" and "aoti_torch_cpu_mm_out". */
struct slice flow_operator(struct slice name);

/* kernel_flow_code.c: reads the steps of the code into buffers, uses and calls. */
void flow_read_code(struct finder *f);

/* Marks what the call reads; false where some of it is not known. */
bool flow_mark_inputs(struct finder *f, const struct call *call);
/* Collects what lies between the call's results (and `more`, a node) and what is marked. False where it reaches what the
 * call cannot have: an input that it does not read, or what an earlier call wrote. */
bool flow_collect(struct finder *f, const struct call *call, uint32_t index, uint32_t more);

/* Whether the call's kernel is written for the node, an operator of attention: it reads some of the operands, and computes none. */
bool flow_attends(const struct finder *f, const struct call *call, const struct flow_node *node);

/* Whether it is ATen's operator of one of these names, whatever its overload: "aten.view.default". */
bool flow_is_aten(struct slice op, const struct slice *names, size_t count);
/* An operator of ATen whose result is always kept in memory. */
bool flow_is_reduction(struct slice op);

/* kernel_flow_shared.c: nodes of a call that shares values with others of which nothing else is known. False where they cannot be
 * told. Each node is passed on with its call; `perhaps`: it may be of that call. */
typedef void (*flow_found)(void *to, uint32_t call, uint32_t node, bool perhaps);
bool flow_share(struct finder *f, uint32_t index, flow_found found, void *to);

#endif
