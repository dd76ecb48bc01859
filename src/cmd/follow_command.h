/* follow_command.h - the command follow: prints what happens in logs that grow, until Ctrl-C, then the totals. */
#ifndef TLPARSE_CMD_FOLLOW_COMMAND_H
#define TLPARSE_CMD_FOLLOW_COMMAND_H

#include "base/err.h"

struct options;

/* Events and totals go to stdout, everything else to stderr. Returns true when SIGINT, SIGTERM or --until-idle ended it. */
bool follow_run(const struct options *options, struct err *err);

#endif
