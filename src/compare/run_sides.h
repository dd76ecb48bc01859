/* run_sides.h - the two sides of a comparison of runs. A side is one run, or several runs of the same program, whose
 * values then have a median and a range.
 *
 * The median is the lower of the two middle values. A change is within the spread if it is at most the largest distance of a
 * run from the median of one side plus that of the other: what the reader sees as ±. Of two sides with equal values of three
 * runs each, 4 % change by more by chance (10 % have ranges that do not overlap); with two runs each, 14 %. Pure. */
#pragma once

#include "facts/rank_facts.h"
#include "facts/run_facts.h"

enum { SIDES = 2 };

/* The runs of a side, in their order. */
struct run_side {
    const struct rank_facts *const *runs;
    size_t count;
    const struct rank_facts *shown; /* the one whose functions, issues and settings are compared */
};

/* The logs of a side: of its runs, or of one rank of them. */
struct side_logs {
    LIST(const struct run_facts *) all;
    const struct run_facts *shown;
};

/* A value of a side; -1: unknown. */
struct side_value {
    int64_t median, least, most;
};

/* The side with these runs; the one with the median compile time is shown. */
struct run_side run_side_of(const struct rank_facts *const *runs, size_t count);
/* The median and the range of the known values; sorts them. */
struct side_value side_value_of(int64_t *values, size_t count);
/* Whether both are known, and the medians differ by no more than the spreads together. */
bool side_values_agree(const struct side_value *a, const struct side_value *b);
