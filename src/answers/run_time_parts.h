/* run_time_parts.h - shared by the files of run_time.h: what the two profiles have in common. */
#pragma once

#include "answers/report_doc.h"
#include "base/match.h"

enum { SIDES = 2 };

/* Numbers of things, by their names on each side: the same number on both is the same thing. */
struct paired {
    struct map of[SIDES];
};

/* One run. */
struct timed {
    yyjson_val *root, *profile;
    double steps; /* 0: its profile marks none */
    bool devices; /* times of kernels are those on devices */
};

/* run_time_match.c - the things that both have. Names are in the arena. */
struct pairings {
    struct arena arena;
    struct paired functions; /* by key of a compile */
    struct paired compiles;  /* by key of a compile; only those in the profile */
    struct paired lines;     /* by line_name_add() */
};
void pairings_find(struct pairings *pairings, const struct timed sides[SIDES]);
void pairings_finish(struct pairings *pairings);
/* "/src/model.py:12" */
void line_name_add(struct buf *out, struct slice file, uint64_t line);
/* Matches items by key, then by `line`, then in order, and, if `places` is set, those that are left by their place.
 * Items with the same numbers[side][item] are matched; the numbers are less than the sum of the counts. */
void items_pair(struct match_item *const items[SIDES], const size_t counts[SIDES], bool places,
                uint32_t *const numbers[SIDES]);
