#include "share/redact_parts.h"

#include "share/redact_path.h"
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

/* A resume function has the function's name in its own: "torch_dynamo_resume_in_f_at_47". If no number follows "_at_",
 * that is part of the name. */
static void add_name(struct redact *r, struct slice word, struct buf *out) {
    static const struct slice resume = SLICE_INIT("torch_dynamo_resume_in_"), at = SLICE_INIT("_at_");
    size_t digits = word.len;
    while (digits && redact_is_digit(word.ptr[digits - 1]))
        digits--;
    if (digits < word.len && slice_starts(word, resume) && slice_ends(slice_first(word, digits), at) &&
        digits > resume.len + at.len) {
        buf_add(out, resume);
        add_name(r, slice_make(word.ptr + resume.len, digits - at.len - resume.len), out);
        buf_add(out, slice_from(word, digits - at.len));
        return;
    }
    if (r->what & REDACT_NAMES)
        add_numbered(out, "name", &r->names, &r->name_count, word);
    else
        add_shape(out, word);
}

static bool is_word_kept(const struct redact *r, struct slice word, enum redact_style style, bool strict) {
    if (!(r->what & (REDACT_NAMES | REDACT_CODE)))
        return true;
    if (style == REDACT_TORCH)
        return redact_is_torch_word(word);
    bool is_function = word.len > 1 && map_get(&r->functions, word) != MAP_NONE;
    if (is_function && (strict || !(r->what & REDACT_NAMES)))
        return !(r->what & REDACT_NAMES);
    return redact_is_kept(word);
}

static void add_word(struct redact *r, struct slice word, enum redact_style style, bool quoted, struct buf *out) {
    bool keep = is_word_kept(r, word, style, style == REDACT_FUNCTION || quoted);
    uint32_t user = keep && r->what & REDACT_PATHS ? map_get(&r->users, word) : MAP_NONE;
    if (user != MAP_NONE)
        buf_addf(out, "user%u", user);
    else if (keep)
        buf_add(out, word);
    else
        add_name(r, word, out);
}

/* ---- paths ------------------------------------------------------------------------------------------------------ */

