/* rank_facts.h - the data of one rank's report that is kept to compare it with other ranks.
 *
 * Taken when the report is complete. The report is freed afterwards, so all texts are copies in the facts' arena. */
#pragma once

#include "facts/graph_store.h"
#include "facts/guard_store.h"
#include "facts/rank_ran.h"
#include "facts/rank_timeline.h"
#include "facts/run_facts.h"
#include "findings/finding.h"
#include "model/model.h"
#include "report/view.h"
#include "savings/checks.h"

/* The cache results of a compile: an outcome for each artifact that is a cache result, in order of number. */
struct rank_outcomes {
    const enum cache_outcome *items;
    size_t count;
};

/* Several ranks may share it; struct rank_facts has the data that differs between ranks. */
struct rank_compile {
    struct slice id; /* key in the rank's report */
    /* The same key, but with the index of the process among the rank's processes instead of its number */
    struct slice match;
    struct slice frame; /* "f at /x/y.py:3" */
    struct slice label; /* of the frame, as in struct compile; ptr NULL: none */
    /* The frame, its number, and the number of preceding compiles with both; `match` if there is no frame */
    struct slice slot;
    struct place place; /* of the frame */
    struct place
        user;    /* `place` or, if the frame is in a library, the user's line that calls it; file.ptr NULL: none */
    bool breaks; /* has graph breaks, at this place and for this reason: */
    struct place break_at;
    struct slice break_reason;
    int64_t number;  /* number among the frame's compiles; above 0: a recompile */
    int64_t attempt; /* the attempt that produced its graph: Dynamo restarts, for example, at a graph break; below 0:
                      * unknown */
    bool open;       /* the log ends within it */
    bool has_code;   /* it has output code */
    bool backward;   /* its backward was also compiled, or failed */
    enum status status;
    struct slice failure;             /* why it failed; ptr NULL: it did not fail, or the reason is not logged */
    struct slice sizes;               /* sizes of its inputs, as in struct compile */
    const struct graph_trace *trace;  /* of Dynamo's graph, in the store; NULL: none */
    const struct rank_guards *stated; /* facts of its guards, in the store; NULL: unknown */
    int64_t ops, guards;
    uint64_t graph_hash, guards_hash;
    uint64_t reasons;
    struct slice reason; /* the recompile reason for the earliest version that has one, without noise */
    bool earliest;       /* `reason` is for the earliest version; facts of older tlparse versions have the reason for
                          * another version */
    struct rank_outcomes cache;
};

/* A span of the rank without an end event. */
struct rank_span {
    struct slice name, compile;   /* compile: a key; ptr NULL: none */
    struct slice frame;           /* of the compile */
    struct slice process, thread; /* JSON */
    struct place place;
    int64_t started_us, before_end_us; /* before_end_us: time until the rank's last event */
    bool has_rank;                     /* for a job: whether the rank that it belongs to is known */
    uint64_t rank;
    struct slice dir; /* folder of that rank; ptr NULL: folder of the facts */
};
enum { RANK_SPANS_MAX = 64 };

/* Whether a rank's log has the data for an aspect. */
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
    int64_t time_us, fix_us;
    enum cost cost;
    bool library;
    struct place caller;
    struct slice plain, message, evidence, id, code; /* as in struct finding, like fix_us; 0 in older facts */
    bool expected, handled;
};

/* A setting of a configuration and one of its values, as numbers assigned by facts/settings.c. */
struct rank_pair {
    uint32_t kind, setting, value;
};

struct rank_item {
    struct slice key, value;
};

/* A log of a job that counts as one run. */
struct rank_member {
    bool has_rank, bad, compared;
    uint64_t rank, time_us; /* time_us: sum over its compiles */
    struct slice dir;
    struct run_facts *run; /* NULL: the log could not be read, or the facts were not requested */
};

