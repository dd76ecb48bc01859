/* timeline_sum.h - the timelines of several ranks as one: totals by name, and all tracks. It has no spans. One thread. */
#ifndef TLPARSE_ANALYSIS_TIMELINE_SUM_H
#define TLPARSE_ANALYSIS_TIMELINE_SUM_H

#include "analysis/timeline.h"

/* Adds the totals and tracks of a rank to the sum, with copies of all texts. `dir`: the folder of its report. */
void timeline_sum_add(struct timeline *sum, const struct timeline *of, bool has_rank, uint64_t rank, struct slice dir);

/* Makes room for so many tracks. Before the first is added. */
void timeline_sum_reserve(struct timeline *sum, size_t tracks);

#endif
