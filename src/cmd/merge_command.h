/* merge_command.h - `tlparse merge`: the report on all ranks of a job from the facts files of its nodes. */
#ifndef TLPARSE_CMD_MERGE_COMMAND_H
#define TLPARSE_CMD_MERGE_COMMAND_H

#include "base/err.h"

struct options;

bool merge_run(const struct options *options, struct err *err);

#endif
