/* runs.h - the command runs: lists, shows, compares, pins and removes the runs that `tlparse run` has kept. */
#ifndef TLPARSE_CMD_RUNS_H
#define TLPARSE_CMD_RUNS_H

#include "base/err.h"

struct options;

bool runs_run(const struct options *options, struct err *err);

#endif
