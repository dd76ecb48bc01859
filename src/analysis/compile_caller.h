/* compile_caller.h - the user's line that called a compiled frame, where its stack in dynamo_start does not have it.
 *
 * PyTorch cuts that stack off in some versions and for some frames: it has the compiled frame alone. Other records of
 * the compile have more: the Python stack while it was traced (create_symbol, guard_added_fast,
 * symbolic_shape_specialization), whose frames outside of torch/_dynamo are those that made the call, and the user
 * stack of a graph break, in which the compiled frame has a caller. Pure; call it when the model is complete. */
#ifndef TLPARSE_ANALYSIS_COMPILE_CALLER_H
#define TLPARSE_ANALYSIS_COMPILE_CALLER_H

#include "model/model.h"

struct compile_caller {
    struct place place;
    const char *from; /* the kind of the record; NULL: no caller is known, or dynamo_start has one */
};

struct compile_caller compile_caller(const struct model *model, const struct compile *compile);

#endif
