/* run_command.h - the command run: runs a program with TORCH_TRACE set to a new folder, prints the summary of what it compiled, and keeps
 * the run with its report (runs/store.h).
 *
 * The program gets the standard streams as they are. What this program says goes to stderr, when the other has ended. It
 * exits with the status of the other, or dies by the same signal; if the other could not be started, with 127 (not found),
 * 126 (cannot be executed) or 125 (anything else). A report that cannot be written changes nothing of that. */
#ifndef TLPARSE_CMD_RUN_COMMAND_H
#define TLPARSE_CMD_RUN_COMMAND_H

#include "base/err.h"

struct options;

bool run_run(const struct options *options, struct err *err);

#endif
