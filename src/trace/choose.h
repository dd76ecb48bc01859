/* choose.h - from the arguments of a call to the logs to read.
 *
 * A file or "-" is taken as it is. Of a folder, what is hidden is never looked at, and
 *   - with `latest` the file last written is taken, of those that are logs by name (*.log, *.txt, also with .gz or
 *     .zst), or, when no name says log, of all files;
 *   - else the last run: PyTorch's own logs (dedicated_log_torch_trace_*.log) when there are any, else the newest of all
 *     logs by name. The newest is taken. Where logs of ranks (…_rank_<N>_….log) were still written to when that newest log
 *     began, the run is all logs that were: those last written no more than CHOOSE_SLACK_S before the time of the newest
 *     log's first record. (Ranks of one run write at the same time, those of the run before had ended by then; a rank that
 *     was started anew at once has two logs.) Besides, the logs without a rank that a process of the run wrote before it
 *     had one. Where the first record has no time, or one that lies behind the last write (another time zone),
 *     CHOOSE_WINDOW_S before the newest log's last write stands for it.
 * "Newest" is the time of the last write to the nanosecond, then the greater name: never the order of the file system.
 *
 * Without a path the fallback ($TORCH_TRACE) is taken as one. Nothing here holds a file open.
 * Life cycle: choose_logs .. choice_finish; choose_logs that fails leaves nothing to finish. Any thread
 * (localtime_r). */
#ifndef TLPARSE_TRACE_CHOOSE_H
#define TLPARSE_TRACE_CHOOSE_H

#include "base/err.h"
#include "base/slice.h"

enum { CHOOSE_SLACK_S = 120, CHOOSE_WINDOW_S = 3600 };

struct choice_log {
    char *path; /* to open; "-" is standard input */
    bool has_rank;
    uint64_t rank; /* by the name */
};

struct choice {
    struct choice_log *items; /* in order of rank, those without behind; then as given; never empty after success */
    size_t count, cap;
    char *folder; /* the first folder that was looked through, NULL when all were named */
    struct choice_left {
        char **items; /* logs of the folders that are not among the items, by path */
        size_t count, cap;
    } left;
    bool from_fallback;
};

struct choose_request {
    const char *const *paths;
    size_t path_count;
    bool latest;          /* every path must be a folder */
    const char *fallback; /* NULL or empty: none */
};

bool choose_logs(const struct choose_request *request, struct choice *choice, struct err *err);
void choice_finish(struct choice *choice);

/* What a name says. Pure. */
enum choose_kind {
    CHOOSE_OTHER,     /* no log */
    CHOOSE_LOG,       /* *.log or *.txt, perhaps packed */
    CHOOSE_DEDICATED, /* dedicated_log_torch_trace_*.log */
    CHOOSE_RANK,      /* dedicated_log_torch_trace_rank_<N>.log or …_rank_<N>_*.log */
};
enum choose_kind choose_kind_of(struct slice name, uint64_t *rank);

#endif
