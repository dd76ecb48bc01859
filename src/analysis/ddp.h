/* ddp.h - finds the submodule of DDP's split that an artifact belongs to.
 *
 * DDPOptimizer (torch/_dynamo/backends/distributed.py, DDPOptimizer.compile_fn()) writes the split graph and a record
 * for each submodule, in the order in which SubmodCompiler then compiles them. The artifacts of these compiles do not
 * name the submodule, but each submodule begins with a record of the same name, so they can be separated up to the
 * guards of the frame. If the numbers of records do not match, or if a result came from AOTAutograd's cache (which
 * writes its records in another order), nothing is set. Backwards are compiled later, and their records do not name a
 * submodule, so they have none.
 *
 * Call it when the model is complete. */
#ifndef TLPARSE_ANALYSIS_DDP_H
#define TLPARSE_ANALYSIS_DDP_H

#include "model/model.h"

/* Sets the subgraph of such artifacts that have none: "submod_0". */
void ddp_name_submodules(struct model *model);

#endif
