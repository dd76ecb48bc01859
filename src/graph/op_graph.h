/* op_graph.h - an FX graph as nodes: what each one calls, with which operands, from which line.
 *
 * Made from the text that print_readable() writes, or from a graph's repr (scan/fx_graph.h). Slices point into the text,
 * which the caller keeps. Any text is accepted: what is not part of a graph is passed over, and nodes beyond
 * OP_NODES_MAX are counted only. Pure; any thread. */
#pragma once

#include "scan/node_sources.h"

enum { OP_NODES_MAX = 1 << 20, OP_TOKENS_MAX = 1 << 24 };
#define OP_NONE UINT32_MAX

enum op_kind { OP_INPUT, OP_ATTRIBUTE, OP_FUNCTION, OP_METHOD, OP_MODULE, OP_OUTPUT, OP_KINDS };
/* PyTorch's name: "placeholder", "get_attr", "call_function", "call_method", "call_module", "output". */
const char *op_kind_name(enum op_kind kind);

/* A part of a node's arguments. */
struct op_token {
    struct slice text;
    uint32_t node; /* the operand; OP_NONE: not a node */
    bool number;   /* digits */
};

struct op_node {
    enum op_kind kind;
    struct slice name;     /* empty for an output, and for what nothing is the result of */
    struct slice target;   /* "torch.ops.aten.mm.default", "view", "fc.weight", "operator.add"; of an input its name */
    struct slice args;     /* as they are printed: "(x, 0, dim = 1)" without the brackets, or the whole expression */
    struct slice type;     /* "f32[8, s0][s0, 1]cuda:0"; ptr NULL: not printed */
    uint32_t graph;        /* in `graphs` */
    uint32_t first, count; /* range of tokens */
    uint32_t source;       /* in `sources`; OP_NONE: unknown */
};

/* The first graph is the outermost one; others are bodies of operators such as cond. */
struct op_nested {
    struct slice name;     /* of its class: "true_graph_0" */
    uint32_t first, count; /* range of nodes */
};

struct op_graph {
    LIST(struct op_nested) graphs;
    LIST(struct op_node) nodes; /* in the order of the text: operands come first */
    LIST(struct op_token) tokens;
    LIST(struct node_source) sources; /* without the member `node` */
    uint64_t more;                    /* nodes that are left out */
};

/* {0} before. A text without a graph has no graphs. */
void op_graph_read(struct op_graph *graph, struct slice text);
void op_graph_free(struct op_graph *graph);
/* The parts of a type: "f32", "8, s0", "s0, 1", "cuda:0". A part that the type does not have is empty; of other types, such
 * as "Sym(s0)", all are. */
struct op_type {
    struct slice dtype, shape, strides, device;
    bool tensor;
};
struct op_type op_type_read(struct slice type);
/* Whether the node is an input whose type is a size or a number, "Sym(s0)", or computes one. */
bool op_is_symbol(const struct op_node *node);
/* Whether numbers among the arguments of an operator may be sizes of its result: of views and factories. */
bool op_takes_sizes(struct slice target);
