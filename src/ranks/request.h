/* request.h - the logs that are read together. The caller owns what it points to. */
#ifndef TLPARSE_RANKS_REQUEST_H
#define TLPARSE_RANKS_REQUEST_H

#include "kinds/run.h"

struct ranks_log {
    const char *path;
    bool has_rank; /* by its name */
    uint64_t rank;
    size_t place;             /* of logs without a rank: in the report, where not 0 for all */
    const char *name;         /* of a run; NULL: the file's */
    const char *const *paths; /* several files read one after the other, path is the first; NULL: path alone */
    size_t path_count;
    const struct ranks_log
        *members; /* of a run that is a job: its logs, and path is that of the first of them; NULL: one log */
    size_t member_count;
};

struct ranks_request {
    const struct ranks_log *logs;
    size_t count;
    struct run_options options; /* of each log; workers are those of all together */
};

#endif
