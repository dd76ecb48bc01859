/* scanned_memory.h - the tensors that call() of output code allocates, and when they are freed.
 *
 * Reads Inductor's Python code as statements: allocations, other names for the same storage, deletions, partitions.
 * Nothing is guessed: if a statement was not understood, or a size is unknown, the result says in which line. Sizes
 * with symbols have the values of the inputs in the code's own benchmark.
 *
 * Pure; any thread; one pass over the text of call(), with limits. Slices point into the code; lists are in the arena. */
#pragma once

#include "base/arena.h"
#include "base/mem.h"
#include "codegen/scanned_kernel.h"

enum { MEMORY_TENSORS_MAX = 1 << 16, MEMORY_DEVICES_MAX = 4 };
#define MEMORY_NONE UINT32_MAX

/* A storage. */
struct code_tensor {
    struct slice name;         /* of its first variable */
    struct slice shape, dtype; /* "(512, 1024)", "torch.float32"; ptr NULL: unknown */
    struct slice maker;        /* what writes it first: "cpp_fused_relu_0", "extern_kernels.mm"; ptr NULL: unknown */
    int64_t bytes;             /* that the program asks for; -1: unknown */
    uint32_t device;           /* in `devices`; MEMORY_NONE: unknown */
    bool argument;             /* otherwise call() allocates it */
    bool returned;
    bool tuple; /* what an operator returned: its items are other tensors */
};

/* In the order of execution. Of an argument, `freed` means that call() no longer needs it. */
struct code_change {
    uint32_t tensor, line; /* line: of the code, from 1 */
    bool freed;
};

/* An argument or a result. */
struct code_value {
    struct slice name;
    uint32_t tensor; /* MEMORY_NONE: no tensor */
    bool number;
};

enum memory_unknown {
    MEMORY_KNOWN,
    MEMORY_STATEMENT, /* a statement was not understood */
    MEMORY_SIZE,      /* the size of a tensor is unknown */
    MEMORY_TOO_MANY,  /* statements, tensors, or partitions in each other */
};

struct memory_scan {
    enum memory_unknown unknown;
    uint32_t unknown_line; /* 0: none */
    struct slice fallback; /* the first operator that may allocate memory of its own; ptr NULL: none */
    struct slice devices[MEMORY_DEVICES_MAX]; /* "cpu", "cuda", without an index */
    uint32_t device_count;
    LIST(struct code_tensor) tensors;
    LIST(struct code_change) changes;
    LIST(struct code_value) arguments, results;
};

/* `kernels` is the scan of the same code (kernel_scan.c), which knows where its functions begin. NULL if it has no call()
 * in Python. */
struct memory_scan *memory_scan(struct slice code, const struct kernel_scan *kernels, struct arena *arena);
