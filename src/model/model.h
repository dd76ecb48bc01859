/* model.h - everything known about one log.
 *
 * The fold fills it in log order. When it is complete, the writers of the final files (report.json, the page's data,
 * index.html) read it. All texts are copies in its arena and live until model_finish(), except metrics, which are in a
 * spool. It grows with what a report lists (compile ids, artifacts, distinct stacks and breaks), not with the size of
 * the log.
 *
 * A compile is one run of the compiler on one frame. It is identified by a process, a compile id without its attempt,
 * and a generation, because torch._dynamo.reset() starts the ids again. A folder is a compile id with its attempt, as
 * a place for files. An entry is a key of compile_directory.json. Processes and generations share folders and entries,
 * so a folder only refers to the compile of its latest record. Code that keeps something beyond a record keeps the
 * compile.
 *
 * Single-threaded. Exceptions: stack nodes are immutable, and a list prefix may be read once its length has been
 * captured. */
#pragma once

#include "model/cache.h"
#include "model/counters.h"
#include "scan/graph_trace.h"
#include "scan/text_counts.h"
#include "trace/compile_id.h"
#include "trace/stack.h"

/* Adds to a sum of times or counts; -1 means unknown. */
static inline void add_known(int64_t *sum, int64_t more) {
    if (more >= 0)
        *sum = (*sum < 0 ? 0 : *sum) + more;
}

/* A text that is not in memory, but in a spool of the report (sink/spool.h). len 0: none. */
struct spooled_text {
    uint64_t offset;
    size_t len;
};

enum status { STATUS_MISSING, STATUS_OK, STATUS_RESTART, STATUS_EMPTY, STATUS_ERROR };
const char *status_name(enum status status);

/* The language of a text, for the page's editor. */
enum lang {
    LANG_NONE, /* not said */
    LANG_TEXT,
    LANG_PYTHON,
    LANG_CPP,
    LANG_JSON,
    LANG_GRAPH,  /* an FX graph, printed */
    LANG_GUARDS, /* a tree of guards */
    LANGS,
};
/* The name in report.json and in the pages: "python"; NULL for LANG_NONE. */
const char *lang_name(enum lang lang);

enum { NUMBER_NONE = -1 };

struct place {
    struct slice file; /* ptr NULL: no place */
    struct slice function;
    uint64_t line;
};

struct artifact {
    struct slice name;                /* "fx_graph_runnable" */
    struct slice kind;                /* the envelope's key: "artifact", "dynamo_output_graph", … */
    struct slice url;                 /* path in the report, or an external address; ptr NULL: no file */
    struct slice payload_url;         /* if url is a page: the file with the unchanged text; ptr NULL: url is that
                                       * file, or there is none */
    struct slice readable_url;        /* ptr NULL: none; empty: the reference would have an entry, but there is
                                       * nothing to show */
    struct slice subgraph;            /* ptr NULL: none */
    const struct text_counts *counts; /* NULL: none */
    enum lang lang;
    uint64_t line;        /* line of the record in the log */
    int64_t day_us;       /* microseconds since midnight; -1: unknown */
    uint64_t bytes;       /* of the text */
    uint64_t text_offset; /* in the folder's stream; invalid unless has_text */
    int64_t number;       /* or NUMBER_NONE */
    uint32_t folder, compile;
    bool has_text;
    bool listed; /* listed in compile_directory.json */
    bool outer;  /* url is an external address */
};

/* A link on the pages of a compile, in log order. Immutable once added, except for next. */
struct artifact_link {
    struct artifact_link *next;
    struct slice name, url;
    bool outer;
};

/* Why a size became dynamic (recompiles/dynamic.h). */
enum dynamic_by {
    DYNAMIC_UNKNOWN,
    DYNAMIC_MARK,
    DYNAMIC_AUTOMATIC,
    DYNAMIC_COMPILE,
    DYNAMIC_EXPORT,
    DYNAMIC_SHAPES,
    DYNAMICS
};

