/* plan.h - the folders of logs, and the order in which logs must be read. */
#pragma once

#include "ranks/request.h"

struct planned {
    struct ranks_log log;
    char *dir;
    bool readable; /* always true for a job */
    char *error;   /* why it is not readable */
    bool has_process;
    uint64_t process; /* of its first record */
    int64_t modified_ns;
    int64_t began_us; /* time of its first record, since the epoch; 0: unknown */
    size_t next;      /* the log of the same process to be read after this one, or SIZE_MAX */
    bool follows;     /* it is the `next` of another log */
};

struct plan {
    struct planned *items; /* by rank, with logs without a rank last; for one rank, the newest first */
    size_t count;
};

/* When a log began or, if unknown, was last written. Of several logs of a rank, the newest one counts. */
int64_t log_newness(int64_t began_us, int64_t modified_ns);
/* Opens every log briefly. */
void plan_make(struct plan *plan, const struct ranks_log *logs, size_t count);
void plan_finish(struct plan *plan);
