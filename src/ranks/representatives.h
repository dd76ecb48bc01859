/* representatives.h - which logs of a merged report get a report of their own, and where those logs are. */
#pragma once

#include "facts/rank_facts.h"
#include "ranks/merge_request.h"
#include "ranks/request.h"

struct divergences;

struct representatives {
    size_t wanted;          /* logs that are to have a report */
    size_t found;           /* of these, logs that are here */
    const bool *is_wanted;  /* by index of the facts */
    size_t *places;         /* of those, indices into the facts, in ascending order */
    struct ranks_log *logs; /* the same: what to read */
    uint64_t unknown;       /* ranks that are asked for, but have no facts */
    uint64_t first_unknown;
    struct err trouble; /* the first folder or log that may be here, but could not be looked at */
};

/* Chooses among the facts, which are compared already. All in the arena. */
void representatives_choose(struct representatives *chosen, const struct merge_request *request,
                            struct rank_facts *const *facts, size_t count, const struct divergences *divergences,
                            struct arena *arena);
