/* plan.h - which log becomes which folder, and which logs wait for each other. */
#ifndef TLPARSE_RANKS_PLAN_H
#define TLPARSE_RANKS_PLAN_H

#include "ranks/request.h"

struct planned {
    struct ranks_log log;
    char *dir;
    bool readable; /* a job always is */
    char *error;   /* why not */
    bool has_process;
    uint64_t process; /* of its first record */
    int64_t modified_ns;
    size_t next;  /* the log of the same process that is read after this one, or SIZE_MAX */
    bool follows; /* it is some other log's next */
};

struct plan {
    struct planned *items; /* by rank, those without behind; of one rank the newest first */
    size_t count;
};

/* Opens every log for a moment. */
void plan_make(struct plan *plan, const struct ranks_log *logs, size_t count);
void plan_finish(struct plan *plan);

#endif
