/* diff_figures.h - the parts of a comparison that text, markdown and JSON share. Pure; any thread. */
#pragma once

#include "answers/diff.h"
#include "answers/diff_logs.h"
#include "answers/table.h"

/* Figures that differ, and those that are always of interest; a row each with both values, the change and its share. The caller
 * finishes the table. */
void figures_table(struct table *table, yyjson_val *pair, const struct diff_request *request);
/* The next comparison of the first run with another, from *at on; NULL: none. The request asks for figures only, and has the names
 * of both runs, which are owned by `root`. */
yyjson_val *next_change(yyjson_val *root, size_t *at, struct diff_request *request);
/* Functions that changed, at most `top`. The caller finishes the table. */
void functions_table(struct table *table, const struct diff_entries *functions, size_t top);
/* A value of a figure: a count, a time in microseconds, a text, or "–". */
void value_add(struct buf *out, yyjson_val *value, bool time);
/* "18.3 s → 1.15 s", or the compile time of the one side there is; of a side with several runs, the median and "±3 %", and
 * "~" if the change is at most both together. */
void times_add(struct buf *out, yyjson_val *function);
/* "/src/model.py:12", on the newer side if it has the function. */
void function_place_add(struct buf *out, yyjson_val *function);
/* "f", or "f → g" if it was renamed. */
void function_name_add(struct buf *out, yyjson_val *function);
/* What the figures are if a side has several runs; nothing otherwise. */
void spread_note_add(struct buf *out, yyjson_val *pair);
/* "automatic_dynamic_shapes: [true] → [false]", and the ranks unless all have it. */
void setting_add(struct buf *out, const struct diff_entries *settings, const struct diff_entry *entry);
/* The same of a setting in effect: "inductor.max_autotune: false → true (0/0; as mode="max-autotune" sets it)" */
void effect_add(struct buf *out, const struct diff_entries *settings, const struct diff_entry *entry);
/* "exceeded", "kept" or "not known". */
const char *limit_verdict(const struct diff_limit *limit);
