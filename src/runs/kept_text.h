/* kept_text.h - kept runs as text for a terminal: a table of all, the details of one. Nothing of it is trusted; term.h
 * sanitizes. Times are local. One thread. */
#ifndef TLPARSE_RUNS_KEPT_TEXT_H
#define TLPARSE_RUNS_KEPT_TEXT_H

#include "answers/term.h"
#include "runs/kept.h"

void kept_add_list(struct term *term, const struct kept_runs *runs, const struct store *store);
void kept_add_details(struct term *term, const struct kept *run);
/* doc/runs.schema.json, with a newline: the runs from `first` on, at most `count`. */
void kept_add_runs_json(struct buf *out, const struct store *store, const struct kept *first, size_t count);

#endif
