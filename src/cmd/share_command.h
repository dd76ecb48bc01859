/* share_command.h - the command share: a report as one file to send, an HTML page or a zip archive. Of a finished report, or of logs, whose report is
 * written to a hidden folder next to the file meanwhile. */
#ifndef TLPARSE_CMD_SHARE_COMMAND_H
#define TLPARSE_CMD_SHARE_COMMAND_H

#include "base/err.h"

struct options;

bool share_run(const struct options *options, struct err *err);

#endif
