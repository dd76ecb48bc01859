/* side_effects.h - the artifact dynamo_side_effects: objects that a compiled function changes, which exist without it.
 *
 * torch/_dynamo/side_effects.py, _format_side_effect_message(): "Mutating object of type list (source name:
 * L['self'].rows)", and the stack of each line that does it. Pure; any thread. */
#pragma once

#include "trace/stack.h"

/* The next source that the function changes: "L['self'].rows" of such an object, and "L['self'].step" of an attribute
 * that the innermost line of the user in its stack assigns. Returns false at the end. `text` is what is left; `object`
 * is {0} at first. */
struct side_effects {
    struct slice text;   /* what is left */
    struct slice object; /* the source of the current one; ptr NULL: none */
    struct slice stacks; /* of the current one, what is left */
    struct frame line;   /* the innermost line of the user that changes the source; file.ptr NULL: none in the stack */
    struct frame caller; /* the user's line that calls it; file.ptr NULL: none */
    struct slice called; /* "meter.add" there, the method that has `line`; ptr NULL: it calls none, or several */
};
bool side_effects_next(struct side_effects *effects, struct buf *source);
