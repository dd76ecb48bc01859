/* source_lines.h - counts by line of source: operations that Dynamo traced from it, and guards that it made; and the compiles
 * with these operations.
 *
 * A part of the model, filled in log order by the fold's thread. Up to SOURCE_LINES_MAX lines and LINE_PARTS_MAX pairs of a
 * line and a compile are kept; of the rest, operations and guards are counted. Files and texts are copies in the model. */
#pragma once

#include "model/model.h"

enum { SOURCE_LINES_MAX = 100000, LINE_PARTS_MAX = 1 << 20 };

struct source_line {
    struct slice file, code; /* code: the text of the line as a record has it; ptr NULL: unknown */
    uint64_t line;
    uint64_t ops;    /* operations of Dynamo's graphs */
    uint64_t guards; /* guards of compiles */
    uint32_t
        compile; /* in source_lines_add(): index of the compile that they belong to; in the list: the latest one with an
                       * operation of the line; UINT32_MAX: none */
    bool uncounted; /* in the list: a compile with operations of the line is not in `parts` */
};

/* Operations of a compile are from the line. */
struct line_part {
    uint32_t line, compile; /* indexes in `list` and of the compile */
};

struct source_lines {
    LIST(struct source_line) list;
    struct map places; /* line and file → index */
    LIST(struct line_part)
    parts;           /* in log order; a pair is there again if operations of another compile came in between */
    uint64_t more;   /* operations and guards of lines that are not kept */
    uint32_t latest; /* index of the latest line, as records name a line several times in a row */
};

/* Adds operations and guards of a line. */
void source_lines_add(struct model *model, const struct source_line *line);
