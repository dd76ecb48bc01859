/* registry.h - the kinds of records: one row each.
 *
 * To add a kind, add a row in registry.c. If flags are not enough, add a function to the file for that concern. See
 * CONTRIBUTING.md. */
#pragma once

#include "kinds/kind.h"

/* The first key of the envelope that is not context, or the empty slice. */
struct slice record_key(yyjson_val *envelope);
enum { NODES_MAX = 16 }; /* per record; further keys are ignored */
/* The record_decoder of the registry: returns a node for each key that is not context. Keys with a row come first, in
 * the order of their outputs. */
const struct node *registry_decode(const struct record *record, struct arena *arena);
