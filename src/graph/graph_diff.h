/* graph_diff.h - what differs between two graphs, as graphs: operations that are added, removed, changed or moved.
 *
 * Names of nodes do not matter. Nodes are matched by what they compute from which inputs, then by operator and source
 * line in order, so a renumbered or resized graph has no changed operation. A size that differs everywhere in the same
 * way (32 → s27) is one difference of sizes. Time: n log n for graphs that have most operations in common. Pure; any
 * thread. */
#pragma once

#include "graph/op_graph.h"

enum graph_change { CHANGE_ADDED, CHANGE_REMOVED, CHANGE_CHANGED, CHANGE_REPLACED, CHANGE_MOVED, GRAPH_CHANGES };
const char *graph_change_name(enum graph_change change);

/* How a matched node differs. */
enum op_difference {
    OP_RESIZED = 1, /* in sizes only */
    OP_REWIRED = 2, /* it has an operand that was added, removed or replaced */
    OP_CHANGED = 4, /* in its target, its operands, or its constants */
    OP_RETYPED = 8, /* its result has another dtype or device */
    OP_RESTRIDED = 16,
};

/* Nodes of one change: a and b are ranges of `members`. Added: no a. Removed: no b. Changed and moved: one of each.
 * Replaced: several, as if operations are fused. */
struct graph_edit {
    enum graph_change change;
    uint32_t first_a, count_a, first_b, count_b;
    uint32_t equal_to; /* the first edit that is the same but for numbers in names, often of another layer; itself */
    uint32_t next;     /* the next edit that is equal to it; OP_NONE: none */
    uint32_t times;    /* edits that are equal to this one, with itself; 0: it is not the first */
};

struct size_change {
    struct slice from, to;
    uint32_t nodes; /* that differ by it */
};

struct graph_diff {
    const struct op_graph *a, *b;
    uint32_t *match_a;             /* by node of a: its node of b; OP_NONE: none */
    uint32_t *match_b;             /* the same the other way */
    uint8_t *differs;              /* by node of b: enum op_difference, 0 unless it is matched */
    bool *moved;                   /* by node of b */
    LIST(struct graph_edit) edits; /* in the order of b; what b does not have comes after what it follows in a */
    LIST(uint32_t) members;
    LIST(struct size_change)
    sizes, types;                   /* most frequent first; types: of results, "f32" → "bf16", "cpu" → "cuda:0" */
    uint32_t counts[GRAPH_CHANGES]; /* of edits; without inputs and outputs */
    uint32_t inputs;                /* edits of inputs and outputs */
    uint32_t same, resized, rewired, restrided, retyped; /* matched operations */
};

/* {0} before. Both graphs live as long as the difference. */
void graph_diff_make(struct graph_diff *diff, const struct op_graph *a, const struct op_graph *b);
void graph_diff_free(struct graph_diff *diff);

/* graph_fold.c - which edits are equal. */
/* Sets `equal_to`, `next` and `times`, which is 0 before. Edits are equal if they have the same operators, constants, types and
 * lines of source, and operands in the same places, whose names differ in numbers only. */
void graph_fold(struct graph_diff *diff);

/* graph_match.c - which node of one graph is which node of another. */
/* Sets both arrays, which have a place for each node. moved: by node of b. */
void graph_match(const struct op_graph *a, const struct op_graph *b, uint32_t *match_a, uint32_t *match_b, bool *moved);
