/* merge_facts.h - the report on many ranks, made from facts files (facts_file.h) that the nodes of a cluster wrote
 * about their own logs.
 *
 * The report is the same as if the logs were read, but without the reports on single logs. Only a few logs that
 * represent the others, or ranks that the user asks for, get a report, if their logs can be read here.
 *
 * A log whose facts are in several files counts once, with the facts that were taken last. Facts are of the same log if
 * rank, path and host are equal (for standard input: rank and first time), or if rank, file name and first time are:
 * several hosts may see the same folder. The order of files does not matter. */
#pragma once

#include "ranks/merge_request.h"
#include "ranks/ranks.h"

/* The results of a merge. */
struct merge_result {
    struct pipeline_result total;       /* the caller finishes it */
    uint64_t logs, files, files_unread; /* files_unread: files that were not read, or not completely */
    uint64_t repeated;                  /* number of further occurrences of a log's facts in other files */
    char first_repeated[256];           /* the path of one such log, possibly truncated */
    uint64_t reports, reports_missing;  /* reports on single logs: those made, and those wanted whose log cannot be
                                         * read here */
    uint64_t unknown, first_unknown;    /* number of requested ranks that have no facts, and the first of them */
    struct err trouble;                 /* why the first missing report is missing; no code: its log is not here */
};

/* Writes the report to the sink, which must be empty. Returns false if no log has facts, or a system call failed. The
 * caller finishes the result in either case. */
bool ranks_merge(const struct merge_request *request, struct sink *sink, const struct ranks_watcher *watcher,
                 struct merge_result *result, struct err *err);
/* Merges the facts in all files into one facts file. */
bool ranks_merge_facts(const struct merge_request *request, const struct ranks_facts_out *out,
                       const struct ranks_watcher *watcher, struct merge_result *result, struct err *err);
