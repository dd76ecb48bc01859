/* findings.h - the issues of a run: a ranked list, derived from a report that is complete. */
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

/* What a finding's time is. */
enum cost {
    COST_COMPILE_TIME,     /* of its compiles, each once */
    COST_LOST_TO_RESTARTS, /* traces that were thrown away when Dynamo began again */
    COST_LOST,             /* those, and whole compiles that failed */
    COST_RUN_TIME,         /* spent after the compile, in the program's steps */
    COST_CACHEABLE,        /* compile time that a hit in the cache skips */
    COST_UNFINISHED,       /* from the start of a compile that has no end to the last event of the log */
};

/* One cause, with all that comes of it. */
struct finding {
    const char
        *kind; /* unfinished, error, user_error, frame_skipped, recompile_limit, graph_break, cudagraph_skip, recompile,
                       * real_tensors, specialization, slow_compile, restart, cache_bypass, cache_miss, missing_metrics, interrupted,
                       * log_fault, no_records, several_processes, export_<kind> */
    enum severity severity;
    enum impact impact;
    enum cost cost;
    struct slice title, why, advice, link;
    struct slice message;  /* what PyTorch or the program said of it, bounded; ptr NULL: nothing */
    struct slice evidence; /* the records that the advice rests on; ptr NULL: not said */
    bool expected;         /* the advice says why nothing is wrong */
    struct slice id;       /* of a graph break, "GB0170"; ptr NULL: none */
    struct place place;
    struct slice code;   /* the text of that line; ptr NULL: not in the log */
    struct place caller; /* the user's line that led there; nothing: not known, or it is the place */
    bool library;        /* the place is not the user's */
    LIST(uint32_t) compiles;
    int64_t time_us; /* what it costs; -1: not known */
};

struct findings {
    LIST(struct finding)
    list; /* worst first: by severity, impact, and what they cost; but a log's unfinished end before all */
    struct arena arena;
    struct map known;         /* (place of a finding before they are ranked, compile) */
    LIST(uint32_t) of_chains; /* before they are ranked: the place of each chain's finding, UINT32_MAX: it has none */
};

const char *severity_name(enum severity severity);
const char *impact_name(enum impact impact);
const char *cost_name(enum cost cost);
void findings_find(struct findings *findings, const struct report *report, const struct chains *chains);
void findings_finish(struct findings *findings);

#endif
