/* scanned_kernel.h - the results of a scan of output code (kernel_scan.c): kernels, and the steps that pass values
 * between them. Also the families of functions that the code of a kernel calls. */
#pragma once

#include "base/base.h"

enum kernel_kind { KERNEL_TRITON, KERNEL_CPP, KERNEL_EXTERN, KERNEL_OTHER, KERNEL_KINDS };

struct scanned_kernel {
    enum kernel_kind kind;
    struct slice name;
    struct slice label;    /* the function's name in Triton if it is different; ptr NULL: the same, or unknown */
    struct slice config;   /* of a Triton template: "BLOCK_M=64, num_warps=8"; ptr NULL: unknown */
    struct slice original; /* "model.py:8": the user's source line; ptr NULL: generated, or unknown */
    /* Triton: "pointwise", "persistent_reduction", …; KERNEL_OTHER: the language; ptr NULL: unknown */
    struct slice heuristic;
    struct slice nodes, ops;  /* "a, b": source nodes and ATen operators, each once; ptr NULL: unknown */
    struct slice operands;    /* of a library call: nodes in its comment that it does not compute; ptr NULL: none */
    struct slice params;      /* one letter per parameter: i(n), o(ut), b(oth), - (not a tensor); ptr NULL: unknown */
    struct slice handle;      /* for a library call: "extern_kernels.mm:4", possibly several; ptr NULL: unknown */
    uint32_t line, call_line; /* lines of its definition and first call, from 1; 0: not in this text */
    uint32_t calls;
    uint32_t functions;           /* bits: families (below) of the functions that its code calls */
    const uint8_t *own_functions; /* per parameter, bits: families in loops that use no other memory that the
                                   * kernel writes; NULL: unknown */
    uint32_t attention;           /* number of leading parameters named like operands of flex attention */
    bool copies;                  /* a call that copies a tensor to another device */
    bool waits;                   /* a copy that is complete when the call returns */
    bool in_call;                 /* called in call(), not in a partition or a nested graph */
    bool written;                 /* the text has its code */
    bool declared;                /* `line` is a declaration in C++; no definition so far */
};

/* A line of the code that passes values between kernels. */
enum code_step_kind {
    CODE_FUNCTION,
    CODE_CALL,
    CODE_ALIAS,
    CODE_RETURN,
    CODE_OUTPUT,
    CODE_ITEM,  /* "u0 = buf0.item()", "buf2_selector = int(buf1.item())" */
    CODE_LIST,  /* "body_args = [buf0, buf1,]" */
    CODE_GRAPH, /* "buf2 = body(body_args)": a function of the code that is a nested graph */
    CODE_PARTITION, /* "(buf2,) = self.partitions[0](partition0_args)": left: "0". Runs "partition_0", which has the same names */
};
struct code_step {
    enum code_step_kind kind;
    uint32_t kernel; /* for a call; for an output, its index; for a function, its line */
    struct slice left,
        right;         /* "buf3" and "buf0" for "buf3 = buf0"; target and arguments of a call; name of a function */
    struct slice name; /* for CODE_GRAPH: the function */
};

struct kernel_scan {
    struct slice graph;           /* "0_forward"; ptr NULL: unknown */
    struct code_step *steps;      /* in the order of the text */
    uint32_t step_count;          /* 0 also if there are more than CODE_STEPS_MAX: an incomplete list is useless */
    bool too_long;                /* there are more */
    uint32_t partitions;          /* number of calls of graph partitions, each for a CUDA graph */
    size_t bytes;                 /* of the code */
    struct scanned_kernel *items; /* in order of definition, then of first call */
    uint32_t count;
    uint32_t more; /* number beyond KERNELS_IN_CODE_MAX */
};

enum { KERNELS_IN_CODE_MAX = 4096, CODE_STEPS_MAX = 16384 };

/* kernel_scan.c - finds the kernels in output code: definitions, calls, and fused operators.
 *
 * Supports Inductor's Python code ("name = async_compile.triton(…)", calls in call()) and its C++ wrapper
 * (AOTInductor). A kernel with code is listed once, regardless of the number of calls. Each library call is listed,
 * because each computes a different result. Pure; any thread; one pass over the text, with limits. */
/* "triton", "cpp", "extern": a library call (mm, convolution, a collective), which has no generated code; "other":
 * another language (Halide, CuTe, Pallas, …). */
const char *kernel_kind_name(enum kernel_kind kind);

/* Slices point into the code, except for merged lists, which are in the arena. */
struct kernel_scan *kernels_scan(struct slice code, struct arena *arena);

/* function_family.c - mathematical functions in the code of kernels, and the operators that use them. Pure; any thread.
 */
/* Functions that reveal what a kernel's code computes, together with the operators that use them: "rsqrt" uses sqrt().
 */
enum function_family { FAMILY_SQRT, FAMILY_EXP, FAMILY_ERF, FAMILY_TANH, FAMILY_SIN, FAMILY_COS, FAMILY_LOG, FAMILIES };
/* The family of an operator ("aten.rsqrt.default"). FAMILIES if it has none. */
enum function_family function_family_of(struct slice op);
/* The functions called in a line of a kernel's code, as bits: "auto tmp4 = tmp3.rsqrt();", "libdevice.rsqrt(tmp3)". */
uint32_t function_families_in(struct slice text);
