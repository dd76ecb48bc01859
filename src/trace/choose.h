/* choose.h - from the arguments of a call to the logs to read.
 *
 * A file or "-" is taken as it is. Of a folder, what is hidden is never looked at, and
 *   - with `latest` the file last written is taken, of those that are logs by name (*.log, *.txt, also with .gz or
 *     .zst), or, when no name says log, of all files;
 *   - else the last run: PyTorch's own logs (dedicated_log_torch_trace_*.log) when there are any, else all logs by name. Unless
 *     the folder itself holds logs of ranks, the folders below it are searched, too (log_folder.h).
 *     Ranks: where logs of ranks (…_rank_<N>_….log) were still written to when the newest log began, the run is all logs that
 *     were: those last written no more than CHOOSE_SLACK_S before the time of the newest
 *     log's first record. (Ranks of one run write at the same time, those of the run before had ended by then; a rank that
 *     was started anew at once has two logs.) Logs of other ranks that were written up to CHOOSE_LATE_S before that are of the run, too, if
 *     none of them is of a rank that the run has: a log is made when its rank compiles first. Besides, the logs without a rank that a process of the run wrote before it
 *     had one. Where the first record has no time, or one that lies behind the last write (another time zone),
 *     CHOOSE_WINDOW_S before the newest log's last write stands for it.
 *     Otherwise each log is of a process, and the run is all logs (that have a record at their start) between whose first and
 *     last records no pause is longer than CHOOSE_PAUSE_S, up to the last one: what was written before such a pause is an earlier
 *     run. A program starts its processes one after the other, but hardly rests for so long.
 * "Newest" is the time of the last write to the nanosecond, then the greater name: never the order of the file system.
 *
 * Files that logrotate and its like leave (x.log.1, x.log.2.gz) are logs, too. Of a rank they are one log with the file whose name they have.
 *
 * A file that is given twice, by whatever name, is taken once.
 *
 * Without a path the fallback ($TORCH_TRACE) is taken as one. Nothing here holds a file open.
 * Life cycle: choose_logs .. choice_finish; choose_logs that fails leaves nothing to finish. Any thread
 * (localtime_r). */
#ifndef TLPARSE_TRACE_CHOOSE_H
#define TLPARSE_TRACE_CHOOSE_H

#include "base/err.h"
#include "trace/log_folder.h"

enum { CHOOSE_SLACK_S = 120, CHOOSE_WINDOW_S = 3600, CHOOSE_PAUSE_S = 3600, CHOOSE_LATE_S = 18 * 3600 };

struct choice_log {
    char *path; /* to open; "-" is standard input */
    bool has_rank;
    uint64_t rank;   /* by the name */
    size_t argument; /* of the call, from 0, that it came with */
    size_t job;      /* which of the jobs it is of, from 0: see struct choice */
};

/* What the logs are to each other. */
enum choice_kind {
    CHOICE_LOG,       /* one log */
    CHOICE_PROCESSES, /* several logs of one run: one group */
    CHOICE_RUNS,      /* runs to compare: a group each, of one log, of processes, or of the ranks of a job */
    CHOICE_RANKS,     /* ranks, and perhaps logs without a rank: a group each */
};

/* Logs that become one report, or of a job one of ranks. */
struct choice_group {
    size_t first, count; /* of the items */
    bool job;            /* a run that is a job of ranks: each of its logs gets a report */
    char *name;          /* short, and of no other group when these are runs */
};

struct choice_paths {
    char **items;
    size_t count, cap;
};

/* Logs that came with different arguments may be of several jobs. Logs of one folder are of one job: a rank that has two there was started
 * again. A rank is in one job once, so folders that have a rank in common are different jobs; folders that have none in common are those of
 * the hosts of a job. With `compare`, and for two logs that are given by name, each argument is a run whatever its ranks are, and so is
 * one of two arguments that has no rank. Where there is more than one job, these are runs to compare. */
struct choice {
    /* Group by group; ranks in their order, those without behind, then as given; logs of one group in the order of their first
     * records. Never empty after success. */
    struct choice_log *items;
    size_t count, cap;
    enum choice_kind kind;
    struct {
        struct choice_group *items;
        size_t count, cap;
    } groups;
    char *folder;                /* the first folder that was looked through, NULL when all were named */
    struct choice_paths folders; /* all of them */
    struct choice_paths left;    /* logs of the folders that are not among the items, by path */
    size_t earlier;              /* of those left: logs of processes of an earlier run */
    size_t other_jobs; /* of those left: logs of ranks, in folders of other jobs than that of the newest log */
    size_t unnamed;    /* of those left: logs that PyTorch did not name, beside some that it did */
    struct choice_paths repeated; /* paths to files that are among the items already */
    bool has_shared_rank;         /* jobs are told apart by a rank that two of them have */
    uint64_t shared_rank;         /* the lowest such rank of the first two */
    size_t hosts;                 /* arguments or folders whose ranks make one job, where there is more than one */
    bool one_log;                 /* all are the files of one log that was rotated */
    const char *cut;              /* a folder that held more than was looked through; NULL: none. Of folders */
    bool from_fallback;
};

struct choose_request {
    const char *const *paths;
    size_t path_count;
    bool latest;          /* every path must be a folder */
    bool compare;         /* each path is a run; of a single path, each log */
    bool all_ranks;       /* each log gets a report */
    const char *fallback; /* NULL or empty: none */
};

/* Whether both are files of one log: x.log.1 is what was in x.log before it was rotated. */
bool choice_is_same_log(const struct choice_log *a, const struct choice_log *b);
bool choose_logs(const struct choose_request *request, struct choice *choice, struct err *err);
void choice_finish(struct choice *choice);

#endif
