/* request.h - the logs that are read together. The caller owns everything that it points to. */
#pragma once

#include "kinds/reading.h"

struct ranks_log {
    const char *path;
    bool has_rank; /* from the file name */
    uint64_t rank;
    size_t place;     /* number of a log without a rank in the report; 0 for all logs if unused */
    const char *name; /* name of a run; NULL: the name of the file */
    const char *const
        *paths; /* several files to be read in sequence, the first of which is `path`; NULL: only `path` */
    size_t path_count;
    struct profiles *profiles; /* traces of its program; NULL: none. Of a job, each log has them */
    /* For a run that is a job: its logs, the first of which is at `path`; NULL: one log */
    const struct ranks_log *members;
    size_t member_count;
};

struct ranks_request {
    const struct ranks_log *logs;
    size_t count;
    struct reading_options options; /* for each log, which has its own profiles; `workers` is the total number */
    size_t base_count; /* number of leading runs that form one side of a comparison; 0: each run is compared
                                 * with the others */
};
