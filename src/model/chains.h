/* chains.h - frames that were compiled more than once, and why.
 *
 * Worked out of a report to which nothing more is added. Texts are slices of the report's. */
#ifndef TLPARSE_MODEL_CHAINS_H
#define TLPARSE_MODEL_CHAINS_H

#include "model/model.h"

/* A guard that failed. A reason lists the failing guard of every earlier entry; a cause counts a compile once. */
struct cause {
    struct slice guard;  /* "tensor 'x' size mismatch at index 0", "k == …" */
    struct slice source; /* what it is about: "x", "k"; ptr NULL: not known */
    struct slice
        first; /* the guard as it first failed: "k == 0", "tensor 'x' size mismatch at index 0. expected 2, actual 3" */
    struct slice example; /* the first reason, whole */
    struct slice code;    /* the user's line; ptr NULL: not known */
    struct place place;   /* of that line */
    uint64_t count;       /* compiles that it caused, alone or with others */
    uint32_t last;        /* of the counting's */
};

struct chain {
    LIST(uint32_t) compiles; /* in report->compiles, by frame_compile_id */
    LIST(struct cause) causes;
    bool limit_hit;
    int64_t time_us; /* of all but the first */
    struct place frame;
};

struct chains {
    LIST(struct chain) list;
    struct arena arena;
};

/* Whether the compile failed because its frame was compiled too often. */
bool is_limit_hit(const struct failure *failure);
void chains_find(struct chains *chains, const struct report *report);
void chains_finish(struct chains *chains);

#endif
