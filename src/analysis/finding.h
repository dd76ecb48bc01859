/* finding.h - one issue of a run, and the list of them. */
#ifndef TLPARSE_ANALYSIS_FINDING_H
#define TLPARSE_ANALYSIS_FINDING_H

#include "base/map.h"
#include "base/mem.h"
#include "model/model.h"

/* What it is: an export's errors are told by what stood in its way. */
enum finding_kind {
    FINDING_UNFINISHED,
    FINDING_ERROR,
    FINDING_USER_ERROR,
    FINDING_FRAME_SKIPPED,
    FINDING_RECOMPILE_LIMIT,
    FINDING_GRAPH_BREAK,
    FINDING_CUDAGRAPH_SKIP,
    FINDING_RECOMPILE,
    FINDING_REAL_TENSORS,
    FINDING_SPECIALIZATION,
    FINDING_SLOW_COMPILE,
    FINDING_RESTART,
    FINDING_CACHE_BYPASS,
    FINDING_CACHE_MISS,
    FINDING_MISSING_METRICS,
    FINDING_INTERRUPTED,
    FINDING_LOG_FAULT,
    FINDING_NO_RECORDS,
    FINDING_SEVERAL_PROCESSES,
    FINDING_EXPORT_DATA_DEPENDENT,
    FINDING_EXPORT_GUARD,
    FINDING_EXPORT_MISSING_FAKE_KERNEL,
    FINDING_EXPORT_MISMATCHED_FAKE_KERNEL,
    FINDING_EXPORT_CONSTRAINT_VIOLATION,
    FINDING_EXPORT_ERROR,
    FINDING_AUTOGRAD_CAPTURE,
    FINDING_BACKWARD_FAILURE,
    FINDING_GRAPH_ERROR,
    FINDING_COMPILE_WORKER_DEATH,
    FINDING_PRECOMPILE_BYPASS,
    FINDING_PRECOMPILE_ERROR,
    FINDING_CACHE_SAVE_FAILURE,
    FINDING_DUPLICATE_BACKWARD,
    FINDING_OVERLAP_CYCLE,
    FINDING_TRACE_FAILURE,
    FINDING_KINDS,
};

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

#define NO_FINDING UINT32_MAX

/* One cause, with all that comes of it. */
struct finding {
    uint32_t added; /* its index in the list before ranking */
    enum finding_kind kind;
    enum severity severity;
    enum impact impact;
    enum cost cost;
    struct slice title, why, advice, link;
    struct slice
        plain; /* the title with bare names of functions: the same finding of another log has it too, though that log may not
                            * say of which class they are */
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

/* Restarts for one cause: the same text, by the same graph break. */
struct restart_cause {
    struct slice text;
    LIST(uint32_t) compiles; /* each once for each restart, in order */
    uint32_t finding;        /* in the list, or NO_FINDING */
};

struct findings {
    LIST(struct finding)
    list; /* worst first: by severity, impact, and what they cost; but a log's unfinished end before all */
    struct arena arena;
    struct arena scratch;     /* what finders need until all is found */
    uint32_t *of_failures; /* by place in model->failures: the finding that explains it, or NO_FINDING */
    LIST(struct restart_cause) restarts;
    struct map known;         /* (place of a finding before they are ranked, compile) */
    LIST(uint32_t) of_chains; /* before they are ranked: the place of each chain's finding, UINT32_MAX: it has none */
};

/* Each name as report.json has it. */
const char *finding_kind_name(enum finding_kind kind);
const char *severity_name(enum severity severity);
const char *impact_name(enum impact impact);
const char *cost_name(enum cost cost);

#endif
