/* diff_command.h - the command diff: prints what changed from one run to another, and writes no report. */
#ifndef TLPARSE_CMD_DIFF_COMMAND_H
#define TLPARSE_CMD_DIFF_COMMAND_H

#include "base/err.h"

struct options;

/* Prints to standard output. False with ERR_LIMIT if a limit of --fail-on is exceeded, with another code if nothing could be compared. */
bool diff_run(const struct options *options, struct err *err);
/* The same, with other names for the two sides than their paths; NULL: the paths. */
bool diff_run_named(const struct options *options, const char *const *names, struct err *err);

#endif
