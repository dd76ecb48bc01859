/* model.h - all that is known of one log.
 *
 * The fold fills it in log order; the writers of the last files (report.json, the page's data, index.html) read it when
 * nothing more is added. All texts in it are copies in its arena and live until model_finish(). Growth is with what a
 * report names (compile ids, artifacts, metrics, distinct stacks and breaks), not with the bytes of the log.
 *
 * A compile is one run of the compiler on one frame: a process, a compile id without its attempt, and a generation, because
 * torch._dynamo.reset() starts the ids anew. A folder is a compile id with its attempt, as a place for files; an entry is a
 * key of compile_directory.json. Processes and generations share folders and entries, so a folder names only the compile that
 * its latest record belongs to: whatever outlives a record keeps the compile itself.
 *
 * One thread, but for what is frozen: nodes of stacks, and lists up to a length that was taken before. */
#ifndef TLPARSE_MODEL_MODEL_H
#define TLPARSE_MODEL_MODEL_H

#include "base/map.h"
#include "base/mem.h"
#include "model/cache.h"
#include "model/counters.h"
#include "model/lang.h"
#include "scan/graph_trace.h"
#include "scan/text_counts.h"
#include "trace/compile_id.h"
#include "trace/stack.h"

/* Adds to a sum of times or counts of which -1 says that it is not known. */
static inline void add_known(int64_t *sum, int64_t more) {
    if (more >= 0)
        *sum = (*sum < 0 ? 0 : *sum) + more;
}

enum status { STATUS_MISSING, STATUS_OK, STATUS_RESTART, STATUS_EMPTY, STATUS_ERROR };
const char *status_name(enum status status);

enum { NUMBER_NONE = -1 };

struct place {
    struct slice file; /* ptr NULL: no place */
    struct slice function;
    uint64_t line;
};

struct artifact {
    struct slice name;                /* "fx_graph_runnable" */
    struct slice kind;                /* the envelope's key: "artifact", "dynamo_output_graph", … */
    struct slice url;                 /* path in the report, or an address for a link; ptr NULL: no file */
    struct slice payload_url;         /* where the text lies as it is, when url is a page; ptr NULL: url, or nowhere */
    struct slice readable_url;        /* ptr NULL: none; empty: it would have one, but there is nothing to show */
    struct slice subgraph;            /* ptr NULL: none */
    const struct text_counts *counts; /* NULL: none */
    enum lang lang;
    uint64_t line;        /* of the record in the log */
    int64_t day_us;       /* when it was written, since midnight; -1: not known */
    uint64_t bytes;       /* of the text */
    uint64_t text_offset; /* in the folder's stream; meaningless without has_text */
    int64_t number;       /* or NUMBER_NONE */
    uint32_t folder, compile;
    bool has_text;
    bool listed; /* in compile_directory.json */
    bool outer;  /* url is an address elsewhere */
};

/* What the pages of a compile link to, in log order. Never changed once it is there, but for next. */
struct artifact_link {
    struct artifact_link *next;
    struct slice name, url;
    bool outer;
};

/* Who made a size dynamic (analysis/dynamic.h). */
enum dynamic_by { DYNAMIC_UNKNOWN, DYNAMIC_MARK, DYNAMIC_AUTOMATIC, DYNAMIC_COMPILE, DYNAMICS };

/* One symbol, guard or specialisation; which of the texts are there depends on the kind. */
enum shape_kind { SHAPE_SPECIALIZATION, SHAPE_GUARD, SHAPE_SYMBOL, SHAPE_UNBACKED, SHAPE_KINDS };
struct shape_record {
    struct shape_record *next;         /* of the same kind and compile, in log order */
    struct shape_record *next_of_name; /* of the same kind and id, whichever compile of it */
    struct slice symbol, value, range, source, text;
    const struct stack_node *user_stack, *stack;
    uint64_t line; /* of the record in the log */
    uint32_t folder;
    enum dynamic_by dynamic_by; /* of a symbol */
};

struct failure {
    uint32_t compile, folder;
    struct slice type, reason;
    struct place place;
    struct place raised_at; /* the last line of its traceback */
    struct slice raised_code;
    struct slice url; /* of the compilation_metrics page */
    bool backward;
    bool before_start; /* PyTorch 2.6: of a frame that was refused, and not whether the program saw it raised */
};

struct restart {
    uint32_t compile, folder;
    struct slice reason;
    struct slice url;
};

