/* guard_prose.h - recompile reasons that are sentences, and guards whose code does not show what they check.
 *
 * torch/csrc/dynamo/guards.cpp and torch/_dynamo/guards.py have both. Pure; any thread. */
#pragma once

#include "base/base.h"

/* A reason about the dimensions that mark_dynamic() and its relatives mark. */
struct guard_marking {
    struct slice attribute; /* "_dynamo_dynamic_indices"; ptr NULL: the text is not such a reason */
    struct slice had, has;  /* "{0}", "{1}"; ptr NULL: not logged */
};
struct guard_marking guard_marking_read(struct slice guard);

/* Stands for the guard in a reason without one: "0/0: ". */
#define GUARD_NOT_NAMED "no guard is named"
/* Whether guard_prose_add() knows the text. */
bool guard_is_prose(struct slice guard);
/* Adds a clause without a final period: "the stack of `TorchFunctionMode`s changed (…)". Returns false and adds nothing
 * for unknown texts. */
bool guard_prose_add(struct buf *out, struct slice guard);
