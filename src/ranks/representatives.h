/* representatives.h - chooses the logs of a merged report that get their own report, and finds these logs. */
#pragma once

#include "facts/rank_facts.h"
#include "ranks/merge_request.h"
#include "ranks/request.h"

struct divergences;

struct representatives {
    size_t wanted;          /* number of logs that should have a report */
    size_t found;           /* number of these that can be read here */
    const bool *is_wanted;  /* by index of the facts */
    size_t *places;         /* indices of these in the facts, in ascending order */
    struct ranks_log *logs; /* the same: what to read */
    uint64_t unknown;       /* number of requested ranks that have no facts */
    uint64_t first_unknown;
    struct err trouble; /* the first folder or log that may be here but could not be examined */
};

/* Chooses among the facts, which must already be compared. All data is in the arena. */
void representatives_choose(struct representatives *chosen, const struct merge_request *request,
                            struct rank_facts *const *facts, size_t count, const struct divergences *divergences,
                            struct arena *arena);
