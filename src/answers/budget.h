/* budget.h - budgets: limits from JSON (doc/budget.schema.json) and from --max.
 *
 * A file has an object with the member `budgets`, a list. Each budget has limits: `max` applies to the totals or, with
 * `function`, to each matching function; `new` applies to items that a baseline lacks. Errors name the file, the line,
 * the key, and the nearest known key.
 *
 * Life cycle: {0}, budgets_add_…(), budgets_finish(). One thread. */
#pragma once

#include "answers/check_metrics.h"
#include "base/base.h"
#include "base/pattern.h"

enum { BUDGET_RULES_MAX = 1000 };

struct check_rule {
    const struct check_metric *metric;
    enum check_scope scope;
    double most;             /* the limit in the metric's unit: a count, microseconds, percent */
    bool optional;           /* with a pattern: the rule is skipped if a log has no such function */
    struct slice budget;     /* name of its budget; may be empty */
    struct slice function;   /* regular expression of SCOPE_FUNCTION */
    struct pattern *pattern; /* owned by the list of patterns */
    const char *file;        /* file that it comes from; NULL: --max */
    uint64_t line;           /* in the file */
};

struct check_rules {
    struct check_rule *items; /* in the order of the files and their keys, then of --max options */
    size_t count, cap;
    struct arena arena;
    LIST(struct pattern *) patterns;
};

/* Adds the rules of a file. `name` is its name in errors and results; it is copied. False with ERR_USAGE. */
bool budgets_add_file(struct check_rules *rules, struct slice json, const char *name, struct err *err);
/* Adds the rule of an option --max: "recompiles=3", "new.graph_breaks=0". It replaces rules on the totals of the same
 * metric. The text must outlive the rules. */
bool budgets_add_max(struct check_rules *rules, const char *text, struct err *err);
void budgets_finish(struct check_rules *rules);

/* Adds the subject of the rule: "recompiles", "recompiles of /forward$/", "new graph breaks". */
void check_rule_add_title(struct buf *out, const struct check_rule *rule);
/* Adds the rule's name for programs: "recompiles", "function.recompiles", "new.graph_breaks". */
void check_rule_add_id(struct buf *out, const struct check_rule *rule);
