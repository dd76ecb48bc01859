/* ddp.h - of which submodule of DDP's split an artifact is.
 *
 * DDPOptimizer (torch/_dynamo/backends/distributed.py, DDPOptimizer.compile_fn()) writes the split graph and a record for each
 * submodule, in the order in which SubmodCompiler then compiles them; what it compiles names no submodule. Each submodule
 * begins with a record of the same name, so that they can be told apart up to the guards of the frame. Where the records do
 * not come out even, or a result came from AOTAutograd's cache (which writes its records in another order), nothing is said.
 * Backwards are compiled later, and their records name no submodule: they have none.
 *
 * Called when nothing more is added to the model. */
#ifndef TLPARSE_ANALYSIS_DDP_H
#define TLPARSE_ANALYSIS_DDP_H

#include "model/model.h"

/* Sets the subgraph of such artifacts that have none: "submod_0". */
void ddp_name_submodules(struct model *model);

#endif