/* A symbol, guard or specialization. Which texts are set depends on the kind. */
enum shape_kind { SHAPE_SPECIALIZATION, SHAPE_GUARD, SHAPE_SYMBOL, SHAPE_UNBACKED, SHAPE_KINDS };
struct shape_record {
    struct shape_record *next;         /* next of the same kind and compile, in log order */
    struct shape_record *next_of_name; /* next of the same kind and id, in any compile */
    struct slice symbol, value, range, source, text;
    const struct stack_node *user_stack, *stack;
    uint64_t line; /* line of the record in the log */
    uint32_t folder;
    enum dynamic_by dynamic_by; /* of a symbol */
    struct slice dynamic_why;   /* "128 → 256", from the event automatic_dynamic; ptr NULL: unknown */
};

struct failure {
    uint32_t compile, folder;
    struct slice type, reason;
    struct place place;
    struct place raised_at; /* the last line of its traceback */
    struct slice raised_code;
    /* If the function that Dynamo ran with constants raised it: that function; file.ptr NULL: unknown */
    struct place called;
    struct slice url; /* of the compilation_metrics page */
    bool backward;
    bool before_start; /* PyTorch 2.6: the frame was rejected; the log does not show whether the exception
                        * reached the program */
    uint32_t framed; /* number of compiles of the log at this record: later compiles have this order or a higher one */
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
    struct slice key;    /* of the cache; ptr NULL: unknown */
    struct slice detail; /* kind of miss: "full_miss", "guard_miss"; ptr NULL: unknown */
    bool guard_miss;     /* the cache has the key, but no entry whose guards hold */
    struct slice guards; /* for a guard miss: guards of an entry that fail; ptr NULL: unknown */
    uint32_t components; /* of the key: index in model->cache_keys, or UINT32_MAX */
    int64_t attempt;     /* the attempt that looked it up, or PART_MISSING */
    uint64_t event_us;   /* time of the lookup; 0: unknown */
    int64_t time_us;     /* for a miss, the compile time; for a hit, the saved time; -1: unknown */
};

enum { CALLEES_MAX = 8 };
struct graph_break {
    struct slice gb_id, reason, explanation, url; /* ptr NULL if there is none */
    struct slice context;                         /* for developers: the exact construct that broke the graph */
    struct slice raised;                          /* the exception that the code raised: "ValueError('no')" */
    /* The consequence if Dynamo could not split the frame: "graph break in loop", GB7000. */
    struct slice then_reason, then_explanation, then_id;
    LIST(uint32_t) then_of; /* those of `compiles` with that consequence, in log order */
    bool skipped;           /* the frame was skipped at least once and runs eagerly */
    bool announced; /* an exception of the compiler; another break of the compile, or its failure, shows how it ended */
    bool library;   /* the line is in a library */
    LIST(struct slice) hints;
    LIST(struct slice)
    callees; /* distinct functions that PyTorch's hints advise against calling; at most CALLEES_MAX */
    struct place place;
    LIST(struct frame) stack;
    LIST(uint32_t) compiles; /* distinct, in order */
    uint64_t count;
};

/* Times in microseconds by phase, in the order of the JSON. */
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
enum { KIND_SHARES_MAX = 256 }; /* per compile; the sums include further kinds */

/* Parts of a compile's run time. */
enum runtime_part {
    RUNTIME_AUTOTUNE,   /* runtime_triton_autotune_time_us */
    RUNTIME_CUDAGRAPHS, /* runtime_cudagraphify_time_us */
    RUNTIME_COMPILE,    /* compilation at run time: a backward without a compile id */
    RUNTIME_OTHER,      /* not logged */
    RUNTIME_PARTS,
};

/* What the reference's pages show for an id: everything logged for it so far, for all processes and generations. */
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

