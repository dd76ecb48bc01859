/* jobs.h - groups the logs of several ranks into jobs, and finds the number of ranks.
 *
 * Ranks of one job run the same program with the same PyTorch at the same time. Logs of different jobs are not
 * compared: their differences are not rank divergence. */
#pragma once

#include "base/jsonw.h"
#include "facts/rank_facts.h"

/* Sets the job of each of the facts: 0 for the one with the most ranks, the newest one on a tie. */
void rank_jobs_find(struct rank_facts *const *facts, size_t count);

/* The number of ranks of job 0. */
struct world {
    uint64_t size;     /* 0: unknown */
    uint64_t at_least; /* 0: unknown */
    const char *from;  /* the source of size or at_least; a constant; NULL: none */
    uint64_t claimed;  /* an impossible size from the graphs: there are more ranks; 0: none */
};
struct world rank_world(const struct rank_facts *const *facts, size_t count);

/* "world" and "ranks_notes": what limits the comparison. */
void rank_jobs_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count);
