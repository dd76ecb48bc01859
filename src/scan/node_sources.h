/* node_sources.h - the source lines of nodes in a graph written by print_readable().
 *
 * Pure; any thread; one pass over the text, at most NODE_SOURCES_MAX nodes. Slices point into the text. */
#ifndef TLPARSE_SCAN_NODE_SOURCES_H
#define TLPARSE_SCAN_NODE_SOURCES_H

#include "base/arena.h"
#include "base/slice.h"

/* The origin of nodes in a graph written by print_readable(): the "# File:" comment above them. */
struct node_source {
    struct slice node, file, function, code;
    uint32_t line;
};
struct node_sources {
    struct node_source *items;
    uint32_t count;
};
enum { NODE_SOURCES_MAX = 8192 };
/* Reads a comment of a graph about the nodes below it: "# File: /x.py:7 in f, code: return x" sets the place, "# No
 * stacktrace found" clears it, others change nothing. */
void node_source_read(struct slice comment, struct node_source *source);
struct node_sources *node_sources_scan(struct slice graph, struct arena *arena);

#endif
