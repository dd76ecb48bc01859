/* ranks.h - several logs, one report: a folder for each rank, and a start page that shows where they diverge.
 *
 * Logs are read in parallel, one per worker. Logs of one process (draft_export writes a file for each call) are read in
 * sequence, because they share a string table. A log that cannot be read does not affect the others.
 *
 *     rank_<N>/        the newest log of rank N        rank_<N>-2/ …  older ones (a restart, a fork)
 *     rank_none/       a log without a rank (before the process group was set up), rank_none-2/ …
 *
 *     run_<N>/         for runs, if at least one is a job of ranks: the N-th, a report of one log, or of ranks as
 *     above
 *
 * ranks_split_whole() is for a single log that several ranks wrote. */
#pragma once

#include "facts/facts_file.h"
#include "pipeline/pipeline.h"
#include "ranks/request.h"

/* How much of all logs has been read so far. */
struct ranks_read {
    uint64_t file_bytes; /* bytes of the files, compressed or not */
    uint64_t bytes;      /* decompressed bytes of the logs */
};

/* Called on any thread, one call at a time. */
struct ranks_watcher {
    void *context;
    /* kind is a constant, except for errors about a whole log, whose line is 0. */
    void (*fault)(void *context, const char *path, const char *kind, uint64_t line, struct slice detail);
    void (*empty)(void *context, const char *path); /* a file without records */
    /* Several processes of a log have compiles. told: the user knows that, because each process has its own file. */
    void (*processes)(void *context, const char *path, const struct pipeline_result *result, bool told);
    void (*progress)(void *context, const struct ranks_read *read);
    void (*hook)(void *context, const char *path, const char *text); /* a program of the user failed */
};

/* Writes the report to the sink, which must be empty. Returns false if a system call failed. The result covers all
 * logs. */
bool ranks_run(const struct ranks_request *request, struct sink *sink, const struct ranks_watcher *watcher,
               struct pipeline_result *result, struct err *err);

/* Reads the logs, none of which may be a job, and writes their facts. */
bool ranks_facts(const struct ranks_request *request, const struct ranks_facts_out *out,
                 const struct ranks_watcher *watcher, struct pipeline_result *result, struct err *err);

struct spool;

/* Requests reports on single logs, in folders of a report on several logs that is made from their facts. */
struct ranks_reports {
    const struct ranks_log *logs;
    const char *const *dirs;
    size_t count;
    const struct reading_options *options;
    struct spool *spool;
    struct spooled *events; /* for logs with a rank: zeroed by the caller, set to their events */
    bool *made;             /* set to whether each log could be read */
};
/* Writes the reports. Returns false if a system call failed. */
bool ranks_reports(const struct ranks_reports *reports, struct sink *sink, const struct ranks_watcher *watcher,
                   struct err *err);

/* The facts of the reports that one log became. */
struct ranks_split;
/* The sink is that of the log's report. */
struct ranks_split *ranks_split_create(const char *file, struct sink *sink);
/* For reading_watcher.whole. If there are several reports, report.json of the first one covers all of them. */
void ranks_split_whole(struct ranks_split *split, struct model *model, const char *dir, struct view_together *together);
/* Returns false, with the first failure, if a file about all ranks could not be written. */
bool ranks_split_good(const struct ranks_split *split, struct err *err);
/* The number of ranks. */
size_t ranks_split_count(const struct ranks_split *split);
void ranks_split_destroy(struct ranks_split *split);
