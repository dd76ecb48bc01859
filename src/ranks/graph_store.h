/* graph_store.h - the graphs of all ranks, each distinct one once.
 *
 * Ranks mostly compile the same graphs, so what is kept of a graph is shared by those that have it. Taking is safe from any
 * thread; what was taken lives, unchanged, until the store is destroyed. */
#ifndef TLPARSE_RANKS_GRAPH_STORE_H
#define TLPARSE_RANKS_GRAPH_STORE_H

#include "scan/graph_trace.h"

struct graph_store;

struct graph_store *graph_store_create(void);
void graph_store_destroy(struct graph_store *store);
/* The store's copy. Two graphs are the same when their hash is. */
const struct graph_trace *graph_store_take(struct graph_store *store, uint64_t hash, const struct graph_trace *trace);

#endif
