#include "runs/secret.h"

#include "runs/secret_value.h"

#define HIDDEN "***"

enum { BRACKETS_MAX = 1 << 20 };

static bool is_space(char c) {
    return c == ' ' || c == '\t';
}

static bool is_name(char c) {
    return secret_is_alnum(c) || c == '_' || c == '-' || c == '.';
}

/* Replaces a range of the view. */
static void remove_range(struct secret_reader *r, size_t from, size_t end) {
    size_t source = r->view.from[from];
    if (source > r->done)
        buf_add(r->out, slice_make(r->view.source.ptr + r->done, source - r->done));
    buf_add_lit(r->out, HIDDEN);
    r->done = r->view.from[end];
    r->removed = true;
}

/* ---- Names and what follows them */

/* Whether the word before a name means that a value follows the name: setenv NAME x, set -x NAME x. */
static bool is_set(const struct secret_reader *r, size_t name) {
    static const char *const words[] = {"setenv", "-x", "-gx", "-ux", "-lx", "--export"};
    size_t end = name, from;
    while (end && is_space(r->text.ptr[end - 1]))
        end--;
    for (from = end; from && is_name(r->text.ptr[from - 1]) && end - from < 16;)
        from--;
    for (size_t i = 0; end < name && i < sizeof words / sizeof *words; i++)
        if (secret_is_word(slice_make(r->text.ptr + from, end - from), words[i]))
            return true;
    return false;
}

/* The length of a separator at `at`: "=", ":", "=>", "%3D", … */
static size_t separator_at(const struct secret_reader *r, size_t at) {
    struct slice rest = slice_from(r->text, at);
    char c = secret_char_at(r, at), next = secret_char_at(r, at + 1);
    if (secret_starts(rest, "%3d") || secret_starts(rest, "%3a"))
        return 3;
    if (c == ':' && (next == ':' || (next == '/' && secret_char_at(r, at + 2) == '/')))
        return 0;
    size_t len = secret_is_any(c, "+?!|:") && next == '=' ? 1 : 0;
    if (secret_char_at(r, at + len) == ':')
        return 1;
    if (secret_char_at(r, at + len) != '=')
        return 0;
    while (secret_is_any(secret_char_at(r, at + len), "=>"))
        len++;
    return len;
}

/* Finds the value after the name. */
static bool find_value(const struct secret_reader *r, struct secret_pair *pair) {
    struct secret_quote open = {0}, quote;
    size_t at = pair->name_end, len;
    char before = pair->name ? r->text.ptr[pair->name - 1] : '\0';
    bool option = r->text.ptr[pair->name] == '-';
    pair->quoted = secret_is_any(before, "'\"`");
    pair->query =
        secret_is_any(before, "?&;") || (pair->name >= 3 && secret_starts(slice_from(r->text, pair->name - 3), "%26"));
    if (pair->quoted && (len = secret_quote_at(r, at, &open)))
        at += len;
    while (secret_is_any(secret_char_at(r, at), ")]") && at < pair->name_end + 8)
        at++;
    size_t spaces = at;
    at = secret_skip_white(r, at, false);
    bool spaced = at > spaces;
    if (before == '<' && secret_char_at(r, at) == '>') {
        pair->element = pair->wide = true;
        pair->value = at + 1;
        return true;
    }
    if ((len = separator_at(r, at))) {
        bool colon = len == 1 && secret_char_at(r, at) == ':';
        if (colon && before == '/')
            return false; /* PYTHONPATH=/keys:/lib */
        pair->value = secret_skip_white(r, at + len, pair->quoted);
        bool apart = pair->value > at + len;
        pair->joined = !spaced && !apart;
        pair->wide =
            colon ? apart || pair->quoted || r->depth || secret_char_at(r, pair->value) == '\n' : spaced && apart;
        return colon || pair->joined || spaced ||
               secret_quote_at(r, pair->value, &quote) > 0; /* not TOKEN= python x.py */
    }
    if (secret_char_at(r, at) == '(' || (pair->quoted && secret_char_at(r, at) == ',')) {
        pair->value = secret_skip_white(r, at + 1, true);
        return secret_quote_at(r, pair->value, &quote) > 0;
    }
    pair->option = true;
    pair->value = secret_skip_white(r, at, true);
    if (pair->value == r->text.len)
        return option;
    if (option && secret_char_at(r, pair->value) == '-' && secret_char_at(r, pair->value + 1) == ' ' &&
        secret_char_at(r, at) == '\n') {
        pair->value = secret_skip_white(r, pair->value + 1, false); /* a list of YAML */
        return true;
    }
    return spaced && pair->value == at && secret_char_at(r, at) != '-' && (option || is_set(r, pair->name));
}

