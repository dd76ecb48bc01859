/* record_tables.h - artifacts that are tables: what PyTorch estimates of run times, what its partitioner saves and recomputes,
 * which collectives it merges.
 *
 * The numbers of their texts, for report.json and for the page, which shows them from there. Pure; any thread; one pass over the
 * text. Rows, columns and cells have bounds; what is beyond is counted. */
#ifndef TLPARSE_SCAN_RECORD_TABLES_H
#define TLPARSE_SCAN_RECORD_TABLES_H

#include "base/json.h"

enum {
    TABLE_ROWS_MAX = 1000,
    TABLE_COLUMNS_MAX = 40,
    TABLE_CELL_MAX = 500,        /* bytes */
    TABLE_BYTES_MAX = 512 << 10, /* of the rows of one table as JSON */
};

struct table_record {
    struct slice name, text; /* of the artifact */
    yyjson_val *json;        /* its text as JSON, or NULL */
    uint64_t line;           /* of the record in the log */
};

/* Adds what the artifact says to `out`, as JSON: {"name", "line", "facts": [{"name", "value"}], "tables": [{"title", "columns",
 * "rows", "more"}]}. A value and a cell is a number where its text is one, else a text; null: there is none. False, and nothing
 * added, where the name is of no such artifact or its text is not as PyTorch writes it. */
bool record_tables_read(const struct table_record *record, struct buf *out);

#endif
