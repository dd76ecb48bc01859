/* module_source.h - reads the sources that Dynamo gives to modules and what they hold: L['self']._modules['h']._parameters['w'].
 *
 * Pure; any thread. Slices point into the source. */
#pragma once

#include "base/base.h"

struct module_source {
    /* The part up to the last `_modules['…']`: "L['self']._modules['h']"; without one, the local or global, "L['self']". ptr NULL: the source does
     * not begin with one, or calls something: "type(L['x'])". */
    struct slice module;
    /* What the last step reads, and of what: "w" of "L['self']._modules['h']". Of a local or a global alone, both are empty. */
    struct slice name, owner;
    enum {
        STEP_OTHER,
        STEP_MODULE,
        STEP_PARAMETER,
        STEP_BUFFER,
        STEP_ATTRIBUTE
    } step; /* the last one. STEP_OTHER: an item, "[0]" */
};

struct module_source module_source_read(struct slice source);
