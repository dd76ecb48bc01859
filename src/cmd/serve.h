/* serve.h - tlparse --serve: serves the report over HTTP until Ctrl-C.
 *
 * Prints the address and how to stop on stdout, and a warning on stderr if other machines can reach it. */
#ifndef TLPARSE_CMD_SERVE_H
#define TLPARSE_CMD_SERVE_H

#include "base/err.h"

struct options;

/* Returns true when SIGINT or SIGTERM ended it, false if the report could not be served. */
bool serve_report(const struct options *options, struct err *err);

#endif
