/* export_calls.h - the calls of torch.export that a log shows, and how each ended.
 *
 * A part of struct exports, found when the log is complete. A call leaves three kinds of records: its trace, which is a
 * compile without metrics; the metrics without an id that end the trace of a strict export; and, with TORCH_DTRACE, its
 * program. */
#pragma once

#include "model/export.h"

/* "succeeded", for programs. */
const char *export_outcome_name(enum export_outcome outcome);
/* Finds the calls and their outcomes. Call it once, after exports_take_errors(). */
void exports_find_calls(struct model *model);
/* The call with the trace or the metrics that this line of the compile belongs to. NULL: none. */
const struct export_call *export_call_at(const struct model *model, const struct compile *compile, uint64_t line);

/* Parses the messages of constraint violations, and finds the guards in the traces of their calls. Call it once, after
 * exports_find_calls(). If the line of such a guard is known, it becomes the place of the failure. */
void exports_find_limits(struct model *model);

/* Finds the guards that named dimensions do not allow, in calls with unknown outcomes. Call it once, after
 * exports_find_calls(). */
void exports_find_bounds(struct model *model);
/* The innermost line of the user's code for a guard, or else the innermost line. NULL: unknown. */
const struct frame *export_guard_line(const struct shape_record *guard);
