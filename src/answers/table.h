/* table.h - rows of cells, for a terminal (aligned, truncated to the width) or for markdown.
 *
 * Life cycle: table_init(), cells row by row, table_add_text() or table_add_markdown(), table_finish(). One thread. */
#pragma once

#include "answers/term.h"

enum { TABLE_COLUMNS_MAX = 12 };

struct table_cell {
    enum term_style style;
    char *text; /* the table's */
};

struct table {
    const char *align; /* a letter per column: 'l' left, 'r' right, 'b' left and truncated at the end; owned by the
                        * caller */
    size_t columns;
    unsigned cut_min;              /* columns that a truncated text keeps at least; 0: 12 */
    LIST(struct table_cell) cells; /* row by row; the first row is the header */
};

void table_init(struct table *table, const char *align);
/* Adds the next cell; copies the text. */
void table_cell(struct table *table, enum term_style style, struct slice text);
void table_cell_str(struct table *table, enum term_style style, const char *text);
size_t table_rows(const struct table *table);
/* Adds the table with `indent` spaces before each row. If a row is wider than the terminal, texts are truncated, with a
 * "…": first in columns 'b', then in the header above right-aligned columns, then in the widest left-aligned column,
 * and finally in right-aligned columns. */
void table_add_text(const struct table *table, struct term *term, unsigned indent);
void table_add_markdown(const struct table *table, struct buf *out);
void table_finish(struct table *table);