struct guard_checks; /* scan/guard_checks.h */
#define NO_EARLIER UINT32_MAX
enum { SIZES_BYTES_MAX = 2048, ERROR_TRACE_MAX = 16 << 10 };
enum { CHANGED_MAX = 32 };
struct changed {
    struct slice source;
    struct place place; /* the user's line with the change; file.ptr NULL: unknown */
    /* "meter.add", the call in the line above that leads to the function with the change, and the line of that
     * function; ptr NULL: not logged. */
    struct slice called;
    struct place caller;
};
struct compile {
    struct slice id;  /* "0/1"; not unique */
    struct slice key; /* "0/1", "0/1#2", "4711:0/1#2": unique in the report; set by model_name_compiles() */
    uint32_t index;   /* in model->compiles */
    struct id_lists *of_id;
    uint64_t process;    /* id of a struct process; model_process() has its number */
    uint32_t generation; /* generation of its id in its process, from 1 */
    uint32_t older;      /* index of the previous generation, unless this is the first */
    uint32_t epoch;      /* of its frame id in its process: shared by compiles of a frame between two resets */
    /* Number of earlier resets of its process that are visible in the log; set by model_find_earlier() */
    uint32_t resets;
    uint32_t earlier; /* for a frame's first compile: the latest compile of the same code before the latest
                       * reset, as an index in model->compiles; or NO_EARLIER */
    int64_t autograd_id, frame_id, frame_compile_id;
    bool framed;  /* has a dynamo_start or compilation_metrics, so it is a compile; otherwise, it only holds records */
    bool started; /* has a dynamo_start */
    uint32_t order;                    /* position among the framed ones */
    uint64_t first_line, metrics_line; /* lines in the log of its first record and of its metrics; 0: none */
    bool ends_export;                  /* its metrics end the trace of a strict torch.export */
    LIST(uint32_t) folders;
    LIST(int64_t) attempts;
    bool has_attempt_0;
    LIST(uint32_t) artifacts;
    LIST(struct slice) reasons, restarts;
    LIST(struct changed) changed; /* state that the function changes when it runs; at most CHANGED_MAX */
    LIST(uint32_t) breaks;
    uint32_t last_break; /* of those, the one that was logged last */
    LIST(struct cache_result) caches;
    LIST(struct cache_result) further_caches; /* extras.h */
    int64_t runtime_parts_us[RUNTIME_PARTS];  /* parts of runtime_us; 0: none */
    struct {
        struct shape_record *first, **last;
        size_t count;
    } shapes[SHAPE_KINDS];
    const struct stack_node *stack; /* in model->starts */
    const struct stack_node *start; /* the stack in dynamo_start; compiles of the same call share the node. The node may
                                     * be in no list: see caller_from */
    const char *caller_from;        /* the kind of record whose stack has the callers, set by compile_callers_find();
                                     * NULL: dynamo_start */
    const char *captured;           /* where Compiled Autograd captured its backward, or which backward it is, set by
                                     * captures_join(); NULL: unknown, or not captured */
    struct place frame;
    struct slice label; /* describes the frame if its function's name says little, set by model_label_frames(); ptr
                         * NULL: the name suffices */
    /* The user's frames of its latest dynamo_error, at most ERROR_TRACE_MAX; ptr NULL: none */
    struct slice error_trace;
    /* Line of its latest dynamo_error that make_fx, the tracer of AOTAutograd, raised; 0: none */
    uint64_t traced_error;
    struct slice subgraph;
    uint32_t exports_ended; /* the value of its process when its latest storage was described */
    uint64_t describer;     /* of its last storage */
    bool described;         /* a storage was described */
    bool wraps_parameters;  /* a weight is a tensor subclass that wraps tensors, so PyTorch computes param_bytes from
                             * the outer dtype and size, which may be that of dequantized data or of all shards */
    bool has_metrics, has_backward_metrics, failed, empty;
    bool no_versions; /* the cache had no version of the frame (accumulated_cache_size), so it replaces none */
    bool no_code;     /* its metrics show no code (has_guarded_code), but no failure either */
    bool suppressed;  /* torch._dynamo.config.suppress_errors */
    /* assume_static_by_default is off and automatic_dynamic_shapes is on in torch._dynamo.config:
     * torch.compile(dynamic=True) or torch.export. torch._dynamo.export turns both off. */
    bool all_dynamic, export_dynamic; /* the latter: torch._dynamo.export, with assume_static_by_default off */
    /* torch._dynamo.export: constant_fold_autograd_profiler_enabled, which versions after 2.6 set there */
    bool exported;
    struct slice cudagraph_skip,
        backward_cudagraph_skip; /* PyTorch's reason why requested CUDA graphs were not used; ptr NULL: not logged */
    /* Compile time in microseconds; -1: unknown. time_us is the sum of forward and backward. */
    int64_t time_us, forward_us, backward_us, phases_us[PHASES];
    int64_t backward_phases_us[PHASES]; /* from the metrics of the backward; -1: unknown */
    int64_t runtime_us; /* from *_metrics_runtime after the compile: autotuning, CUDA graphs; -1: unknown */
    int64_t untimed_us; /* between the start and end in its metrics, but in no timer; at most 0: none */
    int64_t restart_us; /* part of forward_us spent on discarded traces; -1: unknown */
    int64_t gc_us;      /* part of the compile time: garbage collection at its end; 0: none, or not logged */
    int64_t started_us; /* when it started, since the epoch; 0: unknown */
    /* Time that PyTorch spent writing records with this frame's id so far, including earlier generations: at the end of
     * the forward, and of the latest backward; 0: not logged. */
    int64_t logging_us[2];
    int64_t ops, nodes, inputs;          /* from its metrics; -1: unknown */
    struct graph_size graph;             /* of its latest Dynamo graph; graphs 0: none */
    int64_t tree_guards, guard_count;    /* of its latest guard tree; and the count in PyTorch's metrics; -1: unknown */
    int64_t parameters, parameter_bytes; /* weights among the inputs; -1: unknown */
    struct spooled_text metrics, backward_metrics; /* JSON */
    struct slice torch;                            /* the version in its metrics; ptr NULL: unknown */
    struct slice sizes; /* sizes of Dynamo's inputs, without weights, in the latest graph, as JSON: {"l_x_": [2,
                         * "s0"]}; at most SIZES_BYTES_MAX; ptr NULL: none */
    int64_t failure, backward_failure; /* index in model->failures, or -1 */
    const struct graph_trace *trace;   /* of its latest Dynamo graph, in the arena; NULL: none */
    uint64_t graph_hash, guards_hash;  /* noise_hash() of that graph and of the latest guards; 0: none */
    uint64_t graph_line;               /* line of the record of that graph */
    int64_t graph_attempt;             /* the attempt that produced it, or PART_MISSING */
    struct slice graph_symbol;         /* for a compile without a frame: the first symbolic size among the inputs of its
                                        * first graph; or ptr NULL */
    uint64_t graph_symbol_line;        /* of that graph's record */
    uint32_t changed_inputs;           /* number of inputs that its latest graph mutates, according to AOTAutograd */
    uint32_t float32_products;  /* number of float32 matrix products in its post-grad graphs, see node_sources.h */
    struct place float32_place; /* place of the first one; file.ptr NULL: unknown */
    uint32_t cuda_capability;   /* the lowest capability in its output code; 0: unknown */
    bool has_code; /* has output code; the members below count the collectives in all of it, in log order */
    LIST(struct slice) code_calls;
    const struct guard_checks *checks; /* guard_checks.h: of the latest guard tree; NULL: none. kept_checks.h sets it */
    bool modules_not_inlined;          /* config.inline_inbuilt_nn_modules is off */
    uint64_t *guard_facts;             /* guard_sets.h: of the latest guard tree */
    uint32_t guard_fact_count;         /* 0: unknown */
    uint32_t guard_trees;              /* number of trees read for guard_facts */
    uint64_t bytes;
    LIST(struct kind_share) shares;  /* its records by kind */
    uint64_t log_records, log_bytes; /* of its records in the log */
};

