/* check_parts.h - shared by the parts of check_run(). Only for check_*.c. One thread. */
#pragma once

#include "answers/check.h"
#include "base/renames.h"

/* A value, and why it is unknown or may be higher. */
struct check_value {
    bool known, at_least;
    double value;
    struct slice why; /* in the results' arena, or a constant */
};

/* Collects the causes of a rule. Causes of several logs with the same place and text are merged. */
struct causes {
    struct check_results *results;
    struct check_result *result;
    struct map groups, causes; /* texts that identify them → index: of the group, and of the cause within its group */
    struct buf key;
};

/* The compiled functions of one log, and the function of each compile. */
struct log_functions {
    struct log_function {
        yyjson_val *frame;
        struct slice name, file;
        uint64_t line;
        bool matches;       /* the pattern of the rule */
        bool too_expensive; /* to search for it */
        int64_t value;
        uint64_t ops;
        size_t compiles, untimed, lookups;
    } * items;
    size_t count, cap;
    struct map by_frame, by_key;
    struct arena arena;
};

void causes_init(struct causes *causes, struct check_results *results, struct check_result *result);
/* The group of a function in a log, or of the whole rule if function is NULL. */
struct check_group *causes_group(struct causes *causes, size_t log, const struct log_function *function, int64_t value);
/* Adds an item of a log. `functions` are those of the log; they give a place to an item without one. */
void causes_add(struct causes *causes, struct check_group *group, size_t log, const struct check_item *item,
                const struct log_functions *functions);
/* Sorts groups and causes, largest first. */
void causes_finish(struct causes *causes);

void functions_init(struct log_functions *functions, yyjson_val *root);
/* The function of a compile key, or NULL. */
struct log_function *functions_find(const struct log_functions *functions, yyjson_val *key);
void functions_finish(struct log_functions *functions);
/* Adds the functions that were renamed between a log of the baseline and this one. */
void functions_add_renames(const struct log_functions *before, const struct log_functions *now,
                           struct renames *renames);

/* Decides a rule on functions. */
void check_functions(struct check_results *results, struct check_result *result);
/* Decides a rule on items that are new since the baseline. */
void check_new(struct check_results *results, struct check_result *result, const struct check_logs *baseline);
/* Decides a rule on the growth of the step in profiles. */
void check_steps(struct check_results *results, struct check_result *result, const struct check_logs *baseline);
/* The log of the baseline that a log is compared with: of the same rank, or else at the same position in the list. */
yyjson_val *check_partner(const struct check_logs *baseline, const struct check_logs *logs, size_t log);
/* Why the growth of a total is not known; empty: it is. */
struct slice check_comparable(struct check_results *results, const struct check_metric *metric,
                              const struct check_logs *baseline);

/* Whether items of the log are parts of the metric's value: the step is that of the slowest rank. */
bool check_has_part(const struct check_logs *logs, const struct check_metric *metric, size_t log);
/* The value of a metric for the totals of some logs. */
struct check_value check_total(const struct check_logs *logs, const struct check_metric *metric, struct arena *arena);
/* Sets the verdict from the value. */
void check_decide(struct check_result *result, const struct check_value *value);
/* The text, in the arena. */
struct slice check_words(struct arena *arena, struct buf *text);
