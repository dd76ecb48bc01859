/* op_items.h - for op_modules.c and its parts: the operations of a graph with what is known about each one. */
#pragma once

#include "modules/known_lines.h"
#include "modules/module_tree.h"

enum { CANDIDATES_MAX = 32 };

/* A module whose code may have the line of an operation. */
struct candidate {
    uint32_t module;
    uint32_t low,
        high; /* the nearest lines of the operation's function that ran for the module before and after it; 0: none */
};

struct op_item {
    struct slice code;
    struct known_line at;  /* without a class; file 0: unknown */
    uint32_t owner;        /* the nearest module that has all parameters among its operands; MODULE_NONE: it has none */
    uint32_t first_tensor; /* in op_items.tensors: as many as it has operands */
    uint32_t tensor_count;
    uint32_t anchor;        /* the module that it belongs to for sure; MODULE_NONE: none */
    bool leaf;              /* of torch.nn, called in the line: the line is in the code of another module */
    bool vague;             /* there are too many candidates */
    bool dropped;           /* it was an anchor that may be of another module */
    bool forward;           /* its line is in a function of that name */
    uint32_t before, after; /* module of the previous and the next anchor; 0: none */
    uint32_t first, count;  /* range of candidates for the code of its line */
};

/* A parameter or buffer among the operands. */
struct op_tensor {
    uint32_t module;
    struct slice name;
};

struct op_items {
    const struct module_tree *tree;
    const struct module_records *records;
    struct op_item *list; /* as many as the graph has operations */
    uint32_t count;
    LIST(struct op_tensor) tensors;
    LIST(struct candidate) candidates;
    struct map files, functions, classes; /* texts → numbers from 1 */
    uint32_t *class_of;                   /* by module: the number of its class, or one of its own if that is unknown */
    bool *anchored;                       /* by module: it is the anchor of an operation, or has one that is */
    bool *once;                           /* by module: an operation of it, or of one below it, runs only once */
    bool *
        runs; /* by module: it was called as a module; of logs that do not say it, something in its forward() is known */
    bool *twin;   /* by module: it may share its tensors with one of its class and name */
    bool *called; /* by module of unknown class: a line calls it, so its code is not in stacks */
    bool *
        coded; /* by module: lines of its class are known. Other classes may inherit forward() from torch.nn, whose lines
                     are not in stacks */
};

/* op_anchors.c: the operations with their places and anchors. op_items_free() frees them. */
void op_items_make(struct op_items *items, const struct module_tree *tree, const struct module_records *records);
void op_items_free(struct op_items *items);
/* Sets what follows from the anchors: after each change of them. */
void op_items_update(struct op_items *items);
/* Whether the code of the module's class is not in stacks, as that of torch.nn. */
bool op_items_hidden(const struct op_items *items, uint32_t module);
uint32_t op_items_number(struct map *map, struct slice text);
/* Whether the operation, in the code of the module, shows the module as called: otherwise another one may have called a method of it. */
bool op_items_runs(const struct op_items *items, const struct op_item *item, uint32_t module);
/* Whether all tensors among the operands are of one module, and whether the line reads one of them of another object than `self`. */
bool op_items_owns_all(const struct op_items *items, const struct op_item *item);
bool op_items_reads_others(const struct op_items *items, const struct op_item *item);
/* The name by which code calls the module: "h" for "h.0", "plain" for "plain[0]". */
struct slice op_items_called_name(const struct module_tree *tree, uint32_t module);

/* op_candidates.c: finds for each operation whose line it may be. */
void op_candidates_find(struct op_items *items, const struct place *frame);