struct folder {
    struct slice name;       /* "-_0_0_0" */
    uint32_t compile, entry; /* compile: the compile of the latest record */
    int64_t attempt;         /* or PART_MISSING */
    uint64_t text_bytes;
    LIST(uint64_t) chunks; /* start of each chunk of the text stream */
    bool has_code;
    struct calls calls;  /* of the latest output code */
    uint32_t open_chunk; /* for pages/texts.c */
};

struct entry {
    struct slice key; /* "[0/0_1]" */
    bool listed;      /* the reference lists at least one of its records */
    LIST(uint32_t) artifacts;
    struct slice provenance; /* path of its provenance page; ptr NULL: none */
};

struct kind_count {
    struct slice key, name; /* name.ptr NULL: not an artifact */
    uint64_t records, bytes;
};

enum config_kind { CONFIG_DYNAMO, CONFIG_INDUCTOR, CONFIG_FUNCTORCH, CONFIG_COMPILER, CONFIG_KINDS };
const char *config_kind_name(enum config_kind kind); /* "dynamo" */
/* Limits on the comparison of configurations: configurations per kind, and listed settings. */
enum { CONFIGS_COMPARED_MAX = 64, CONFIG_DIFFERENCES_MAX = 1000 };

struct config {
    enum config_kind kind;
    struct slice json;
    bool all_dynamic, export_dynamic, exported; /* as in struct compile */
    LIST(uint32_t) users; /* indices of compiles that logged it, without consecutive repetitions */
};

