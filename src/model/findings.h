/* findings.h - what to look at first: a ranked list, worked out of a report to which nothing more is added. */
#ifndef TLPARSE_MODEL_FINDINGS_H
#define TLPARSE_MODEL_FINDINGS_H

#include "model/chains.h"
#include "model/model.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_INFO };

/* What it costs the user; of findings with the same severity the lower one goes first. */
enum impact {
    IMPACT_STOPS,        /* the program, or an export */
    IMPACT_EVERY_STEP,   /* it is slower each time it runs */
    IMPACT_COMPILE_TIME, /* compiling takes longer */
    IMPACT_INFORMATION,
};

struct finding {
    const char *kind; /* error, frame_skipped, recompile_limit, graph_break, cudagraph_skip, recompile, real_tensors,
                       * specialization, slow_compile, restart, cache_bypass, cache_miss, missing_metrics, log_fault, no_records, several_processes,
                       * export_<kind> */
    enum severity severity;
    enum impact impact;
    struct slice title, why, advice, link;
    struct place place;
    LIST(uint32_t) compiles;
    int64_t time_us; /* what it costs; -1: not known */
};

struct findings {
    LIST(struct finding) list; /* worst first: by severity, impact, and what they cost */
    struct arena arena;
    struct map known; /* (place of a finding before they are ranked, compile) */
};

const char *severity_name(enum severity severity);
const char *impact_name(enum impact impact);
void findings_find(struct findings *findings, const struct report *report, const struct chains *chains);
void findings_finish(struct findings *findings);

#endif
