/* check_logs.h - the logs of a report: a run, or the report's ranks or runs, each with its report.json, and which ones
 * are missing.
 *
 * Life cycle: check_logs_init(), check_logs_finish(). The documents and names must outlive it. One thread. */
#pragma once

#include "answers/report_doc.h"

/* A report inside the report: its directory there, and its report.json. */
struct report_part {
    struct slice dir;
    yyjson_val *root; /* NULL: it could not be read */
};

struct check_log {
    yyjson_val *root;  /* its report.json; NULL: it could not be read */
    struct slice name; /* "rank 3", "before.log"; empty if there is only one log */
    bool has_rank;
    uint64_t rank;
};

struct check_logs {
    const struct report_doc *report;
    struct check_log *items; /* in the order of the report */
    size_t count;
    yyjson_val **jobs; /* reports that compare ranks */
    size_t job_count;
    struct slice gap; /* why counts may be too low: "rank 2 has no log"; empty: they are complete */
    struct arena arena;
};

/* one_rank: the user asked for one rank, so the others do not count as missing. */
void check_logs_init(struct check_logs *logs, const struct report_doc *report, const struct report_part *parts,
                     size_t part_count, bool one_rank);
void check_logs_finish(struct check_logs *logs);

/* Adds "rank 3", "ranks 0–3", "before.log and after.log" for some of the logs; nothing if there is only one log. */
void check_logs_add_names(struct buf *out, const struct check_logs *logs, const size_t *items, size_t count);

/* The totals of a report: of all ranks, if several ranks wrote to one log. */
yyjson_val *check_totals(yyjson_val *root);
yyjson_val *check_caches(yyjson_val *root);
