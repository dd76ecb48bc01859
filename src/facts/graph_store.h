/* graph_store.h - deduplicated graphs of all ranks.
 *
 * Ranks usually compile the same graphs, so they share its stored copy. Any thread may add graphs. A stored
 * graph is immutable and lives until the store is destroyed. */
#pragma once

#include "scan/graph_trace.h"

struct graph_store;

struct graph_store *graph_store_create(void);
void graph_store_destroy(struct graph_store *store);
/* The store's copy. Graphs are equal if their hashes are. */
const struct graph_trace *graph_store_take(struct graph_store *store, uint64_t hash, const struct graph_trace *trace);
/* NULL: there is none. */
const struct graph_trace *graph_store_find(struct graph_store *store, uint64_t hash);
