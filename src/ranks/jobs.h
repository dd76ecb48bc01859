/* jobs.h - whether the logs of several ranks are of one job, and how many ranks that has.
 *
 * Ranks of one job run the same program with the same PyTorch at the same time. Logs that cannot be of one job are not compared:
 * what differs between two jobs is no rank divergence. */
#ifndef TLPARSE_RANKS_JOBS_H
#define TLPARSE_RANKS_JOBS_H

#include "base/jsonw.h"
#include "ranks/facts.h"

/* Gives each of the facts its job: 0 for the one of which there are most ranks, of equal ones the newest. */
void rank_jobs_find(struct rank_facts *const *facts, size_t count);

/* How many ranks the job 0 has. */
struct world {
    uint64_t size;     /* 0: not known */
    uint64_t at_least; /* 0: not known */
    const char *from;  /* what says the size, or the least; a constant; NULL: nothing */
    uint64_t claimed;  /* a size that the graphs say and that cannot be: there are more ranks; 0: none */
};
struct world rank_world(const struct rank_facts *const *facts, size_t count);

/* "world" and "ranks_notes": what one has to know before one compares. */
void rank_jobs_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count);

#endif
