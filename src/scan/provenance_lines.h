/* provenance_lines.h - which lines of a graph and of the code made of it belong together.
 *
 * Inductor's node mappings speak of nodes and kernels by name; here they become line numbers, from 1, by the rules of the
 * reference (its pages' line maps are read by programs). The names may be anything: nothing in the mappings is trusted, and
 * sizes are bounded by RELATION_MAX. Where code stands (kernels, their calls and bodies) is found by provenance_code.c. Pure; any thread, one set at a time. */
#ifndef TLPARSE_SCAN_PROVENANCE_LINES_H
#define TLPARSE_SCAN_PROVENANCE_LINES_H

#include "base/json.h"
#include "base/map.h"
#include "scan/relation.h"

/* The lines of the nodes of a graph: the text before '=' and ':'; of lines with the same name the last. */
void graph_nodes(struct map *nodes, struct slice graph);

enum code_kind {
    CODE_PYTHON, /* Inductor's output code */
    CODE_CPP,    /* the C++ wrapper of AOT Inductor */
    CODE_KERNELS /* kernels' own code, which calls none */
};

/* The text of a code without the empty lines at its start, which do not count. */
struct slice code_trim(struct slice text);
/* The first line that holds "# AOT ID:", or 0. */
uint32_t code_aot_line(struct slice code);

/* The kernels of a mapping, in the order of their names. */
struct kernel {
    struct slice name;     /* with its debug handle, "triton_poi_fused_mul_1:2" */
    struct slice bare;     /* without it: up to the first ':' in Python, */
    struct slice bare_cpp; /* and up to the last one in C++, where names have "::" */
};
struct kernels {
    struct kernel *items;
    size_t count;
    struct map places;     /* of their names */
    struct relation nodes; /* from a kernel's place to lines of the post-grad graph */
};
/* post: the nodes of that graph. further: an object whose keys are kernels too, such as their stack traces; NULL: none. The
 * names live as long as the documents. */
void kernels_read(struct kernels *kernels, yyjson_val *mapping, yyjson_val *further, const struct map *post);
void kernels_free(struct kernels *kernels);

struct kernel_body {
    uint32_t kernel, from, to; /* lines */
};
/* Where kernels stand in a code. */
struct kernel_lines {
    struct relation calls; /* from a kernel's place to the lines that call it */
    struct {
        struct kernel_body *items;
        size_t count, cap;
    } bodies; /* of those whose own code stands here too */
};
void kernel_lines_find(struct kernel_lines *lines, const struct kernels *kernels, struct slice text,
                       enum code_kind kind);
void kernel_lines_free(struct kernel_lines *lines);

/* preToPost, postToPre: from[line] → to[line] by mapping[key], {node: [node, …]}. */
void nodes_relate(struct relation *r, yyjson_val *mapping, const char *key, const struct map *from,
                  const struct map *to);
/* From lines of the code to lines of the graph. Where a line calls several kernels the last one has it. */
void code_to_post(struct relation *r, const struct kernels *kernels, const struct relation *calls);
/* From lines of the graph to lines of the code, by mapping.postToCppCode. */
void post_to_code(struct relation *r, yyjson_val *mapping, const struct map *post, const struct kernels *kernels,
                  const struct relation *calls);

#endif
