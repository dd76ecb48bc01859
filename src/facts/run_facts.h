/* run_facts.h - the data of one log, or of a job of ranks, that is kept to compare it with another run (comparison.h).
 *
 * Taken when the model is complete. All texts are copies, so the model may be freed. Any thread may take facts; each
 * run_facts is used by one thread. Times are in microseconds; -1: unknown. */
#pragma once

#include "analysis/settings_in_effect.h"
#include "findings/finding.h"
#include "model/model.h"
#include "recompiles/chains.h"

struct run_compile {
    struct slice key, id;
    uint64_t generation;
};
/* A text whose key, without noise and numbers, is compared. */
struct run_text {
    struct slice key, text;
};
/* A setting that graphs were compiled with, from struct settings_in_effect. */
struct run_effect {
    enum config_kind kind;
    struct slice name, value, configured; /* configured.ptr is NULL as in struct setting_in_effect */
    bool simple;
};
/* A compile with known settings: those in `effects`, and otherwise the configured ones. */
struct run_graph {
    struct slice compile;   /* its key */
    struct slice config;    /* Inductor's configuration, in the texts; ptr NULL: none, or several */
    struct slice mode;      /* the mode of torch.compile() that sets exactly the settings that contradict the
                             * configuration; ptr NULL: none does */
    bool program;           /* as in struct effect_evidence */
    uint32_t not_in_key;    /* index in run_facts->not_in_key; NOT_KEYED: there is no key */
    LIST(uint32_t) effects; /* in run_facts->effects */
};
#define NOT_KEYED UINT32_MAX
enum { RUN_COMPILES_MAX = 64, RUN_REASONS_MAX = 64, RUN_TEXT_MAX = 500 };

/* The memory of the graphs of a function, or of a run (graph_memory.h): each the largest of all graphs. */
struct run_memory {
    uint64_t graphs, not_derived;
    int64_t peak;       /* with what the forward saved */
    bool peak_at_least; /* a graph may need more */
    int64_t saved;
    bool saved_unknown; /* a forward has no backward in the log, or was not derived */
};

/* The compiles of one function. */
struct run_function {
    struct slice key;        /* its name and file, which match functions even if lines move */
    struct slice name, file; /* file: empty if it is unknown */
    bool has_line;
    uint64_t line;
    LIST(struct run_compile) compiles; /* the first RUN_COMPILES_MAX */
    LIST(struct run_text) reasons;     /* distinct reasons of its recompiles, the first RUN_REASONS_MAX */
    LIST(struct run_graph) graphs;     /* the first RUN_COMPILES_MAX with known settings */
    uint64_t other_graphs;             /* number of compiles that are not in `graphs` */
    uint64_t compile_count, breaks, failed, recompiles, ops, guards, kernels;
    int64_t time_us, own_us[PHASES], other_us;
    bool has_phase[PHASES];
    bool outcomes[CACHE_OUTCOMES];
    struct run_memory memory;
};

/* A place where graphs break for one reason. */
struct run_break {
    struct slice key, id, reason; /* id.ptr NULL: none */
    struct place place;
    uint64_t count;
};

struct run_finding {
    struct slice key;
    enum finding_kind kind;
    enum severity severity;
    struct slice title;
    struct slice plain; /* as in struct finding; only read while it is being added */
    struct place place;
    int64_t time_us;
};

struct run_config {
    enum config_kind kind;
    struct slice json; /* in the texts: equal configurations have the same pointer */
    uint64_t compiles; /* number of compiles that logged it */
};

struct run_facts {
    struct arena arena;
    LIST(struct run_function) functions; /* in the order of their first compiles */
    LIST(struct run_break) breaks;
    LIST(struct run_finding) findings; /* in the order of the report */
    LIST(struct run_config)
    configs; /* at most CONFIGS_COMPARED_MAX per kind: those of the most compiles, which
              * come first */
    LIST(struct run_effect) effects;
    LIST(struct setting_names) not_in_key; /* settings that the keys of graphs lack */
    uint64_t recompiles, ops, guards, kernels;
    struct run_memory memory;
    uint64_t further_hits, further_bypasses; /* for caches other than the two that rank_facts counts */
};

/* Deduplicated configurations of all runs. Any thread. */
struct run_texts;
struct run_texts *run_texts_create(void);
void run_texts_destroy(struct run_texts *texts);

/* Creates empty facts. */
struct run_facts *run_facts_create(void);
/* The facts of a log, without its findings. The texts must outlive the facts. */
struct run_facts *run_facts_take(const struct model *model, const struct chains *chains, struct run_texts *texts);
void run_facts_add_finding(struct run_facts *facts, const struct run_finding *finding);
void run_facts_destroy(struct run_facts *facts);