struct cache_result {
    enum cache cache;
    enum cache_outcome outcome;
    struct slice reason; /* of a bypass; ptr NULL: none */
    struct slice key;    /* of the cache; ptr NULL: not known */
    struct slice detail; /* how it missed: "full_miss", "guard_miss"; ptr NULL: not known */
    bool guard_miss;     /* the key was there, and guards of its entries do not hold */
    struct slice guards; /* of a guard miss: the guards of an entry that do not hold; ptr NULL: not known */
    uint32_t components; /* of the key: in model->cache_keys, or UINT32_MAX */
    uint64_t event_us;   /* when the cache was asked; 0: not known */
    int64_t time_us;     /* of a miss what compiling took, of a hit what it saved; -1: not known */
};

struct graph_break {
    struct slice gb_id, reason, explanation, url; /* ptr NULL where there is none */
    struct slice context;                         /* for developers: what exactly it met */
    struct slice raised;                          /* the exception that the code raised: "ValueError('no')" */
    /* What came of it where Dynamo could not cut the frame: "graph break in loop", GB7000. */
    struct slice then_reason, then_explanation, then_id;
    bool skipped; /* once at least the frame was skipped, and runs eagerly */
    bool library; /* the line is not the user's */
    LIST(struct slice) hints;
    struct place place;
    LIST(struct frame) stack;
    LIST(uint32_t) compiles; /* distinct, in order */
    uint64_t count;
};

/* Times in microseconds by phase; the order of the names is that of the JSON. */
enum phase {
    PHASE_DYNAMO,
    PHASE_AOT,
    PHASE_PRE_GRAD,
    PHASE_JOINT,
    PHASE_POST_GRAD,
    PHASE_INDUCTOR,
    PHASE_CODEGEN,
    PHASE_TRITON,
    PHASE_BACKWARD,
    PHASES,
};
const char *phase_name(enum phase phase);

/* Records of one kind in one compile. */
struct kind_share {
    uint32_t kind; /* in model->kinds */
    uint32_t records;
    uint64_t bytes;
};
enum { KIND_SHARES_MAX = 256 }; /* of a compile: further kinds are in its sums only */

/* What a compile spent at run time. */
enum runtime_part {
    RUNTIME_AUTOTUNE,   /* runtime_triton_autotune_time_us */
    RUNTIME_CUDAGRAPHS, /* runtime_cudagraphify_time_us */
    RUNTIME_COMPILE,    /* records of a compile that ran when the program did: a backward without a compile id */
    RUNTIME_OTHER,      /* the log does not say */
    RUNTIME_PARTS,
};

/* What the contract's pages say of an id: all that was logged for it so far, of every process and generation. */
struct id_lists {
    struct {
        struct artifact_link *first, **last;
        size_t count;
    } links;
    struct {
        struct shape_record *first, **last;
        size_t count;
    } shapes[SHAPE_KINDS];
};

