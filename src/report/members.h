/* members.h - the members of report.json that have their own source file. They need the complete model. One thread. */
#pragma once

#include "analysis/phases.h"
#include "analysis/settings_in_effect.h"
#include "analysis/timeline.h"
#include "base/jsonw.h"
#include "findings/coverage.h"
#include "model/cache_keys.h"
#include "model/export.h"
#include "model/model.h"
#include "recompiles/chains.h"
#include "report/stack_table.h"
#include "report/view.h"
#include "savings/compile_time.h"
#include "sink/files.h"

/* log_json.c - the member "log" of report.json: the files, the outcome of their records, and log size by record kind.
 * Pure. */
/* `whole`: include the kinds of each compile id, which the summary leaves out. */
void log_json_add(struct jsonw *w, const struct report_view *view, bool whole);
/* Writes only the kinds of each compile id, as a list parallel to by_compile. */
void log_shares_add(struct jsonw *w, const struct report_view *view);

/* phases_json.c - self times of phases, for report.json and the page. Pure; any thread. */
/* The list of the shown phases: names and descriptions. */
void shown_phases_json_write(struct jsonw *w, const char *key);
/* The members `own_us` and `by_phase_us` of an object: self times in microseconds. has: which phases were logged;
 * other_us: the time outside of them. */
void own_times_json_write(struct jsonw *w, const int64_t own[PHASES], const bool has[PHASES], int64_t other_us);

/* compile_time_json.c - the member compile_time: parts of the compile time, hints, and what to change first. */
void compile_time_json_write(struct jsonw *w, const char *key, const struct compile_time *time,
                             const struct model *model);

/* coverage_json.c - the member coverage: functions, grouped by how much of their compiled code runs. */
/* Writes nothing if the log has no function. */
void coverage_json_write(struct jsonw *w, const char *key, const struct coverage *coverage, const struct model *model);

/* lines_json.c - the member lines: what each line of source costs. */
void lines_json_write(struct jsonw *w, const struct report_view *view);

/* guard_checks_json.c - the members guard_checks and more_guard_checks. */
void guard_checks_json_write(struct jsonw *w, const struct report_view *view);
struct saved_modules; /* saved_modules.h */
/* modules_json.c - the member modules: the nn.Modules of each compile, and what belongs to each. Sets the modules of what is saved. */
void modules_json_write(struct jsonw *w, const struct report_view *view, struct saved_modules *saved);

/* memory_json.c - the member memory: what compiled graphs allocate when they run. Sizes in bytes. */
void memory_json_write(struct jsonw *w, const struct report_view *view, const struct saved_modules *modules);
/* What a summary prints of it. */
void memory_json_write_short(struct jsonw *w, const struct report_view *view);

/* profile_json.c - the member profile: what the compiled program costs when it runs. Times in microseconds. */
/* Writes nothing if no profile was given. */
void profile_json_write(struct jsonw *w, const char *key, const struct report_view *view);

/* export_json.c - the member "export" of report.json and of the page's summary, and data/export.js
 * (doc/report-data.md). */
/* whole: writes everything, for report.json; otherwise, only the members of the page's summary. */
void export_json_write(struct jsonw *w, const char *key, const struct model *model, bool whole);

/* recompiles_json.c - the steps of a recompile chain and advice, for report.json. Pure. */
/* Writes `steps`, `more_steps`, `limit` and `advice` into the open object. Writes at most 256 steps, with 64 changes,
 * 16 reasons and 16 sizes each. */
void recompile_steps_write(struct jsonw *w, const struct model *model, const struct chain *chain);
/* Writes the members about values into the open object of the cause. */
void recompile_cause_write(struct jsonw *w, const struct cause *cause);

/* timeline_json.c - the timeline as JSON: its summary in report.json, and data/timeline.js.
 *
 * The spans are in data/timeline/, which analysis/timeline.h writes while the log is read. Times are in microseconds since
 * the first event. One thread. */
/* The member `key` of report.json. NULL: a log without events. */
void timeline_json_add(struct jsonw *w, const char *key, const struct timeline *timeline);
/* Writes data/timeline.js: the names, ids and functions that the spans refer to. The timeline must have ended. */
void timeline_json_write_head(const struct timeline *timeline);
/* run_spans.c: adds the spans of a profile to the timeline, which has ended and is not written yet. */
void run_spans_add(struct timeline *timeline, const struct profile *profile, const struct model *model);

/* truth_json.c - the members of report.json about data that the report cannot explain: checks, unfinished,
 * unattributed. */
void truth_json_write(struct jsonw *w, const struct report_view *view);

