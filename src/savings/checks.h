/* checks.h - contradictions within a report, or between a report and the log.
 *
 * Computed from a complete model by comparing independent numbers: the compiler's metrics, its events, the counters of
 * records. An empty list means that they agree. */
#pragma once

#include "model/model.h"
#include "recompiles/chains.h"

/* Sums over all compiles of one or several reports. Times are compile time in microseconds; -1: unknown. */
struct totals {
    uint64_t compiles, statuses[STATUS_ERROR + 1], restarts;
    uint64_t interrupted,
        ops_unknown; /* part of those with the status empty: a graph may exist, but its ops are not logged */
    uint64_t recompiles, refused; /* of frames with an earlier version; and those that the recompile limit refused */
    int64_t time_us, forward_us, backward_us;
    int64_t runtime_us;     /* time at run time, not included in the other times */
    int64_t restart_us;     /* part of time_us lost to restarts, for compiles that restarted and succeeded */
    int64_t timers[PHASES]; /* PyTorch's timers, which nest */
    int64_t own[PHASES];    /* self times of the phases, summed over the compiles */
    bool has_phase[PHASES]; /* some compile has this phase */
    int64_t other_us;       /* part of time_us outside of all phases */
};

struct check {
    const char *name;   /* a constant: "phases", "timer_spans", … */
    struct slice about; /* the compile's key; ptr NULL: the whole report */
    int64_t expected, found;
};

enum { CHECKS_MAX = 200 };
struct checks {
    LIST(struct check) list;
    uint64_t more; /* that are not listed */
};

void totals_init(struct totals *totals);
/* Adds a complete model. */
void totals_add_report(struct totals *totals, const struct model *model);
/* Adds the recompiles of the report. */
void totals_add_chains(struct totals *totals, const struct chains *chains);
void totals_add(struct totals *totals, const struct totals *more);
void checks_run(struct checks *checks, const struct model *model, const struct totals *totals);
void checks_finish(struct checks *checks);