#define NO_EARLIER UINT32_MAX
enum { SIZES_BYTES_MAX = 2048, ERROR_TRACE_MAX = 16 << 10 };
struct compile {
    struct slice id;  /* "0/1"; not unique */
    struct slice key; /* "0/1", "0/1#2", "4711:0/1#2": unique in the report; from model_name_compiles() on */
    uint32_t index;   /* in model->compiles */
    struct id_lists *of_id;
    uint64_t process;    /* the id of a struct process; model_process() has its number */
    uint32_t generation; /* of its id in its process, from 1 */
    uint32_t older;      /* the index of the generation before, where this is not the first */
    uint32_t epoch;      /* of its frame id in its process: compiles of one frame between two resets share it */
    uint32_t resets;     /* of its process, as far as the log shows them, before it; from model_find_earlier() on */
    uint32_t earlier;    /* of a frame's first compile: the latest compile of the same code before the latest reset, in
                          * model->compiles; or NO_EARLIER */
    int64_t autograd_id, frame_id, frame_compile_id;
    bool framed;    /* it is a compile: dynamo_start or compilation_metrics; else a container of records */
    bool started;   /* dynamo_start */
    uint32_t order; /* among the framed ones */
    LIST(uint32_t) folders;
    LIST(int64_t) attempts;
    bool has_attempt_0;
    LIST(uint32_t) artifacts;
    LIST(struct slice) reasons, restarts;
    LIST(uint32_t) breaks;
    LIST(struct cache_result) caches;
    LIST(struct cache_result) further_caches; /* extras.h */
    int64_t runtime_parts_us[RUNTIME_PARTS];  /* of runtime_us; 0: none */
    struct {
        struct shape_record *first, **last;
        size_t count;
    } shapes[SHAPE_KINDS];
    const struct stack_node *stack; /* in model->starts */
    struct place frame;
    struct slice label; /* of the frame, where its function's name says little; ptr NULL: the name does; from
                         * model_label_frames() on */
    struct slice
        error_trace; /* the user's frames of its latest dynamo_error, at most ERROR_TRACE_MAX; ptr NULL: none */
    struct slice subgraph;
    bool has_metrics, failed, empty;
    bool no_code;     /* the metrics say that it ended without code (has_guarded_code), and name no failure */
    bool suppressed;  /* torch._dynamo.config.suppress_errors */
    bool all_dynamic; /* torch._dynamo.config.assume_static_by_default is off: torch.compile(dynamic=True) */
    struct slice cudagraph_skip,
        backward_cudagraph_skip; /* PyTorch's text: why CUDA graphs were asked for and not used;
                                                             ptr NULL: none in the log */
    /* Compile time in microseconds, -1: not known. time_us is the sum of forward and backward. */
    int64_t time_us, forward_us, backward_us, phases_us[PHASES];
    int64_t backward_phases_us[PHASES]; /* by the metrics of the backward; -1: not known */
    int64_t runtime_us; /* what *_metrics_runtime add after the compile: autotuning, CUDA graphs; -1: not known */
    int64_t restart_us; /* of forward_us: spent on traces that were thrown away; -1: not known */
    int64_t ops, nodes, inputs, guards;     /* -1: not known */
    int64_t parameters, parameter_bytes;    /* of the inputs: the weights; -1: not known */
    struct slice metrics, backward_metrics; /* JSON; ptr NULL: none */
    struct slice
        sizes; /* of Dynamo's inputs but weights, the latest graph's: JSON, {"l_x_": [2, "s0"]}; at most SIZES_BYTES_MAX; ptr NULL: none */
    int64_t failure, backward_failure; /* in model->failures, or -1 */
    const struct graph_trace *trace;   /* of its latest Dynamo graph, in the arena; NULL: it has none */
    bool has_code;                     /* it has output code; the collectives in all of it, in log order: */
    LIST(struct slice) code_calls;
    uint64_t *guard_facts;     /* guard_sets.h: of the latest tree of guards */
    uint32_t guard_fact_count; /* 0: not known */
    uint64_t bytes;
    LIST(struct kind_share) shares;  /* its records by kind */
    uint64_t log_records, log_bytes; /* of its records in the log */
};

struct folder {
    struct slice name;       /* "-_0_0_0" */
    uint32_t compile, entry; /* compile: of the latest record */
    int64_t attempt;         /* or PART_MISSING */
    uint64_t text_bytes;
    LIST(uint64_t) chunks; /* where each chunk of the text stream begins */
    bool has_code;
    struct calls calls;               /* of the latest output code */
    uint64_t graph_hash, guards_hash; /* noise_hash() of the latest Dynamo graph and its guards; 0: none */
    uint32_t open_chunk;              /* of the texts' business */
};

struct entry {
    struct slice key; /* "[0/0_1]" */
    bool listed;      /* a record of it is more than what the reference leaves out */
    LIST(uint32_t) artifacts;
    struct slice provenance; /* path of its provenance page; ptr NULL: none */
};

struct kind_count {
    struct slice key, name; /* name.ptr NULL: no artifact */
    uint64_t records, bytes;
};

enum config_kind { CONFIG_DYNAMO, CONFIG_INDUCTOR, CONFIG_FUNCTORCH, CONFIG_COMPILER, CONFIG_KINDS };
const char *config_kind_name(enum config_kind kind); /* "dynamo" */
/* Bounds where configurations are compared: so many of a kind, and so many settings told. */
enum { CONFIGS_COMPARED_MAX = 64, CONFIG_DIFFERENCES_MAX = 1000 };

struct config {
    enum config_kind kind;
    struct slice json;
    bool all_dynamic;     /* as in struct compile */
    LIST(uint32_t) users; /* of compiles.items, that logged it: each once for each time in a row */
};

/* A file of the log. */
struct log_file {
    struct slice name;
    uint64_t bytes, first_line, records; /* first_line: in the whole log, from 1; 0: it was not read */
    struct slice damage;                 /* why it could not be read, or not to its end; ptr NULL: it could */
};

