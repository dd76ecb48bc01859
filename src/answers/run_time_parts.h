/* run_time_parts.h - shared by the files of run_time.h: what the two profiles have in common. */
#pragma once

#include "answers/report_doc.h"
#include "base/match.h"

enum { SIDES = 2 };
enum {
    RUN_TIME_CALLS_MIN = 4,
    RUN_TIME_QUARTILE_CALLS = 10,
    RUN_TIME_PERCENT = 5,
    RUN_TIME_LEAST_US = 1,
    RUN_TIME_LISTED_MAX = 1000
};

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

/* The time of something in a step or, without steps, in a call of its compile. */
struct measure {
    double us, low, high; /* low, high: its range, if there are several */
    double calls;         /* steps or calls on which the range is based; 0: the side does not have it */
    double few[RUN_TIME_QUARTILE_CALLS - 1]; /* the times of so few steps, sorted */
    size_t few_count;                        /* 0: they are not known, or there are more */
};

/* An item of the profile of report.json with "by_step_us" and, of its calls, "calls", "median_us" and the rest of their spread. */
struct part {
    yyjson_val *item;
    double weight;     /* the part of its time that counts, times its calls for each one that is known */
    double of_compile; /* calls of its compile */
    struct slice compile;
};

/* run_time_measure.c */
/* A positive number; 0: it is none. */
double run_time_number(yyjson_val *object, const char *key);
/* Adds the times of a list, at most `most`. Returns its length, at most `most`. */
size_t run_time_add_steps(double *times, size_t most, yyjson_val *by_step, double weight);
/* The median step, and its range. Of what is not in each step: those of the steps that have it, times their share. Sorts the times. */
struct measure run_time_of_steps(double *times, size_t count);
/* Whether the times of two sides are apart: their ranges or, of few steps, nearly all times (a test of ranks, in whose limits two equal
 * distributions are in at most 3 % of cases). */
bool run_time_apart(const struct measure *a, const struct measure *b);
/* What the parts take together. steps: those of the profile; 0: there are none. Sorts the parts. */
struct measure run_time_measure(struct part *parts, size_t count, size_t steps);
/* The median step of times by step. */
struct measure run_time_measure_list(yyjson_val *by_step, size_t steps);
/* What of each step is in none of its parts. */
struct measure run_time_measure_rest(yyjson_val *profile, size_t steps);
/* Numbers things that cannot be told apart, such as equal kernels of layers, in their order, so that those with the same number are compared: if one
 * side has more of them, those whose times are nearest. */
void run_time_pair(const double *const times[SIDES], const size_t counts[SIDES], uint32_t *const numbers[SIDES]);
