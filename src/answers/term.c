#include "answers/term.h"

#include <locale.h>
#include <wchar.h>

#define NBSP "\u00a0"

static const char *const codes[TERM_STYLES] = {
    [TERM_PLAIN] = "",   [TERM_BOLD] = "1",     [TERM_DIM] = "2",   [TERM_CODE] = "36",
    [TERM_ERROR] = "31", [TERM_WARNING] = "33", [TERM_GOOD] = "32",
};

/* Switches the terminal to the style until the next switch or the end of the line. */
static void use(struct term *term, enum term_style style) {
    if (!term->color || term->style == style)
        return;
    if (term->style != TERM_PLAIN)
        buf_add_lit(term->out, "\x1b[0m");
    if (style != TERM_PLAIN)
        buf_addf(term->out, "\x1b[%sm", codes[style]);
    term->style = style;
}

void term_init(struct term *term, struct buf *out, unsigned width, bool color) {
    *term = (struct term){
        .out = out,
        .width = width < TERM_WIDTH_MIN ? TERM_WIDTH_MIN
               : width > TERM_WIDTH_MAX ? TERM_WIDTH_MAX
                                        : width,
        .color = color,
        .utf8 = (void *)newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0),
    };
}

void term_finish(struct term *term) {
    use(term, TERM_PLAIN);
    if (term->utf8)
        freelocale((locale_t)term->utf8);
    *term = (struct term){0};
}

/* The length of the UTF-8 character at the start of valid text, and its columns. */
static size_t next_character(const struct term *term, struct slice text, unsigned *columns) {
    unsigned char first = (unsigned char)text.ptr[0];
    size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    *columns = 1;
    if (bytes == 1 || !term->utf8)
        return bytes;
    wchar_t code = (wchar_t)(first & (bytes == 2 ? 0x1f : bytes == 3 ? 0x0f : 0x07));
    for (size_t i = 1; i < bytes; i++)
        code = (wchar_t)(code << 6 | (text.ptr[i] & 0x3f));
    int width = wcwidth(code);
    *columns = width < 0 ? 1 : (unsigned)width;
    return bytes;
}

static unsigned columns_of(const struct term *term, struct slice clean) {
    unsigned sum = 0, columns;
    locale_t before = term->utf8 ? uselocale((locale_t)term->utf8) : (locale_t)0;
    while (clean.len) {
        clean = slice_from(clean, next_character(term, clean, &columns));
        sum += columns;
    }
    if (before)
        uselocale(before);
    return sum;
}

/* The part of the clean text that fits. */
static struct slice fitting(const struct term *term, struct slice clean, unsigned room) {
    size_t len = 0;
    unsigned sum = 0, columns;
    locale_t before = term->utf8 ? uselocale((locale_t)term->utf8) : (locale_t)0;
    while (len < clean.len) {
        size_t bytes = next_character(term, slice_from(clean, len), &columns);
        if (sum + columns > room)
            break;
        sum += columns;
        len += bytes;
    }
    if (before)
        uselocale(before);
    return slice_first(clean, len);
}

unsigned term_columns(const struct term *term, struct slice text) {
    AUTO_BUF clean = {0};
    printable_add(&clean, text, SIZE_MAX);
    unsigned columns = columns_of(term, buf_slice(&clean));
    return columns;
}

static void add_clean(struct term *term, enum term_style style, struct slice clean) {
    size_t at;
    if (clean.len)
        use(term, style);
    for (; (at = slice_find(clean, SLICE(NBSP))) != SIZE_MAX; clean = slice_from(clean, at + SLICE(NBSP).len))
        BUF_ADD(term->out, slice_first(clean, at), " ");
    buf_add(term->out, clean);
}

void term_add(struct term *term, enum term_style style, struct slice text) {
    AUTO_BUF clean = {0};
    printable_add(&clean, text, SIZE_MAX);
    add_clean(term, style, buf_slice(&clean));
}

/* Adds clean text in which backticks switch to code and back; *code is the state. */
static void add_with_code(struct term *term, enum term_style style, struct slice clean, bool *code) {
    while (clean.len) {
        bool tick = clean.ptr[0] == '`';
        size_t len = 1;
        while (!tick && len < clean.len && clean.ptr[len] != '`')
            len++;
        if (!tick || !term->color)
            add_clean(term, *code || tick ? TERM_CODE : style, slice_first(clean, len));
        *code ^= tick;
        clean = slice_from(clean, len);
    }
}

