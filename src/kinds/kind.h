/* kind.h - a kind of record, one row of the registry, and the registry.
 *
 * `decode` is pure and runs on any worker. `fold` runs in log order on one thread. Each header of this folder declares
 * the handlers in the source of the same name. */
#pragma once

#include "kinds/node.h"
#include "model/model.h"

struct fold; /* fold.h */

/* The order of files, and so of numbers, for a record with several keys. It is that of the reference. */
enum output_order {
    ORDER_TEXT,         /* graphs and guards, each a text */
    ORDER_DUMP,         /* graph_dump */
    ORDER_GUARDS,       /* dynamo_guards */
    ORDER_CODE,         /* inductor_output_code */
    ORDER_DDP,          /* optimize_ddp_split_child */
    ORDER_BACKWARD_OLD, /* aot_autograd_backward_compilation_metrics */
    ORDER_BACKWARD,     /* bwd_compilation_metrics */
    ORDER_LINK,         /* link */
    ORDER_ARTIFACT,     /* artifact */
    ORDER_FILE,         /* dump_file */
    ORDER_METRICS,      /* compilation_metrics */
    ORDER_NO_FILE,      /* the reference writes no file for it */
};

enum kind_flags {
    KIND_TEXT = 1,  /* the payload becomes the file <key>_<N>.txt */
    KIND_VALUE = 2, /* no file; the page shows the members of the record */
    KIND_EVENT = 4, /* the payload is an event of chromium_events.json: not in raw.jsonl, not an artifact */
    KIND_TABLE = 8, /* not an output: it fills the string table */
};

struct kind {
    const char *key;
    enum output_order order; /* its position among the outputs of a record with several keys */
    unsigned flags;
    enum lang lang; /* of the payload */
    /* On a worker, pure: returns a new node in the arena with the content of the payload. `value` is the value of the
     * key.
     * NULL: the payload is not decoded. */
    struct node *(*decode)(const struct record *record, yyjson_val *value, struct arena *arena);
    /* In log order, with the node of the key. May be NULL. */
    void (*fold)(struct fold *fold, const struct node *node);
};

/* registry.c - the kinds of records: one row each.
 *
 * To add a kind, add a row in registry.c. If flags are not enough, add a function to the file for that concern. See
 * CONTRIBUTING.md. */
/* The first key of the envelope that is not context, or the empty slice. */
struct slice record_key(yyjson_val *envelope);
enum { NODES_MAX = 16 }; /* per record; further keys are ignored */
/* The record_decoder of the registry: returns a node for each key that is not context. Keys with a row come first, in
 * the order of their outputs. */
const struct node *registry_decode(const struct record *record, struct arena *arena);
