/* guard_tree.h - the tree of guards that Dynamo logs as text (dynamo_cpp_guards_str), as a list for programs.
 *
 * A tree has managers, one for each thing that is guarded ("source=L['x']"), and beneath them the guards. A guard's line is
 * its code and, behind "  # ", where it comes from: the user's line and place, or PyTorch's own place. The list keeps the
 * order of the log. It is bounded: GUARDS_MAX guards and GUARDS_JSON_MAX bytes; what is beyond is counted. Texts longer than
 * GUARD_TEXT_MAX are cut and end with "…". Pure; any thread; one pass. */
#ifndef TLPARSE_SCAN_GUARD_TREE_H
#define TLPARSE_SCAN_GUARD_TREE_H

#include "base/buf.h"

enum { GUARDS_MAX = 20000, GUARDS_JSON_MAX = 4 << 20, GUARD_TEXT_MAX = 4000 };

struct guard_tree {
    uint32_t count; /* all guards */
    uint32_t more;  /* how many of them are not in the list */
};

/* A line of the tree: a manager, or a guard. Slices of the text. */
struct guard_node {
    size_t depth;
    bool manager;
    struct slice kind;         /* "GuardManager", "TENSOR_MATCH" */
    struct slice source, type; /* of a manager: "L['x']", "torch.Tensor"; ptr NULL: not said */
    struct slice part;         /* of a guard: its code, and what follows it */
};

/* Takes the next line of the tree off the text; false at its end. */
bool guard_tree_next(struct slice *text, struct guard_node *node);

/* Adds the object that doc/report-data.md describes under "Guards". */
struct guard_tree guard_tree_add(struct buf *json, struct slice text);

#endif
