/* identity.h - the identity of compiles: keys, names of frames, and links to compiles before a reset.
 *
 * Call each function once, on one thread, when the model is complete. */
#pragma once

#include "model/model.h"

/* Sets the key of every compile. */
void model_name_compiles(struct model *model);
/* Sets the frame of compiles whose metrics lack it (because the recompile limit was hit), from another compile of the
 * frame. */
void model_share_frames(struct model *model);
/* Sets resets and earlier of each compile: whether the code was compiled before torch._dynamo.reset(), possibly under
 * another id. Frames must be set. */
void model_find_earlier(struct model *model);

/* Sets the label of frames whose function has a generic name (forward, __call__, wrapper, inner, <lambda>). The label
 * has the class of `self`, or of the called `fn`, if the guards of all compiles of that code agree; otherwise the file,
 * and for methods the line. Two functions with the same name get the file, or the file and the line: "f (model.py:10)".
 * "Net.forward", "wrapper (GPT2LMHeadModel)", "inner (external_utils.py)". Call it after model_share_frames(), while
 * the guards are stored. */
void model_label_frames(struct model *model);

/* "torch_dynamo_resume_in_f_at_7" → "f", and sets line to 7. Any other name: unchanged, and sets line to 0. Call it as
 * often as you like, on any thread. */
struct slice resumed_function(struct slice name, uint64_t *line);

/* compile_caller.c - the user's line that called a compiled frame, if its stack in dynamo_start lacks that line.
 *
 * In some versions and for some frames, PyTorch truncates that stack: it only has the compiled frame and frames of
 * libraries, or lacks the innermost callers. Other records of the compile have more frames: the Python stack during the
 * trace (create_symbol, guard_added_fast, symbolic_shape_specialization), whose frames outside of torch/_dynamo made
 * the call, and the user stack of a graph break, in which the compiled frame has a caller. */
/* Gives such compiles the stack of the other record, with the compiled frame below it, and sets caller_from. Call it
 * once, when the model is complete. */
void compile_callers_find(struct model *model);

/* The user's line that called the frame, if caller_from is set. Pure. */
struct place compile_caller(const struct compile *compile);

/* ddp.c - finds the submodule of DDP's split that an artifact belongs to.
 *
 * DDPOptimizer (torch/_dynamo/backends/distributed.py, DDPOptimizer.compile_fn()) writes the split graph and a record
 * for each submodule, in the order in which SubmodCompiler then compiles them. The artifacts of these compiles do not
 * name the submodule, but each submodule begins with a record of the same name, so the artifacts can be separated up to
 * the guards of the frame. If the numbers of records do not match, or if a result came from AOTAutograd's cache (which
 * writes its records in another order), nothing is set. Backwards are compiled later, and their records do not name a
 * submodule, so they have none.
 *
 * Call it when the model is complete. */
/* Sets the subgraph of such artifacts if they have none: "submod_0". */
void ddp_name_submodules(struct model *model);
