/* check_command.h - the command check: compares logs or a finished report with budgets, and writes no report. */
#ifndef TLPARSE_CMD_CHECK_COMMAND_H
#define TLPARSE_CMD_CHECK_COMMAND_H

#include "base/err.h"

struct options;

/* Prints to standard output. False with ERR_LIMIT if a rule failed; with another code if none did but one could not be decided, a
 * budget is invalid, or nothing could be read. */
bool check_command(const struct options *options, struct err *err);

#endif
