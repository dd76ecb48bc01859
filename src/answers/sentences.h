/* sentences.h - sentences about a report that text and markdown share: versions, counts, phases, caches, places. Each
 * function adds one line without a newline, or nothing if the report lacks the fact. Pure; any thread. */
#pragma once

#include "answers/report_doc.h"

/* "PyTorch 2.15.0 · CUDA 13.2 · Python 3.11.7 · 48.6 s from 2026-11-21 00:05:12 UTC" */
void facts_add_run(struct buf *out, const struct report_doc *report);
/* "16 compiled (7 after a restart), 1 failed, 1 with an empty graph" */
void facts_add_statuses(struct buf *out, yyjson_val *totals);
/* "12: 5 failed, 7 with an outcome that is not in the log"; nothing without exports. */
void facts_add_exports(struct buf *out, yyjson_val *root);
/* " over 4 ranks, up to 47.0 s each", nothing for a run. Ranks compile in parallel, so the sum is not waiting time. */
void facts_add_shares(struct buf *out, yyjson_val *root);
/* "42.7 s over 2 ranks, up to 21.5 s each: code and compiler 37.7 s, …"; false: unknown */
bool facts_add_compile_time(struct buf *out, yyjson_val *root);
/* "set `TORCHINDUCTOR_COMPILE_THREADS` …, saves at most 20.1 s": what to change first */
void facts_add_first(struct buf *out, yyjson_val *root);
/* "C++ kernels 25.3 s (saves at most 21.0 s), AOTAutograd 1.2 s, …": the longest parts of the compile time */
void facts_add_parts(struct buf *out, yyjson_val *root);
/* "6 compiled, 2 partly, 1 not compiled, 3 without operators": functions */
void facts_add_coverage(struct buf *out, yyjson_val *root);
/* "`forward (model.py)`: Data-dependent branching", for the nth function that is not compiled; nothing beyond the last.
 */
void facts_add_uncompiled(struct buf *out, yyjson_val *root, size_t n);
/* "8 graph breaks · 1 recompile · 1 failure" */
void facts_add_events(struct buf *out, yyjson_val *totals);
/* "FX graph: 2 misses · AOTAutograd: 1 hit, 2 bypasses"; only caches that were used */
void facts_add_caches(struct buf *out, yyjson_val *caches);
/* "/src/model.py:12 in forward" */
void facts_add_place(struct buf *out, yyjson_val *place);
/* "rank 3", "ranks 0, 2 and 3", "ranks 0–7" */
void facts_add_ranks(struct buf *out, yyjson_val *ranks);
/* The same for a list of ascending numbers. */
void facts_add_rank_list(struct buf *out, const uint64_t *ranks, size_t count);
/* The number of inputs that could not be read, or not completely. */
uint64_t facts_missing_inputs(yyjson_val *root);
/* A sentence that there are no issues. whole: no input is missing. */
const char *facts_no_issues(bool whole);
/* "4 of 4", "2 of 4, 1 earlier log of a rank, missing: ranks 2 and 3, 1 log could not be read"; for runs, their number
 */
void facts_add_logs(struct buf *out, yyjson_val *root, bool runs);
/* " (rank 1)", " (ranks 0 and 2)", " (before, after)": the ranks, or the names of the runs, that have the finding, if others do not. */
void facts_add_owners(struct buf *out, yyjson_val *root, yyjson_val *finding);
/* The meaning of a finding's time: "compile time", "discarded traces"; "" if it has none. */
const char *facts_cost(yyjson_val *finding);
/* A sign for the kind and severity of a finding, one column wide. */
const char *facts_sign(yyjson_val *finding);

/* Whether the report has causes of rank divergence. */
bool facts_diverge(yyjson_val *root);
