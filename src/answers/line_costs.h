/* line_costs.h - the lines of source of a report by what they cost, as a table. One thread. */
#pragma once

#include "answers/table.h"
#include "base/json.h"

struct line_costs {
    yyjson_val **items; /* of report.json; most run time first, then most compile time, recompiles and graph breaks */
    size_t count, all;  /* all: in the report, those that it leaves out included */
    bool profiled;
};

/* Finds at most `most` lines of the report. */
void line_costs_find(struct line_costs *costs, yyjson_val *root, size_t most);
void line_costs_finish(struct line_costs *costs);
/* A row per line; columns without any value are left out. The caller finishes the table. */
void line_costs_table(struct table *table, const struct line_costs *costs);
