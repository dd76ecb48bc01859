/* findings.h - what to look at first: a ranked list, worked out of a report to which nothing more is added. */
#ifndef TLPARSE_REPORT_FINDINGS_H
#define TLPARSE_REPORT_FINDINGS_H

#include "report/chains.h"
#include "report/model.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_INFO };

struct finding {
    const char *kind; /* error, recompile_limit, graph_break, recompile, cache_bypass, missing_metrics, export_<kind> */
    enum severity severity;
    struct slice title, why, advice, link;
    struct place place;
    LIST(uint32_t) compiles;
    int64_t time_us; /* what it costs; -1: not known */
};

struct findings {
    LIST(struct finding) list; /* worst first; of the same severity the dearest first */
    struct arena arena;
    struct map known; /* (place of a finding before they are ranked, compile) */
};

const char *severity_name(enum severity severity);
void findings_find(struct findings *findings, const struct report *report, const struct chains *chains);
void findings_finish(struct findings *findings);

#endif
