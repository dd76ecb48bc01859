#include "answers/table.h"

#include "answers/term.h"

enum { GAP = 2, CUT_MIN = 12 };

void table_init(struct table *table, const char *align) {
    *table = (struct table){.align = align, .columns = strlen(align)};
    assert(table->columns && table->columns <= TABLE_COLUMNS_MAX);
}

void table_cell(struct table *table, enum term_style style, struct slice text) {
    LIST_ADD(&table->cells, (struct table_cell){style, mem_printf("%.*s", (int)text.len, text.len ? text.ptr : "")});
}

void table_cell_str(struct table *table, enum term_style style, const char *text) {
    table_cell(table, style, slice_str(text));
}

size_t table_rows(const struct table *table) {
    return table->cells.count / table->columns;
}

static const struct table_cell *cell_at(const struct table *table, size_t row, size_t column) {
    return &table->cells.items[row * table->columns + column];
}

/* The column widths of the rows from `first` on. */
static void measure(const struct table *table, const struct term *term, size_t first, unsigned *widths) {
    for (size_t c = 0; c < table->columns; c++) {
        widths[c] = 0;
        for (size_t r = first; r < table_rows(table); r++) {
            unsigned columns = term_columns(term, slice_str(cell_at(table, r, c)->text));
            widths[c] = columns > widths[c] ? columns : widths[c];
        }
    }
}

/* Narrows the widest columns until a row fits, but no column below `least`. The widest columns shrink together. */
static void shrink(const struct table *table, unsigned room, const unsigned *least, unsigned *widths) {
    for (;;) {
        unsigned sum = 0;
        size_t widest = SIZE_MAX;
        for (size_t c = 0; c < table->columns; c++) {
            sum += widths[c] + (c ? GAP : 0);
            if (widths[c] > least[c] && (widest == SIZE_MAX || widths[c] > widths[widest]))
                widest = c;
        }
        if (sum <= room || widest == SIZE_MAX)
            return;
        unsigned over = sum - room, most = widths[widest] - least[widest];
        unsigned next = 0; /* the next narrower column that can shrink */
        for (size_t c = 0; c < table->columns; c++)
            if (c != widest && widths[c] > least[c] && widths[c] > next && widths[c] < widths[widest])
                next = widths[c];
        unsigned step = next > least[widest] ? widths[widest] - next : most;
        step = step < 1 ? 1 : step;
        widths[widest] -= over < step ? over : step < most ? step : most;
    }
}

/* Decides which texts to truncate if a row does not fit: first columns 'b', then titles above numbers, then
 * left-aligned texts, and finally the rest. */
static void fit(const struct table *table, const struct term *term, unsigned room, unsigned *widths) {
    unsigned body[TABLE_COLUMNS_MAX] = {0}, least[TABLE_COLUMNS_MAX] = {0},
             cut_min = table->cut_min ? table->cut_min : CUT_MIN;
    measure(table, term, 1, body);
    for (size_t c = 0; c < table->columns; c++)
        least[c] = table->align[c] == 'b' ? cut_min : widths[c];
    shrink(table, room, least, widths);
    for (size_t c = 0; c < table->columns; c++)
        least[c] = table->align[c] != 'r' ? widths[c] : body[c] > cut_min ? body[c] : cut_min;
    shrink(table, room, least, widths);
    for (size_t c = 0; c < table->columns; c++)
        least[c] = table->align[c] != 'r' ? cut_min : widths[c];
    shrink(table, room, least, widths);
    for (size_t c = 0; c < table->columns; c++)
        least[c] = table->align[c] != 'r' ? widths[c] : cut_min;
    shrink(table, room, least, widths);
}

/* Adds the text truncated to the width, keeping its end, the most informative part of a path. */
static void add_cut(struct term *term, enum term_style style, struct slice text, unsigned width) {
    while (text.len && term_columns(term, text) + 1 > width) {
        do
            text = slice_from(text, 1);
        while (text.len && ((unsigned char)text.ptr[0] & 0xc0) == 0x80);
    }
    term_add(term, style, SLICE("…"));
    term_add(term, style, text);
}

static void add_cell(struct term *term, const struct table_cell *cell, char align, unsigned width, bool last) {
    struct slice text = slice_str(cell->text);
    unsigned columns = term_columns(term, text);
    if (columns > width && align == 'b') {
        term_line(term, cell->style, text, term->width - width);
        columns = width;
        text.len = 0;
    } else if (columns > width) {
        add_cut(term, cell->style, text, width);
        columns = width;
        text.len = 0;
    }
    if (align == 'r' && (text.len || !last))
        term_spaces(term, width - columns);
    if (text.len)
        term_add(term, cell->style, text);
    if (align != 'r' && !last)
        term_spaces(term, width - columns);
}

void table_add_text(const struct table *table, struct term *term, unsigned indent) {
    unsigned widths[TABLE_COLUMNS_MAX];
    measure(table, term, 0, widths);
    fit(table, term, term->width > indent ? term->width - indent : 1, widths);
    for (size_t r = 0; r < table_rows(table); r++) {
        term_spaces(term, indent);
        for (size_t c = 0; c < table->columns; c++) {
            if (c)
                term_spaces(term, GAP);
            add_cell(term, cell_at(table, r, c), table->align[c], widths[c], c + 1 == table->columns);
        }
        while (term->out->len && term->out->ptr[term->out->len - 1] == ' ')
            term->out->len--;
        term_newline(term);
    }
}

void table_add_markdown(const struct table *table, struct buf *out) {
    for (size_t r = 0; r < table_rows(table); r++) {
        for (size_t c = 0; c < table->columns; c++) {
            buf_add_str(out, c ? " | " : "| ");
            markdown_add(out, slice_str(cell_at(table, r, c)->text));
        }
        buf_add_lit(out, " |\n");
        for (size_t c = 0; r == 0 && c < table->columns; c++)
            buf_add_str(out, table->align[c] == 'r' ? "|---:" : "|---");
        if (r == 0)
            buf_add_lit(out, "|\n");
    }
}

void table_finish(struct table *table) {
    for (size_t i = 0; i < table->cells.count; i++)
        mem_free(table->cells.items[i].text);
    mem_free(table->cells.items);
    *table = (struct table){0};
}