void term_code(struct term *term, enum term_style style, struct slice text) {
    AUTO_BUF clean = {0};
    bool code = false;
    printable_add(&clean, text, SIZE_MAX);
    add_with_code(term, style, buf_slice(&clean), &code);
}

void term_line(struct term *term, enum term_style style, struct slice text, unsigned at) {
    AUTO_BUF clean = {0};
    unsigned room = term->width > at ? term->width - at : 1;
    printable_add(&clean, text, SIZE_MAX);
    struct slice shown = buf_slice(&clean);
    bool fits = columns_of(term, shown) <= room;
    add_clean(term, style, fits ? shown : fitting(term, shown, room - 1));
    if (!fits)
        add_clean(term, TERM_DIM, SLICE("…"));
}

void term_spaces(struct term *term, unsigned count) {
    while (count--)
        buf_add_byte(term->out, ' ');
}

void term_newline(struct term *term) {
    use(term, TERM_PLAIN);
    buf_add_byte(term->out, '\n');
}

/* A paragraph being wrapped. */
struct paragraph {
    struct term *term;
    struct term_box box;
    enum term_style style;
    unsigned column, line; /* position of the cursor; number of completed lines */
    bool code;             /* between backticks */
    bool full;             /* no line is left */
    bool word_before;      /* on this line */
};

/* Starts the next line; false if none is left. */
static bool wrap(struct paragraph *p) {
    if (p->box.lines && p->line + 1 >= p->box.lines) {
        p->full = true;
        add_clean(p->term, TERM_DIM, SLICE(" …"));
        p->column += 2;
        return false;
    }
    term_newline(p->term);
    term_spaces(p->term, p->box.indent);
    p->column = p->box.indent;
    p->line++;
    p->word_before = false;
    return true;
}

static unsigned word_columns(const struct paragraph *p, struct slice word) {
    unsigned columns = columns_of(p->term, word);
    for (size_t i = 0; p->term->color && i < word.len; i++)
        columns -= word.ptr[i] == '`';
    return columns;
}

/* Space for " …" on the last line. */
static unsigned reserved(const struct paragraph *p) {
    return p->box.lines && p->line + 1 >= p->box.lines ? 2 : 0;
}

static void add_word(struct paragraph *p, struct slice word) {
    unsigned columns = word_columns(p, word), space = p->word_before ? 1 : 0;
    if (p->word_before && p->column + space + columns + reserved(p) > p->term->width) {
        if (!wrap(p))
            return;
        space = 0;
    }
    term_spaces(p->term, space);
    p->column += space;
    while (p->column + columns + reserved(p) > p->term->width && !p->full) { /* longer than a line */
        unsigned reserve = reserved(p);
        unsigned room = p->term->width > p->column ? p->term->width - p->column : 0;
        struct slice part = fitting(p->term, word, room > reserve ? room - reserve : 0);
        if (!part.len && p->column <= p->box.indent)
            part = fitting(p->term, word, 2); /* wider than the whole line */
        add_with_code(p->term, p->style, part, &p->code);
        p->column += word_columns(p, part);
        word = slice_from(word, part.len);
        columns = word_columns(p, word);
        if (word.len && !wrap(p))
            return;
    }
    add_with_code(p->term, p->style, word, &p->code);
    p->column += columns;
    p->word_before = true;
}

void term_prose(struct term *term, enum term_style style, struct slice text, struct term_box box) {
    struct paragraph p = {.term = term, .box = box, .style = style, .column = box.at};
    struct slice line;
    bool first = true;
    struct slice rest = slice_trim(text);
    while (!p.full && slice_next_line(&rest, &line)) {
        AUTO_BUF clean = {0};
        printable_add(&clean, line, SIZE_MAX);
        struct slice words = slice_trim(buf_slice(&clean));
        if (words.len && !first && !wrap(&p))
            words.len = 0;
        while (words.len && !p.full) {
            size_t len = 0;
            while (len < words.len && words.ptr[len] != ' ')
                len++;
            add_word(&p, slice_first(words, len));
            words = slice_trim(slice_from(words, len));
        }
        first = false;
    }
    term_newline(term);
}
