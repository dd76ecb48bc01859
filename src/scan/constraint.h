/* constraint.h - parses PyTorch's message about dimensions that dynamic_shapes declares as dynamic but the code
 * restricts:
 *
 *     Constraints violated (batch)! For more information, run with TORCH_LOGS="+dynamic".
 *       - Not all values of batch = L['x'].size()[0] in the specified range satisfy the generated guard …
 *       - You marked batch as dynamic but your code specialized it to be a constant (4). …
 *       - The values of other = L['y'].size()[0] and batch = L['x'].size()[0] must always be equal.
 *     Suggested fixes:
 *       _batch = Dim('_batch', min=1, max=oo)
 *       batch = 2*_batch
 *
 * produce_guards() of torch/fx/experimental/symbolic_shapes.py writes it. Slices point into the text. Pure, any thread. */
#pragma once

#include "base/base.h"

enum constraint_kind {
    CONSTRAINT_OTHER,    /* only `says` is known */
    CONSTRAINT_GUARD,    /* `expr` does not hold for all sizes */
    CONSTRAINT_CONSTANT, /* the code requires the size `expr` */
    CONSTRAINT_EQUAL,    /* two dimensions must be equal */
};

struct constraint {
    enum constraint_kind kind;
    struct slice name, source;   /* of the dimension: "batch", and "L['x'].size()[0]"; ptr NULL: not in the text */
    struct slice partner, other; /* likewise, for the other dimension */
    struct slice expr;           /* ptr NULL: none */
    struct slice says;           /* the first line */
    struct slice text;           /* all lines, including the user's stack */
};

/* Parses and removes the next constraint. Returns false if there is none. */
bool constraint_next(struct slice *rest, struct constraint *found);
/* Removes the next line of "Suggested fixes:" from the text, which is the whole message at first. ptr NULL: none. */
struct slice constraint_fix_next(struct slice *rest);
/* Adds the expression in a normal form, in which a guard in a record, "Eq(Mod(s6, 2), 0)", equals the guard in a
 * message, "(L['x'].size()[0] % 2) == 0": operators between their operands, numbered names, no spaces or parentheses.
 */
void constraint_add_plain(struct buf *out, struct slice expr);
