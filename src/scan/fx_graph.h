/* fx_graph.h - reads the text of FX graphs: the Python code that print_readable() writes, and the lines of a graph's repr.
 *
 * Whatever reads graphs reads them through this module. Pure; any thread; one pass, no allocation. Slices point into the
 * text. Any text is accepted: what is not part of a graph is passed over. */
#pragma once

#include "base/base.h"

enum fx_kind {
    FX_CLASS,     /* name: of the module whose forward() follows */
    FX_FORWARD,   /* a graph begins: "def forward(", or "graph():" of a repr */
    FX_PARAMETER, /* of forward(), without `self`: name, type */
    FX_INPUT, /* 'x: "f32[4]";' or a line 'x: "f32[4]"', before the statement that unpacks the inputs of an exported or
                   * a joint graph: name, type */
    FX_STATEMENT, /* an assignment: name, type, right */
    FX_NODE,      /* "%x : [num_users=1] = call_function[target=…](…)": name, right */
    FX_COMMENT,   /* a line "# …" */
    FX_RETURN,    /* the graph ends. right: what it returns */
};

struct fx_item {
    enum fx_kind kind;
    struct slice text; /* its line, without indentation. Of a parameter: empty */
    struct slice name; /* empty: the statement assigns something else than one name: "a, b = …", "x[0] = …", "x += …" */
    struct slice type;  /* "f32[8][1]cpu"; ptr NULL: none */
    struct slice right; /* what follows "=" or "return", to the end of the line */
};

/* Begins as {.rest = text}. */
struct fx_reader {
    struct slice rest;
    struct slice line; /* the part of the current line that has not been read */
    unsigned depth;    /* nesting of brackets in the parameters of forward(); 0: not in them */
    bool body;         /* within the statements of forward() */
};

/* The next item. Statements, nodes and comments are those of graphs: what is outside of a forward() is passed over. */
bool fx_next(struct fx_reader *reader, struct fx_item *item);
/* Reads a line without indentation as an assignment. Returns false if it is none. */
bool fx_statement_read(struct slice line, struct fx_item *item);
/* Reads "%x : [num_users=1] = call_function[target=…](…)". Returns false if the line is no node. */
bool fx_node_read(struct slice line, struct fx_item *item);
/* Whether the value begins with a module of the graph or its attribute: 'self.fc', 'getattr(self, "0").weight'. */
bool fx_is_module(struct slice value);
/* Whether it is an attribute, without a call. */
bool fx_is_attribute(struct slice value);
/* The right side without what follows: deletions of values ("; x = None") and a comment. */
struct slice fx_value(struct slice right);
