/* slowest.h - the slowest compiles of a run, and the runs of a report on several, as tables. One thread. */
#pragma once

#include "answers/table.h"
#include "base/json.h"

struct slow_compile {
    yyjson_val *compile; /* of report.json */
    int64_t time_us;
    size_t place; /* in the report */
};

struct slowest {
    struct slow_compile *items; /* slowest first; on a tie, the earlier one first */
    size_t count;
    size_t timed; /* number of compiles with a known time */
};

/* Finds at most `most` compiles. */
void slowest_find(struct slowest *slowest, yyjson_val *compiles, size_t most);
void slowest_finish(struct slowest *slowest);
/* Time, compile id, function, place. The caller finishes the table. */
void slowest_table(struct table *table, const struct slowest *slowest);
/* A row per run: its name, compiles, failed compiles, compile time. The caller finishes the table. */
void runs_table(struct table *table, yyjson_val *runs);
