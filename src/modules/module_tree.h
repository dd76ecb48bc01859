/* module_tree.h - the modules of a compile, with their classes and tensors.
 *
 * Names come from the sources of parameters and buffers and from guards, classes only from guards: without them they are unknown. A module
 * that neither holds a tensor nor is guarded is not in the tree. Made from the records of a compile, whose texts it borrows. */
#pragma once

#include "modules/module_records.h"

enum { MODULE_TREE_MAX = 100000, MODULE_DEPTH_MAX = 64, MODULE_SOURCE_MAX = 1000 };

struct module {
    struct slice
        source; /* "L['self']._modules['h']", with `_modules` for each step. Empty: the compiled function, which is no module */
    struct slice name;     /* "h.0", "plain[1]"; of a root empty */
    struct slice part;     /* its last part: "0"; of a root its source */
    struct slice class;    /* "torch.nn.modules.linear.Linear"; ptr NULL: unknown */
    uint32_t parent, root; /* MODULE_NONE: none */
    uint32_t depth;
    uint32_t end;    /* index behind its descendants, which follow it */
    bool from_torch; /* its class is one of torch.nn.modules, whose code is not in stacks */
    bool container;  /* a class of torch.nn that only holds modules */
    bool numbered;   /* the part is a number */
    bool called;     /* it was called as a module; false if that is unknown */
    /* Of its own: without those of its modules. A tensor with several names counts for the first one that PyTorch describes. */
    uint64_t parameters, parameter_elements, parameter_bytes, buffers, buffer_elements, buffer_bytes, unsized, guards;
};

struct module_tree {
    LIST(struct module)
    list; /* each before its descendants; the first is the compiled function or, if that is a method of a module, the module */
    struct map sources; /* → index */
    struct arena arena;
    bool calls_known; /* guards say which modules were called */
    bool typed;       /* there are guards, and each module that holds parameters has a class */
    uint64_t more;    /* modules left out */
};

void module_tree_make(struct module_tree *tree, const struct module_records *records);
void module_tree_free(struct module_tree *tree);
/* The module with this source, however it is written; MODULE_NONE: none. */
uint32_t module_tree_find(const struct module_tree *tree, struct slice source);
/* The nearest module that has both. */
uint32_t module_tree_common(const struct module_tree *tree, uint32_t a, uint32_t b);
/* Whether `above` is the module or one that has it. */
static inline bool module_has(const struct module_tree *tree, uint32_t above, uint32_t module) {
    return above <= module && module < tree->list.items[above].end;
}
