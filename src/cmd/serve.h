/* serve.h - tlparse --serve: the report that was written, in a browser, until Ctrl-C.
 *
 * Writes two lines to stdout, where the report is served and how it ends, and to stderr a warning when other machines
 * can reach it. */
#ifndef TLPARSE_CMD_SERVE_H
#define TLPARSE_CMD_SERVE_H

#include "base/err.h"

struct options;

/* True when it was ended by SIGINT or SIGTERM; false when it could not be served. */
bool serve_report(const struct options *options, struct err *err);

#endif
