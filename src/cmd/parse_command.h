/* parse_command.h - the command parse, which writes a report: choose → source → outdir → pipeline → commit → summary.
 *
 * Prints only to stderr: the files read, errors in the logs, the path of the report, and, on the last line, the
 * counters ("Stats { ok: 64, fail_json: 1 }"). */
#pragma once

#include "base/base.h"

struct choice;
struct options;
struct outdir;
struct pipeline_result;

/* Returns false if no report was written, or if it was but a --strict check failed; err says which. */
bool parse_run(const struct options *options, struct err *err);

/* Whether a report can be written to this place later: for commands that run for hours before they write it. */
bool parse_check_out(const struct options *options, const char *path, struct err *err);
/* Writes the report of the logs to options->out, and prints only errors in them. interrupt.h handles signals meanwhile.
 * The caller finishes outdir and result, even after a failure. */
bool parse_write(const struct options *options, const struct choice *choice, struct outdir *outdir,
                 struct pipeline_result *result, struct err *err);
