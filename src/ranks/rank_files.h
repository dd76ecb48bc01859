/* rank_files.h - the common files of several ranks, with the reference's names and formats.
 *
 * Facts are in the order of ranks. One thread. */
#pragma once

#include "facts/rank_facts.h"
#include "sink/spool.h"

/* Writes collective_schedules.json, runtime_estimations.json and chromium_trace_with_runtime.json, each if it has
 * content. */
void rank_files_write(const struct rank_facts *const *facts, size_t count, struct files *files);
/* Writes rank_N/collectives_parity.json. */
void rank_parity_write(const struct rank_facts *facts, struct files *files);
/* Writes chromium_events.json: the events of all ranks, with the rank as pid (run_options.shared_events). */
void rank_events_write(const struct spooled *const *events, size_t count, struct files *files);
