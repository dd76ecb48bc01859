/* rank_parts.h - what the facts of several logs say together, and words for them. */
#pragma once

#include "base/jsonw.h"
#include "facts/rank_facts.h"

/* ends.c - where the logs of the ranks end: what each rank was doing when its log stopped. */
/* The innermost span that was open at the end of a rank's log; NULL: none. */
const struct rank_span *rank_end(const struct rank_facts *facts);

/* "rank_ends": groups of ranks whose logs end in the same span of the same function, and one for those that end
 * outside of spans, with the times of their last events. Those that did not finish come first. Empty if no log has
 * events. The time for which a compile was open is by its rank's own clock. The time before the last event of all
 * ranks compares the clocks of hosts. */
void rank_ends_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count);

/* job_facts.c - a job of several ranks as one run, to compare it with other runs. Pure. */
/* Sums the facts of a job's logs, in the order of ranks. If all are bad, so is the job. dir is the job's folder,
 * relative to the report, with the folders of its ranks in it; name is its display name. Both are copied, and so is
 * what is taken from the facts; `run` of each moves to the job. */
void job_facts_take(struct rank_facts *job, struct rank_facts *const *facts, size_t count, const char *dir,
                    const char *name);

/* logging_settings.c - settings that only decide what is logged, where to, or which files are kept for debugging, and
 * where a library is. They change neither graphs nor kernels, so they explain no divergence. */
/* name: without the name of its configuration, as in "trace.enabled". */
bool is_logging_setting(struct slice name);

/* rank_words.c - describes ranks: "rank 3", "ranks 0–2 and 7". Pure. */
/* The indices are in order of rank. If there are many ranges, adds the first ones and the number of further ranks. */
void rank_words_add(struct buf *out, const struct rank_facts *const *facts, const uint32_t *places, size_t count);
