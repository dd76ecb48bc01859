/* job_facts.h - a job of several ranks as one run, to compare it with other runs. Pure. */
#ifndef TLPARSE_FACTS_JOB_FACTS_H
#define TLPARSE_FACTS_JOB_FACTS_H

#include "facts/rank_facts.h"

/* Sums the facts of a job's logs, in the order of ranks. If all are bad, so is the job. dir is the job's folder,
 * relative to the report, with the folders of its ranks in it; name is its display name. Both are copied, and so is
 * what is taken from the facts; `run` of each moves to the job. */
void job_facts_take(struct rank_facts *job, struct rank_facts *const *facts, size_t count, const char *dir,
                    const char *name);

#endif
