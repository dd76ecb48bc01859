/* facts.h - what is kept of one rank's report for the comparison with the others.
 *
 * Taken when the report is whole; the report is freed afterwards, so all texts are copies in the facts' arena. */
#ifndef TLPARSE_RANKS_FACTS_H
#define TLPARSE_RANKS_FACTS_H

#include "analysis/checks.h"
#include "analysis/findings.h"
#include "analysis/timeline.h"
#include "model/model.h"
#include "ranks/graph_store.h"
#include "ranks/guard_store.h"
#include "ranks/run_facts.h"
#include "report/json/view.h"

/* What caches answered a compile: an outcome for each of its artifacts that is one, in order of number. */
struct rank_outcomes {
    const enum cache_outcome *items;
    size_t count;
};

struct rank_compile {
    struct slice id;    /* its key in the rank's report */
    struct slice match; /* the same, but for the number of a process: that is its place among the rank's processes */
    struct slice frame; /* "f at /x/y.py:3" */
    struct slice
        slot; /* the frame, its number, and the how manieth of both it is: by which compiles of ranks answer to each other; match where it has no frame */
    struct place place; /* of the frame */
    struct place
        user;    /* the same, or where the frame is a library's the user's line that calls it; file.ptr NULL: none */
    bool breaks; /* its graph breaks, there and because of that: */
    struct place break_at;
    struct slice break_reason;
    int64_t number; /* of the frame's compiles; above 0 it is a recompile */
    bool open;      /* the log ends within it */
    bool has_code;  /* it has output code */
    enum status status;
    struct slice failure;             /* what made it fail; ptr NULL: it did not, or the log does not say */
    struct slice sizes;               /* of its inputs, as in struct compile */
    const struct graph_trace *trace;  /* of Dynamo's graph, in the store; NULL: none */
    const struct rank_guards *stated; /* by its guards, in the store; NULL: not known */
    int64_t time_us, ops, guards;
    uint64_t graph_hash, guards_hash, reasons_hash;
    uint64_t reasons;
    struct slice reason; /* the first recompile reason, without noise */
    struct rank_outcomes cache;
};

/* A span that begins in the rank's log and does not end. */
struct rank_span {
    struct slice name, compile;   /* compile: a key; ptr NULL: none */
    struct slice frame;           /* of the compile */
    struct slice process, thread; /* JSON */
    struct place place;
    int64_t started_us, before_end_us; /* before the rank's last event */
    bool has_rank;                     /* of a job: of one of its ranks */
    uint64_t rank;
    struct slice dir; /* the folder of that rank; ptr NULL: that of the facts */
};
enum { RANK_SPANS_MAX = 64 };

/* Whether a rank's log says anything of what is compared. */
enum said { SAID_NOTHING, SAID_NONE, SAID_SOME };

struct rank_op {
    struct slice name;
    double ns;
};

struct rank_graph {
    struct slice folder, id;
    LIST(struct slice) ops;     /* of a collective schedule */
    LIST(struct rank_op) timed; /* of a runtime estimation */
    struct slice meta;          /* names and outputs of the operations, without their times */
    double total_ns;
};

struct rank_parity {
    struct slice folder, key;
    uint64_t offset, missing_waits;
};

struct rank_finding {
    enum finding_kind kind;
    enum severity severity;
    enum impact impact;
    struct slice title, why, advice;
    struct place place;
    int64_t time_us;
    enum cost cost;
    bool library;
    struct place caller;
    struct slice plain; /* as in struct finding */
};

/* A setting of a configuration and a value it had, as numbers that src/ranks/settings.c gives them. */
struct rank_pair {
    uint32_t kind, setting, value;
};

struct rank_item {
    struct slice key, value;
};

/* A log of a job that is one run. */
struct rank_member {
    bool has_rank, bad, compared;
    uint64_t rank, time_us; /* time_us: of its compiles */
    struct slice dir;
    struct run_facts *run; /* NULL: bad, or not asked for */
};

