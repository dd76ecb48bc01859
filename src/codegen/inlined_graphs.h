/* inlined_graphs.h - the lines of the functions that a template of flex attention has in its code: mask_mod and score_mod,
 * which are nested graphs. Pure; any thread. */
#pragma once

#include "codegen/flow_graph.h"

enum { INLINED_LINES_MAX = 32 };

/* The lines of the nested graphs of the nodes with this operator, "flex_attention", as indices of sources of the graphs,
 * ascending. Returns their number: 0 if several nodes have different ones, because it is unknown which is the kernel's,
 * or if there are too many. */
uint32_t inlined_lines(const struct flow_graphs *graphs, struct slice op, uint32_t lines[INLINED_LINES_MAX]);
