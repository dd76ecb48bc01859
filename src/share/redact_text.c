#include "share/redact_text.h"

#include <stdio.h>

#include "share/redact_path.h"
#include "share/redact_setting.h"
#include "share/redact_word.h"

static const struct slice removed = SLICE_INIT("(removed)");

static void add_shape(struct buf *out, struct slice text) {
    size_t at = out->len;
    buf_add(out, text);
    if (text.len)
        redact_shape(out->ptr + at, text.len);
}

static void add_numbered(struct buf *out, const char *stem, struct map *map, uint32_t *count, struct slice text) {
    bool added;
    uint32_t number = *map_put(map, text, *count + 1, &added);
    *count += added;
    buf_addf(out, "%s%u", stem, number);
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

static void add_name(struct redact *r, struct slice word, struct buf *out) {
    /* The rest of a function after a graph break has the name of the function in its own. */
    static const struct slice resume = SLICE_INIT("torch_dynamo_resume_in_"), at = SLICE_INIT("_at_");
    size_t end = slice_starts(word, resume) ? slice_find(word, at) : SIZE_MAX;
    if (end != SIZE_MAX && end > resume.len) {
        buf_add(out, resume);
        add_name(r, slice_make(word.ptr + resume.len, end - resume.len), out);
        buf_add(out, at);
        redact_add_text(r, slice_from(word, end + at.len), REDACT_SENTENCE, out);
        return;
    }
    if (r->what & REDACT_NAMES)
        add_numbered(out, "name", &r->names, &r->name_count, word);
    else
        add_shape(out, word);
}

static void add_word(struct redact *r, struct slice word, bool strict, struct buf *out) {
    bool is_function = word.len > 1 && map_get(&r->functions, word) != MAP_NONE;
    bool keep = is_function ? !(r->what & REDACT_NAMES) || (redact_is_kept(word) && !strict) : redact_is_kept(word);
    if (!(r->what & (REDACT_NAMES | REDACT_CODE)))
        keep = true;
    uint32_t user = keep && r->what & REDACT_PATHS ? map_get(&r->users, word) : MAP_NONE;
    if (user != MAP_NONE)
        buf_addf(out, "user%u", user);
    else if (keep)
        buf_add(out, word);
    else
        add_name(r, word, out);
}

/* ---- paths ------------------------------------------------------------------------------------------------------ */

/* A path that stays, without the words that are names elsewhere. */
static void add_left_path(const struct redact *r, struct slice path, struct buf *out) {
    size_t done = 0;
    for (size_t at = 0, from; r->what & REDACT_NAMES && !redact_is_torch(path) && redact_next_word(path, &at, &from);) {
        uint32_t number = map_get(&r->names, slice_make(path.ptr + from, at - from));
        if (number == MAP_NONE)
            continue;
        buf_add(out, slice_make(path.ptr + done, from - done));
        buf_addf(out, "name%u", number);
        done = at;
    }
    buf_add(out, slice_from(path, done));
}

void redact_add_whole_path(struct redact *r, struct slice path, struct buf *out) {
    if (r->what & REDACT_PATHS)
        redact_add_path(r, path, out);
    else
        add_left_path(r, path, out);
}

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* The length of an escape of one letter, such as \n, else 0. */
static size_t letter_escape_at(struct slice text, size_t at) {
    return text.ptr[at] == '\\' && at + 1 < text.len && redact_is_in(text.ptr[at + 1], "nrtbfav\"'\\") ? 2 : 0;
}

/* The length of a value at `at` that follows the name of a setting in a sentence: a number, True, a text in quotes; else 0. */
static size_t named_value_at(struct slice text, size_t at) {
    static const char *const words[] = {"True", "False", "None", "true", "false", "null"};
    char c = text.ptr[at];
    size_t end = redact_word_end(text, at);
    if (redact_is_in(c, "\"'") && (at == 0 || redact_word_end(text, at - 1) == at - 1)) {
        const char *close = memchr(text.ptr + at + 1, c, text.len - at - 1);
        return close ? (size_t)(close - text.ptr) + 1 - at : 0;
    }
    struct slice word = slice_make(text.ptr + at, end - at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_is(word, words[i]))
            return word.len;
    for (size_t i = 0; i < word.len; i++)
        if (!redact_is_digit(word.ptr[i]))
            return 0;
    return word.len;
}

struct reading {
    struct slice text;
    size_t at;
    enum redact_style style;
    bool begins;  /* a path may begin here */
    bool quoted;  /* between backticks */
    bool setting; /* after the name of a setting */
};

/* Values of settings. Returns whether there was one. */
static bool read_value(struct redact *r, struct reading *in, struct buf *out) {
    if (!(r->what & REDACT_CONFIG))
        return false;
    size_t len = redact_value_at(r, in->text, in->at);
    if (!len && in->setting)
        len = named_value_at(in->text, in->at);
    if (!len)
        return false;
    if (in->style == REDACT_SOURCE)
        add_shape(out, slice_make(in->text.ptr + in->at, len));
    else
        buf_add(out, removed);
    in->at += len;
    in->begins = false;
    return true;
}

static bool read_path(struct redact *r, struct reading *in, struct buf *out) {
    size_t len = in->begins ? redact_path_at(r, in->text, in->at, in->style) : 0;
    if (!len)
        return false;
    redact_add_whole_path(r, slice_make(in->text.ptr + in->at, len), out);
    in->at += len;
    in->begins = false;
    return true;
}

static void read_word(struct redact *r, struct reading *in, size_t end, struct buf *out) {
    struct slice word = slice_make(in->text.ptr + in->at, end - in->at);
    if (in->style != REDACT_SOURCE && r->what & REDACT_CONFIG && redact_is_setting(r, word))
        in->setting = true;
    add_word(r, word, in->style == REDACT_FUNCTION || in->quoted, out);
    in->at = end;
    in->begins = false;
}

/* Bytes that are no word. */
static void read_other(struct reading *in, size_t len, struct buf *out) {
    struct slice text = in->text;
    char c = text.ptr[in->at];
    in->quoted ^= c == '`' && in->style != REDACT_SOURCE;
    if (c == '\n' || (c == '.' && in->at + 1 < text.len && text.ptr[in->at + 1] == ' '))
        in->setting = false;
    buf_add(out, slice_make(text.ptr + in->at, len));
    in->at += len;
    in->begins = redact_ends_path(c) || len > 1;
}

void redact_add_text(struct redact *r, struct slice text, enum redact_style style, struct buf *out) {
    struct reading in = {.text = text, .style = style, .begins = true};
    while (in.at < text.len) {
        if (read_value(r, &in, out) || read_path(r, &in, out))
            continue;
        size_t len = redact_control_at(text, in.at), end;
        if (!len)
            len = redact_sign_at(text, in.at);
        if (!len && (end = redact_word_end(text, in.at)) > in.at) {
            if (redact_has_letter(slice_make(text.ptr + in.at, end - in.at))) {
                read_word(r, &in, end, out);
                continue;
            }
            len = end - in.at;
            buf_add(out, slice_make(text.ptr + in.at, len));
            in.at = end;
            in.begins = false;
            continue;
        }
        if (!len)
            len = letter_escape_at(text, in.at);
        read_other(&in, len ? len : 1, out);
    }
}

static size_t indent_of(struct slice line) {
    size_t indent = 0;
    while (indent < line.len && redact_is_in(line.ptr[indent], " \t"))
        indent++;
    return indent;
}

/* The text between two lines that name settings is read at once: a string may span lines. */
static void add_run(struct redact *r, const char *from, const char *to, struct buf *out) {
    redact_add_text(r, slice_make(from, (size_t)(to - from)), REDACT_SOURCE, out);
}

void redact_add_lines(struct redact *r, struct slice text, struct buf *out) {
    struct slice rest = text, line;
    const char *from = text.ptr;
    size_t inside = SIZE_MAX; /* the indent of a setting whose value continues on the next lines */
    if (!(r->what & REDACT_CONFIG)) {
        redact_add_text(r, text, REDACT_SOURCE, out);
        return;
    }
    while (slice_next_line(&rest, &line)) {
        struct slice content = slice_trim(line);
        bool continues = inside != SIZE_MAX && (!content.len || indent_of(line) > inside);
        if (!continues)
            inside = SIZE_MAX;
        if (!continues && !redact_has_setting(r, line))
            continue;
        add_run(r, from, line.ptr, out);
        add_shape(out, line);
        from = line.ptr + line.len;
        if (!continues && content.len && redact_is_in(content.ptr[content.len - 1], "{[("))
            inside = indent_of(line);
    }
    add_run(r, from, text.ptr + text.len, out);
}
