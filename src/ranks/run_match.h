/* run_match.h - matches items of two runs: by name, by line if several have the same name, else by order. Functions that
 * were renamed in place are then matched by their place. Pure. */
#ifndef TLPARSE_RANKS_RUN_MATCH_H
#define TLPARSE_RANKS_RUN_MATCH_H

#include "base/mem.h"
#include "base/slice.h"

#define NO_MATCH UINT32_MAX

struct run_item {
    struct slice key; /* independent of line numbers */
    uint64_t line;    /* UINT64_MAX: none */
    /* For run_matches_join_renamed(): */
    struct slice file; /* empty: unknown */
    uint64_t weight;   /* number of ops; 0: unknown */
};

struct run_match {
    uint32_t a, b; /* indices of the items; NO_MATCH: only the other run has it */
};

struct run_matches {
    struct run_match *items; /* grouped by key; keys are in the order of a, then of b */
    size_t count, cap;
};

void run_matches_find(struct run_matches *matches, const struct run_item *a, size_t a_count, const struct run_item *b,
                      size_t b_count);
/* Joins items that only one run has, if they are in the same file and the same place: on the same line, or with as many
 * ops, and alone between the same two matched neighbors. They were renamed. */
void run_matches_join_renamed(struct run_matches *matches, const struct run_item *a, const struct run_item *b);
void run_matches_finish(struct run_matches *matches);

#endif
