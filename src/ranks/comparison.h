/* comparison.h - what changed from one run to another: the member `comparison` of report.json (doc/report-data.md, "Several runs").
 *
 * Runs are logs without a rank, or jobs of ranks; of jobs, functions and settings are compared rank by rank. Pure. */
#ifndef TLPARSE_RANKS_COMPARISON_H
#define TLPARSE_RANKS_COMPARISON_H

#include "base/buf.h"
#include "ranks/facts.h"

/* Of more runs than COMPARED_ALL_MAX not each is compared with each, but the first with each, and each with the next; at most
 * COMPARED_PAIRS_MAX pairs. */
enum { COMPARED_ALL_MAX = 12, COMPARED_PAIRS_MAX = 400 };

struct run_pair {
    const struct rank_facts *a, *b;
};
struct run_pairs {
    struct run_pair *items; /* in the order of runs */
    size_t count, cap;
    size_t more; /* that are not compared */
};

/* Those of the runs that could be read. */
void run_pairs_find(struct run_pairs *pairs, const struct rank_facts *const *facts, size_t count);
void run_pairs_finish(struct run_pairs *pairs);

/* Adds one object: which runs, and the ranks of which functions are compared. */
void run_pair_add(struct buf *out, const struct run_pair *pair);
/* The same with all that is compared. */
void run_comparison_add(struct buf *out, const struct run_pair *pair);

#endif
