/* source_lines.h - counts by line of source: operations that Dynamo traced from it, and guards that it made.
 *
 * A part of the model, filled in log order by the fold's thread. Up to SOURCE_LINES_MAX lines are kept; the rest is counted.
 * Files and texts are copies in the model. */
#pragma once

#include "model/model.h"

enum { SOURCE_LINES_MAX = 100000 };

struct source_line {
    struct slice file, code; /* code: the text of the line as a record has it; ptr NULL: unknown */
    uint64_t line;
    uint64_t ops;    /* operations of Dynamo's graphs */
    uint64_t guards; /* guards of compiles */
};

struct source_lines {
    LIST(struct source_line) list;
    struct map places; /* line and file → index */
    uint64_t more;     /* operations and guards of lines that are not kept */
    uint32_t latest;   /* index of the latest line, as records name a line several times in a row */
};

/* Adds operations and guards of a line. */
void source_lines_add(struct model *model, const struct source_line *line);
