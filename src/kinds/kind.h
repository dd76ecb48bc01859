/* kind.h - what a kind of record is: one row of the registry.
 *
 * `decode` runs on any worker and is pure; `fold` runs in log order, in one thread. A header of this folder declares the handlers
 * that the source of the same name defines. */
#ifndef TLPARSE_KINDS_KIND_H
#define TLPARSE_KINDS_KIND_H

#include "kinds/node.h"
#include "model/lang.h"

struct fold; /* fold.h */

/* In which order a record that has several keys gets their files, and so their numbers: the contract's. */
enum output_order {
    ORDER_TEXT,         /* graphs and guards that are a text each */
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
    ORDER_NO_FILE,      /* it has no file of the contract */
};

enum kind_flags {
    KIND_TEXT = 1,  /* the payload is the file <key>_<N>.txt */
    KIND_VALUE = 2, /* no file of its own; the page shows the fields of the record */
    KIND_EVENT = 4, /* the payload is an event of chromium_events.json: not in raw.jsonl, no artifact */
    KIND_TABLE = 8, /* no record of its own: it fills the table of strings */
};

struct kind {
    const char *key;
    enum output_order order; /* of the outputs of one record that has several keys */
    unsigned flags;
    enum lang lang; /* of the payload */
    /* On a worker, pure: a new node in the arena with what the payload holds; value is that of the key. May be NULL: nothing is looked for. */
    struct node *(*decode)(const struct record *record, yyjson_val *value, struct arena *arena);
    /* In log order, with the node of the key. May be NULL. */
    void (*fold)(struct fold *fold, const struct node *node);
};

#endif
