/* runs_command.h - the command runs: lists, shows, compares, pins and removes the runs that `tlparse run` has kept. */
#ifndef TLPARSE_CMD_RUNS_COMMAND_H
#define TLPARSE_CMD_RUNS_COMMAND_H

#include <stddef.h>

#include "base/err.h"

struct options;

bool runs_run(const struct options *options, struct err *err);

/* The names of the actions, "list" first; NULL: there are no more. All but "list" take runs. */
const char *runs_action(size_t i);

#endif
