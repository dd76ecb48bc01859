/* identity.h - which compile is it: keys, names of frames, and what was compiled before a reset.
 *
 * Called when nothing more is added to the model, once each, by its only thread. */
#ifndef TLPARSE_ANALYSIS_IDENTITY_H
#define TLPARSE_ANALYSIS_IDENTITY_H

#include "model/model.h"

/* Gives every compile its key. Called when nothing more is added. */
void model_name_compiles(struct model *model);
/* A compile whose metrics do not name its frame (the recompile limit was hit) takes the name from another compile of it.
 * Called when nothing more is added. */
void model_share_frames(struct model *model);
/* Whether code was compiled before torch._dynamo.reset(), perhaps under another id: resets and earlier of each compile. The frames
 * must be known. */
void model_find_earlier(struct model *model);

/* Gives frames whose function's name says little (forward, __call__, wrapper, inner, <lambda>) a label: with the class of `self`, or of
 * the `fn` that is called, where the guards of all compiles of that code agree on it, else with the file. "Net.forward",
 * "wrapper (GPT2LMHeadModel)", "inner (external_utils.py)". The frames must be shared and the guards kept. */
void model_label_frames(struct model *model);

#endif