struct rank_facts {
    struct arena arena;
    bool has_rank, bad;
    bool has_own_rank; /* its records have a rank */
    uint64_t own_rank;
    bool no_report; /* the report on all logs does not include a report on this one */
    bool wanted;    /* it should get a report, because it represents others or was asked for */
    bool older;     /* a newer log of this rank exists: this one is not compared */
    uint32_t job;   /* set by rank_jobs_find(): logs of jobs other than 0 are not compared */
    uint64_t rank;
    const char *dir, *file; /* dir: the folder relative to the report, "" for the report itself; file: the log's name */
    const char *name;       /* for a run; NULL: none */
    LIST(struct slice) paths; /* paths of its files, absolute or addresses; empty: not requested */
    struct slice host;        /* host of the files; ptr NULL: unknown */
    uint64_t modified_ns;     /* of the file; 0: unknown */
    int64_t began_us;         /* time of its first record, since the epoch; 0: unknown */
    LIST(struct rank_member)
    members; /* for a run that is a job of ranks (job_facts.c): its ranks; the facts are
              * then sums */
    struct {
        uint64_t compiles, failed, findings, time_us;
        int64_t step_ns; /* of the slowest rank, as in struct rank_ran */
    } inside;            /* sums over its members */
    LIST(struct log_file) files;
    bool empty;        /* the log has no records */
    const char *error; /* why it could not be read, or only in part; NULL: no problem */
    uint64_t bytes, events, counters[COUNTERS], cache_counts[CACHES_COUNTED][OUTCOMES_COUNTED], graph_breaks, failures;
    struct totals totals;
    int64_t first_us, last_us;         /* of the events */
    int64_t run_first_us, run_last_us; /* with the records */
    struct slice torch, python, cuda, triton;
    LIST(const struct rank_compile *) compiles; /* the items may be shared with other ranks */
    int64_t *times_us;                          /* of the compiles; -1: unknown */
    const struct slice
        *slots;             /* for each compile, set by rank_slots_find(); NULL: the slots in the compiles themselves */
    struct map compile_map; /* id → index */
    LIST(struct rank_graph) schedules, runtimes;
    LIST(struct rank_graph) code_calls, graph_calls; /* collectives in output code, and in Dynamo's graphs */
    bool execution_said;                             /* the log has an execution order */
    struct world_hints world;
    LIST(struct rank_span) unfinished; /* by track, outermost first */
    struct slice program;           /* the user's file at which the stacks of its compiles begin; ptr NULL: unknown */
    LIST(struct slice) frame_files; /* files of its frames; only a few */
    LIST(struct slice) execution;   /* compile ids, or graph ids */
    LIST(struct rank_parity) parity;
    LIST(const struct rank_finding *) findings;
    LIST(struct slice) decisions;
    struct rank_timeline *timeline;  /* NULL: none */
    struct rank_ran *ran;            /* NULL: no profile */
    LIST(struct rank_pair) settings; /* sorted; empty: the log has no configuration */
    /* The settings in which ranks differ: "inductor.max_autotune" and its value, as JSON. */
    LIST(struct rank_item) apart;
    struct rank_keys *keys; /* rank_keys.h; NULL: not taken */
    struct run_facts *run;  /* to compare runs; for a job, only its findings. NULL: not read, or not requested */
};

/* Shared by all ranks. */
struct rank_stores {
    struct graph_store *graphs;
    struct guard_store *guards;
    struct run_texts *run_texts; /* NULL: the log is not compared with other runs */
};
/* Copies dir and file. */
void rank_facts_take(struct rank_facts *facts, struct model *model, const struct rank_stores *stores, const char *dir,
                     const char *file);
/* Whether it represents its rank in files for all ranks. */
static inline bool rank_is_taken(const struct rank_facts *facts) {
    return facts->has_rank && !facts->bad && !facts->older;
}
/* Whether its log is undamaged: data after the damage, such as the end of a compile, is unknown. */
static inline bool rank_is_read_whole(const struct rank_facts *facts) {
    return !facts->error;
}
/* Identifies the lists that most comparisons read: ranks with equal identifiers have the same compiles, graphs and
 * order. Only ranks whose facts were merged share such lists. */
struct rank_lists {
    const void *compiles, *schedules, *code_calls, *graph_calls, *runtimes, *execution;
    size_t counts[6];
    bool execution_said, has_settings;
};
/* The lists as a key of a map. */
static inline struct slice rank_lists_key(const struct rank_lists *lists) {
    return slice_make((const char *)lists, sizeof *lists);
}
#define NO_RANK UINT32_MAX
/* For each rank, the index of the first compared rank with equal lists, which may be the rank itself; NO_RANK if it is
 * not compared. */
uint32_t *ranks_alike(const struct rank_facts *const *facts, size_t count, struct arena *arena);
/* The number of its log's well-formed records. */
uint64_t rank_records(const struct rank_facts *facts);
/* Whether it is compared with the other ranks. Logs without records, and logs of other jobs, are not. */
static inline bool rank_is_compared(const struct rank_facts *facts) {
    return rank_is_taken(facts) && facts->job == 0 && (facts->compiles.count || rank_records(facts));
}
/* Adds sums over all readable logs, including older ones of a rank. */
void rank_sums_add(const struct rank_facts *const *facts, size_t count, struct totals *totals, struct view_sums *sums);
/* The compile time of its compiles; for a job, of all its logs. */
uint64_t rank_time_us(const struct rank_facts *facts);
/* Whether the compile has this cache result. */
bool rank_compile_has(const struct rank_compile *compile, enum cache_outcome outcome);
/* Whether the compile is the beginning of the other one, as far as the log shows: its backward was not compiled, or its
 * end is not logged. A hit in the AOTAutograd cache includes the backward, so its results differ from the start. */
bool rank_compile_begins(const struct rank_compile *compile, const struct rank_compile *other);
/* NULL if the rank does not have this id. */
const struct rank_compile *rank_compile_by_id(const struct rank_facts *facts, struct slice id);
/* The text that matches the rank's i-th compile with those of other ranks. */
static inline struct slice rank_slot(const struct rank_facts *facts, size_t i) {
    return facts->slots ? facts->slots[i] : facts->compiles.items[i]->slot;
}
/* Its index among the compiles; MAP_NONE: none. */
uint32_t rank_compile_place(const struct rank_facts *facts, struct slice id);
/* The text that matches the compile with this id with those of other ranks; ptr NULL: the rank does not have the id. */
struct slice rank_slot_by_id(const struct rank_facts *facts, struct slice id);
void rank_facts_finish(struct rank_facts *facts);
