/* ranks.h - several logs, one report: a folder for each rank, and a landing page that says where they part.
 *
 * Logs are read side by side, one to a worker; logs of one process (draft_export writes a file for each call) one after the
 * other, since they share a table of strings. A log that cannot be read costs only itself.
 *
 *     rank_<N>/        the newest log of rank N        rank_<N>-2/ …  older ones of it (a restart, a fork)
 *     rank_none/       a log without a rank (what ran before the process group was set up), rank_none-2/ …
 *
 *     run_<N>/         of runs of which at least one is a job of ranks: the N-th, a report of one log, or of ranks as above
 *
 * ranks_whole() is for a single log into which several ranks wrote: see there. */
#ifndef TLPARSE_RANKS_RANKS_H
#define TLPARSE_RANKS_RANKS_H

#include "pipeline/pipeline.h"
#include "ranks/request.h"

/* Called from any thread, one call at a time. */
struct ranks_watcher {
    void *context;
    /* kind is a constant, but for what is wrong with a whole log: then line is 0. */
    void (*fault)(void *context, const char *path, const char *kind, uint64_t line, struct slice detail);
    void (*empty)(void *context, const char *path); /* a file without a single record */
    /* Several processes of a log have compiles; told: the user knows, as each is of a file of its own. */
    void (*processes)(void *context, const char *path, const struct pipeline_result *result, bool told);
    void (*progress)(void *context, uint64_t bytes); /* of all logs, unpacked */
};

/* Writes into the sink, which is empty. False when the system refused something; the result is that of all logs. */
bool ranks_run(const struct ranks_request *request, struct sink *sink, const struct ranks_watcher *watcher,
               struct pipeline_result *result, struct err *err);

/* The facts of the reports that one log became. */
struct ranks_split;
/* The sink is that of the log. */
struct ranks_split *ranks_split_create(const char *file, struct sink *sink);
/* run_watcher.whole: where there is more than one report, the first one's report.json speaks of all. */
void ranks_split_whole(struct ranks_split *split, struct model *model, const char *dir, struct view_together *together);
/* False, with the first failure, when a file that speaks of all ranks could not be written. */
bool ranks_split_good(const struct ranks_split *split, struct err *err);
/* How many ranks there were. */
size_t ranks_split_count(const struct ranks_split *split);
void ranks_split_destroy(struct ranks_split *split);

#endif
