/* provenance_lines.h - maps lines of a graph to lines of the code generated from it.
 *
 * Inductor's node mappings refer to nodes and kernels by name. This module converts them to line numbers, from 1, by
 * the rules of the reference, because programs read the line maps in its pages. Names may be anything: nothing in the
 * mappings is trusted, and sizes are limited by RELATION_MAX. provenance_code.c finds kernels, their calls and bodies
 * in code. Pure; any thread, one set at a time. */
#pragma once

#include "base/json.h"
#include "scan/relation.h"

/* The lines of the nodes of a graph, by the text before '=' and ':'. If a name occurs twice, the last line wins. */
void graph_nodes(struct map *nodes, struct slice graph);

enum code_kind {
    CODE_PYTHON, /* Inductor's output code */
    CODE_CPP,    /* the C++ wrapper of AOT Inductor */
    CODE_KERNELS /* only the code of kernels, without calls */
};

/* The text of the code without leading empty lines, which do not count as lines. */
struct slice code_trim(struct slice text);
/* The first line with "# AOT ID:", or 0. */
uint32_t code_aot_line(struct slice code);

/* The kernels of a mapping, sorted by name. */
struct kernel {
    struct slice name;     /* including its debug handle, "triton_poi_fused_mul_1:2" */
    struct slice bare;     /* without the handle: up to the first ':' in Python; */
    struct slice bare_cpp; /* up to the last ':' in C++, where names contain "::" */
};
struct kernels {
    struct kernel *items;
    size_t count;
    struct map places;     /* index by name */
    struct relation nodes; /* index of a kernel → lines of the post-grad graph */
};
/* post: the nodes of that graph. further: another object with kernels as keys, such as their stack traces; NULL: none.
 * The names live as long as the documents. */
void kernels_read(struct kernels *kernels, yyjson_val *mapping, yyjson_val *further, const struct map *post);
void kernels_free(struct kernels *kernels);

struct kernel_body {
    uint32_t kernel, from, to; /* lines */
};
/* The lines of kernels in a code. */
struct kernel_lines {
    struct relation calls;           /* index of a kernel → lines that call it */
    LIST(struct kernel_body) bodies; /* for kernels whose code is also in this text */
};
void kernel_lines_find(struct kernel_lines *lines, const struct kernels *kernels, struct slice text,
                       enum code_kind kind);
void kernel_lines_free(struct kernel_lines *lines);

/* preToPost, postToPre: from[line] → to[line] by mapping[key], {node: [node, …]}. */
void nodes_relate(struct relation *r, yyjson_val *mapping, const char *key, const struct map *from,
                  const struct map *to);
/* Maps lines of the code to lines of the graph. If a line calls several kernels, the last one wins. */
void code_to_post(struct relation *r, const struct kernels *kernels, const struct relation *calls);
/* Maps lines of the graph to lines of the code, according to mapping.postToCppCode. */
void post_to_code(struct relation *r, yyjson_val *mapping, const struct map *post, const struct kernels *kernels,
                  const struct relation *calls);
