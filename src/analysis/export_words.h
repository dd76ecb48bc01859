/* export_words.h - texts of the page about failed exports, and about the outcome of exports.
 *
 * Adds texts to buffers of the caller. One thread. */
#pragma once

#include "model/export.h"
#include "model/model.h"

/* "Missing fake kernel: draft.no_fake.default" */
void export_add_title(struct buf *out, const struct export_failure *failure);
/* What happened. Code is in backticks. */
void export_add_reason(struct buf *out, const struct export_failure *failure);
/* What to do, one line per option. */
void export_add_advice(struct buf *out, const struct export_failure *failure);
/* export_limit_words.c */
/* PyTorch's statement about each dimension, and the place of the guard. */
void export_add_limits(struct buf *out, const struct export_failure *failure);
/* Advice for a dimension that the code restricts. */
void export_add_limit_advice(struct buf *out, const struct export_failure *failure);

/* export_outcome.c */
/* How the exports of the log ended, as a title and a text. Returns whether all exports that began are known to have
 * produced a program. */
bool export_add_outcome(struct buf *title, struct buf *text, const struct model *model);