/* A process that wrote records of the log. */
struct log_process {
    uint64_t id;     /* of no other process: what `process` of a compile is */
    uint64_t number; /* after the time stamp of its records */
    uint32_t nth;    /* of the processes with that number, from 1 */
    uint64_t records, compiles, first_line;
};
enum { LOG_PROCESSES_MAX = 4096 };

struct fault {
    const char *what; /* a constant */
    uint64_t line, count;
};

/* Texts that are compared between ranks. */
enum note_kind {
    NOTE_COLLECTIVES, /* inductor_collective_schedule: [op, …] */
    NOTE_RUNTIME,     /* inductor_runtime_and_tensor_meta */
    NOTE_EXECUTION,   /* graph_execution: {graph_execution_order: […]} */
    NOTE_DECISION,    /* what the ranks told each other: aot_joint_graph_sync_decision_cross_ranks and its like */
};
struct note {
    enum note_kind kind;
    uint32_t folder;
    struct slice name; /* of the artifact */
    struct slice text; /* strict JSON, but for decisions, which are any text */
};

/* Records that carry a stack and no compile id, of one stack. */
struct unattributed {
    const struct stack_node *stack; /* in model->stacks */
    uint64_t records;
    LIST(uint32_t) artifacts; /* in model->artifacts */
};
enum { UNATTRIBUTED_MAX = 2000 }; /* distinct stacks; records of further ones are counted in unattributed_more */

struct cache_keys; /* cache_keys.h */
struct exports;    /* export.h */
struct vllm;       /* vllm.h */
struct kernels;    /* kernels.h */
struct timeline;   /* timeline.h */
struct extras;     /* extras.h */

struct guard_sets; /* guard_sets.h */

/* A part of the model that another module made and knows how to free. */
struct owned_part {
    void *part;
    void (*destroy)(void *part);
    struct owned_part *next;
};

struct model {
    struct arena arena;
    struct owned_part *owned;      /* in the arena */
    struct guard_sets *guard_sets; /* NULL: no compile has guards */
    struct stacks starts;          /* of dynamo_start: the stack tree */
    struct stacks stacks;          /* all others */
    LIST(struct compile *) compiles;
    LIST(struct id_lists *) ids;
    LIST(struct folder) folders;
    LIST(struct entry) entries;
    LIST(struct artifact) artifacts;
    LIST(struct kind_count) kinds;
    LIST(struct graph_break *) breaks;
    LIST(struct failure) failures;
    LIST(struct restart) restarts;
    LIST(struct config) configs;
    LIST(struct fault) faults;
    LIST(struct log_file) files;        /* in the order in which they were read */
    LIST(struct log_process) processes; /* in the order of their first records, at most LOG_PROCESSES_MAX */
    uint64_t more_process_records;      /* of processes beyond the list */
    struct map process_map;             /* process → place in processes */
    bool shared_numbers;                /* two processes have the same number */
    bool empty;                         /* the log holds no record at all */
    LIST(struct slice) unknown_keys;
    LIST(struct note) notes;
    LIST(struct unattributed) unattributed;
    struct map unattributed_map; /* index of the stack's node → place in unattributed */
    uint64_t unattributed_more;
    struct cache_keys *cache_keys;         /* NULL: no cache said what its keys are made of */
    struct vllm *vllm_facts;               /* NULL: the log is not vLLM's */
    struct kernels *kernels;               /* NULL: the log has no output code */
    struct exports *exports;               /* NULL: the log says nothing of expressions or exports */
    struct timeline *timeline;             /* NULL: the log has no chromium events */
    struct extras *extras;                 /* NULL: the log has none of those */
    struct map frame_map;                  /* process and frame → epoch */
    struct map id_map;                     /* ids as texts → ids */
    struct map folder_pair_map, bound_map; /* folders of compiles; processes, up to a bound */
    uint32_t bound_count;
    struct map compile_map, folder_map, entry_map, kind_map, break_map, config_map, unknown_map, dump_map, payload_map,
        break_pair_map, dynamic_map;
    uint32_t framed_count;
    uint64_t process_count;            /* processes that have compiles; from model_name_compiles() on */
    uint32_t dynamic_count;            /* of dynamic_map, which is dynamic.c's business */
    bool marked;                       /* a tensor has dimensions that are marked dynamic */
    bool inner;                        /* another report stands in the folder above, with those of other ranks */
    bool further;                      /* not the log's first report: raw.log lies in the folder above */
    struct world_hints world;          /* by the graphs */
    uint32_t trace_steps, trace_calls; /* kept of all compiles */
    bool has_rank, vllm;
    uint64_t rank;
    struct slice torch, python, cuda, triton; /* ptr NULL: not known */
    uint64_t events;                          /* in chromium_events.json */
    bool events_lost;          /* a record that may have been an event could not be read, and others followed it */
    bool loss_pending;         /* the latest record could not be read */
    int64_t first_us, last_us; /* of the chromium events, since the epoch; 0: none */
    struct slice file_name;
    uint64_t
        other_ranks_bytes; /* of log_bytes: records of ranks that have a report of their own, or were not asked for */
    uint64_t log_bytes, records;
    uint64_t last_line; /* where the last record begins */
    uint64_t cache_counts[CACHES_COUNTED][OUTCOMES_COUNTED];
    uint64_t next_number;
    uint64_t more_faults; /* beyond the list */
    uint64_t counters[COUNTERS];
};

