/* saved_modules.h - the modules of tensors that forwards save for their backwards.
 *
 * Filled while modules are written, as that finds the module of each line, and read when memory is. The model must outlive it. One
 * thread. Life cycle: saved_modules_init, saved_modules_finish. */
#pragma once

#include "lowering/graph_memory.h"

struct saved_module {
    struct slice root, name; /* as in `modules` of report.json; root.ptr NULL: unknown */
    bool exact;              /* the module's own; otherwise, its own or of a module below it */
};

struct saved_modules {
    struct arena arena;
    uint32_t *first, *next; /* by compile and by graph: indices of graphs; UINT32_MAX: none */
    size_t compiles;
    struct saved_module **modules;         /* by graph, then by value; NULL: none is known */
    const struct graph_memories *memories; /* NULL: none */
};

void saved_modules_init(struct saved_modules *saved, const struct model *model);
void saved_modules_finish(struct saved_modules *saved);
/* The first graph of the compile that saves something, and the one after a graph; UINT32_MAX: none. */
uint32_t saved_modules_first(const struct saved_modules *saved, uint32_t compile);
uint32_t saved_modules_next(const struct saved_modules *saved, uint32_t graph);
/* The texts are copied. */
void saved_modules_put(struct saved_modules *saved, uint32_t graph, uint32_t value, struct slice root,
                       struct slice name, bool exact);
/* NULL: unknown. */
const struct saved_module *saved_modules_get(const struct saved_modules *saved, size_t graph, uint32_t value);
