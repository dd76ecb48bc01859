/* side_effects.h - the artifact dynamo_side_effects: objects outside of a compiled function that the function changes.
 *
 * torch/_dynamo/side_effects.py, _format_side_effect_message(): "Mutating object of type list (source name:
 * L['self'].rows)", and the stack of each line that does it. Pure; any thread. */
#pragma once

#include "trace/stack.h"

/* The next source that the function changes: "L['self'].rows" for such an object, "L['self'].step" for an attribute
 * that the innermost user line in its stack assigns. Returns false at the end. `text` is the remaining text; `object`
 * must be {0} at first. */
struct side_effects {
    struct slice text;   /* what is left */
    struct slice object; /* source of the current object; ptr NULL: none */
    struct slice stacks; /* remaining stacks of the current object */
    struct frame line;   /* the innermost line of the user that changes the source; file.ptr NULL: none in the stack */
    struct frame caller; /* the user's line that calls it; file.ptr NULL: none */
    struct slice called; /* the method that contains `line`, as the caller calls it: "meter.add"; ptr NULL: no call,
                          * or several */
};
bool side_effects_next(struct side_effects *effects, struct buf *source);