void model_finish(struct model *model);
/* model_finish() calls destroy(part), before the arena is freed. */
void model_own(struct model *model, void *part, void (*destroy)(void *part));
/* The folder of a record's compile id, made where it is new, with its entry, and set to the newest generation of the id in
 * that process. */
uint32_t model_folder(struct model *model, uint64_t process, const struct compile_id *id, uint64_t line);
/* The folder's id begins its next generation in that process: a compile without any records. */
void model_next_generation(struct model *model, uint32_t folder, uint64_t process, const struct compile_id *id);
/* The newest compile of an id as text ("0/1") in a process; NULL: there is none. */
struct compile *model_newest(const struct model *model, uint64_t process, struct slice id);
/* The compile that events of the process `from` began last, without a record of its own yet, is one of the process `to`. */
void model_hand_over(struct model *model, uint64_t from, uint64_t to);
struct compile *model_compile_of(struct model *model, uint32_t folder);
/* Marks that the compile has a dynamo_start or metrics. */
void model_framed(struct model *model, struct compile *compile);
/* Adds to the model; the texts are copied, but for url and readable_url, which live in the arena already. */
struct artifact *model_add_artifact(struct model *model, const struct artifact *artifact);
/* The outcome of a cache, by the artifact's url; OUTCOME_NONE: it is not the record of one. */
enum cache_outcome artifact_outcome(const struct artifact *artifact);
/* Its mark in compile_directory.json and on the contract's pages, cache_outcome_suffix(). */
const char *artifact_suffix(const struct artifact *artifact);
/* The compile to which it belongs. */
const struct compile *artifact_compile(const struct model *model, const struct artifact *artifact);
void model_add_shape_record(struct model *model, struct compile *compile, enum shape_kind kind,
                            const struct shape_record *fact);
/* Adds to the list; adjacent lines of the same fault are one, and the list has a bound. `what` is a constant. */
void model_add_fault(struct model *model, const char *what, uint64_t line, uint64_t count);
/* What ranks are compared by, of the compile's latest Dynamo graph, and of its output codes; copied, up to GRAPH_STEPS_LOG_MAX
 * and GRAPH_CALLS_LOG_MAX. NULL: the text has none of it. */
void model_keep_trace(struct model *model, struct compile *compile, const struct graph_trace *trace);
void model_keep_calls(struct model *model, struct compile *compile, const struct graph_trace *trace);
enum status compile_status(const struct compile *compile);
/* Whether it ended with neither code nor failure though a graph was made of it. PyTorch notes an Exception in the metrics, but not
 * what is no Exception: KeyboardInterrupt, SystemExit. (A frame that Dynamo skipped has no code either, but no graph.) */
bool compile_is_interrupted(const struct model *model, const struct compile *compile);
/* Compile time that it lost to restarts, in microseconds; -1: it did not restart, or failed, or it is not known. */
int64_t compile_lost_us(const struct compile *compile);
/* A record with a stack and no compile id; its artifacts begin at the place `artifact`. */
void model_add_unattributed(struct model *model, const struct stack_node *stack, size_t artifact);
/* Places in model->compiles in the order of the report: framed ones first, by their order. malloc'ed, the caller frees. */
uint32_t *model_order(const struct model *model);
struct slice model_copy(struct model *model, struct slice text); /* keeps ptr NULL */

#endif