/* A file of the log. */
struct log_file {
    struct slice name;
    uint64_t bytes, first_line, records; /* first_line: in the whole log, from 1; 0: the file was not read */
    struct slice damage;                 /* why it could not be read completely; ptr NULL: no problem */
};

/* A process that wrote records of the log. */
struct log_process {
    uint64_t id;     /* unique; `process` of a compile is this id */
    uint64_t number; /* the number after the timestamp of its records */
    uint32_t nth;    /* counts the processes with this number from 1 */
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
    NOTE_DECISION,    /* decisions exchanged between ranks: aot_joint_graph_sync_decision_cross_ranks and similar */
};
struct note {
    enum note_kind kind;
    uint32_t folder, compile;
    struct slice name; /* of the artifact */
    struct slice text; /* strict JSON, except for decisions, which are arbitrary text */
};

/* Records with the same stack but without a compile id. */
struct unattributed {
    const struct stack_node *stack; /* in model->stacks */
    uint64_t records;
    LIST(uint32_t) artifacts; /* in model->artifacts */
};
enum { UNATTRIBUTED_MAX = 2000 }; /* distinct stacks; records with other stacks are counted in unattributed_more */

struct cache_keys;         /* cache_keys.h */
struct set_settings;       /* set_settings.h */
struct exports;            /* export.h */
struct vllm;               /* vllm.h */
struct kernels;            /* kernels.h */
struct graph_memories;     /* graph_memory.h */
struct source_lines;       /* source_lines.h */
struct all_module_records; /* modules/module_records.h */
struct timeline;           /* timeline.h */
struct extras;             /* extras.h */

struct guard_sets; /* guard_sets.h */
struct profile;

/* A part of the model that belongs to another module, which also frees it. */
struct owned_part {
    void *part;
    void (*destroy)(void *part);
    struct owned_part *next;
};

