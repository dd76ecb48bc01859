/* chains.h - frames that were recompiled, and why.
 *
 * A chain consists of the compiles of one frame between two resets, in one process, in the order of their ids. Each
 * compile after the first is a step: its guards are compared with those of earlier versions. The nearest version is the
 * one with the fewest differences; on a tie, the latest one. A version is farther if it was for another kind of call:
 * for arguments of other types, ranks, lengths or members, or with a branch that reads other arguments. It is farther
 * than all others if its `self`, or a module among its arguments, has another type; that type is then the only change
 * listed for the object. If versions for the same module are known, only those are compared: that a call of one module
 * did not fit versions for others needs no explanation. A step has one cause: the guard in the log's reason against the nearest version, or the first
 * guard that differs. Guards that only failed against other versions are not counted.
 *
 * Limits: NEAREST_MAX versions before a step are compared, for the first STEPS_COMPARED_MAX steps of a chain. A later
 * step is compared with the version in the log's first reason and keeps only its cause. A chain has at most CAUSES_MAX
 * causes. Computed from the complete model. Texts are slices of the model, or in the arena. */
#pragma once

#include "model/model.h"
#include "recompiles/guard_changes.h"

#define NO_VERSION UINT32_MAX
enum { NEAREST_MAX = 64, STEPS_COMPARED_MAX = 256, CAUSES_MAX = 256, CAUSE_VALUES_MAX = 8, CAUSE_BESIDE_MAX = 4 };

/* A value of the subject of a change. A value that starts a row does not follow from the previous one: 6 → 7, and 8 →
 * 9. */
struct cause_value {
    struct slice text; /* ptr NULL: not logged; only at the start of a row */
    bool starts;
};

/* A version that is as near as the nearest one, with its first change. It has the value that the cause changed from, so
 * either may be the reason. */
enum { ALSO_NEAR_MAX = 3 };
struct also_near {
    uint32_t compile; /* in model->compiles */
    struct guard_change change;
};

/* A change, with the steps that it caused. */
struct cause {
    enum guard_type type;
    struct slice guard;   /* "tensor 'x' size mismatch at index 0", "k == …" */
    struct slice source;  /* the variable that it checks: "x", "k"; ptr NULL: unknown */
    struct slice subject; /* readable: "x.size()[0]", "len(xs)", "grad_mode"; ptr NULL: unknown */
    /* The guard when it first failed: "k == 0", "tensor 'x' size mismatch at index 0. expected 2, actual 3" */
    struct slice first;
    struct slice example;  /* the first reason in full; ptr NULL: none logged */
    struct slice code;     /* the user's line, at `place` if it is known; ptr NULL: unknown */
    struct place place;    /* of that line */
    struct slice had, has; /* values of the first step; ptr NULL: not logged */
    /* Values in the steps, in rows: 3 → 4 → 5. A step that begins with the last value of a row continues it. */
    struct cause_value values[CAUSE_VALUES_MAX];
    size_t value_count;
    bool values_end;        /* there were more */
    bool open;              /* the new value of the last step is not logged */
    uint64_t count;         /* steps that it caused */
    uint64_t refused;       /* of these: steps that the recompile limit refused */
    uint64_t others;        /* of these: steps in which another guard would have failed, too */
    uint64_t also;          /* further steps in which it changed in addition to their cause */
    uint32_t compile, last; /* Other changes in the first step, without strides, conditions, and members of replaced
                             * objects. */
    /* What else changed in the first step, without strides, conditions, and members of replaced objects. */
    struct guard_change beside[CAUSE_BESIDE_MAX];
    size_t beside_count, beside_more;
    bool beside_once[CAUSE_BESIDE_MAX]; /* it did not change in any later step of the cause */
    struct also_near near;              /* from the first step that has one; source of its change ptr NULL: none */
    uint32_t near_step;                 /* that step, in model->compiles */
};

struct step {
    uint32_t compile;      /* in model->compiles */
    uint32_t nearest;      /* the same, or NO_VERSION */
    guard_changes changes; /* the cause comes first */
    size_t change_count;   /* including those that are not listed */
    struct slice reason;   /* the logged reason against the nearest version, or else the first reason; ptr NULL: none */
    bool reason_leads;     /* the first change is the one in the reason */
    bool reason_alone;     /* the guards do not show the change in the reason */
    struct also_near also[ALSO_NEAR_MAX]; /* versions that are as near, but with a different first change */
    size_t also_count;
};

/* The kinds of records that advice rests on. */
enum evidence_record { EVIDENCE_REASONS, EVIDENCE_GUARDS, EVIDENCE_SYMBOL, EVIDENCE_METRICS, EVIDENCE_RECORDS };

struct evidence {
    enum evidence_record record;
    uint32_t compile;
    struct slice says; /* its relevant content: "recompile_limit 8"; or ptr NULL */
};
enum { EVIDENCE_MAX = 16 };

/* A number that advice makes dynamic from the start. */
struct dynamic_number {
    struct slice name;      /* readable: "x" */
    struct slice dimension; /* dimension of the tensor; empty: a number */
    struct slice source;    /* in TORCH_COMPILE_DYNAMIC_SOURCES: "L['x']:0" */
    struct slice list;      /* readable: a list whose items must all be marked, in every call; empty: only the tensor */
};

