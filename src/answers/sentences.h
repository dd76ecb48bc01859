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
/* "472 checks before each call of [0/0]: 108 ID_MATCH, 105 TYPE_MATCH, 75 DICT_CONTAINS", if a compile has many */
void facts_add_guards(struct buf *out, yyjson_val *root);
/* "FX graph: 2 misses · AOTAutograd: 1 hit, 2 bypasses"; only caches that were used */
void facts_add_caches(struct buf *out, yyjson_val *caches);
/* "/src/model.py:12 in forward" */
void facts_add_place(struct buf *out, yyjson_val *place);
/* "rank 3", "ranks 0, 2 and 3", "ranks 0–7" */
void facts_add_ranks(struct buf *out, yyjson_val *ranks);
/* The same for a list of ascending numbers. */
void facts_add_rank_list(struct buf *out, const uint64_t *ranks, size_t count);
/* profile_facts.c - sentences about the member `profile` of a report. They return false and add nothing if it lacks the fact. */
/* "1.53 ms in 4 calls of compiled frames, 4 steps · guard checks 174 μs (43 μs each) · overhead 927 μs" */
bool facts_add_regions(struct buf *out, yyjson_val *profile);
/* "busy 12.3 ms, idle 7.5 ms (38 %) · 5.1 ms of it until the CPU started more work: 3.0 ms in compiled graphs, …" */
bool facts_add_devices(struct buf *out, yyjson_val *profile);
/* "2.51 ms in 8 calls of graphs · kernels with events 2.01 ms, 100 % of it with a source line" */
bool facts_add_graph_calls(struct buf *out, yyjson_val *profile);
/* "647 μs in operators outside of compiled graphs" */
bool facts_add_eager(struct buf *out, yyjson_val *profile);
/* "14.4 ms outside of graphs at the graph break /src/model.py:16 in run": the longest gap */
bool facts_add_gap(struct buf *out, yyjson_val *profile);
/* "[0/0] `forward`, 141 s of compile time: no call in the profile", for the nth compile without a call; "2 more" after the last that is shown. */
bool facts_add_never_ran(struct buf *out, yyjson_val *root, size_t n);
/* "50.0 %  1.01 ms  train.py:17  `h = self.fc1(x)`", for the nth of the lines with most time; only the first ones. */
bool facts_add_hot_line(struct buf *out, yyjson_val *profile, size_t n);
/* What ran on ranks, according to their profiles. */
bool facts_add_rank_runs(struct buf *out, yyjson_val *root);
/* "prof.json is of another run: …" if the nth profile is refused; otherwise nothing. Returns false beyond the last one. */
bool facts_add_refused(struct buf *out, yyjson_val *profile, size_t n);
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
