/* op_modules.h - to which module each operation of a Dynamo graph belongs.
 *
 * A graph does not say it. An operation with a parameter tells its module, if its line calls the module, or reads the parameter of `self`. Any other
 * runs between two of these, in a module on the way from the one to the other, and its line is in the code of that module's class: lines are
 * known from these operations, from guards, and from the compiled frame. A module is never a guess: it is either the operation's own, or one that has
 * it. Pure; any thread. */
#pragma once

#include "modules/module_tree.h"

struct op_module {
    uint32_t module; /* index in the tree; 0 may be the compiled function, which is no module */
    bool exact;      /* the operation's own module; otherwise that or one below it */
};

/* One for each operation; the caller frees it. `frame` is where the compiled function begins. */
struct op_module *op_modules_find(const struct module_tree *tree, const struct module_records *records,
                                  const struct place *frame);
