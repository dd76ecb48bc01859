/* model.h - the command that makes a report: choose → source → outdir → pipeline → commit → summary.
 *
 * Writes to stderr only: which files were taken, the log's faults, where the report is, and as its last line the
 * counters ("Stats { ok: 64, fail_json: 1 }"). */
#ifndef TLPARSE_CMD_REPORT_H
#define TLPARSE_CMD_REPORT_H

#include "base/err.h"

struct options;

/* False when no report was written, or when it was and a --strict check failed: err says which. */
bool report_run(const struct options *options, struct err *err);

#endif
