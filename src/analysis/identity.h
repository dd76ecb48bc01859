/* identity.h - the identity of compiles: keys, names of frames, and what was compiled before a reset.
 *
 * Call each function once, on one thread, when the model is complete. */
#ifndef TLPARSE_ANALYSIS_IDENTITY_H
#define TLPARSE_ANALYSIS_IDENTITY_H

#include "model/model.h"

/* Sets the key of every compile. */
void model_name_compiles(struct model *model);
/* Sets the frame of compiles whose metrics do not have it (the recompile limit was hit), from another compile of the
 * frame. */
void model_share_frames(struct model *model);
/* Sets resets and earlier of each compile: whether the code was compiled before torch._dynamo.reset(), perhaps under
 * another id. Frames must be set. */
void model_find_earlier(struct model *model);

/* Sets the label of frames whose function has a generic name (forward, __call__, wrapper, inner, <lambda>): with the
 * class of `self`, or of the called `fn`, if the guards of all compiles of that code agree, otherwise with the file,
 * and for methods with the line.
 * Two functions of one name get the file, or the file and the line: "f (model.py:10)". "Net.forward", "wrapper
 * (GPT2LMHeadModel)", "inner (external_utils.py)". Call it after model_share_frames(), while
 * the guards are stored. */
void model_label_frames(struct model *model);

/* "torch_dynamo_resume_in_f_at_7" → "f", and sets line to 7. Any other name: unchanged, and sets line to 0. Call it as
 * often as you like, on any thread. */
struct slice resumed_function(struct slice name, uint64_t *line);

#endif
