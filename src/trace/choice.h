/* choice.h - which logs a call is about, and what they are to each other: what choose.h fills. */
#ifndef TLPARSE_TRACE_CHOICE_H
#define TLPARSE_TRACE_CHOICE_H

#include "base/slice.h"

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

#endif
