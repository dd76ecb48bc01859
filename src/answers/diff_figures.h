/* diff_figures.h - the parts of a comparison that text, markdown and JSON share. Pure; any thread. */
#pragma once

#include "answers/diff.h"
#include "answers/diff_logs.h"
#include "answers/table.h"

/* Figures that differ, and figures that are always shown: one row each, with both values, the change and its
 * percentage. The caller finishes the table. */
void figures_table(struct table *table, yyjson_val *pair, const struct diff_request *request);
/* The next comparison of the first run with another, from *at on; NULL: none. The request is for figures only, and has
 * the names of both runs, which `root` owns. */
yyjson_val *next_change(yyjson_val *root, size_t *at, struct diff_request *request);
/* Changed functions, at most `top`. The caller finishes the table. */
void functions_table(struct table *table, const struct diff_entries *functions, size_t top);
/* A value of a figure, by its unit: a count, a time in microseconds ("us"), bytes, a text, or "–". */
void value_add(struct buf *out, yyjson_val *value, struct slice unit);
/* Adds "18.3 s → 1.15 s", or the compile time of the only side. For a side with several runs, adds the median and "±3
 * %", and "~" if the change is at most the sum of both spreads. */
void times_add(struct buf *out, yyjson_val *function);
/* Adds "/src/model.py:12", from the newer side if that has the function. */
void function_place_add(struct buf *out, yyjson_val *function);
/* Adds "f", or "f → g" if it was renamed. */
void function_name_add(struct buf *out, yyjson_val *function);
/* Explains the figures if a side has several runs; otherwise adds nothing. */
void spread_note_add(struct buf *out, yyjson_val *pair);
/* Adds "automatic_dynamic_shapes: [true] → [false]", and the ranks unless all ranks have the change. */
void setting_add(struct buf *out, const struct diff_entries *settings, const struct diff_entry *entry);
/* The same for a setting in effect: "inductor.max_autotune: false → true (0/0; as mode="max-autotune" sets it)" */
void effect_add(struct buf *out, const struct diff_entries *settings, const struct diff_entry *entry);
/* Whether it is the figure of the step, for which the request has another one. */
bool is_step_figure(yyjson_val *figure);
/* "exceeded", "kept" or "not known". */
const char *limit_verdict(const struct diff_limit *limit);
