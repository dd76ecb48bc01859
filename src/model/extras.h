/* extras.h - the content of rare records.
 *
 * A part of the model (model.h), filled in log order by the fold's thread (kinds/extra_records.c reads the records). Each
 * list is limited, and the rest is counted. Notices are messages: an operation failed or was repeated, and PyTorch
 * continued. The others are facts about caches, compile workers, native kernels, and run time. */
#pragma once

#include "model/model.h"
#include "model/pgo.h"
#include "scan/autograd_graph.h"

enum {
    NOTICES_MAX = 1000, /* distinct by kind, compile and message */
    NOTICE_MESSAGE_MAX = 2000,
    NOTICE_DETAIL_MAX = 4000,
    JOBS_MAX = 1000,
    NATIVE_KERNELS_MAX = 1000,
    RECORD_TABLES_MAX = 1000,
    RECORD_TABLES_BYTES_MAX = 4 << 20, /* of all tables */
    FURTHER_CACHES_MAX = 200,          /* results listed for each compile; all are counted */
};

enum notice_kind {
    NOTICE_AUTOGRAD_REASON,   /* compiled_autograd_compile_reasons: why a backward was captured */
    NOTICE_BACKWARD_FAILURE,  /* eager_compile_backwards_failure: suppressed */
    NOTICE_INTERPRETER_ERROR, /* fx_interpreter_error: an operation of a graph raised */
    NOTICE_WORKER_DEATH,      /* compile_worker_sidecar_death */
    NOTICE_PRECOMPILE_BYPASS, /* precompile_cache_bypass: a graph that precompile does not save */
    NOTICE_PACKAGE_BYPASS,    /* dynamo_cache_bypass: a code object that precompile skipped */
    NOTICE_PACKAGE_ERROR,     /* dynamo_cache_exception: an entry that precompile could not create */
    NOTICE_PICKLE_FAILURE,    /* aotautograd_cache_pickle_failure: a result that could not be saved */
    NOTICE_DUPLICATE,         /* invoke_subgraph_backward_duplicate: another backward of a subgraph */
    NOTICE_CYCLIC_DEPS,       /* inductor_overlap_cyclic_extra_deps */
    NOTICE_PARTIAL_TRACE,     /* make_fx_fail_partial: the graph that was traced before the failure */
    NOTICE_KINDS,
};
const char *notice_name(enum notice_kind kind); /* the name of the artifact of this kind */

struct notice {
    enum notice_kind kind;
    uint32_t compile;
    struct slice message; /* the message, truncated to a limit */
    struct slice detail;  /* details: a node, a field, the last output of a process; ptr NULL: none */
    struct slice subject; /* the affected subgraph or function; ptr NULL: none */
    struct place place;   /* in the user's code; file.ptr NULL: not logged */
    struct slice code;    /* for a partial trace: the text of that line; ptr NULL: not logged */
    int64_t variants;     /* backward graphs of a subgraph; -1: none */
    bool backward;        /* for a partial graph: `place` is in the forward whose backward was traced */
    bool in_failure;      /* for the death of a worker: a failure of its compile mentions it */
    uint64_t line;        /* of the first record */
    uint64_t count;
};

/* A job that a compile worker was still running when the watchdog checked. */
struct worker_job {
    uint64_t process, job;
    uint32_t compile;
    int64_t pid;                          /* process id of the worker; -1: unknown */
    struct slice phase;                   /* from the latest report; ptr NULL: unknown */
    int64_t elapsed_us, phase_elapsed_us; /* from the latest report; -1: unknown */
    uint64_t reports, line;               /* number of reports; line of the first one */
};

/* Calls of a compile function of a native DSL (CuTe, Triton, …), by operator. */
struct native_kernel {
    struct slice op, dsl;
    uint64_t calls, compiled;
    int64_t compile_us; /* time of the calls that compiled */
    uint64_t line;
};

