/* kernel_scan_parts.h - shared by the kernel_scan*.c files: the state of a scan, which reads output code line by line.
 */
#pragma once

#include "codegen/scanned_kernel.h"

enum {
    NAME_MAX_BYTES = 300,
    PARAMS_MAX = 1024, /* per kernel */
    FRAGMENT_MAX = 64, /* nodes of a comment */
};

/* A node in the comment above a kernel that another kernel or a library may compute instead. The comment also names the
 * nodes that use the result of such a node. */
struct foreign_node {
    uint32_t kernel;   /* index */
    struct slice node; /* source node; empty: no source node has this name */
    struct slice op;   /* "mine.scale"; empty: the user's Triton kernel */
};

/* Consecutive loops of a C++ kernel: each is a pair of braces in the function's body. */
struct loops {
    unsigned depth;     /* nesting of braces; 0: not in a body */
    uint32_t param;     /* the only parameter that is written and has been used so far; UINT32_MAX: none; SEVERAL */
    uint32_t functions; /* functions that the loops call: bits of families */
};

struct scanner {
    struct arena *arena;
    struct kernel_scan *scan;
    struct map names;
    struct map functions; /* functions that the code defines */
    size_t cap;
    uint32_t line;           /* current line */
    struct slice nodes, ops; /* from the comment that precedes a kernel */
    struct slice handle;     /* from its own comment */
    uint32_t handle_line;    /* 0: none */
    bool sorted;             /* the last of the nodes is the one that the kernel computes */
    struct {
        struct code_step *items;
        size_t count, cap;
        bool full;
    } steps;
    uint32_t signature; /* 1 + index of the kernel whose parameters are being read; 0: none */
    char params[PARAMS_MAX];
    struct slice param_names[PARAMS_MAX];
    size_t param_count;
    uint32_t function;          /* 1 + index of the kernel whose C++ function begins, until its parameters have been
                                 * read; 0: none */
    uint32_t function_line;     /* where it begins */
    bool linkage;               /* the previous line is only 'extern "C"': the function follows */
    struct loops loops;         /* of the current C++ function */
    struct map written;         /* parameters that the function writes, by name */
    uint64_t written_marks;     /* a bit for each of their names: most words are none of them */
    uint8_t called[PARAMS_MAX]; /* per parameter: scanned_kernel.own_functions */
    uint32_t comment_line;      /* 0: none */
    struct slice original;      /* from the comment above: scanned_kernel.original */
    struct {
        struct slice sources[FRAGMENT_MAX],
            targets[FRAGMENT_MAX];               /* "y => unsafe": source node and nodes of its graph */
        struct foreign_node nodes[FRAGMENT_MAX]; /* nodes of its graph, not source nodes */
        uint32_t source_count, node_count;
    } fragment; /* of the latest comment */
    LIST(struct foreign_node) foreign;
    uint32_t body; /* 1 + index of the kernel whose body, a Python string, is being read; 0: none */
    bool in_call;  /* within call() */
    bool tuning;   /* the lines run only during code generation, to autotune the kernels */
    bool ended;    /* the rest only benchmarks or tests the code */
};

/* kernel_scan.c: the name at the start of the text, including dots if `dots`. */
struct slice code_name_at(struct slice text, bool dots);

/* kernel_scan_body.c: 'extern "C"  void  kernel(', on one line or two. */
bool scanner_begins_function(struct scanner *s, struct slice text);
/* Starts to read the parameter list of this kernel, which begins in this line. */
void scanner_begin_params(struct scanner *s, uint32_t kernel, struct slice text);
/* Reads parameters up to the closing parenthesis, possibly over many lines. */
void scanner_read_params(struct scanner *s, struct slice text);
/* Reads a line of the Python string with a kernel's code, up to the end of the string. */
void scanner_read_body(struct scanner *s, struct slice text);

/* kernel_scan_comments.c: "Topologically Sorted Source Nodes: [a, b], Original ATen: [aten.add]". Returns false for other
 * comments. */
bool scanner_read_comment(struct scanner *s, struct slice text);
/* The lines after that comment: "y => unsafe", "%unsafe : … = call_function[target=torch.ops.mine.unsafe.default](…".
 */
void scanner_read_fragment(struct scanner *s, struct slice text);
/* At the end of the scan: removes from kernels the nodes and operators that others compute. */
void scanner_drop_foreign(struct scanner *s);
/* Adds the nodes and operators of the latest comment to the kernel if the comment is at most `reach` lines above it. */
void scanner_take_comment(struct scanner *s, struct scanned_kernel *kernel, uint32_t reach);
/* The operator of a library call, from its name: "aten.mm" for "extern_kernels.mm" and "aoti_torch_cpu_mm_out",
 * "mylib.scale" for "torch.ops.mylib.scale.default". */
struct slice scanner_library_operator(struct scanner *s, struct slice name);
