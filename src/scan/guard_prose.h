/* guard_prose.h - recompile reasons that are sentences, and guards whose code does not say what they check.
 *
 * torch/csrc/dynamo/guards.cpp and torch/_dynamo/guards.py have both. Pure; any thread. */
#pragma once

#include "base/base.h"

/* A reason about the dimensions that mark_dynamic() and its relatives mark. */
struct guard_marking {
    struct slice attribute; /* "_dynamo_dynamic_indices"; ptr NULL: the text is no such reason */
    struct slice had, has;  /* "{0}", "{1}"; ptr NULL: not logged */
};
struct guard_marking guard_marking_read(struct slice guard);

/* Stands for the guard of a reason that has none: "0/0: ". */
#define GUARD_NOT_NAMED "no guard is named"
/* Whether the text is one of those that guard_prose_add() knows. */
bool guard_is_prose(struct slice guard);
/* Adds a clause without a final period: "the stack of `TorchFunctionMode`s changed (…)". Returns false, and adds
 * nothing, if it does not know the text. */
bool guard_prose_add(struct buf *out, struct slice guard);
