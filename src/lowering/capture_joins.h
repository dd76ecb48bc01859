/* capture_joins.h - which captured graph of Compiled Autograd is the backward of which compile.
 *
 * A captured graph names the AOTAutograd graphs in it by numbers: CompiledFunctionBackward2 is that of the process's
 * third call of AOTAutograd. The log has these calls in order, but may lack some, as of a call that raised. So the
 * names of all nodes must be those of the backward graph, too, for all captures of the process; else none is joined. */
#ifndef TLPARSE_LOWERING_CAPTURE_JOINS_H
#define TLPARSE_LOWERING_CAPTURE_JOINS_H

#include "model/model.h"

/* Sets `captured` of compiles. Call it once, when the model is complete and compiles have keys. */
void captures_join(struct model *model);

#endif
