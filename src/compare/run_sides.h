/* run_sides.h - the two sides of a comparison of runs. A side is one run, or several runs of the same program, whose
 * values then have a median and a range.
 *
 * The median is the lower of the two middle values. The spread of a side is the largest distance of a run from the
 * median, which the reader sees as ±. A change is within the spread if it is at most the sum of both spreads. If two
 * sides with three runs each have the same distribution, 4 % of values change by more than that by chance (10 % have
 * ranges that do not overlap); with two runs each, 14 %. Pure. */
#pragma once

#include "facts/rank_facts.h"
#include "facts/run_facts.h"

enum { SIDES = 2 };

/* The runs of a side, in their order. */
struct run_side {
    const struct rank_facts *const *runs;
    size_t count;
    const struct rank_facts *shown; /* the run whose functions, issues and settings are compared */
};

/* The logs of a side: of its runs, or of one rank in each of them. */
struct side_logs {
    LIST(const struct run_facts *) all;
    const struct run_facts *shown;
};

/* A value of a side; -1: unknown. */
struct side_value {
    int64_t median, least, most;
};

/* The side with these runs; `shown` is the run with the median compile time. */
struct run_side run_side_of(const struct rank_facts *const *runs, size_t count);
/* The median and the range of the known values; sorts them. */
struct side_value side_value_of(int64_t *values, size_t count);
/* Whether both are known, and the medians differ by at most the sum of the spreads. */
bool side_values_agree(const struct side_value *a, const struct side_value *b);
