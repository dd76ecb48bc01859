/* node_sources.h - the source lines of nodes in a graph written by print_readable().
 *
 * Pure; any thread; one pass over the text, at most NODE_SOURCES_MAX nodes. Slices point into the text. */
#pragma once

#include "base/base.h"

/* The origin of nodes in a graph written by print_readable(): the "# File:" comment above them. */
struct node_source {
    struct slice node, file, function, code;
    uint32_t line;
    bool op; /* of node_sources_scan(): it is neither another name nor an attribute */
};
struct node_sources {
    struct node_source *items;
    uint32_t count;
};
enum { NODE_SOURCES_MAX = 8192 };
/* Reads a comment of a graph about the nodes below it: "# File: /x.py:7 in f, code: return x" sets the place, "# No
 * stacktrace found" clears it, other comments change nothing. */
void node_source_read(struct slice comment, struct node_source *source);
struct node_sources *node_sources_scan(struct slice graph, struct arena *arena);

/* float32.c - products of float32 matrices on a CUDA device, and the capability of the device. Pure; any thread. */
/* The number of products in a post-grad graph to which torch.backends.cuda.matmul.allow_tf32 applies, the same ones for
 * which PyTorch hints at TensorFloat32. 0 for a graph without types or devices. Sets `first` to the source of the first
 * one, a slice of the text; file.ptr is NULL if the graph does not have it. */
uint32_t float32_products(struct slice graph, struct node_source *first);
/* The lowest compute capability of the CUDA devices that output code is for, times ten: 90; 0: not in the text. */
uint32_t cuda_capability(struct slice code);
