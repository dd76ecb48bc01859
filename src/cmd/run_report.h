/* run_report.h - what the command run does when its program has ended: the report, the summary, and where they are. */
#ifndef TLPARSE_CMD_RUN_REPORT_H
#define TLPARSE_CMD_RUN_REPORT_H

#include <stdbool.h>

struct options;
struct process;

/* Prints on stderr, also why there is no report, unless the command was not started: then nothing is known about the other ranks. Returns the
 * status of the check, as tlparse check exits: 0 if none was asked for. */
int run_report(const struct options *options, struct process *process, bool started);

#endif
