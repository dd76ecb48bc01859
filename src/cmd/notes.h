/* notes.h - messages of `parse` on stderr, except errors in logs: which logs it reads and why, its results, and where
 * the report is.
 *
 * Text of a log is sanitized (cmd/messages.h). One thread. */
#pragma once

#include "cmd/options.h"
#include "pipeline/result.h"
#include "ranks/ranks.h"
#include "sink/outdir.h"
#include "trace/choose.h"
#include "trace/source.h"

/* Which logs are read, which are not, and how several logs are related. */
void notes_choice(const struct choice *choice, bool verbose);

/* A log without records. */
void notes_empty(const char *path);
/* A log that several processes wrote. */
void notes_processes(const char *path, uint64_t count);
/* Processes in different containers may have the same id. */
void notes_namesakes(const char *path, uint64_t count, uint64_t number);
/* The log, or its files, after it has been read. */
void notes_log(const struct options *options, const struct source *source, const struct pipeline_result *result);
/* A log that several ranks wrote. */
void notes_split(const struct ranks_split *split);

/* "3 compiles, 42 artifacts, 1.2 MiB". */
void notes_summary(const struct pipeline_result *result);
void notes_unknown_fields(const struct pipeline_result *result);
/* Where the report is; opened: it was opened in the browser. */
void notes_report(const struct options *options, const struct outdir *outdir, bool opened);
/* If parts of the old report, or of the staging folder, could not be removed: what to delete. */
void notes_leftover(const char *out, const struct outdir *outdir);
/* "Stats { ok: 42 }" */
void notes_stats(const struct pipeline_result *result);