/* Collectives of a compile before and after they were merged into buckets, by kind. */
enum { BUCKET_ALL_GATHER, BUCKET_REDUCE_SCATTER, BUCKET_ALL_REDUCE, BUCKET_OTHER, BUCKET_KINDS, BUCKETINGS_MAX = 1000 };
struct bucketing {
    uint32_t compile;
    struct bucket_side {
        bool known;
        uint64_t count[BUCKET_KINDS];
        double mib[BUCKET_KINDS]; /* sum; the log rounds the size of each collective to 0.001 */
        uint64_t line;            /* of the record */
    } before, after;
};

/* A backward that Compiled Autograd captured (autograd_graph.h). */
enum { AUTOGRAD_CAPTURES_MAX = 1000 };
struct autograd_capture {
    uint32_t compile;
    struct slice nodes;
    uint32_t existing; /* gradients */
    uint32_t hooks[AUTOGRAD_HOOKS];
    uint64_t calls;
    struct place place; /* of the first line of the forward; file.ptr NULL: not logged */
    struct slice code;
    const struct autograd_part *parts;
    uint32_t part_count;
};

/* A call of AOTAutograd. Their order within a process gives their numbers (autograd_graph.h), if the log has all of
 * them. */
enum { AOT_CALLS_MAX = 10000 };
struct aot_call {
    uint32_t compile;
    uint64_t names; /* backward_names_hash() of its backward graph; 0: none */
};

/* An artifact that is a table (record_tables.h). */
struct record_table {
    uint32_t next; /* next table of the same compile; UINT32_MAX: none */
    struct slice json;
};

/* The tables of a compile, in log order. */
struct table_chain {
    uint32_t head, last;
    uint64_t more; /* number beyond the limits */
};

struct extras {
    uint64_t cache_counts[CACHES][CACHE_OUTCOMES]; /* outcomes that model->cache_counts does not have */
    int64_t cache_entries;                         /* the latest value of dynamo_cache_entries; -1: none */
    LIST(struct notice) notices;
    LIST(struct worker_job) jobs;
    LIST(struct native_kernel) natives;
    LIST(struct bucketing) bucketings;
    LIST(struct autograd_capture) captures; /* in log order */
    LIST(struct aot_call) aot_calls;        /* likewise; only the first ones of the log */
    LIST(struct record_table) tables;
    LIST(struct table_chain) table_chains; /* by index of the compile */
    size_t table_bytes;
    uint64_t more_notices, more_jobs, more_natives, more_bucketings;
    struct map notice_map, job_map, native_map;
    struct map aot_map; /* process → its calls; process and number → index in aot_calls */
    struct pgo pgo;
};

/* The extras of the report, created on demand. */
struct extras *extras_of(struct model *model);
/* Texts are copied and truncated to their limits. A repeated notice is only counted. */
void extras_add_notice(struct model *model, const struct notice *notice);
/* Adds a result of a cache that model->cache_counts does not have. */
void extras_add_cache(struct model *model, struct compile *compile, enum cache cache, enum cache_outcome outcome,
                      struct slice reason);
/* Whether the compile has this result of this cache. */
bool extras_has_cache(const struct compile *compile, enum cache cache, enum cache_outcome outcome);
/* The job's entry, created at its first report. NULL beyond the limit. */
struct worker_job *extras_job(struct model *model, uint64_t process, uint64_t job);
/* The compile's bucketing whose `after` is still missing; created if there is none. NULL beyond the limit. */
struct bucketing *extras_bucketing(struct model *model, uint32_t compile, bool after);
/* Copies the texts. */
void extras_add_capture(struct model *model, const struct autograd_capture *capture);
void extras_add_aot_call(struct model *model, uint32_t compile);
/* NULL: the log does not have this call of the process. */
const struct aot_call *extras_aot_call(const struct model *model, uint64_t process, uint64_t number);
/* For the latest call of this compile. */
void extras_note_backward(struct model *model, uint32_t compile, uint64_t names);
/* Copies the table. */
void extras_add_table(struct model *model, uint32_t compile, struct slice json);
struct native_kernel *extras_native(struct model *model, struct slice op, struct slice dsl);
/* Assigns the death of a worker to the compile whose failure names the process. Call it when the log is complete. */
void extras_attach(struct model *model);
