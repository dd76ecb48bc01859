/* merge_request.h - what is merged, and how. The caller owns everything that it points to. */
#pragma once

#include "kinds/reading.h"

/* Which logs get a report of their own. */
enum merge_full {
    MERGE_FULL_REPRESENTATIVES, /* one rank of each group that differs, the slowest, the fastest, and failed ranks */
    MERGE_FULL_NONE,
    MERGE_FULL_LISTED,
};
enum { MERGE_REPORTS_MAX = 64 };

struct merge_request {
    const char *const *paths; /* paths of the facts files; may be addresses */
    size_t count;
    struct reading_options options;
    enum merge_full full;
    const uint64_t *ranks; /* for MERGE_FULL_LISTED */
    size_t rank_count;
    const char *const *logs; /* folders, or addresses of folders, in which logs are searched by name */
    size_t log_count;
};
