/* kernel_scan.h - the kernels of output code, by its text: what is defined, what is called, and what it fuses.
 *
 * Known are Inductor's Python ("name = async_compile.triton(…)", calls in call()) and its C++ wrapper (AOTInductor). A kernel
 * whose code is there is listed once, however often it is called; a call of a library is listed each time, because each
 * computes something else. Pure; any thread; one pass over the text, in bounds. */
#ifndef TLPARSE_SCAN_KERNEL_SCAN_H
#define TLPARSE_SCAN_KERNEL_SCAN_H

#include "base/arena.h"
#include "base/slice.h"

enum kernel_kind { KERNEL_TRITON, KERNEL_CPP, KERNEL_EXTERN, KERNEL_OTHER, KERNEL_KINDS };
/* "triton", "cpp", "extern": a call of a library (mm, convolution, a collective) for which no code was written; "other": of
 * another language (Halide, CuTe, Pallas, …). */
const char *kernel_kind_name(enum kernel_kind kind);

struct scanned_kernel {
    enum kernel_kind kind;
    struct slice name;
    struct slice
        heuristic; /* of Triton: "pointwise", "persistent_reduction", …; of KERNEL_OTHER: the language; ptr NULL: not told */
    struct slice nodes, ops;  /* "a, b": source nodes and ATen operators, each once; ptr NULL: not told */
    struct slice operands;    /* of a library call: the nodes of its comment that it does not compute; ptr NULL: none */
    struct slice params;      /* one letter a parameter: i(n), o(ut), b(oth), - (no tensor); ptr NULL: not known */
    struct slice handle;      /* of a library call: "extern_kernels.mm:4", perhaps several; ptr NULL: not told */
    uint32_t line, call_line; /* where it is defined and first called, from 1; 0: nowhere here */
    uint32_t calls;
    uint32_t functions; /* bits: the families of functions (below) that its code calls */
    const uint8_t
        *own_functions; /* of each parameter, bits: those of the loops that use no other memory that the kernel writes;
                                     NULL: not known */
    uint32_t attention; /* how many of its first parameters are named as the operands of flex attention */
    bool written;       /* its code is in this text */
};

/* Functions by which a kernel's code shows what it computes, and the operators that are written as them: "rsqrt" as sqrt(). */
enum function_family { FAMILY_SQRT, FAMILY_EXP, FAMILY_ERF, FAMILY_TANH, FAMILY_SIN, FAMILY_COS, FAMILY_LOG, FAMILIES };
/* Of an operator ("aten.rsqrt.default"); FAMILIES: it has none. */
enum function_family function_family_of(struct slice op);

/* A line of the code by which values pass between kernels. */
enum code_step_kind {
    CODE_FUNCTION,
    CODE_CALL,
    CODE_ALIAS,
    CODE_RETURN,
    CODE_OUTPUT,
    CODE_ITEM,  /* "u0 = buf0.item()", "buf2_selector = int(buf1.item())" */
    CODE_LIST,  /* "body_args = [buf0, buf1,]" */
    CODE_GRAPH, /* "buf2 = body(body_args)": a function of the code that is a graph within the graph */
};
struct code_step {
    enum code_step_kind kind;
    uint32_t kernel;          /* of a call; of an output its place */
    struct slice left, right; /* "buf3" and "buf0" of "buf3 = buf0"; a call's target and arguments; a function's name */
    struct slice name;        /* of a CODE_GRAPH: the function */
};

struct kernel_scan {
    struct slice graph;           /* "0_forward"; ptr NULL: not told */
    struct code_step *steps;      /* in the order of the text */
    uint32_t step_count;          /* 0 also where there are more than CODE_STEPS_MAX: a part of them tells nothing */
    bool too_long;                /* there are more */
    size_t bytes;                 /* of the code */
    struct scanned_kernel *items; /* in order of definition, then of first call */
    uint32_t count;
    uint32_t more; /* beyond KERNELS_IN_CODE_MAX */
};

enum { KERNELS_IN_CODE_MAX = 4096, CODE_STEPS_MAX = 16384 };

/* Slices of the code, but for lists that were put together, which live in the arena. */
struct kernel_scan *kernels_scan(struct slice code, struct arena *arena);

/* Where nodes of a graph as print_readable() writes it come from: the "# File:" comment above them. */
struct node_source {
    struct slice node, file, function, code;
    uint32_t line;
};
struct node_sources {
    struct node_source *items;
    uint32_t count;
};
enum { NODE_SOURCES_MAX = 8192 };
/* What a comment of a graph says of the nodes below it: "# File: /x.py:7 in f, code: return x" sets the place, "# No
 * stacktrace found" clears it, another one changes nothing. */
void node_source_read(struct slice comment, struct node_source *source);
struct node_sources *node_sources_scan(struct slice graph, struct arena *arena);

#endif
