/* summary_command.h - the command summary: prints the totals and the issues of logs or of a finished report, and writes no report. */
#ifndef TLPARSE_CMD_SUMMARY_COMMAND_H
#define TLPARSE_CMD_SUMMARY_COMMAND_H

#include "base/err.h"

struct options;

/* Prints to standard output. False if nothing could be read or printed. */
bool summary_run(const struct options *options, struct err *err);

#endif