struct model {
    struct arena arena;
    struct owned_part *owned;      /* in the arena */
    struct guard_sets *guard_sets; /* NULL: no compile has guards */
    struct profile *profile;       /* profile/profile.h; NULL: none was given */
    struct stacks starts;          /* stacks of dynamo_start: the stack tree */
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
    LIST(struct slice) unread_folders;  /* folders that could not be searched for logs, each with the reason */
    LIST(struct log_process) processes; /* in the order of their first records, at most LOG_PROCESSES_MAX */
    uint64_t more_process_records;      /* records of processes that are not listed */
    struct map process_map;             /* process → index in processes */
    bool shared_numbers;                /* two processes share a number */
    bool empty;                         /* the log has no records */
    LIST(struct slice) unknown_keys;
    LIST(struct note) notes;
    LIST(struct unattributed) unattributed;
    struct map unattributed_map; /* index of the stack's node → index in unattributed */
    uint64_t unattributed_more;
    struct cache_keys *cache_keys;         /* NULL: no cache key components are logged */
    struct set_settings *set_settings;     /* NULL: no fx_graph_runnable has settings */
    struct vllm *vllm_facts;               /* NULL: the log is not from vLLM */
    struct kernels *kernels;               /* NULL: the log has no output code */
    struct graph_memories *memories;       /* NULL: the same */
    struct source_lines *lines;            /* NULL: no graph and no guard has a line */
    struct all_module_records *modules;    /* NULL: no record names a module, and there is no Dynamo graph */
    struct exports *exports;               /* NULL: the log has no expressions or exports */
    struct timeline *timeline;             /* NULL: the log has no chromium events */
    struct extras *extras;                 /* NULL: the log has none */
    struct map frame_map;                  /* process and frame, or one of its ids → epoch */
    struct map id_map;                     /* id as text → id */
    struct map folder_pair_map, bound_map; /* folders of compiles; processes, up to a limit */
    uint32_t bound_count;
    struct map compile_map, folder_map, entry_map, kind_map, break_map, config_map, unknown_map, dump_map, payload_map,
        own_name_map, break_pair_map, dynamic_map;
    uint32_t framed_count;
    uint64_t process_count;                  /* number of processes with compiles; set by model_name_compiles() */
    uint32_t dynamic_count;                  /* size of dynamic_map; for recompiles/dynamic.c */
    LIST(struct slice) dynamic_whys;         /* changes in automatic_dynamic events; dynamic_map has their indices */
    bool autograd_captures;                  /* Compiled Autograd captured a graph */
    bool marked;                             /* some tensor has dimensions marked as dynamic */
    bool cpu_tensors, cuda_tensors;          /* describe_tensor shows tensors on these devices */
    bool profiled;                           /* a profile will be joined, so the order of calls in codes is kept */
    bool inner;                              /* the parent folder has another report, of several ranks */
    bool further;                            /* not the first report of the log: raw.log is in the parent folder */
    struct world_hints world;                /* from the graphs */
    LIST(const struct graph_trace *) traces; /* distinct ones */
    struct map trace_map;                    /* hash → the latest of `traces` with it */
    uint32_t trace_steps, trace_calls;       /* stored for all compiles */
    bool has_rank, vllm;
    uint64_t rank;
    struct slice torch, python, cuda, triton; /* ptr NULL: unknown */
    struct slice torch_commit;         /* of PyTorch's public repository; empty: none, or processes differ; ptr NULL:
                                               * no record */
    uint64_t events;                   /* in chromium_events.json */
    bool events_lost;                  /* a malformed record that may have been an event is followed by other records */
    bool loss_pending;                 /* the latest record was malformed */
    int64_t first_us, last_us;         /* times of the chromium events, since the epoch; 0: none */
    int64_t run_first_us, run_last_us; /* of events and records; 0: there are no events, which tell the time zone */
    int64_t prefixes_us;               /* from the first to the last record by their prefixes; -1: unknown */
    struct slice file_name;
    /* Part of log_bytes: records of ranks that have their own report, or that were not selected */
    uint64_t other_ranks_bytes;
    uint64_t log_bytes, records;
    uint64_t last_line; /* line at which the last record begins */
    bool last_cut;      /* the log ends within the prefix of a record after the last one */
    bool last_damaged;  /* its payload does not match its MD5 */
    uint64_t cache_counts[CACHES_COUNTED][OUTCOMES_COUNTED];
    uint64_t next_number;
    uint32_t kept_checks; /* items of lists, see kept_checks.h */
    uint64_t more_faults; /* that are not listed */
    uint64_t counters[COUNTERS];
};

void model_finish(struct model *model);
/* model_finish() calls destroy(part) before it frees the arena. */
void model_own(struct model *model, void *part, void (*destroy)(void *part));
/* The folder of a record's compile id, and its entry, created if they are new. The folder is assigned to the newest
 * generation of the id in that process. */
