/* jobs.h - groups the logs of several ranks into jobs, and finds the number of ranks.
 *
 * Ranks of one job run the same program with the same PyTorch at the same time. Logs of different jobs are not
 * compared: their differences are not rank divergence. */
#pragma once

#include "base/jsonw.h"
#include "facts/rank_facts.h"

/* Sets the job of each of the facts: 0 is the job with the most ranks; on a tie, the newest one. */
void rank_jobs_find(struct rank_facts *const *facts, size_t count);

/* The number of ranks of job 0. */
struct world {
    uint64_t size;     /* 0: unknown */
    uint64_t at_least; /* 0: unknown */
    const char *from;  /* where size or at_least comes from; a constant; NULL: nowhere */
    uint64_t claimed;  /* an impossible world size from the graphs: there are more ranks; 0: none */
};
struct world rank_world(const struct rank_facts *const *facts, size_t count);

/* Writes "world" and "ranks_notes": the limits of the comparison. */
void rank_jobs_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count);
