/* issue.h - the text of an issue for PyTorch about a compile, in Markdown. Pure; any thread.
 *
 * All texts of the log are in code blocks or code spans that they cannot end. */
#pragma once

#include "extract/program.h"

enum { ISSUE_BYTES = 65536 - 512 }; /* GitHub takes 65,536 characters; some room for the writer's own words */

/* What does not fit is left out: the graph first, then the program; the text says so. Sets *result as program_add() does.
 * Without a graph, the text has no program. */
void issue_add(struct buf *out, const struct compile_records *records, const struct program_request *request,
               struct program_result *result);