uint32_t model_folder(struct model *model, uint64_t process, const struct compile_id *id, uint64_t line);
/* Begins the next generation of the folder's id in that process: a compile without records. */
void model_next_generation(struct model *model, uint32_t folder, uint64_t process, const struct compile_id *id);
/* The newest compile with this id ("0/1") in a process; NULL: none. */
struct compile *model_newest(const struct model *model, uint64_t process, struct slice id);
/* Moves the compile that events of process `from` began last, if it has no records yet, to process `to`. */
void model_hand_over(struct model *model, uint64_t from, uint64_t to);
struct compile *model_compile_of(struct model *model, uint32_t folder);
/* Marks that the compile has a dynamo_start or metrics. */
void model_framed(struct model *model, struct compile *compile);
/* Adds an artifact. Its texts are copied, except for url and readable_url, which are already in the arena. */
struct artifact *model_add_artifact(struct model *model, const struct artifact *artifact);
/* The cache result, from the artifact's url; OUTCOME_NONE: not a cache record. */
enum cache_outcome artifact_outcome(const struct artifact *artifact);
/* Its mark in compile_directory.json and on the reference's pages: cache_outcome_suffix(). */
const char *artifact_suffix(const struct artifact *artifact);
/* The compile that the artifact belongs to. */
const struct compile *artifact_compile(const struct model *model, const struct artifact *artifact);
void model_add_shape_record(struct model *model, struct compile *compile, enum shape_kind kind,
                            const struct shape_record *fact);
/* Adds an error. The same error on adjacent lines is merged, and the list is limited. `what` is a constant. */
void model_add_fault(struct model *model, const char *what, uint64_t line, uint64_t count);
/* Stores the trace that ranks are compared by, from the compile's latest Dynamo graph and from its output code. Copies
 * it, up to GRAPH_STEPS_LOG_MAX and GRAPH_CALLS_LOG_MAX, unless another compile has the same one. NULL: the text has
 * none. */
void model_keep_trace(struct model *model, struct compile *compile, const struct graph_trace *trace);
void model_keep_calls(struct model *model, struct compile *compile, const struct graph_trace *trace);
enum status compile_status(const struct compile *compile);
/* Whether the compile ended with neither code nor a failure although it had a graph. PyTorch records an Exception in
 * the metrics, but not KeyboardInterrupt and SystemExit, which are not Exceptions. (A frame that Dynamo skipped has no
 * code, either, but no graph.) */
bool compile_is_interrupted(const struct model *model, const struct compile *compile);
/* Whether its status is `empty` only because its metrics do not count ops, as for AOTInductor and export. */
bool compile_ops_unknown(const struct compile *compile);
/* What compiled it if it has no frame: "AOTInductor"; else NULL. */
const char *compile_what(const struct model *model, const struct compile *compile);
/* The number of checks in its latest guard tree, or PyTorch's guard_count if the log has no tree; -1: unknown. */
int64_t compile_guards(const struct compile *compile);
/* Compile time lost to restarts, in microseconds; -1: no restart, a failure, or unknown. */
int64_t compile_lost_us(const struct compile *compile);
/* Adds a record with a stack but without a compile id. Its artifacts begin at index `artifact`. */
void model_add_unattributed(struct model *model, const struct stack_node *stack, size_t artifact);
/* Indices into model->compiles in the order of the report: framed compiles first, by `order`. The caller frees the
 * list. */
uint32_t *model_order(const struct model *model);
/* PyTorch logs an exception of the traced code as a graph break. Whether the break is an assertion that fails during
 * tracing, or another exception that its line, or code of a library, raises. */
bool graph_break_is_assertion(const struct graph_break *found);
bool graph_break_is_raised(const struct graph_break *found);
/* Whether an operation that Dynamo ran with fake tensors raised the exception: its fake implementation may be wrong, so
 * the line need not raise it at run time. */
bool graph_break_is_fake(const struct graph_break *found);
/* Whether it is neither, and so a limitation of the compiler. Below: the number of such breaks in the log and in a
 * compile. */
bool graph_break_counts(const struct graph_break *found);
uint64_t model_graph_breaks(const struct model *model);
uint64_t compile_graph_breaks(const struct model *model, const struct compile *compile);
struct slice model_copy(struct model *model, struct slice text); /* Keeps ptr NULL. */
