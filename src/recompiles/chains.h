/* chains.h - frames that were recompiled, and why.
 *
 * A chain consists of the compiles of one frame between two resets, in one process, in the order of their ids. A step
 * is each compile after the first: its guards are compared with those of earlier versions. The nearest version is the
 * one with the fewest differences; the latest one on a tie. A version for arguments of other types, ranks, lengths or
 * members, or one that took a branch which reads other arguments, was another kind of call and is farther; one whose `self`, or a module among its arguments, has another
 * type is farther than all others; that type is then the only change listed for the object. A step has one cause: the one in the log's reason against the nearest version, or the first guard
 * that differs. Guards that only failed against other versions are not counted.
 *
 * Limits: NEAREST_MAX versions before a step are compared, for the first STEPS_COMPARED_MAX steps of a chain. A later
 * step is compared with the version in the log's first reason and keeps only its cause. A chain has at most CAUSES_MAX
 * causes. Computed from the complete model. Texts are slices of the model, or in the arena. */
#pragma once

#include "model/model.h"
#include "recompiles/guard_changes.h"

#define NO_VERSION UINT32_MAX
enum { NEAREST_MAX = 64, STEPS_COMPARED_MAX = 256, CAUSES_MAX = 256, CAUSE_VALUES_MAX = 8, CAUSE_BESIDE_MAX = 4 };

/* A value of what changed. One that starts a row does not follow from the previous one: 6 → 7, and 8 → 9. */
struct cause_value {
    struct slice text; /* ptr NULL: not logged; only at the start of a row */
    bool starts;
};

/* A version as near as the nearest one, with its first change. It has the value of the cause: either may be why. */
enum { ALSO_NEAR_MAX = 3 };
struct also_near {
    uint32_t compile; /* in model->compiles */
    struct guard_change change;
};

/* A change, with the steps that it caused. */
struct cause {
    enum guard_type type;
    struct slice guard;   /* "tensor 'x' size mismatch at index 0", "k == …" */
    struct slice source;  /* what it checks: "x", "k"; ptr NULL: unknown */
    struct slice subject; /* readable: "x.size()[0]", "len(xs)", "grad_mode"; ptr NULL: unknown */
    struct slice
        first; /* the guard as it first failed: "k == 0", "tensor 'x' size mismatch at index 0. expected 2, actual 3" */
    struct slice example;  /* the first reason, complete; ptr NULL: none logged */
    struct slice code;     /* the user's line, at `place` if that is known; ptr NULL: unknown */
    struct place place;    /* of that line */
    struct slice had, has; /* of the first step; ptr NULL: not logged */
    /* Values in the steps, in rows: 3 → 4 → 5. A step that begins with the last value of a row continues it. */
    struct cause_value values[CAUSE_VALUES_MAX];
    size_t value_count;
    bool values_end;        /* there were more */
    bool open;              /* the log does not have the new value of the last step */
    uint64_t count;         /* steps that it caused */
    uint64_t refused;       /* of these: compiles that the recompile limit refused */
    uint64_t others;        /* of these: steps in which another guard would have failed, too */
    uint64_t also;          /* further steps in which it changed in addition to their cause */
    uint32_t compile, last; /* first and last of these steps, in model->compiles */
    /* What else changed in the first step, without strides, conditions, and members of replaced objects. */
    struct guard_change beside[CAUSE_BESIDE_MAX];
    size_t beside_count, beside_more;
    bool beside_once[CAUSE_BESIDE_MAX]; /* it did not change in a later step of the cause */
    struct also_near near;              /* of the first step with one; its change's source ptr NULL: none */
    uint32_t near_step;                 /* that step, in model->compiles */
};

struct step {
    uint32_t compile;      /* in model->compiles */
    uint32_t nearest;      /* the same, or NO_VERSION */
    guard_changes changes; /* the cause comes first */
    size_t change_count;   /* including those that are not listed */
    struct slice reason;   /* the logged reason against the nearest version, else the first one; ptr NULL: none */
    bool reason_leads;     /* the first change is the one in the reason */
    bool reason_alone;     /* the guards do not show that change */
    struct also_near also[ALSO_NEAR_MAX]; /* versions that are as near, with another first change */
    size_t also_count;
};

/* The kinds of records that advice rests on. */
enum evidence_record { EVIDENCE_REASONS, EVIDENCE_GUARDS, EVIDENCE_SYMBOL, EVIDENCE_METRICS, EVIDENCE_RECORDS };

struct evidence {
    enum evidence_record record;
    uint32_t compile;
    struct slice says; /* ptr NULL, or its relevant content: "recompile_limit 8" */
};
enum { EVIDENCE_MAX = 16 };

