/* graph_answer.h - prints a graph, or what differs between two: as a table, JSON, CSV or DOT. One thread. */
#pragma once

#include "answers/graph_modules.h"
#include "answers/term.h"
#include "base/jsonw.h"
#include "graph/graph_diff.h"

/* What a graph is, for readers. */
struct graph_subject {
    struct slice source;          /* "a.log" */
    struct slice compile;         /* "0/1" */
    struct slice stage;           /* "dynamo", or the name of an artifact */
    struct slice artifact;        /* "dynamo_output_graph" */
    struct graph_modules modules; /* of a Dynamo graph's nodes */
};

/* A row per node. */
void graph_add_table(struct term *term, const struct op_graph *graph, const struct graph_subject *subject);
/* JSON is described by doc/graph.schema.json. */
void graph_add_json(struct buf *out, const struct op_graph *graph, const struct graph_subject *subject);
/* RFC 4180, with a header. */
void graph_add_csv(struct buf *out, const struct op_graph *graph, const struct graph_subject *subject);
/* A digraph of Graphviz, with a cluster for each nested graph. */
void graph_add_dot(struct buf *out, const struct op_graph *graph);

/* all: each change; otherwise those that are equal but for numbers in names are printed once, with their number. */
void graph_diff_add_text(struct term *term, const struct graph_diff *diff, const struct graph_subject subjects[2],
                         bool all);
/* `nodes` has an item for each node of the second graph, which says which node of the first it is, and each member that
 * differs. So the first graph and the difference give the second. */
void graph_diff_add_json(struct buf *out, const struct graph_diff *diff, const struct graph_subject subjects[2]);

/* The members that each JSON begins with: "format", "version", "kind". */
void graph_add_format(struct jsonw *w, const char *kind);

/* For these files. */
/* Adds the call of a node on one line, as in the text: "torch.relu(x)". */
void graph_add_call(struct buf *out, const struct op_node *node);
/* Adds "model.py:12"; nothing if the place is unknown. */
void graph_add_place(struct buf *out, const struct op_graph *graph, const struct op_node *node);
/* The module of a node. */
struct graph_module graph_module_of(const struct op_graph *graph, const struct op_node *node,
                                    const struct graph_subject *subject);
/* Calls and attributes of the outermost graph and of nested ones. */
uint64_t graph_ops(const struct op_graph *graph);
