/* check.h - whether a report is within its budgets.
 *
 * A budget limits metrics (check_metrics.h): sums over the report, sums over each function whose name or place matches a
 * regular expression, and items that are new since a baseline. Each limit is a rule; each rule passes, fails, or is
 * undecided because the log does not have the value. All values come from report.json.
 *
 * A failed rule has causes: the user's lines that contribute to the number. Ranks or runs with the same cause share it.
 *
 * Life cycle: check_rules of budgets_add(), check_run(), one of the formats, check_finish(), budgets_finish(). The rules, the
 * reports and the names must outlive the results. One thread. */
#pragma once

#include "answers/budget.h"
#include "answers/check_logs.h"
#include "answers/sarif.h"
#include "answers/term.h"

enum check_verdict { CHECK_PASSED, CHECK_FAILED, CHECK_UNDECIDED, CHECK_SKIPPED, CHECK_VERDICTS };

/* A contribution to the number of a rule. Texts may be empty; line 0: unknown. */
struct check_cause {
    struct slice text;           /* the reason of a graph break, the guard, the exception */
    struct slice code;           /* the user's line of code */
    struct slice file, function; /* the user's line */
    uint64_t line;
    int64_t amount; /* its part of the number: a count, or microseconds; 0: the number has no parts */
    size_t place;   /* in order of appearance */
    struct {
        size_t *items, count, cap;
    } logs; /* indices of the ranks or runs that have it, ascending */
};

/* The causes of a rule; for a rule on functions, the causes of one function. Functions of several logs with the same
 * value share a group. */
struct check_group {
    struct slice function, file; /* empty unless the rule is on functions */
    uint64_t line;
    int64_t value;
    size_t place;
    struct {
        size_t *items, count, cap;
    } logs;
    LIST(struct check_cause) causes; /* the largest first */
};

struct check_result {
    const struct check_rule *rule;
    enum check_verdict verdict;
    bool known;       /* there is a value */
    bool at_least;    /* the value may be higher */
    double value;     /* in the unit of the metric: a count, microseconds, percent; for functions, the highest value */
    struct slice why; /* why the rule is undecided or skipped, or what the value is a sum of */
    LIST(struct check_group) groups; /* for a failed rule: at least one */
};

struct check_results {
    const struct check_logs *logs;
    struct check_result *items;
    size_t count;
    size_t counts[CHECK_VERDICTS];
    struct arena arena;
};

/* Decides every rule. baseline may be NULL. */
void check_run(struct check_results *results, const struct check_rules *rules, const struct check_logs *logs,
               const struct check_logs *baseline);
void check_finish(struct check_results *results);
/* The verdict on all rules: failed if one failed; else undecided if one is; else passed. */
enum check_verdict check_verdict(const struct check_results *results);

/* Adds "1 of 4 rules failed, 2 undecided". */
void check_add_counts(struct buf *out, const struct check_results *results);

/* Data for the formats, in addition to the results. */
struct check_request {
    const char *name;          /* name of the report or the logs, as the user gave it */
    size_t top;                /* number of causes to list per rule or function, at least 1 */
    struct source_roots roots; /* for annotations */
};

void check_add_text(struct term *term, const struct check_results *results, const struct check_request *request);
/* Adds the format of doc/check.schema.json, with a newline. */
void check_add_json(struct buf *out, const struct check_results *results, const struct check_request *request);
void check_add_markdown(struct buf *out, const struct check_results *results, const struct check_request *request);
/* Adds workflow commands of GitHub Actions: an annotation per cause, then a line with the counts. */
void check_add_github(struct buf *out, const struct check_results *results, const struct check_request *request);
/* Adds JUnit XML: a test case per rule. */
void check_add_junit(struct buf *out, const struct check_results *results, const struct check_request *request);
/* Adds SARIF 2.1.0: a result per cause, a notification per undecided rule. */
void check_add_sarif(struct buf *out, const struct check_results *results, const struct check_request *request);
