/* chains.h - frames that were compiled more than once, and why.
 *
 * A chain is the compiles of one frame between two resets, in one process, in the order of their ids. A step is each compile
 * but the first: its guards are compared with those of earlier versions, and the nearest version is the one of whose guards
 * fewest fail in it (of equals the latest); one whose `self`, or a module among its arguments, is of another type is farther than all
 * others, and that type is the one change which is told of the object, before all others. A step has one cause: what the log's reason against the nearest version says, or
 * the first guard that differs. Guards that merely failed against other versions are not counted.
 *
 * Bounds: NEAREST_MAX versions before a step are compared, for the first STEPS_COMPARED_MAX steps of a chain; a later step
 * is compared with the version that the log's first reason names, and keeps its cause alone. CAUSES_MAX causes a chain.
 * Worked out of a report to which nothing more is added. Texts are slices of the report's, or live in the arena. */
#ifndef TLPARSE_ANALYSIS_CHAINS_H
#define TLPARSE_ANALYSIS_CHAINS_H

#include "model/guard_sets.h"
#include "model/model.h"

#define NO_VERSION UINT32_MAX
enum { NEAREST_MAX = 64, STEPS_COMPARED_MAX = 256, CAUSES_MAX = 256, CAUSE_VALUES_MAX = 8 };

/* A value of what changed. One that starts a row follows from none before it: 6 → 7, and 8 → 9. */
struct cause_value {
    struct slice text; /* ptr NULL: the log does not say; only where a row starts */
    bool starts;
};

/* What changed, of the steps that it caused. */
struct cause {
    enum guard_type type;
    struct slice guard;   /* "tensor 'x' size mismatch at index 0", "k == …" */
    struct slice source;  /* what it is about: "x", "k"; ptr NULL: not known */
    struct slice subject; /* the same for readers: "x.size()[0]", "len(xs)", "grad_mode"; ptr NULL: not known */
    struct slice
        first; /* the guard as it first failed: "k == 0", "tensor 'x' size mismatch at index 0. expected 2, actual 3" */
    struct slice example;  /* the first reason, whole; ptr NULL: the log has none */
    struct slice code;     /* the user's line; ptr NULL: not known */
    struct place place;    /* of that line */
    struct slice had, has; /* of the first step; ptr NULL: the log does not say */
    /* That came in the steps, in rows: 3 → 4 → 5. A row goes on with a step that begins at its end. */
    struct cause_value values[CAUSE_VALUES_MAX];
    size_t value_count;
    bool values_end;        /* there were more */
    bool open;              /* the log does not say what came in the last step */
    uint64_t count;         /* steps that it caused */
    uint64_t refused;       /* of them: compiles that the recompile limit refused */
    uint64_t others;        /* of them: where another guard would have failed as well */
    uint64_t also;          /* further steps in which it changed as well, beside their cause */
    uint32_t compile, last; /* the first and the last of those steps, in model->compiles */
};

struct step {
    uint32_t compile;      /* in model->compiles */
    uint32_t nearest;      /* the same, or NO_VERSION */
    guard_changes changes; /* the cause first */
    size_t change_count;   /* with those that are not in the list */
    struct slice reason;   /* the log's against the nearest, else its first; ptr NULL: none */
    bool reason_leads;     /* the first change is what it names */
};

/* The kinds of records that advice rests on. */
enum evidence_record { EVIDENCE_REASONS, EVIDENCE_GUARDS, EVIDENCE_SYMBOL, EVIDENCE_METRICS, EVIDENCE_RECORDS };
const char *evidence_record_name(enum evidence_record record); /* "recompile_reasons" */

struct evidence {
    enum evidence_record record;
    uint32_t compile;
    struct slice says; /* ptr NULL, or what it says: "recompile_limit 8" */
};
enum { EVIDENCE_MAX = 16 };

struct advice {
    bool of_limit;        /* of the recompile limit, and not of a cause: */
    enum guard_type type; /* of the cause */
    struct slice text;
    bool expected; /* nothing is wrong: the text says why there are several versions */
    struct evidence evidence[EVIDENCE_MAX];
    size_t evidence_count, evidence_more;
};

/* The limits of torch._dynamo.config, over a frame or over all of them, by their new and their old name. */
enum recompile_limit {
    LIMIT_RECOMPILE,
    LIMIT_CACHE_SIZE,
    LIMIT_ACCUMULATED_RECOMPILE,
    LIMIT_ACCUMULATED_CACHE_SIZE,
    RECOMPILE_LIMITS
};
const char *recompile_limit_name(enum recompile_limit limit); /* "recompile_limit" */
/* Whether it is counted over all compiles of a frame's code, whatever made it. */
bool recompile_limit_is_accumulated(enum recompile_limit limit);

struct chain {
    LIST(uint32_t) compiles;   /* in model->compiles, by frame_compile_id */
    LIST(struct step) steps;   /* of all but the first of them */
    LIST(struct cause) causes; /* the most frequent first */
    LIST(struct advice) advice;
    bool limit_hit;
    uint32_t limit_compile;           /* that hit it; NO_VERSION: none */
    enum recompile_limit which_limit; /* that was hit */
    int64_t limit;                    /* as configured, -1: the log does not say */
    size_t refused;                   /* compiles that the limit refused, which made no version */
    /* Others that the log gives a reason for, or that follow one that did not fail: a log of a forked process, or one that begins later,
     * may hold nothing else. */
    size_t recompiles;
    int64_t time_us; /* of both */
    struct place frame;
};

struct chains {
    LIST(struct chain) list;
    struct arena arena;
};

/* Whether the compile failed because its frame was compiled too often. */
bool is_limit_hit(const struct failure *failure);
/* That failure of the compile, or NULL. Up to PyTorch 2.6 it stands in metrics that look like a backward's. */
const struct failure *recompile_limit_failure(const struct model *model, const struct compile *compile);
void chains_find(struct chains *chains, const struct model *model);
void chains_finish(struct chains *chains);

/* recompile_steps.c */
/* The nth reason of the chain's compile at `place`, with what the guards of both compiles say of the values. */
struct guard_failure recompile_reason(const struct model *model, const struct chain *chain, size_t place, size_t nth,
                                      struct arena *arena);
/* The step to the chain's compile at `place`, which is not 0. */
struct step recompile_step(const struct model *model, const struct chain *chain, size_t place, struct arena *arena);

/* recompile_advice.c: what the log's evidence allows to suggest. */
/* Adds a setting of Dynamo as the compile logged it, "8" or "false"; false: the log does not say. */
bool recompile_setting(struct buf *out, const struct model *model, uint32_t compile, const char *name);
void recompile_advise(struct chain *chain, const struct model *model, struct arena *arena);

/* chain_words.c: the chain in a sentence, for findings. */
/* "`n` changed 3 → 4 → 5 … (7 of 7 recompiles). The limit refused 1 more.", and up to two causes more; the log may not say
 * why. */
void chain_add_why(struct buf *out, const struct chain *chain);
/* The first thing to do, else why several versions are usual; NULL: the log has no evidence for any advice. */
const struct advice *chain_advice(const struct chain *chain);
/* "recompile_reasons of 4/1, 4/2 …; create_symbol of 4/1 (s77)": a few records of each kind. */
void advice_add_evidence(struct buf *out, const struct model *model, const struct advice *advice);
/* Whether every cause is usual: training and evaluation, with and without gradients. */
bool chain_is_expected(const struct chain *chain);

#endif
