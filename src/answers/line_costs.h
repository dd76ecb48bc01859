/* line_costs.h - the lines of source of a report by what they cost, as a table. One thread. */
#pragma once

#include "answers/sarif.h"
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
/* "3.2 s of compile time, 2 recompiles, 14 guards"; nothing for a line that costs nothing. */
void line_costs_say(struct buf *out, yyjson_val *line);
/* line_sarif.c - adds all lines that are not of a library or, if there are none, those, as results of the level "note", with a newline. */
#define LINE_RULE "line-costs"
void line_costs_add_sarif(struct buf *out, yyjson_val *root, const struct source_roots *roots);
