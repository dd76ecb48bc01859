/* view.h - the complete model and everything derived from it, for the writers.
 *
 * Writers borrow it. Its owner keeps everything alive until they are done. */
#pragma once

#include "findings/coverage.h"
#include "findings/finding.h"
#include "model/model.h"
#include "recompiles/chains.h"
#include "savings/checks.h"
#include "savings/compile_time.h"
#include "sink/spool.h"

/* Sums over several reports. */
struct view_sums {
    uint64_t graph_breaks, failures, findings;
    uint64_t records, counters[COUNTERS], cache_counts[CACHES_COUNTED][OUTCOMES_COUNTED];
};

/* What report.json says about all ranks that wrote to one log. The owner frees the buffers. */
struct view_together {
    bool known; /* there are several ranks */
    struct totals totals;
    struct view_sums sums;
    struct buf extra, unfinished; /* as in struct report_view; the page gets extra, too */
};

/* What report.json is of: one run, the ranks of a job, or several runs. */
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
    const struct spooled *long_extra; /* more of them, which come first; NULL: none */
    struct slice
        unfinished; /* for several ranks: the member of that name, as JSON; ptr NULL: taken from the report's timeline */
    const struct view_sums *sums;    /* NULL: sums of this report only */
    const struct compile_time *time; /* NULL: several logs */
    const struct coverage *coverage; /* NULL: several logs */
};
