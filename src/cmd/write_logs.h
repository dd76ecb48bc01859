/* write_logs.h - runs the pipeline over the chosen logs: one log, or several with a report each. Prints messages to
 * stderr. */
#pragma once

#include "cmd/options.h"
#include "pipeline/result.h"
#include "trace/choose.h"

struct reading_options;
struct sink;
struct ranks_facts_out;
struct merge_request;
struct merge_result;

/* How to read logs, according to the command line. */
struct reading_options write_logs_options(const struct options *options);

/* Writes the report into the sink, and fills the result; the caller owns both. */
bool write_logs(const struct options *options, const struct choice *choice, struct sink *sink,
                struct pipeline_result *result, struct err *err);
/* Writes the facts of the logs, each from a rank or a process, and sets *logs to their number. The caller owns the
 * result. */
bool write_facts(const struct options *options, const struct choice *choice, const struct ranks_facts_out *out,
                 size_t *logs, struct pipeline_result *result, struct err *err);
/* Merges facts files: into a report if there is a sink, otherwise into one facts file. The caller owns the result. */
bool merge_facts_files(const struct merge_request *request, struct sink *sink, const struct ranks_facts_out *out,
                       struct merge_result *result, struct err *err);
