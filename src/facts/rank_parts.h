/* rank_parts.h - combines the facts of several logs, and words for them. */
#pragma once

#include "base/jsonw.h"
#include "facts/rank_facts.h"

/* ends.c - the ends of the ranks' logs: what each rank was doing when its log stopped. */
/* The innermost span that was open at the end of a rank's log; NULL: none. */
const struct rank_span *rank_end(const struct rank_facts *facts);

/* "rank_ends": groups of ranks whose logs end in the same span of the same function, and a group of those that end
 * outside of spans, with the times of their last events. Unfinished ranks come first. Empty if no log has events. The
 * time for which a compile was open uses its rank's own clock. The time before the last event of all ranks compares the
 * clocks of hosts. */
void rank_ends_json_write(struct jsonw *w, const struct rank_facts *const *facts, size_t count);

/* job_facts.c - a job of several ranks as one run, to compare it with other runs. Pure. */
/* Sums the facts of a job's logs, in the order of ranks. If none could be read, nor could the job. dir is the job's
 * folder, relative to the report, which contains the folders of its ranks; name is its display name. Copies both, and
 * all data from the facts, but `run` of each log moves to the job. */
void job_facts_take(struct rank_facts *job, struct rank_facts *const *facts, size_t count, const char *dir,
                    const char *name);

/* logging_settings.c - settings that only affect logging, debug files, or the location of a library. They change
 * neither graphs nor kernels, so they do not explain a divergence. */
/* name: the name without its configuration, as in "trace.enabled". */
bool is_logging_setting(struct slice name);

/* rank_words.c - describes ranks: "rank 3", "ranks 0–2 and 7". Pure. */
/* The indices are in order of rank. If there are many ranges, adds the first ones and the number of other ranks. */
void rank_words_add(struct buf *out, const struct rank_facts *const *facts, const uint32_t *places, size_t count);
