/* serve_command.h - serves reports over HTTP until Ctrl-C: the command serve, and tlparse --serve.
 *
 * Prints the address and how to stop on stdout, and a warning on stderr if other machines can reach it. */
#pragma once

#include "base/base.h"

struct options;
struct server;

/* Returns false with ERR_USAGE if the call needs a server, but this program was built without one. command: this is the
 * command serve. */
bool serve_is_possible(bool command, const struct options *options, struct err *err);
/* The command: the paths are reports, or folders that contain reports; the default is the folder tl_out. Opens a
 * browser unless --no-browser. */
bool serve_run(const struct options *options, struct err *err);
/* For tlparse --serve: serves the report that was just written. Returns true when SIGINT or SIGTERM ended it, false if the report
 * could not be served. */
bool serve_report(const struct options *options, struct err *err);