/* A number that advice makes dynamic from the start. */
struct dynamic_number {
    struct slice name;      /* readable: "x" */
    struct slice dimension; /* of the tensor; empty: a number */
    struct slice source;    /* in TORCH_COMPILE_DYNAMIC_SOURCES: "L['x']:0" */
    struct slice list;      /* readable: of which every item has to be marked, in every call; empty: the tensor alone */
};

struct dynamic_advice {
    LIST(struct dynamic_number) numbers;
    struct slice lead; /* what begins the sentence; empty: nothing */
    struct slice tail; /* what else to do, before the colon; empty: nothing */
    struct slice says; /* what follows the colon: the evidence */
    bool either;       /* `lead` is another way */
    bool marks;        /* mark_dynamic() can be called for all */
    bool in_words;     /* the names are those of a library's function */
    bool variable;     /* this version of PyTorch has the variable */
    bool whole;        /* in which a tensor stands for more dimensions than one */
    bool late;         /* the first version has no such tensor */
};

struct advice {
    struct dynamic_advice *dynamic; /* of which the text is made; NULL: it is not such advice */
    bool of_limit;                  /* of the recompile limit, and not of a cause: */
    bool of_break;                  /* on the graph break that the changed values come from */
    enum guard_type type;           /* of the cause */
    struct slice text;
    bool expected;   /* this is normal: the text explains why there are several versions */
    bool but_first;  /* the first of its steps recompiles anyway */
    bool or_first;   /* it does with the setting that the text has as another way */
    bool multiplies; /* of a line that tests many numbers: the versions are combinations of the outcomes */
    bool partial;    /* another way is to accept a version for each value */
    size_t steps;    /* that it is about */
    size_t saves;    /* recompiles that would not have happened; 0 if `expected` or `of_limit` */
    size_t may_save; /* further ones, unless an operator or Python needs the number */
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
/* Whether the limit applies to all compiles of a frame's code, regardless of their cause. */
bool recompile_limit_is_accumulated(enum recompile_limit limit);

struct chain {
    LIST(uint32_t) compiles;   /* in model->compiles, by frame_compile_id */
    LIST(struct step) steps;   /* one for each compile after the first */
    LIST(struct cause) causes; /* most frequent first; of these, those that changed in more steps */
    LIST(struct advice) advice;
    bool limit_hit;
    uint32_t limit_compile;           /* the compile that hit it; NO_VERSION: none */
    enum recompile_limit which_limit; /* that was hit */
    int64_t limit;                    /* as configured; -1: not logged */
    size_t refused;                   /* number of compiles that the limit refused, which have no version */
    /* Other compiles with a logged reason, or after one that did not fail. The log of a forked process, or one that
     * begins later, may have nothing else. */
    size_t recompiles;
    int64_t time_us; /* of both */
    struct place frame;
};

struct chains {
    LIST(struct chain) list;
    size_t
        holder; /* whose fix has the value of TORCH_COMPILE_DYNAMIC_SOURCES that several chains need; SIZE_MAX: none */
    struct map sources; /* in that value: "L['x']:0" */
    struct arena arena;
};

/* Whether the compile failed because the recompile limit was reached. */
bool is_limit_hit(const struct failure *failure);
/* This failure of the compile, or NULL. Up to PyTorch 2.6, it is in metrics that look like those of a backward. */
const struct failure *recompile_limit_failure(const struct model *model, const struct compile *compile);
/* Whether a limit refused the compile, or torch._dynamo.config.error_on_recompile did: it has no version. */
bool recompile_is_refused(const struct model *model, uint32_t compile);
/* Whether the compile began and failed: it has no version, either, and none is expected. */
bool recompile_failed(const struct model *model, uint32_t compile);
/* What recompiled, and why; chains_advise() of advice/advice.h adds what to do about it. */
void chains_find(struct chains *chains, const struct model *model);
void chains_finish(struct chains *chains);

/* Whether the step's nth change is of a member of an object that was replaced, according to a change before it. */
bool step_is_of_replaced(const struct step *step, size_t nth);

/* recompile_steps.c */
/* The nth reason of the chain's compile at `place`, completed with values from the guards of both compiles. */
struct guard_failure recompile_reason(const struct model *model, const struct chain *chain, size_t place, size_t nth,
                                      struct arena *arena);
/* The step to the chain's compile at `place`, which is not 0. */
struct step recompile_step(const struct model *model, const struct chain *chain, size_t place, struct arena *arena);

/* The same step, compared with the version at `nearest` instead of the nearest one. */
struct step recompile_step_against(const struct model *model, const struct chain *chain, size_t place, size_t nearest,
                                   struct arena *arena);

/* recompile_same.c */
/* An earlier chain that recompiled for the same cause, in the same process, so that its advice saves this chain's
 * recompiles, too. */
struct same_cause {
    size_t chain; /* SIZE_MAX: none */
    bool object;  /* of an object that was deallocated; else the chain is of a part after a graph break */
};
struct same_cause chain_same_cause(const struct model *model, const struct chains *chains, size_t nth);
