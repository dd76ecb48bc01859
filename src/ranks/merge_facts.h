/* merge_facts.h - the report on many ranks from facts files (facts_file.h), which nodes of a cluster made of their own logs.
 *
 * The report is the one that reading the logs gives, without the reports of single logs. Those of a few logs that
 * represent the others, or of ranks that are asked for, are made from their logs if those can be read here.
 *
 * A log whose facts are in several files counts once, as in the facts that were taken last. It is the same log if its
 * ranks and its path and host are the same (of standard input: its first time), or if its ranks, the name of its file
 * and its first time are: several hosts may see one folder. The order of files does not matter. */
#pragma once

#include "ranks/merge_request.h"
#include "ranks/ranks.h"

/* What was merged. */
struct merge_result {
    struct pipeline_result total;       /* the caller finishes it */
    uint64_t logs, files, files_unread; /* files_unread: not read, or not to the end */
    uint64_t repeated;                  /* times that a log's facts were in another file, too */
    char first_repeated[256];           /* the path of such a log, perhaps cut */
    uint64_t reports, reports_missing;  /* of single logs: made, and wanted but without a log that can be read here */
    uint64_t unknown, first_unknown;    /* ranks that were asked for but have no facts: how many, and the first one */
    struct err trouble;                 /* why the first of these may be missing; no code: its log is not here */
};

/* Writes the report to the sink, which is empty. Returns false if no log has facts, or a system call failed. The caller
 * finishes the result in either case. */
bool ranks_merge(const struct merge_request *request, struct sink *sink, const struct ranks_watcher *watcher,
                 struct merge_result *result, struct err *err);
/* Writes the facts of all the files to one. */
bool ranks_merge_facts(const struct merge_request *request, const struct ranks_facts_out *out,
                       const struct ranks_watcher *watcher, struct merge_result *result, struct err *err);