struct rank_facts {
    struct arena arena;
    bool has_rank, bad;
    bool has_own_rank; /* its records say a rank */
    uint64_t own_rank;
    bool older;   /* another log of this rank is newer: this one is not compared */
    uint32_t job; /* by rank_jobs_find(): logs of another job than 0 are not compared */
    uint64_t rank;
    const char *dir, *file;           /* the folder below the report's, "" for that itself; the log's name */
    const char *name;                 /* of a run; NULL: none */
    LIST(struct rank_member) members; /* of a run that is a job of ranks (job_facts.h): then the facts are sums */
    struct {
        uint64_t compiles, failed, findings, time_us;
    } inside; /* of its members */
    LIST(struct log_file) files;
    bool empty;        /* the log holds no record at all */
    const char *error; /* why it is bad, or what of it could not be read; NULL */
    uint64_t bytes, events, counters[COUNTERS], cache_counts[CACHES_COUNTED][OUTCOMES_COUNTED], graph_breaks, failures;
    struct totals totals;
    int64_t first_us, last_us;
    struct slice torch, python, cuda, triton;
    LIST(struct rank_compile) compiles;
    struct map compile_map; /* from their ids to their places */
    LIST(struct rank_graph) schedules, runtimes;
    LIST(struct rank_graph) code_calls, graph_calls; /* collectives in output code, and in Dynamo's graphs */
    bool execution_said;                             /* the log has an order of execution */
    struct world_hints world;
    LIST(struct rank_span) unfinished; /* by track, outermost first */
    struct slice program;           /* the user's file at which the stacks of its compiles begin; ptr NULL: not known */
    LIST(struct slice) frame_files; /* in which its frames are; few */
    LIST(struct slice) execution;   /* compile ids, or graph ids */
    LIST(struct rank_parity) parity;
    LIST(struct rank_finding) findings;
    LIST(struct slice) decisions;
    struct timeline *timeline;       /* totals and tracks only; NULL: none */
    LIST(struct rank_pair) settings; /* sorted; none: the log has no configuration */
    /* the settings in which ranks differ: "inductor.max_autotune" and its value, as JSON */
    LIST(struct rank_item) apart;
    struct rank_keys *keys; /* rank_keys.h; NULL: not taken */
    struct run_facts *run;  /* to compare runs; of a job its findings only. NULL: bad, or not asked for */
};

/* What all ranks share. */
struct rank_stores {
    struct graph_store *graphs;
    struct guard_store *guards;
    struct run_texts *run_texts; /* NULL: the log is not compared as a run */
};
/* dir and file are copied. */
void rank_facts_take(struct rank_facts *facts, struct model *model, const struct rank_stores *stores, const char *dir,
                     const char *file);
/* Whether it stands for its rank: in files for all ranks. */
static inline bool rank_is_taken(const struct rank_facts *facts) {
    return facts->has_rank && !facts->bad && !facts->older;
}
/* The records of its log that could be read. */
uint64_t rank_records(const struct rank_facts *facts);
/* Whether it is compared with the other ranks: a log without records, and that of another job, is not. */
static inline bool rank_is_compared(const struct rank_facts *facts) {
    return rank_is_taken(facts) && facts->job == 0 && (facts->compiles.count || rank_records(facts));
}
/* The sums over all that could be read, older logs included. */
void rank_sums_add(const struct rank_facts *const *facts, size_t count, struct totals *totals, struct view_sums *sums);
/* The time of its compiles, of a job those of all its logs. */
uint64_t rank_time_us(const struct rank_facts *facts);
/* Whether a cache gave the compile that answer. */
bool rank_compile_has(const struct rank_compile *compile, enum cache_outcome outcome);
/* NULL where the rank has no such id. */
const struct rank_compile *rank_compile_by_id(const struct rank_facts *facts, struct slice id);
void rank_facts_finish(struct rank_facts *facts);

#endif
