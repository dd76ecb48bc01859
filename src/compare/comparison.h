/* comparison.h - the differences between runs: the member `comparison` of report.json (doc/report-data.md, "Several
 * runs").
 *
 * Runs are logs without a rank, or jobs of ranks. For jobs, functions and settings are compared rank by rank. Pure. */
#pragma once

#include "compare/run_sides.h"
#include "facts/rank_facts.h"

/* With more than COMPARED_ALL_MAX runs, only the first run is compared with every other, and each run with the next; at
 * most COMPARED_PAIRS_MAX pairs. */
enum { COMPARED_ALL_MAX = 12, COMPARED_PAIRS_MAX = 400 };

struct run_pair {
    struct run_side a, b;
};
struct run_pairs {
    struct run_pair *items; /* in the order of runs */
    size_t count, cap;
    size_t more;                    /* number of pairs that are not compared */
    const struct rank_facts **runs; /* the runs that could be read; the sides point into it */
};

/* Finds the pairs among the runs that could be read. With base_count, the first base_count runs are one side and the
 * others the second: one pair, unless a side has no run. */
void run_pairs_find(struct run_pairs *pairs, const struct rank_facts *const *facts, size_t count, size_t base_count);
void run_pairs_finish(struct run_pairs *pairs);

/* Adds an object with the runs of the pair, and the ranks whose functions are compared. */
void run_pair_add(struct buf *out, const struct run_pair *pair);
/* Adds an object with the whole comparison. */
void run_comparison_add(struct buf *out, const struct run_pair *pair);