/* Adds a path that stays, without the words that are names elsewhere. */
static void add_left_path(const struct redact *r, struct slice path, struct buf *out) {
    size_t done = 0;
    for (size_t at = 0, from; r->what & REDACT_NAMES && redact_next_word(path, &at, &from);) {
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

/* The length of a one-letter escape, such as \n; else 0. */
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
    struct redact_seen seen;
    struct slice text;
    size_t at;
    enum redact_style style;
    bool begins;  /* a path may begin here */
    bool quoted;  /* between backticks */
    bool setting; /* after the name of a setting */
};

static bool is_code(enum redact_style style) {
    return style == REDACT_SOURCE || style == REDACT_TORCH;
}

/* Reads values of settings. Returns whether there was one. */
static bool read_value(struct redact *r, struct reading *in, struct buf *out) {
    if (!(r->what & REDACT_CONFIG))
        return false;
    size_t len = redact_value_at(r, in->text, in->at);
    if (!len && in->setting)
        len = named_value_at(in->text, in->at);
    if (!len)
        return false;
    if (is_code(in->style))
        add_shape(out, slice_make(in->text.ptr + in->at, len));
    else
        buf_add(out, removed);
    in->at += len;
    in->begins = false;
    return true;
}

static bool read_path(struct redact *r, struct reading *in, struct buf *out) {
    size_t len = in->begins ? redact_path_at(r, in->text, in->at, in->style, &in->seen) : 0;
    if (!len)
        return false;
    redact_add_whole_path(r, slice_make(in->text.ptr + in->at, len), out);
    in->at += len;
    in->begins = false;
    return true;
}

/* A mail address or an IP address, which is replaced like a path. */
static bool read_address(struct redact *r, struct reading *in, struct buf *out) {
    size_t len = r->what & REDACT_PATHS ? redact_address_at(in->text, in->at, in->style) : 0;
    if (!len)
        return false;
    redact_add_path(r, slice_make(in->text.ptr + in->at, len), out);
    in->at += len;
    in->begins = false;
    return true;
}

/* Whether the value reveals nothing. */
static bool is_nothing(struct slice value) {
    static const char *const words[] = {"True", "False", "None", "true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_is(value, words[i]))
            return true;
    return !value.len;
}

/* Reads the value after the name of a user, a host, or an environment variable. */
static void read_value_behind(struct redact *r, struct slice word, struct reading *in, struct buf *out) {
    bool is_person = r->what & REDACT_PATHS && redact_is_person(word, in->style);
    bool is_variable = !is_person && r->what & REDACT_CONFIG && redact_is_variable(in->text, in->at - word.len, in->at);
    if (!is_person && !is_variable)
        return;
    struct slice value = redact_value_behind(in->text, in->at);
    if (is_nothing(value))
        return;
    buf_add(out, slice_make(in->text.ptr + in->at, (size_t)(value.ptr - in->text.ptr) - in->at));
    uint32_t user = is_person ? map_get(&r->users, value) : MAP_NONE;
    if (user != MAP_NONE)
        buf_addf(out, "user%u", user);
    else if (is_person)
        add_numbered(out, "user", &r->persons, &r->user_count, value);
    else if (is_code(in->style))
        add_shape(out, value);
    else
        buf_add(out, removed);
    in->at = (size_t)(value.ptr - in->text.ptr) + value.len;
}

/* The end of a word with separated letters, such as "s-e-c-r-e-t"; 0: there is none. */
static size_t spelled_end(struct slice text, size_t at) {
    enum { LEAST = 4 };
    char between = at + 1 < text.len ? text.ptr[at + 1] : '\0';
    size_t letters = 1, end = at + 1;
    if (!redact_is_in(between, "-. _/|+*:~"))
        return 0;
    while (end + 1 < text.len && text.ptr[end] == between && redact_is_letter(text.ptr[end + 1]) &&
           redact_word_end(text, end + 1) == end + 2) {
        end += 2;
        letters++;
    }
    return letters >= LEAST ? end : 0;
}

static void read_word(struct redact *r, struct reading *in, size_t end, struct buf *out) {
    struct slice word = slice_make(in->text.ptr + in->at, end - in->at);
    size_t spelled = word.len == 1 && in->style != REDACT_SOURCE && r->what & (REDACT_NAMES | REDACT_CODE)
                       ? spelled_end(in->text, in->at)
                       : 0;
    in->begins = false;
    if (spelled) {
        add_name(r, slice_make(word.ptr, spelled - in->at), out);
        in->at = spelled;
        return;
    }
    if (!is_code(in->style) && r->what & REDACT_CONFIG && redact_is_setting(r, word))
        in->setting = true;
    add_word(r, word, in->style, in->quoted, out);
    in->at = end;
    read_value_behind(r, word, in, out);
}

/* Reads bytes that are not a word. */
static void read_other(struct reading *in, size_t len, struct buf *out) {
    struct slice text = in->text;
    char c = text.ptr[in->at];
    in->quoted ^= c == '`' && !is_code(in->style);
    if (c == '\n' || (c == '.' && in->at + 1 < text.len && text.ptr[in->at + 1] == ' '))
        in->setting = false;
    buf_add(out, slice_make(text.ptr + in->at, len));
    in->at += len;
    in->begins = redact_ends_path(c) || len > 1;
}

/* Backslashes that escape each other are read together. */
static size_t backslashes_at(struct slice text, size_t at) {
    size_t end = at;
    while (end < text.len && text.ptr[end] == '\\')
        end++;
    return (end - at) / 2 * 2;
}

void redact_add_text(struct redact *r, struct slice text, enum redact_style style, struct buf *out) {
    struct reading in = {.text = text, .style = style, .begins = true};
    while (in.at < text.len) {
        if (read_value(r, &in, out) || read_path(r, &in, out) || read_address(r, &in, out))
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
        if (!len && (len = backslashes_at(text, in.at)) == 0)
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

/* The text between two lines that name settings is read in one piece, because a string may span lines. */
static void add_run(struct redact *r, const char *from, const char *to, struct buf *out) {
    redact_add_text(r, slice_make(from, (size_t)(to - from)), REDACT_SOURCE, out);
}

void redact_add_lines(struct redact *r, struct slice text, struct buf *out) {
    struct slice rest = text, line;
    const char *from = text.ptr;
    size_t inside = SIZE_MAX; /* indentation of a setting whose value continues on the next lines */
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
