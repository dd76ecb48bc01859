/* kept_checks.h - the checks of each compile's latest guard tree.
 *
 * A part of the model, filled in log order by the fold's thread. Up to KEPT_CHECKS_MAX items of lists are kept per log. Beyond that, a compile
 * keeps its numbers, and its lists are only counted. */
#pragma once

#include "model/model.h"
#include "scan/guard_checks.h"

enum { KEPT_CHECKS_MAX = 200000 };

/* Copies them. */
void kept_checks_set(struct model *model, struct compile *compile, const struct guard_checks *checks);