/* vllm_json.c - vLLM's calls and subgraphs, for report.json and for the page.
 *
 * Needs the complete model. One thread at a time per writer. */
/* Writes the member `key`, or nothing if the log is not from vLLM. */
void vllm_json_add(struct jsonw *w, const char *key, const struct model *model);

/* caches_json.c - cache results, as members of report.json. */
/* The member caches. */
void caches_json_write(struct jsonw *w, const struct report_view *view);
/* The member cache of a compile. */
void compile_caches_write(struct jsonw *w, const struct model *model, const struct compile *compile);
/* Writes same_graph, differences and components of the nearest key. */
void key_comparison_write(struct jsonw *w, const struct key_comparison *found);

/* extras_json.c - the content of model/extras.h, as members of report.json. */
/* Writes the members notices, pgo, compile_workers and native_kernels of doc/report.schema.json. A member is absent if
 * the log has none. */
void extras_json_write(struct jsonw *w, const struct model *model);
/* Writes "record_tables" and "more_record_tables" of a compile, if it has any. */
void record_tables_write(struct jsonw *w, const struct model *model, const struct compile *compile);
/* Writes the member runtime_parts_us of a compile, if it has any. */
void runtime_parts_write(struct jsonw *w, const struct compile *compile);

/* kernels_json.c - kernels, for report.json and for the page.
 *
 * Needs the complete model. One thread. */
/* Writes the object `kernels` of report.json; its list only if `whole`. */
void kernels_json_write(struct jsonw *w, const char *key, const struct model *model, bool whole);
/* Writes data/kernels.<k>.js. */
void kernels_parts_write(const struct model *model, struct files *files);
/* The number of these files. */
size_t kernels_parts(const struct model *model);

/* shapes_json.c - the symbols of a compile's shapes, their specializations, and the guards on them, as JSON.
 *
 * At most SHAPES_MAX records of a kind are written per compile; the rest is counted. Needs the complete model. One
 * thread. */
enum { SHAPES_MAX = 2000 };

bool shapes_any(const struct compile *compile);
/* Writes {"symbols": n, "specializations": n, "guards": n}. */
void shapes_write_counts(struct jsonw *w, const char *key, const struct compile *compile);
/* The object `shapes` of a compile in doc/report.schema.json. */
void shapes_write(struct jsonw *w, const char *key, const struct model *model, const struct compile *compile,
                  struct stack_table *table);

/* compile_json.c - a compile, for report.json and for the page.
 *
 * Needs the complete model. Any thread, one at a time per writer. */
/* Writes an object. With stacks, it has all details, for report.json; if stacks is NULL, only those of the page's
 * summary. */
void compile_json_write(struct jsonw *w, const struct report_view *view, const struct compile *compile,
                        struct stack_table *stacks);
/* Writes an object with the members that a summary lists for the slowest compiles. */
void compile_json_write_short(struct jsonw *w, const struct model *model, const struct compile *compile);
/* Writes the members that only the page of the compile needs: artifacts, stages, passes, metrics. */
void compile_details_write(struct jsonw *w, const struct report_view *view, const struct compile *compile);

/* config_json.c - configurations in report.json: each distinct one, and the settings that differ between them.
 *
 * A configuration, of torch._dynamo, Inductor, functorch or the compiler, comes from the metrics of a compile. Needs
 * the complete model. One thread. */
/* Number of compiles that logged it with the metrics of a forward, a backward, or both. */
uint64_t config_compiles(const struct model *model, const struct config *config);
/* The array `configs`. */
void configs_json_write(struct jsonw *w, const char *key, const struct model *model);
/* The array `config_differences`: settings of one kind whose values differ between compiles, in the order of the
 * settings. Values are in the order in which they were logged, each with its compiles. The value in effect takes
 * precedence over the configuration. */
void config_differences_json_write(struct jsonw *w, const char *key, const struct model *model,
                                   const struct settings_in_effect *effect);
/* The array `settings_in_effect`. */
void settings_in_effect_json_write(struct jsonw *w, const char *key, const struct model *model,
                                   const struct settings_in_effect *effect);

/* stages_json.c - the stages and passes of a compile. Any thread. */
/* Writes the array `stages` of doc/report.schema.json. */
void stages_write(struct jsonw *w, const char *key, const struct model *model, const struct compile *compile);
/* Writes the members `pass_counts` (absent if there are no passes) and `passes` of doc/report.schema.json. */
void passes_write_counts(struct jsonw *w, const struct model *model, const struct compile *compile);
void passes_write(struct jsonw *w, const struct model *model, const struct compile *compile);
