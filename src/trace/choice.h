/* choice.h - the logs of a call and their relation. choose.h fills it. */
#pragma once

#include "base/base.h"

struct choice_log {
    char *path; /* the path to open; "-" is standard input; may be an address (source.h) */
    bool has_rank;
    uint64_t rank;   /* from the file name */
    size_t argument; /* index of the argument that yielded it */
    size_t job;      /* index of its job: see struct choice */
};

/* The relation of the logs. */
enum choice_kind {
    CHOICE_LOG,       /* one log */
    CHOICE_PROCESSES, /* several logs of one run, in one group */
    CHOICE_RUNS,      /* runs to compare, one group each: a run is one log, several processes, or the ranks of a job */
    CHOICE_RANKS,     /* ranks, one group each, possibly with logs without a rank */
};

/* Logs that become one report; for a job, one report of ranks. */
struct choice_group {
    size_t first, count; /* range of the items */
    bool job;            /* the run is a job of ranks: each of its logs gets a report */
    char *name;          /* short; unique among the runs */
};

struct choice_paths {
    char **items;
    size_t count, cap;
};
void choice_paths_free(struct choice_paths *paths);

/* Logs of different arguments may belong to several jobs. Logs of one folder belong to one job: a rank with two logs
 * there was restarted. A job has each rank once, so folders that share a rank are different jobs, and folders that
 * share none are the hosts of one job. With `compare`, and for two logs given by name, each argument is a run
 * regardless of ranks. If there are two arguments, one without ranks is a run, too. Several jobs are runs to compare.
 */
struct choice {
    /* Ordered by group, then by rank (logs without a rank last), then as given. Logs of one group are in the order of
     * their first records. Never empty after success. */
    struct choice_log *items;
    size_t count, cap;
    enum choice_kind kind;
    LIST(struct choice_group) groups;
    char *folder;                /* the first folder that was searched; NULL if all logs were named */
    struct choice_paths folders; /* all searched folders */
    struct choice_paths left;    /* logs in the folders that are not among the items, by path */
    size_t earlier;              /* of `left`: logs of processes of an earlier run */
    size_t other_jobs;           /* of `left`: logs of ranks in folders that belong to other jobs than the newest log */
    size_t unnamed;              /* of `left`: logs without PyTorch's file names, if others have them */
    struct choice_paths repeated; /* paths to files that are already among the items */
    bool has_shared_rank;         /* jobs are distinguished by a rank that two of them have */
    uint64_t shared_rank;         /* the lowest such rank of the first two jobs */
    size_t hosts; /* number of arguments or folders whose ranks form one job; 0 unless there are several */
    bool one_log; /* all are files of one rotated log */
    struct choice_paths unread; /* subfolders that cannot be read completely, each with the reason */
    const char *cut;            /* the first folder whose search was cut short, owned by `folders`; NULL: none */
    bool from_fallback;
    const char *fallback_variable; /* of the request */
};

struct choose_request {
    const char *const *paths;
    size_t path_count;
    bool latest;                   /* every path must be a folder */
    bool compare;                  /* each path is a run; for a single path, each log is */
    bool all_ranks;                /* each log gets a report */
    bool one_run;                  /* all logs of a folder belong to one run, whenever they were written */
    const char *fallback;          /* NULL or empty: none */
    const char *fallback_variable; /* the environment variable that it comes from, a constant; NULL: none */
};

/* choice_groups.c - groups the chosen logs into reports and names the reports. For choose.c. */
/* Whether both are files of one rotated log: x.log.1 has the earlier content of x.log. */
bool choice_is_same_log(const struct choice_log *a, const struct choice_log *b);
/* Moves repeated paths to the same file to choice->repeated. */
void choice_drop_repeated(struct choice *choice);
/* Sets kind and groups, and sorts the items. `paths` are the arguments of the call. */
void choice_group(struct choice *choice, const struct choose_request *request, const char *const *paths);

/* choice_ranks.c - the ranks of chosen logs, even if their names lack them: PyTorch names a log when it creates it,
 * possibly before the process knows its rank. */
struct choice_rank {
    bool known, named; /* named: the file name has the rank */
    uint64_t rank;
};

/* Sets a rank for each chosen log. If the name of a log has none, its first records count, unless another log has the
 * same rank: the log may then belong to another process of the rank, or to another run. Opens such logs briefly. */
void choice_ranks_find(const struct choice *choice, struct choice_rank *ranks);

/* choice_jobs.c - finds which of the chosen logs of ranks belong to one job: see struct choice. For choice_groups.c. */
struct choice_jobs {
    size_t count;
    struct slice *paths; /* the name of each job: a folder, or its only log; owned by the arguments and the items */
};

/* Sets the job of each item, shared_rank and hosts. `paths` are the arguments of the call. */
void choice_jobs_find(struct choice *choice, const struct choose_request *request, const char *const *paths,
                      struct choice_jobs *jobs);
void choice_jobs_finish(struct choice_jobs *jobs);
/* The folder of a path, or "" if the path has none. */
struct slice choice_folder_of(struct slice path);
