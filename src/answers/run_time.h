/* run_time.h - compares what two runs cost when they run: the members `profile` of two report.json.
 *
 * Times are those of a step if both profiles mark steps, otherwise those of a call of the compiled function; totals of
 * different numbers of calls are never compared. A time is the median of the calls, times their number in a step. What
 * has totals only (overhead, eager operators, gaps) is divided by the steps, and gets their relative spread.
 *
 * The range of a time is that of the middle half of its calls (first to third quartile), or of all calls if there are
 * fewer than RUN_TIME_QUARTILE_CALLS; of totals, that of all steps. A time has changed if both ranges are apart, and it
 * differs by at least RUN_TIME_PERCENT and RUN_TIME_LEAST_US. Two equal distributions have ranges that are apart in 3 %
 * of cases with 4 or 10 calls each, in 0.2 % with 20. Of fewer than RUN_TIME_CALLS_MIN calls, the spread is unknown. It
 * is the spread within a run: a machine with another load makes all times of a run longer, and they have changed then.
 *
 * Functions are matched as in the comparison of compile time, compiles of a function by their number, then in order,
 * kernels by the compile, the graph, the name without its counter, the line, and then in order; lines by file and text,
 * in order, then by their place between matched lines. Pure; any thread. */
#pragma once

#include "answers/report_doc.h"
#include "answers/term.h"

enum {
    RUN_TIME_CALLS_MIN = 4,
    RUN_TIME_QUARTILE_CALLS = 10,
    RUN_TIME_PERCENT = 5,
    RUN_TIME_LEAST_US = 1,
    RUN_TIME_LISTED_MAX = 1000
};

/* Adds the object of a comparison (doc/diff.schema.json, run_time), or nothing if no run has a profile that fits. rank:
 * JSON; NULL: none. */
bool run_time_add(struct buf *out, yyjson_val *rank, yyjson_val *base, yyjson_val *newer);

/* The comparison with the largest change of a step, or of anything; NULL: there is none. */
yyjson_val *run_time_shown(yyjson_val *run_times);
/* run_time_text.c - adds comparisons, at most `top` changes. */
void run_time_add_text(struct term *term, yyjson_val *run_times, size_t top);
void run_time_add_markdown(struct buf *out, yyjson_val *run_times, size_t top);
