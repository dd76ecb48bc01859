/* check_metrics.h - the metrics that budgets can limit, and their source in report.json. One table, in check_metrics.c.
 * Pure; any thread. */
#pragma once

#include "base/json.h"

enum check_scope { SCOPE_TOTAL, SCOPE_FUNCTION, SCOPE_NEW, SCOPES };
enum check_unit { UNIT_COUNT, UNIT_TIME, UNIT_PERCENT };

/* A part of a metric's number, in one report of one log, and the compiles that it belongs to. */
struct check_item {
    int64_t amount;           /* a count, or microseconds */
    yyjson_val *compiles;     /* a key, or a list of keys */
    yyjson_val *place;        /* from report.json; NULL: the place of the compiled function */
    struct slice label, text; /* "label: text"; either may be empty */
    struct slice code;        /* the user's line */
    bool measured;            /* of two equal runs, one may have it: it is never new */
    bool of_profile;          /* only a profile shows it: it is not new if the baseline has none */
};

/* Receives the items of a log, in their order in the report. */
struct check_items {
    void *context;
    void (*add)(void *context, const struct check_item *item);
};

struct check_metric {
    const char *name;       /* in budgets */
    const char *one, *many; /* for readers: "graph break", "graph breaks" */
    const char *about;      /* a sentence that defines it */
    enum check_unit unit;
    unsigned scopes;   /* bits 1 << enum check_scope */
    const char *total; /* the member of totals, if that has its sum; else NULL */
    void (*list)(yyjson_val *root, const struct check_items *to); /* lists its items; NULL: no items per log */
};

const struct check_metric *check_metrics(size_t *count);
/* The metric of a scope by name; NULL if there is none. */
const struct check_metric *check_metric_find(struct slice name, enum check_scope scope);
/* The most similar name of a metric of that scope, or NULL. */
const char *check_metric_nearest(struct slice name, enum check_scope scope);

/* Adds a value: "3", "1.2 s", "12 %". */
void check_value_add(struct buf *out, const struct check_metric *metric, double value);
/* The same with all digits: a time in seconds, or percent. */
void check_value_add_exact(struct buf *out, const struct check_metric *metric, double value);
