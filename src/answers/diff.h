/* diff.h - the changes between two runs, from the member `comparison` of a report on runs: figures, functions, graph
 * breaks, settings, new and gone issues; and run time. No comparison happens here. Pure; one thread. */
#pragma once

#include "answers/report_doc.h"
#include "answers/run_time.h"
#include "answers/term.h"

struct diff_request {
    const char *base, *new; /* names of the two runs, as the user gave them */
    bool figures_only;      /* --stat */
    size_t top;             /* number of functions and issues to list, at least 1 */
    const struct diff_limits *limits;
    yyjson_val *run_times;    /* the comparisons of run_time.h, for each log; NULL: no run has a profile */
    yyjson_val *step;         /* from diff_step_figure() */
    yyjson_val *cache_misses; /* the list in report.json of why caches missed, in all runs; NULL: not shown */
};

/* Limits of --fail-on: "time>+10%,breaks>0". */
enum { DIFF_LIMITS_MAX = 32 };
struct diff_limit {
    const char *figure; /* name of the figure in report.json, a constant */
    bool percent;
    double most; /* the change that is allowed: in percent, microseconds, or a count */
    struct slice text;
    /* Set by diff_limits_check(). */
    bool known, exceeded;
    double change;    /* in the unit of `most` */
    bool within;      /* it is no change, as far as the runs show */
    yyjson_val *rank; /* of a step that changed by it; NULL: there is one */
};
struct diff_limits {
    struct diff_limit items[DIFF_LIMITS_MAX];
    size_t count;
};

bool diff_limits_have(const struct diff_limits *limits, const char *figure);
/* Adds the limits of one option; the text must outlive them. False with ERR_USAGE. */
bool diff_limits_parse(struct diff_limits *limits, const char *text, struct err *err);
/* Checks the limits; returns the number of exceeded ones. A figure that a run lacks exceeds nothing and is unknown.
 * run_times: as in the request. */
size_t diff_limits_check(struct diff_limits *limits, yyjson_val *pair, yyjson_val *run_times);

/* The figure of the step, made of the comparisons of run times: those of finished reports come from logs, which have
 * none, and do not know whether a step changed. NULL: none. */
yyjson_val *diff_step_figure(yyjson_val *run_times, struct arena *arena);

/* "exceeded", "kept" or "not known", and of a step by how much it changed: "exceeded (+558 % on rank 0)". */
void diff_limit_add(struct buf *out, const struct diff_limit *limit);
/* The next cause of cache misses in the second run, from *at on; NULL: none. */
yyjson_val *diff_next_misses(const struct diff_request *request, yyjson_val *pair, size_t *at);

void diff_add_text(struct term *term, yyjson_val *pair, const struct diff_request *request);
void diff_add_markdown(struct buf *out, yyjson_val *pair, const struct diff_request *request);
/* Adds the format of doc/diff.schema.json, with a newline. */
void diff_add_json(struct buf *out, yyjson_val *pair, const struct diff_request *request);