/* A value of several words that begins with "Bearer". */
static void read_scheme(struct secret_reader *r, struct secret_pair *pair, size_t *end) {
    while (!pair->wide && secret_is_scheme(slice_make(r->text.ptr + pair->value, *end - pair->value))) {
        struct secret_pair next = *pair;
        next.value = secret_skip_white(r, *end, false);
        if (next.value == *end)
            break;
        *end = secret_value_end(r, &next);
        pair->wide = true;
    }
    struct slice value = slice_trim(slice_make(r->text.ptr + pair->value, *end - pair->value));
    if (*end == r->text.len && secret_is_scheme(value)) {
        r->awaits = pair->secret;
        r->header = true;
    }
}

/* Removes a value. Quotes stay if they enclose all of it. */
static void remove_value(struct secret_reader *r, size_t from, size_t end) {
    struct secret_quote quote, last;
    size_t len = secret_quote_at(r, from, &quote);
    bool around = len && end >= from + 2 * len && secret_quoted_end(r, from + len, quote) == end &&
                  secret_quote_at(r, end - len, &last) == len;
    remove_range(r, around ? from + len : from, around ? end - len : end);
    r->at = end;
}

/* Removes text with the shape of a secret within the name. */
static void remove_shapes(struct secret_reader *r, const struct secret_pair *pair) {
    for (size_t at = pair->name + 1, from, end; at < pair->name_end; at++) {
        end = secret_shape_at(&r->shapes, r->text, at, &from);
        if (!end || from >= pair->name_end)
            continue;
        at = end < pair->name_end ? end : pair->name_end;
        remove_range(r, from, at);
    }
}

/* Removes the value of a name. Returns false if there is none. */
static bool read_pair(struct secret_reader *r, size_t name_end) {
    struct secret_pair pair = {.name = r->at, .name_end = name_end};
    if (!find_value(r, &pair))
        return false;
    struct slice name = slice_make(r->text.ptr + pair.name, pair.name_end - pair.name);
    pair.secret = secret_name_of(name, pair.query);
    if (pair.secret == SECRET_NO ||
        (pair.secret == SECRET_OF_USER && secret_is_any(secret_char_at(r, pair.value), "[{($")))
        return false;
    bool first = r->whole && !pair.query && !pair.option && !pair.quoted && pair.name <= r->plain;
    if (pair.value >= r->text.len) {
        r->awaits = pair.option || secret_char_at(r, pair.value - 1) != '=' ? pair.secret : SECRET_NO;
        r->header = !pair.option;
        r->several = pair.option && pair.secret == SECRET_YES && secret_name_is_plural(name);
        return false;
    }
    struct secret_quote quote;
    size_t open = r->quote_count, from = pair.value;
    if (pair.quoted && secret_quote_at(r, name_end, &quote)) /* the value is beyond the end of the name's quotes */
        secret_turn_quote(r, quote);
    size_t end = first ? r->text.len : secret_value_end(r, &pair);
    if (!first && pair.wide &&
        (secret_char_at(r, from) == '\n' || (secret_is_any(secret_char_at(r, from), "|>") && end - from <= 3)))
        end = secret_block_end(r, from);
    read_scheme(r, &pair, &end);
    if (secret_is_harmless(slice_make(r->text.ptr + from, end - from), pair.secret)) {
        r->quote_count = open;
        return false;
    }
    remove_shapes(r, &pair);
    remove_value(r, from, end);
    return true;
}

