/* compile_caller.h - the user's line that called a compiled frame, where its stack in dynamo_start does not have it.
 *
 * PyTorch cuts that stack off in some versions and for some frames: it has the compiled frame, and the frames of
 * libraries, alone, or lacks the innermost callers. Other records of the compile have more: the Python stack while it was traced (create_symbol,
 * guard_added_fast, symbolic_shape_specialization), whose frames outside of torch/_dynamo are those that made the
 * call, and the user stack of a graph break, in which the compiled frame has a caller. */
#ifndef TLPARSE_ANALYSIS_COMPILE_CALLER_H
#define TLPARSE_ANALYSIS_COMPILE_CALLER_H

#include "model/model.h"

/* Gives such compiles the stack of the other record, with the compiled frame below it, and sets caller_from. Call it
 * once, when the model is complete. */
void compile_callers_find(struct model *model);

/* The user's line that called the frame, if caller_from is set. Pure. */
struct place compile_caller(const struct compile *compile);

#endif
