/* finding.h - an issue of a run, and the list of issues. */
#pragma once

#include "model/model.h"
#include "recompiles/chains.h"

/* The kind of issue. Errors of an export have the kind of their failure. */
enum finding_kind {
    FINDING_UNFINISHED,
    FINDING_ERROR,
    FINDING_USER_ERROR,
    FINDING_FRAME_SKIPPED,
    FINDING_RECOMPILE_LIMIT,
    FINDING_GRAPH_BREAK,
    FINDING_CUDAGRAPH_SKIP,
    FINDING_CUDAGRAPH_RECORDINGS,
    FINDING_FLOAT32_MATMUL,
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
    FINDING_SAVED_MEMORY,
    FINDING_NEVER_RAN, /* from here on: from profiles */
    FINDING_GUARD_CHECKS,
    FINDING_HOT_KERNEL,
    FINDING_KINDS,
};

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_INFO };

/* The cost to the user. Among findings of the same severity, lower values come first. */
enum impact {
    IMPACT_STOPS,        /* stops the program, or an export */
    IMPACT_EVERY_STEP,   /* slows every step */
    IMPACT_COMPILE_TIME, /* costs compile time */
    IMPACT_INFORMATION,
};

/* The meaning of a finding's time. */
enum cost {
    COST_COMPILE_TIME,     /* compile time of its compiles, each counted once */
    COST_LOST_TO_RESTARTS, /* traces that restarts discarded */
    COST_LOST,             /* discarded traces, and the whole time of failed compiles */
    COST_RUN_TIME,         /* time in the steps of the program, after compilation */
    COST_CACHEABLE,        /* compile time that a cache hit would skip */
    COST_UNFINISHED,       /* from the start of a compile without an end to the last event of the log */
};

#define NO_FINDING UINT32_MAX

/* One cause with all of its effects. */
struct finding {
    uint32_t added; /* its index in the list before sorting */
    enum finding_kind kind;
    enum severity severity;
    enum impact impact;
    enum cost cost;
    struct slice title, why, advice, link;
    struct slice plain;    /* the title without the classes of functions, to match the finding in another log,
                            * which may lack the classes */
    struct slice message;  /* message from PyTorch or the program, truncated; ptr NULL: none */
    struct slice evidence; /* the records that the advice is based on; ptr NULL: none */
    bool stays;            /* the advice alone does not remove the graph break */
    bool unsaved;          /* the savings depend on code that is not in the log, or belong to another finding */
    int64_t unsaved_us;    /* if so: the most that the advice saves if the code allows it */
    bool splits;           /* a graph break that splits a frame, not only one that makes frames run eagerly */
    bool expected;         /* the advice explains why this is normal */
    bool handled;          /* an exception that the program catches, with no other effect in the log */
    struct slice id;       /* for a graph break, "GB0170"; ptr NULL: none */
    struct place place;
    struct slice code;   /* source text of that line; ptr NULL: not in the log */
    struct place caller; /* the user's line that led there; empty: unknown, or the same as the place */
    bool library;        /* the place is not in the user's code */
    LIST(uint32_t) compiles;
    int64_t time_us; /* cost; -1: unknown */
    int64_t run_us;  /* time in the profiles that it is about; 0: none, or unknown */
    /* The most compile time that a fix can save: for recompiles, their time; for a graph break, the traces that it
     * discarded, and the frames that exist only because of it. 0: none. */
    int64_t fix_us;
    int64_t elsewhere_us; /* the part of fix_us that the same value of the variable saves in other functions */
    /* Compiles that several causes restarted, one of which is this graph break: the log has only one time for all of
     * their discarded traces. */
    LIST(uint32_t) shared;
};

/* Restarts with the same cause: the same text and graph break. */
struct restart_cause {
    struct slice text;
    LIST(uint32_t) compiles; /* one item per restart, in order */
    uint32_t finding;        /* index in the list, or NO_FINDING */
};

struct findings {
    LIST(struct finding)
    list; /* sorted by group; then by savings, or by severity, presence of advice, impact, and
           * cost; unfinished spans first */
    struct arena arena;
    struct arena scratch;  /* temporary data of finders, until all findings are complete */
    uint32_t *of_failures; /* by index in model->failures: index of the finding that explains it, or NO_FINDING */
    uint32_t *of_breaks;   /* by index in model->breaks: index of its finding */
    LIST(struct restart_cause) restarts;
    struct map known;         /* set of (index of a finding before sorting, compile) */
    LIST(uint32_t) of_chains; /* before sorting: the index of each chain's finding; UINT32_MAX: none */
};

/* The user's gain from a fix, which decides what is listed first. */
enum finding_group {
    FINDING_BROKEN, /* failures and wrong behavior */
    FINDING_SAVES,  /* saves at least FINDING_SAVES_MIN_US of compile time, or is about recompiles that cost as much */
    FINDING_REST,
    FINDING_EXPECTED, /* this is normal */
};
#define FINDING_SAVES_MIN_US INT64_C(100000)
enum finding_group finding_group(const struct finding *finding);
/* Which of two comes first in a report: broken ones, then by the gain of a fix. 0: equal. */
int finding_order(const struct finding *x, const struct finding *y);
/* Whether it is the first one to fix, whatever others save. False if the program handles it. */
bool finding_is_broken(const struct finding *finding);
/* Whether its advice is something to do. If the advice on recompiles saves nothing, it only explains why they are
 * expected. */
bool finding_can_change(const struct finding *finding);
/* The most compile time that its fix saves; -1: none, or unknown. */
int64_t finding_saves_us(const struct finding *finding);

/* The names in report.json. */
const char *finding_kind_name(enum finding_kind kind);
/* Whether it is found where a measured share of the run time is large: of two equal runs, one may have it. */
bool finding_is_measured(enum finding_kind kind);
/* Whether only a profile shows it, so that a run without one may have it, too. */
bool finding_needs_profile(enum finding_kind kind);
const char *severity_name(enum severity severity);
const char *impact_name(enum impact impact);
const char *cost_name(enum cost cost);

/* findings.c - the issues of a run: a sorted list, derived from the complete model. */
void findings_find(struct findings *findings, const struct model *model, const struct chains *chains);
void findings_finish(struct findings *findings);
