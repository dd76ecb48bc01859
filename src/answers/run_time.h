/* run_time.h - compares what two runs cost when they run: the members `profile` of two report.json.
 *
 * If both profiles mark steps, a time is that of the median step, from the sums of the first 512 steps (by_step_us in
 * report.json): of a function all its versions, of a line all its kernels. What is not in each step has the median and the
 * range of the steps that have it, times their share. Otherwise a time is that of a call of the compiled function, of several versions the mean;
 * totals (overhead, eager operators, gaps) are divided by the calls, with the spread of those with most time, and those of
 * different numbers of calls are never compared.
 *
 * The range of a time is that of the middle half of its steps or calls (first to third quartile), or of all if there are
 * fewer than RUN_TIME_QUARTILE_CALLS. A time has changed if both ranges are apart, and it differs by at least
 * RUN_TIME_PERCENT and RUN_TIME_LEAST_US. Of fewer than RUN_TIME_QUARTILE_CALLS steps on both sides, ranges may overlap in a few of them
 * (run_time_apart()), so that one slow step hides no change. Two equal distributions have ranges that are apart in 3 % of cases with 4 or 10
 * steps each, in 0.2 % with 20. Of fewer than RUN_TIME_CALLS_MIN, the spread is unknown. It is the spread within a run: a
 * machine with another load makes all times of a run longer, and they have changed then.
 *
 * Functions are matched as in the comparison of compile time; kernels by direction, name without its counter, and line or,
 * without a line, function, then in order, or by their times if one run has more of them, or together if they are called
 * several times in a step; lines by file and text, in order, then by similar text in the file. Pure; any thread. */
#pragma once

#include "answers/report_doc.h"
#include "answers/term.h"

/* Adds the object of a comparison (doc/diff.schema.json, run_time), or nothing if no run has a profile that fits. rank:
 * JSON; NULL: none. */
bool run_time_add(struct buf *out, yyjson_val *rank, yyjson_val *base, yyjson_val *newer);

/* The comparison with the largest change of a step, or of anything; NULL: there is none. */
yyjson_val *run_time_shown(yyjson_val *run_times);
/* run_time_sums.c - the step of a comparison. */
struct run_time_step {
    bool known;         /* both profiles have enough steps to tell a change from the spread */
    bool within;        /* both ranges overlap, or the change is too small: it is the same */
    double base, newer; /* the median, in microseconds */
    uint64_t steps;     /* of the newer side */
};
struct run_time_step run_time_step(yyjson_val *run_time);

/* The parts of a step, which do not overlap; on devices, kernels stand for the graphs. */
enum run_time_part {
    RUN_TIME_KERNEL,
    RUN_TIME_FORWARD,
    RUN_TIME_BACKWARD,
    RUN_TIME_GUARDS,
    RUN_TIME_OVERHEAD,
    RUN_TIME_EAGER,
    RUN_TIME_REST,
    RUN_TIME_PARTS
};
/* "forward graph" */
const char *run_time_part_name(enum run_time_part part);
/* RUN_TIME_PARTS: the row of a comparison is a part of others. */
enum run_time_part run_time_part(yyjson_val *run_time, yyjson_val *row);
/* What the row takes more, in microseconds. */
double run_time_delta(yyjson_val *row);
/* What the parts that changed take more, and less, in microseconds. */
struct run_time_sums {
    double more, less;
    double compiled; /* of `more`, what is neither outside of graphs nor the rest, which may be waiting */
};
struct run_time_sums run_time_sums(yyjson_val *run_time);
/* Whether the step takes longer, and the parts that take longer explain less than half of it. */
bool run_time_is_vague(yyjson_val *run_time);
/* run_time_text.c - adds comparisons, at most `top` changes. */
void run_time_add_text(struct term *term, yyjson_val *run_times, size_t top);
void run_time_add_markdown(struct buf *out, yyjson_val *run_times, size_t top);
