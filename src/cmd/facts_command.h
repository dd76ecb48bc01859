/* facts_command.h - `tlparse facts`: writes what the comparison of ranks needs of logs to a facts file. */
#ifndef TLPARSE_CMD_FACTS_COMMAND_H
#define TLPARSE_CMD_FACTS_COMMAND_H

#include "base/err.h"

struct options;

bool facts_run(const struct options *options, struct err *err);

#endif
