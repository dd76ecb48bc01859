/* term.h - text for readers, in lines of a terminal: wrapped, aligned in columns, with or without colors; and numbers with
 * their units (units.c).
 *
 * All text is sanitized (base/text.h): a log cannot control the terminal. Widths are in terminal columns, from the C
 * library's wcwidth() in a private UTF-8 locale; the program's locale does not matter.
 *
 * Life cycle: term_init(), functions, term_finish(). One thread. */
#pragma once

#include "base/base.h"

enum { TERM_WIDTH_MIN = 40, TERM_WIDTH_MAX = 1000 };

enum term_style { TERM_PLAIN, TERM_BOLD, TERM_DIM, TERM_CODE, TERM_ERROR, TERM_WARNING, TERM_GOOD, TERM_STYLES };

struct term {
    struct buf *out; /* the caller's */
    unsigned width;  /* columns of a line */
    bool color;
    enum term_style style; /* the terminal's, so far */
    void *utf8;            /* a locale_t; NULL: not available, every character counts as one column */
};

/* `width` is clamped to TERM_WIDTH_MIN … TERM_WIDTH_MAX. */
void term_init(struct term *term, struct buf *out, unsigned width, bool color);
void term_finish(struct term *term);

/* The number of columns that the sanitized text takes. */
unsigned term_columns(const struct term *term, struct slice text);
/* Adds text in a style, without wrapping. */
void term_add(struct term *term, enum term_style style, struct slice text);
/* The same, with text between backticks as code. */
void term_code(struct term *term, enum term_style style, struct slice text);
/* The same, truncated to what fits on the line from column `at`; it then ends in "…". */
void term_line(struct term *term, enum term_style style, struct slice text, unsigned at);
void term_spaces(struct term *term, unsigned count);
void term_newline(struct term *term);

/* The box of a paragraph. */
struct term_box {
    unsigned at;     /* current column of the cursor */
    unsigned indent; /* indentation of the lines after the first */
    unsigned lines;  /* maximum number of lines; the last one ends in "…". 0: no limit */
};

/* Adds words, wrapped to the width, and a newline. Text between backticks is code: it is colored or, without color,
 * keeps its backticks. A line break in the text starts a new line. */
void term_prose(struct term *term, enum term_style style, struct slice text, struct term_box box);

/* units.c - numbers for readers, in the same form as on the page (web/src/lib/format.ts): three significant digits, a
 * no-break space (U+00A0) before the unit, which term.h prints as a space. Pure; any thread. */
/* Adds microseconds as "1.23 s", "45.6 ms", "2 min 5 s", "3 h 20 min". */
void unit_add_time(struct buf *out, int64_t us);
/* The same for a time with decimals. */
void unit_add_us(struct buf *out, double us);
/* Adds bytes as "12.3 MB". */
void unit_add_bytes(struct buf *out, uint64_t bytes);
/* Adds 1234567 as "1,234,567". */
void unit_add_count(struct buf *out, uint64_t count);
/* Adds "1 compile" or "2 compiles"; many may be NULL if the plural is `one` with an "s". */
void unit_add_plural(struct buf *out, uint64_t count, const char *one, const char *many);
