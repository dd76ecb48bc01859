/* landing.h - the files at the top of a report of several ranks or runs: report.json, the page's data, index.html, and
 * the reference's files. One thread.
 *
 * inner: the parent folder has another report. */
#pragma once

#include "diverge/diverge.h"
#include "facts/rank_facts.h"
#include "pipeline/pipeline.h"
#include "sink/files.h"
#include "sink/spool.h"

/* base_count: see struct ranks_request. */
void landing_write(const struct rank_facts *const *facts, size_t count, size_t base_count,
                   const struct pipeline_result *total, const struct reading_options *options,
                   const struct divergences *divergences, struct slice config_differences, bool inner,
                   struct files *files);

/* rank_files.c - the common files of several ranks, with the reference's names and formats.
 *
 * Facts are in the order of ranks. One thread. */
/* Writes collective_schedules.json, runtime_estimations.json and chromium_trace_with_runtime.json, each only if it has
 * content. */
void rank_files_write(const struct rank_facts *const *facts, size_t count, struct files *files);
/* Writes rank_N/collectives_parity.json. */
void rank_parity_write(const struct rank_facts *facts, struct files *files);
/* Writes chromium_events.json: the events of all ranks, with the rank as pid (reading_options.shared_events). */
void rank_events_write(const struct spooled *const *events, size_t count, struct files *files);
