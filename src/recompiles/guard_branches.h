/* guard_branches.h - whether the code of two compiles took different branches, as far as their guards show it.
 *
 * Pure; any thread after the fold. */
#pragma once

#include "model/model.h"

/* Whether the compile has a guard on the value itself (L['x']), and not only on its members. */
bool guard_branches_read(const struct model *model, const struct compile *compile, struct slice source);
/* The number of local variables that have guards in one of the compiles and none in the other: the code for the other
 * did not read them, because it took another branch. */
size_t guard_branches_unread(const struct model *model, const struct compile *from, const struct compile *to);
/* Whether `to` has a condition on one of these numbers ("L['x'].size()[0]") that does not hold for their values in
 * `from`: the code took another branch for those, so that `from` would not match either if they were dynamic in it. */
bool guard_branches_differ(const struct model *model, const struct compile *from, const struct compile *to,
                           const struct buf *numbers, size_t count);
