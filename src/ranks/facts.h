/* facts.h - what is kept of one rank's report for the comparison with the others.
 *
 * Taken when the report is whole; the report is freed afterwards, so all texts are copies in the facts' arena. */
#ifndef TLPARSE_RANKS_FACTS_H
#define TLPARSE_RANKS_FACTS_H

#include "model/checks.h"
#include "model/findings.h"
#include "model/model.h"
#include "model/timeline.h"

struct rank_compile {
    struct slice id, frame; /* frame: "f at /x/y.py:3" */
    enum status status;
    int64_t time_us, ops, guards;
    uint64_t graph_hash, guards_hash, reasons_hash;
    uint64_t reasons;
    struct slice reason; /* the first recompile reason, without noise */
    struct slice cache;  /* "hit miss bypass" of its artifacts, in order of number, a letter each */
};

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
    const char *kind;
    enum severity severity;
    enum impact impact;
    struct slice title, why, advice;
    struct place place;
    int64_t time_us;
    enum cost cost;
    bool library;
    struct place caller;
};

/* A setting of a configuration and a value it had, as numbers that src/ranks/settings.c gives them. */
struct rank_pair {
    uint32_t kind, setting, value;
};

struct rank_item {
    struct slice key, value;
};

struct rank_facts {
    struct arena arena;
    bool has_rank, bad;
    bool older; /* another log of this rank is newer: this one is not compared */
    uint64_t rank;
    char *dir, *file; /* the folder below the report's, "" for that itself; the log's name */
    char *error;      /* why it is bad, or what of it could not be read; NULL */
    uint64_t bytes, events, counters[COUNTERS];
    struct totals totals;
    int64_t first_us, last_us;
    struct slice torch, python, cuda, triton;
    LIST(struct rank_compile) compiles;
    LIST(struct rank_graph) schedules, runtimes;
    LIST(struct slice) execution; /* compile ids, or graph ids */
    LIST(struct rank_parity) parity;
    LIST(struct rank_finding) findings;
    LIST(struct slice) decisions;
    struct timeline *timeline;       /* totals and lanes only; NULL: none */
    LIST(struct rank_pair) settings; /* sorted; none: the log has no configuration */
    /* the settings in which ranks differ: "inductor.max_autotune" and its value, as JSON */
    LIST(struct rank_item) apart;
    struct slice cache; /* of the whole log, a letter for each artifact of a cache, in order of number */
};

/* dir and file are copied. */
void rank_facts_take(struct rank_facts *facts, struct report *report, const char *dir, const char *file);
/* Whether it stands for its rank in comparisons. */
static inline bool rank_is_compared(const struct rank_facts *facts) {
    return facts->has_rank && !facts->bad && !facts->older;
}
/* NULL where the rank has no such id. */
const struct rank_compile *rank_compile_by_id(const struct rank_facts *facts, struct slice id);
void rank_facts_finish(struct rank_facts *facts);

#endif