struct dynamic_advice {
    LIST(struct dynamic_number) numbers;
    struct slice lead; /* the start of the sentence; empty: none */
    struct slice tail; /* further instructions before the colon; empty: none */
    struct slice says; /* the text after the colon: the evidence */
    bool either;       /* `lead` is another way */
    bool marks;        /* mark_dynamic() can be called for all of them */
    bool in_words;     /* the names are those of a library's function */
    bool variable;     /* this version of PyTorch has the variable */
    bool whole;        /* it makes every dimension of a tensor dynamic, not only those that changed */
    bool late;         /* the first version has no such tensor */
};

struct advice {
    struct dynamic_advice *dynamic; /* what the text is made of; NULL: the advice is of another kind */
    bool of_limit;                  /* about the recompile limit, not about a cause */
    bool of_break;                  /* about the graph break that the changed values come from */
    enum guard_type type;           /* of the cause */
    struct slice text;
    bool expected;   /* this is normal: the text explains why there are several versions */
    bool but_first;  /* the first of its steps recompiles in any case */
    bool or_first;   /* the first step does so with the alternative setting in the text */
    bool multiplies; /* about a line that tests many numbers: each combination of outcomes is a version */
    bool partial;    /* the alternative is to accept a version for each value */
    size_t steps;    /* that it is about */
    size_t saves;    /* number of recompiles that it would have prevented; 0 if `expected` or `of_limit` */
    size_t may_save; /* further ones, unless an operator or Python needs the value of the number */
    struct evidence evidence[EVIDENCE_MAX];
    size_t evidence_count, evidence_more;
};

/* The limits of torch._dynamo.config, per frame or in total, by their new and old names. */
enum recompile_limit {
    LIMIT_RECOMPILE,
    LIMIT_CACHE_SIZE,
    LIMIT_ACCUMULATED_RECOMPILE,
    LIMIT_ACCUMULATED_CACHE_SIZE,
    RECOMPILE_LIMITS
};
const char *recompile_limit_name(enum recompile_limit limit); /* "recompile_limit" */
/* Whether the limit applies to all compiles of a frame's code, regardless of their cause. */
bool recompile_limit_is_accumulated(enum recompile_limit limit);

struct chain {
    LIST(uint32_t) compiles; /* in model->compiles, by frame_compile_id */
    uint32_t *
        modules; /* for each of them, the number of the module that it is for; MODULE_NONE of modules/module_graph.h: unknown */
    uint32_t module_count;
    LIST(struct step) steps;   /* one for each compile after the first */
    LIST(struct cause) causes; /* most frequent first; of these, those that changed in more steps */
    LIST(struct advice) advice;
    bool limit_hit;
    uint32_t limit_compile;           /* the compile that hit it; NO_VERSION: none */
    enum recompile_limit which_limit; /* that was hit */
    int64_t limit;                    /* the configured value; -1: not logged */
    size_t refused;                   /* number of compiles that the limit refused, which have no version */
    /* Compiles other than the first that have a logged reason, or that follow a compile that did not fail. In the log
     * of a forked process, or in one that begins late, these may be all compiles. */
    size_t recompiles;
    int64_t time_us; /* of both */
    struct place frame;
};

struct chains {
    LIST(struct chain) list;
    size_t holder;      /* the chain whose advice has the value of TORCH_COMPILE_DYNAMIC_SOURCES that several chains
                         * need; SIZE_MAX: none */
    struct map sources; /* sources in that value: "L['x']:0" */
    struct arena arena;
};

/* Whether the compile failed because the recompile limit was reached. */
bool is_limit_hit(const struct failure *failure);
/* This failure of the compile, or NULL. Up to PyTorch 2.6, the failure is in metrics that look like those of a
 * backward. */
const struct failure *recompile_limit_failure(const struct model *model, const struct compile *compile);
/* Whether the recompile limit, or torch._dynamo.config.error_on_recompile, refused the compile: it has no version. */
bool recompile_is_refused(const struct model *model, uint32_t compile);
/* Whether the compile began and then failed: it has no version either, and none is expected. */
bool recompile_failed(const struct model *model, uint32_t compile);
/* Finds what was recompiled, and why; chains_advise() of advice/advice.h adds what to do about it. */
void chains_find(struct chains *chains, const struct model *model);
void chains_finish(struct chains *chains);

/* Whether the step's nth change is in a member of an object that an earlier change replaced. */
bool step_is_of_replaced(const struct step *step, size_t nth);

/* recompile_steps.c */
/* The nth reason of the chain's compile at `place`, completed with values from the guards of both compiles. */
struct guard_failure recompile_reason(const struct model *model, const struct chain *chain, size_t place, size_t nth,
                                      struct arena *arena);
/* The step to the chain's compile at `place`, which is not 0. */
struct step recompile_step(const struct model *model, const struct chain *chain, size_t place, struct arena *arena);

/* The same step, but compared with the version at `nearest` instead of the nearest one. */
struct step recompile_step_against(const struct model *model, const struct chain *chain, size_t place, size_t nearest,
                                   struct arena *arena);

/* recompile_same.c */
/* An earlier chain that recompiled for the same cause, in the same process, so its advice also saves this chain's
 * recompiles. */
struct same_cause {
    size_t chain; /* SIZE_MAX: none */
    /* Both depend on an object that was deallocated; false: this chain is for a part after a graph break */
    bool object;
};
struct same_cause chain_same_cause(const struct model *model, const struct chains *chains, size_t nth);
