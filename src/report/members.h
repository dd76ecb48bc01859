/* members.h - members of report.json that have a file of their own. They need the complete model. One thread. */
#pragma once

#include "analysis/phases.h"
#include "analysis/timeline.h"
#include "base/jsonw.h"
#include "findings/coverage.h"
#include "model/export.h"
#include "model/model.h"
#include "recompiles/chains.h"
#include "report/view.h"
#include "savings/compile_time.h"
#include "sink/files.h"

/* log_json.c - the member "log" of report.json: the files, the outcome of their records, and log size by record kind.
 * Pure. */
/* `whole`: include the kinds of each compile id, which the summary leaves out. */
void log_json_add(struct jsonw *w, const struct report_view *view, bool whole);
/* Writes only the kinds of each compile id, as a list with an item for each item of by_compile. */
void log_shares_add(struct jsonw *w, const struct report_view *view);

/* phases_json.c - self times of phases, for report.json and the page. Pure; any thread. */
/* The list of the shown phases: names and descriptions. */
void shown_phases_json_write(struct jsonw *w, const char *key);
/* The members `own_us` and `by_phase_us` of an object: self times in microseconds. `has` says which phases were logged; `other_us` is the
 * time outside of them. */
void own_times_json_write(struct jsonw *w, const int64_t own[PHASES], const bool has[PHASES], int64_t other_us);

/* compile_time_json.c - the member compile_time: parts of the compile time, hints, and what to change first. */
void compile_time_json_write(struct jsonw *w, const char *key, const struct compile_time *time,
                             const struct model *model);

/* coverage_json.c - the member coverage: functions by what runs of their compiled code. */
/* Nothing if the log has no function. */
void coverage_json_write(struct jsonw *w, const char *key, const struct coverage *coverage, const struct model *model);

/* export_json.c - the member "export" of report.json and of the page's summary, and data/export.js
 * (doc/report-data.md). */
/* Writes everything if `whole`, for report.json, or else what the page's summary has. */
void export_json_write(struct jsonw *w, const char *key, const struct model *model, bool whole);

/* recompiles_json.c - the steps of a recompile chain and advice, for report.json. Pure. */
/* Writes `steps`, `more_steps`, `limit` and `advice` into the open object. At most 256 steps with 64 changes, 16
 * reasons and 16 sizes each. */
void recompile_steps_write(struct jsonw *w, const struct model *model, const struct chain *chain);
/* Writes the members about values into the open cause. */
void recompile_cause_write(struct jsonw *w, const struct cause *cause);

/* timeline_json.c - the timeline as JSON: its summary in report.json, and data/timeline.js.
 *
 * The spans are in data/timeline/, which analysis/timeline.h writes while the log is read. Times are in microseconds since
 * the first event. One thread. */
/* The member `key` of report.json. NULL: a log without events. */
void timeline_json_add(struct jsonw *w, const char *key, const struct timeline *timeline);
/* Writes data/timeline.js: the names, ids and functions that the spans refer to. The timeline has ended. */
void timeline_json_write_head(const struct timeline *timeline);

/* truth_json.c - the members of report.json about what the report cannot account for: checks, unfinished,
 * unattributed. */
void truth_json_write(struct jsonw *w, const struct report_view *view);

/* vllm_json.c - vLLM's calls and subgraphs, for report.json and for the page.
 *
 * Needs the complete model. One thread at a time per writer. */
/* Writes the member `key`, or nothing if the log is not from vLLM. */
void vllm_json_add(struct jsonw *w, const char *key, const struct model *model);
