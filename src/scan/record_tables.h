/* record_tables.h - artifacts that are tables: PyTorch's run time estimates, the values that its partitioner saves and
 * recomputes, and the collectives that it merges.
 *
 * Converts their texts to tables in report.json, which the page shows. Pure; any thread; one pass over the text. Rows,
 * columns and cells are limited; the rest is counted. */
#pragma once

#include "base/json.h"

enum {
    TABLE_ROWS_MAX = 1000,
    TABLE_COLUMNS_MAX = 40,
    TABLE_CELL_MAX = 500,        /* bytes */
    TABLE_BYTES_MAX = 512 << 10, /* for the rows of one table as JSON */
};

struct table_record {
    struct slice name, text; /* of the artifact */
    yyjson_val *json;        /* the artifact's text as JSON, or NULL */
    uint64_t line;           /* line of the record in the log */
};

/* Adds the content of the artifact to `out`, as JSON: {"name", "line", "facts": [{"name", "value"}], "tables":
 * [{"title", "columns", "rows", "more"}]}. Values and cells are numbers if their text is a number, otherwise texts;
 * null: none. Returns false and adds nothing if the artifact is not such a table, or not in PyTorch's format. */
bool record_tables_read(const struct table_record *record, struct buf *out);
