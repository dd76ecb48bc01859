/* parser_answer.h - the output of a user's parser: one JSON object per line, in one of these forms.
 *
 *     {"column": TITLE, "compile": KEY, "value": NUMBER or TEXT}
 *     {"section": TITLE, "text": TEXT}
 *     {"section": TITLE, "columns": [TITLE...], "rows": [[NUMBER or TEXT...]...]}
 *     {"finding": TITLE, "severity": "error", "warning" or "info", "message": TEXT, "advice": TEXT, "place": PLACE}
 *     {"link": ADDRESS, "title": TEXT}
 *     {"file": NAME, "text": TEXT}
 *
 * The last three may have "compile": KEY. A line in another form, or with a compile that the report lacks, is rejected:
 * it is counted, and the first one is kept as an example. Answers beyond the limits are counted, too. Texts belong to
 * the result. One thread. */
#pragma once

#include "base/base.h"
#include "base/json.h"

enum {
    PARSER_COLUMNS_MAX = 16,
    PARSER_SECTIONS_MAX = 50,
    PARSER_ROWS_MAX = 10000, /* of all sections */
    PARSER_ITEMS_MAX = 1000, /* files, links, findings: limit for each */
    PARSER_TEXT_MAX = 300,   /* bytes in a title or a value */
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
    LIST(struct parser_value) values; /* one per compile: the latest answer; in the order of the answers */
    struct map of_compile;            /* index of a compile → index in values */
};

struct parser_section {
    struct slice title;
    LIST(struct slice) texts;
    yyjson_val *columns;       /* an array; NULL: not a table */
    LIST(yyjson_val *) tables; /* arrays of rows, to be concatenated */
};

/* A file, a link or a finding: the parsed answer. */
struct parser_item {
    yyjson_val *value;
    uint32_t compile; /* or PARSER_NO_COMPILE */
    struct slice url; /* for a file: its URL in the report */
};

struct parser_items {
    struct parser_item *items;
    size_t count, cap;
};

/* The results of one parser. */
struct parser_result {
    const char *name;
    uint64_t records;
    char *error; /* why it failed, so its output was left out; NULL: it did not fail */
    LIST(struct parser_column) columns;
    LIST(struct parser_section) sections;
    struct parser_items files, links, findings;
    size_t rows;       /* of all sections */
    uint64_t rejected; /* number of lines that are not valid answers */
    char *example;     /* why the first of them was rejected; NULL: none */
    uint64_t more;     /* number of answers beyond the limits */
    struct map column_map, section_map, file_map;
    struct arena arena;
};

struct parser_results {
    struct parser_result *items;
    size_t count, cap;
};

/* Reads all lines. Also counts a last line without a line feed. */
void parser_answers_read(struct parser_result *result, struct slice output, const struct parser_keys *keys);
void parser_result_finish(struct parser_result *result);
