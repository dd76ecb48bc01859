/* rank_files.h - the files that several ranks have together: the reference's, with its names and shapes.
 *
 * Facts in the order of ranks. One thread. */
#ifndef TLPARSE_RANKS_RANK_FILES_H
#define TLPARSE_RANKS_RANK_FILES_H

#include "ranks/facts.h"
#include "sink/spool.h"

/* collective_schedules.json, runtime_estimations.json, chromium_trace_with_runtime.json: each where there is something. */
void rank_files_write(const struct rank_facts *const *facts, size_t count, struct files *files);
/* rank_N/collectives_parity.json. */
void rank_parity_write(const struct rank_facts *facts, struct files *files);
/* chromium_events.json: the events of all ranks, with the rank as pid (run_options.shared_events). */
void rank_events_write(const struct spooled *const *events, size_t count, struct files *files);

#endif
