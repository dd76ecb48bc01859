/* module_costs.h - the modules of a report by what they have, as a table. One thread.
 *
 * Modules whose names differ only in numbers are one row: "h.*.attn" for h.0.attn to h.11.attn. Numbers include those of the modules below. */
#pragma once

#include "answers/table.h"
#include "base/json.h"
#include "base/jsonw.h"

/* Modules of one function, name and class, of all its compiles. */
struct module_cost {
    struct slice function; /* label of the compiled frame; ptr NULL: unknown */
    struct slice root, class;
    struct slice name;   /* "h.*.attn" */
    uint64_t modules;    /* how many a compile has, at most */
    uint64_t parameters; /* elements, of the compile with most of them */
    uint64_t ops, exact_ops, kernels, guards, run_us;
    uint64_t of_compile[2]; /* modules and parameters of the compile at hand */
    struct slice compile;   /* that one */
};

struct module_costs {
    struct arena arena;            /* of the names */
    LIST(struct module_cost) list; /* most run time first, then most kernels, operations and parameters */
    size_t all;                    /* rows before the list was cut */
    bool profiled;
};

/* Finds at most `most` rows. */
void module_costs_find(struct module_costs *costs, yyjson_val *root, size_t most);
void module_costs_finish(struct module_costs *costs);
/* A row each; columns without any value are left out. The caller finishes the table. */
void module_costs_table(struct table *table, const struct module_costs *costs);
void module_costs_add_json(struct jsonw *w, const struct module_costs *costs);
