/* equal_graphs.h - graphs that are equal except for the text of a constant, which keeps compiled code from being shared.
 *
 * An operator that gets a name, such as 'layers.10', makes graphs of equal layers different ones. Pure. */
#ifndef TLPARSE_LOWERING_EQUAL_GRAPHS_H
#define TLPARSE_LOWERING_EQUAL_GRAPHS_H

#include "base/buf.h"
#include "scan/graph_trace.h"

/* Adds a text that is the same for graphs that are equal except for texts in quotes among their arguments. Returns false
 * if the graph has no such text, or is not known as a whole. */
bool equal_graphs_key(struct buf *key, const struct graph_trace *trace);
/* The first of these texts in which the two differ, with its quotes. Returns false if they do not differ. */
bool equal_graphs_differ(const struct graph_trace *one, const struct graph_trace *other, struct slice *in_one,
                         struct slice *in_other);

#endif
