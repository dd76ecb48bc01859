/* write_logs.h - runs the pipeline over the chosen logs: one log, or several with a report each. Says what it meets on stderr. */
#ifndef TLPARSE_CMD_WRITE_LOGS_H
#define TLPARSE_CMD_WRITE_LOGS_H

#include "cmd/options.h"
#include "pipeline/result.h"
#include "sink/outdir.h"
#include "trace/choose.h"

/* Writes the report into the staging folder of `outdir`, and fills the result; both are the caller's. */
bool write_logs(const struct options *options, const struct choice *choice, struct outdir *outdir,
                struct pipeline_result *result, struct err *err);

#endif
