/* write_logs.h - runs the pipeline over the chosen logs: one log, or several with a report each. Says what it meets on stderr. */
#ifndef TLPARSE_CMD_WRITE_LOGS_H
#define TLPARSE_CMD_WRITE_LOGS_H

#include "cmd/options.h"
#include "pipeline/result.h"
#include "trace/choose.h"

struct sink;

/* Writes the report into the sink, and fills the result; both are the caller's. */
bool write_logs(const struct options *options, const struct choice *choice, struct sink *sink,
                struct pipeline_result *result, struct err *err);

#endif
