/* request.h - the logs that are read together. The caller owns what it points to. */
#pragma once

#include "kinds/reading.h"

struct ranks_log {
    const char *path;
    bool has_rank; /* from the file name */
    uint64_t rank;
    size_t place;     /* number of a log without a rank, in the report; 0 for all if unused */
    const char *name; /* for a run; NULL: that of the file */
    const char *const
        *paths; /* several files to read one after the other, of which path is the first; NULL: only path */
    size_t path_count;
    const struct ranks_log
        *members; /* for a run that is a job: its logs, and path is that of the first one; NULL: one log */
    size_t member_count;
};

struct ranks_request {
    const struct ranks_log *logs;
    size_t count;
    struct reading_options options; /* for each log; workers is the total number */
    size_t
        base_count; /* the logs are runs on two sides, the first of them on one; 0: each is compared with the others */
};
