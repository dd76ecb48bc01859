/* parser_answer.h - what a parser of the user answers: one object of JSON per line, of one of these forms.
 *
 *     {"column": TITLE, "compile": KEY, "value": NUMBER or TEXT}
 *     {"section": TITLE, "text": TEXT}
 *     {"section": TITLE, "columns": [TITLE...], "rows": [[NUMBER or TEXT...]...]}
 *     {"finding": TITLE, "severity": "error", "warning" or "info", "message": TEXT, "advice": TEXT, "place": PLACE}
 *     {"link": ADDRESS, "title": TEXT}
 *     {"file": NAME, "text": TEXT}
 *
 * The last three may have "compile": KEY. A line that has none of these forms, or a compile that the report lacks, is
 * rejected: it is counted, and the first one is kept as an example. What exceeds the limits is counted, too. Texts belong
 * to the result. One thread. */
#pragma once

#include "base/base.h"
#include "base/json.h"

enum {
    PARSER_COLUMNS_MAX = 16,
    PARSER_SECTIONS_MAX = 50,
    PARSER_ROWS_MAX = 10000, /* of all sections */
    PARSER_ITEMS_MAX = 1000, /* files, links, findings, each */
    PARSER_TEXT_MAX = 300,   /* bytes of a title or a value */
};
#define PARSER_NO_COMPILE UINT32_MAX

/* The compiles of a report: index → key. */
struct parser_keys {
    const struct slice *items;
    size_t count;
    struct map map; /* key → index */
};

struct parser_value {
    uint32_t compile;
    yyjson_val *value; /* a number or a text */
};

struct parser_column {
    struct slice title;
    LIST(struct parser_value) values; /* one per compile, the latest answer; in the order of the answers */
    struct map of_compile;            /* index of a compile → index */
};

struct parser_section {
    struct slice title;
    LIST(struct slice) texts;
    yyjson_val *columns;       /* an array; NULL: it has no table */
    LIST(yyjson_val *) tables; /* arrays of rows, one after the other */
};

/* A file, a link or a finding: the object of the answer. */
struct parser_item {
    yyjson_val *value;
    uint32_t compile; /* or PARSER_NO_COMPILE */
    struct slice url; /* of a file, in the report */
};

struct parser_items {
    struct parser_item *items;
    size_t count, cap;
};

/* What one parser added. */
struct parser_result {
    const char *name;
    uint64_t records;
    char *error; /* why it failed, and its output was left out; NULL: it did not */
    LIST(struct parser_column) columns;
    LIST(struct parser_section) sections;
    struct parser_items files, links, findings;
    size_t rows;       /* of all sections */
    uint64_t rejected; /* lines that are no answer */
    char *example;     /* why the first of them was rejected; NULL: none */
    uint64_t more;     /* answers beyond the limits */
    struct map column_map, section_map, file_map;
    struct arena arena;
};

struct parser_results {
    struct parser_result *items;
    size_t count, cap;
};

/* Reads all lines. A last line without a line feed counts, too. */
void parser_answers_read(struct parser_result *result, struct slice output, const struct parser_keys *keys);
void parser_result_finish(struct parser_result *result);
