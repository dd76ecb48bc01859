/* diff.h - the command diff: prints what changed from one run to another, and writes no report. */
#ifndef TLPARSE_CMD_DIFF_H
#define TLPARSE_CMD_DIFF_H

#include "base/err.h"

struct options;

/* Prints to standard output. False with ERR_LIMIT if a limit of --fail-on is exceeded, with another code if nothing could be compared. */
bool diff_run(const struct options *options, struct err *err);

#endif
