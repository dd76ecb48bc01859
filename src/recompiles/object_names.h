/* object_names.h - names the objects that guards on identity compare. Addresses are meaningless to readers and are
 * never shown.
 *
 * A member of an enum is named if the guards have its name or value: "Stage.TRAIN", "Stage('train')". The code of a
 * function is named after the only function whose operations distinguish the graphs: "causal (masks.py:10)". Other
 * objects of one class are numbered in the order in which versions of the frame first had them: "code #1", "code #2";
 * without a class, as up to PyTorch 2.8, "object #1". Pure; any thread after the fold. Texts are in the arena or in the
 * model. */
#pragma once

#include "recompiles/chains.h"

/* The object (ASPECT_OBJECT) or class (ASPECT_CLASS) of the source in a compile of the chain. ptr NULL: its guards do
 * not have it. */
struct slice object_name(const struct model *model, const struct chain *chain, const struct compile *compile,
                         enum guard_aspect aspect, struct slice source, struct arena *arena);
/* The number of different objects that the source was in the versions of the chain; *class_name is their class, ptr
 * NULL if they have several or none. */
size_t objects_met(const struct model *model, const struct chain *chain, struct slice source, struct slice *class_name);
/* Whether the source is a member of an enum in the compile. */
bool object_is_member(const struct model *model, const struct compile *compile, struct slice source);
/* The class of the object in a compile; ptr NULL: its guards do not have it. */
struct slice object_class(const struct model *model, const struct compile *compile, struct slice source);
/* "Stage" for "lightning.states.Stage", "function" for a builtin one */
struct slice class_short_name(struct slice name);