static void read_text(struct secret_reader *r) {
    size_t name_end = 0, from, end, len;
    struct secret_quote quote;
    while (r->plain < r->text.len && (is_name(r->text.ptr[r->plain]) || secret_is_any(r->text.ptr[r->plain], "+~=,@")))
        r->plain++;
    while (r->at < r->text.len) {
        char c = r->text.ptr[r->at];
        if ((end = secret_shape_at(&r->shapes, r->text, r->at, &from))) {
            remove_range(r, from, end);
            r->at = end;
            continue;
        }
        if (is_name(c) && r->at >= name_end) {
            for (name_end = r->at; name_end < r->text.len && is_name(r->text.ptr[name_end]);)
                name_end++;
            if (read_pair(r, name_end))
                continue;
        }
        if ((len = secret_quote_at(r, r->at, &quote))) {
            secret_turn_quote(r, quote);
            r->at += len;
            continue;
        }
        r->depth += secret_is_any(c, "([{") && r->depth < BRACKETS_MAX ? 1 : 0;
        r->depth -= secret_is_any(c, ")]}") && r->depth ? 1 : 0;
        do
            r->at++;
        while (c == '\\' && secret_char_at(r, r->at) == '\\');
    }
}

/* Adds a text without its secrets. */
static void read_all(struct secret_reader *r, struct slice source, struct buf *out) {
    secret_view_init(&r->view, source);
    r->text = slice_make(r->view.text, r->view.len);
    r->out = out;
    read_text(r);
    buf_add(out, slice_from(source, r->done));
    secret_view_finish(&r->view);
}

bool secret_is_variable(struct slice name, struct slice value) {
    struct secret_reader r = {0};
    struct secret_view view;
    AUTO_BUF out = {0};
    secret_view_init(&view, name);
    enum secret_name secret = secret_name_of(slice_make(view.text, view.len), false);
    secret_view_finish(&view);
    read_all(&r, value, &out);
    return r.removed || (secret != SECRET_NO && !secret_is_harmless(value, secret));
}

/* ---- Commands */

/* Whether the argument after this one is a command line or a program: -c, -lc. */
static bool is_code(struct slice option) {
    if (option.len < 2 || option.ptr[0] != '-' || option.ptr[option.len - 1] != 'c')
        return false;
    for (size_t i = 1; i < option.len; i++)
        if (!secret_is_letter(option.ptr[i]))
            return false;
    return true;
}

static bool is_option(struct slice argument) {
    return slice_starts(argument, SLICE("-")) && slice_find(argument, SLICE("=")) == SIZE_MAX;
}

/* Whether the argument is a name, not an option, whose value may be the next argument: "set api_key x". */
static bool is_bare_name(struct slice text) {
    bool parted = secret_starts(text, "passw") || secret_starts(text, "apikey");
    for (size_t i = 0; i < text.len; i++) {
        if (!is_name(text.ptr[i]))
            return false;
        parted |= !secret_is_alnum(text.ptr[i]);
    }
    return parted && text.ptr[0] != '-' && secret_name_of(text, false) == SECRET_YES;
}

/* Whether the argument is a value that the previous arguments announced. */
static bool is_awaited(struct secret_command *command, struct slice text) {
    enum secret_name secret = (enum secret_name)command->awaits;
    if (secret == SECRET_NO || (slice_starts(text, SLICE("-")) && !command->header) || secret_is_harmless(text, secret))
        return false;
    command->header = secret_is_scheme(text);
    command->awaits = command->header || command->several ? command->awaits : SECRET_NO;
    return true;
}

void secret_add_argument(struct secret_command *command, struct buf *out, struct slice argument) {
    struct secret_reader r = {.whole = !is_code(command->before)};
    struct secret_view view;
    secret_view_init(&view, argument);
    struct slice text = slice_make(view.text, view.len);
    bool value = is_awaited(command, text);
    if (value) {
        buf_add_lit(out, HIDDEN);
    } else {
        read_all(&r, argument, out);
        if (r.awaits == SECRET_NO && !is_option(command->before) && is_bare_name(text))
            r.awaits = SECRET_YES;
        command->awaits = (unsigned char)r.awaits;
        command->header = r.header;
        command->several = r.several;
    }
    command->before = argument;
    secret_view_finish(&view);
}
