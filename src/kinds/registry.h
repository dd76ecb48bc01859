/* registry.h - the kinds of records: one row each.
 *
 * To add a kind: a row in registry.c; where flags alone do not do, a function in the file of its concern. See CONTRIBUTING.md. */
#ifndef TLPARSE_KINDS_REGISTRY_H
#define TLPARSE_KINDS_REGISTRY_H

#include "kinds/kind.h"

/* NULL for a key that no row has. */
const struct kind *kind_find(struct slice key);
/* Keys that say where a record belongs, and not what it is. */
bool key_is_context(struct slice key);
/* The first key of the envelope that is no context; the empty slice where there is none. */
struct slice record_key(yyjson_val *envelope);
enum { NODES_MAX = 16 }; /* of one record; further keys are passed over */
/* The record_decoder of the registry: a node for each key that is no context, those that a row has first, in the order of their outputs. */
const struct node *registry_decode(const struct record *record, struct arena *arena);

#endif
