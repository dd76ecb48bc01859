/* view.h - the complete model and everything derived from it, for the writers.
 *
 * Writers borrow it. Its owner keeps everything alive until they are done. */
#pragma once

#include "analysis/settings_in_effect.h"
#include "findings/coverage.h"
#include "findings/finding.h"
#include "model/model.h"
#include "recompiles/chains.h"
#include "savings/checks.h"
#include "savings/compile_time.h"
#include "sink/spool.h"

struct profile;        /* profile/profile.h */
struct source_folders; /* scan/source_folder.h */

/* Sums over several reports. */
struct view_sums {
    uint64_t graph_breaks, failures, findings;
    uint64_t records, counters[COUNTERS], cache_counts[CACHES_COUNTED][OUTCOMES_COUNTED];
};

/* The member of report.json about all ranks that wrote to one log. The owner frees the buffers. */
struct view_together {
    bool known; /* there are several ranks */
    struct totals totals;
    struct view_sums sums;
    struct buf extra, unfinished; /* as in struct report_view; the page gets `extra`, too */
};

/* What report.json is about: one run, the ranks of a job, or several runs. */
enum report_kind { REPORT_RUN, REPORT_RANKS, REPORT_RUNS, REPORT_KINDS };

struct report_view {
    enum report_kind kind;
    const struct model *model;
    const uint32_t *order; /* order of the compiles */
    const struct chains *chains;
    const struct findings *findings;
    const struct totals *totals;
    const struct checks *checks;
    struct slice extra;               /* further members, as JSON, each preceded by a comma */
    const struct spooled *long_extra; /* further members like these, which come first; NULL: none */
    /* For several ranks: the value of that member, as JSON; ptr NULL: from the report's timeline */
    struct slice unfinished;
    const struct view_sums *sums;              /* NULL: only the sums of this report */
    const struct compile_time *time;           /* NULL: several logs */
    const struct coverage *coverage;           /* NULL: several logs */
    const struct settings_in_effect *settings; /* NULL: several logs */
    const struct profile *profile;             /* NULL: none was given */
    struct source_folders *sources;            /* counts what is found there; NULL: none was given */
    struct spool *spool;                       /* of the spooled texts of the model; NULL: it has none */
};
