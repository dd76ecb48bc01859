/* match.h - matches items of two runs: by name; among equal names, by line, then by order. Functions that were renamed
 * in place are then matched by their place, and resume functions along with the function that they resume. Pure. */
#pragma once

#include "base/renames.h"

#define NO_MATCH UINT32_MAX

struct match_item {
    struct slice key; /* independent of line numbers */
    uint64_t line;    /* UINT64_MAX: none */
    /* For matches_join_renamed(): */
    struct slice name; /* of the function */
    struct slice file; /* empty: unknown */
    uint64_t weight;   /* number of ops; 0: unknown */
};

struct match {
    uint32_t a, b; /* indices of the items; NO_MATCH: only the other run has it */
};

struct matches {
    struct match *items; /* grouped by key; keys are in the order of a, then of b */
    size_t count, cap;
};

void matches_find(struct matches *matches, const struct match_item *a, size_t a_count, const struct match_item *b,
                  size_t b_count);
/* Joins unmatched items that were renamed: both are in the same file, and on the same line or with the same number of
 * ops and alone between the same two matched neighbors. Their resume functions are joined, too. */
void matches_join_renamed(struct matches *matches, const struct match_item *a, size_t a_count,
                          const struct match_item *b, size_t b_count);
/* Adds the names that were joined, unless the other run has a function of that name. */
void matches_add_renames(const struct matches *matches, const struct match_item *a, size_t a_count,
                         const struct match_item *b, size_t b_count, struct renames *renames);
/* Adds the key of a function: its name without lines, and its file without folders. */
void match_key_add(struct buf *out, struct slice name, struct slice file);
void matches_finish(struct matches *matches);
