/* diff_figures.h - the parts of a comparison that text, markdown and JSON share. Pure; any thread. */
#ifndef TLPARSE_ANSWERS_DIFF_FIGURES_H
#define TLPARSE_ANSWERS_DIFF_FIGURES_H

#include "answers/diff.h"
#include "answers/table.h"

/* Below the figures, if a side has several runs. */
#define DIFF_SPREAD_NOTE "Medians; ± is the largest distance of a run from them, ~ a change of at most both ± together."

/* Figures that differ, and those that are always of interest; a row each with both values, the change and its share. The caller
 * finishes the table. */
void figures_table(struct table *table, yyjson_val *pair, const struct diff_request *request);
/* Functions that changed, at most `top`. The caller finishes the table. */
void functions_table(struct table *table, yyjson_val *logs, size_t top);
/* Whether anything but the time within its noise differs. */
bool function_changed(yyjson_val *function);
/* A value of a figure: a count, a time in microseconds, a text, or "–". */
void value_add(struct buf *out, yyjson_val *value, bool time);
/* "18.3 s → 1.15 s", or the compile time of the one side there is; of a side with several runs, the median and "±3 %". */
void times_add(struct buf *out, yyjson_val *function);
/* "f", or "f → g" if it was renamed. */
void function_name_add(struct buf *out, yyjson_val *function);
/* "new", "gone", "slower", "faster", "renamed" or "same". */
struct slice function_change(yyjson_val *function);
/* "exceeded", "kept" or "not known". */
const char *limit_verdict(const struct diff_limit *limit);

#endif
