#include "runs/secret_value.h"

enum { NUMBER_MAX = 6 };

static bool is_space(char c) {
    return c == ' ' || c == '\t';
}

static bool is_white(char c) {
    return is_space(c) || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* ---- Quotes and brackets */

size_t secret_quote_at(const struct secret_reader *r, size_t at, struct secret_quote *quote) {
    size_t end = at;
    while (secret_char_at(r, end) == '\\')
        end++;
    if (!secret_is_any(secret_char_at(r, end), "'\"`"))
        return 0;
    *quote = (struct secret_quote){r->text.ptr[end], end - at};
    return end + 1 - at;
}

static bool is_open(const struct secret_reader *r, struct secret_quote quote) {
    for (size_t i = 0; i < r->quote_count; i++)
        if (r->quotes[i].c == quote.c && r->quotes[i].backslashes == quote.backslashes)
            return true;
    return false;
}

void secret_turn_quote(struct secret_reader *r, struct secret_quote quote) {
    for (size_t i = r->quote_count; i-- > 0;)
        if (r->quotes[i].c == quote.c && r->quotes[i].backslashes == quote.backslashes) {
            r->quote_count = i;
            return;
        }
    if (r->quote_count < SECRET_QUOTES_MAX)
        r->quotes[r->quote_count++] = quote;
}

size_t secret_quoted_end(const struct secret_reader *r, size_t at, struct secret_quote open) {
    struct secret_quote quote;
    while (at < r->text.len) {
        size_t len = secret_quote_at(r, at, &quote);
        if (len && quote.c == open.c) {
            if (quote.backslashes == open.backslashes || (!open.backslashes && quote.backslashes % 2 == 0))
                return at + len;
            if (quote.backslashes < open.backslashes)
                return at;
        }
        if (len || secret_char_at(r, at) != '\\') {
            at += len ? len : 1;
            continue;
        }
        while (secret_char_at(r, at) == '\\')
            at++;
    }
    return at;
}

/* The end of a group in brackets that begins at `at`. */
static size_t group_end(const struct secret_reader *r, size_t at) {
    struct secret_quote quote;
    size_t depth = 0;
    while (at < r->text.len) {
        size_t len = secret_quote_at(r, at, &quote);
        char c = secret_char_at(r, at);
        if (len) {
            if (is_open(r, quote))
                return at;
            at = secret_quoted_end(r, at + len, quote);
            continue;
        }
        do
            at++;
        while (c == '\\' && secret_char_at(r, at) == '\\');
        depth += secret_is_any(c, "([{") ? 1 : 0;
        if (secret_is_any(c, ")]}") && --depth == 0)
            return at;
    }
    return at;
}

/* ---- Values */

size_t secret_skip_white(const struct secret_reader *r, size_t at, bool lines) {
    for (;;) {
        char c = secret_char_at(r, at);
        if (is_space(c) || (lines && is_white(c)))
            at++;
        else if (c == '\\' && secret_char_at(r, at + 1) == '\n')
            at += 2;
        else
            return at;
    }
}

size_t secret_block_end(const struct secret_reader *r, size_t at) {
    while (at < r->text.len) {
        while (at < r->text.len && secret_char_at(r, at) != '\n')
            at++;
        size_t next = at + 1;
        if (!is_white(secret_char_at(r, next)))
            break;
        at = next;
    }
    return at < r->text.len ? at : r->text.len;
}

/* Whether an unquoted value ends at this character. */
static bool ends_value(const struct secret_reader *r, const struct secret_pair *pair, size_t at) {
    char c = secret_char_at(r, at), next = secret_char_at(r, at + 1);
    if (c == '\n' || c == '\r' || (is_white(c) && !pair->wide) || (c == '<' && pair->element))
        return true;
    if (c == '&')
        return pair->query || next == '&' || next == '\0' || is_white(next);
    return pair->wide && r->depth && secret_is_any(c, ",)]}");
}

/* After a quoted part: whether another part follows that belongs to it ("a" "b"), and its position. */
static size_t next_part(const struct secret_reader *r, const struct secret_pair *pair, size_t at) {
    struct secret_quote quote;
    size_t next = secret_skip_white(r, at, true);
    if (pair->option || pair->joined || pair->query)
        return at;
    if (secret_char_at(r, next) == '+')
        next = secret_skip_white(r, next + 1, true);
    size_t len = secret_quote_at(r, next, &quote);
    return next > at && len && !is_open(r, quote) ? next : at;
}

size_t secret_value_end(const struct secret_reader *r, const struct secret_pair *pair) {
    size_t at = pair->value, end;
    bool quoted = false;
    struct secret_quote quote;
    if (secret_is_any(secret_char_at(r, at), "[{(") ||
        (secret_char_at(r, at) == '$' && secret_is_any(secret_char_at(r, at + 1), "({")))
        return group_end(r, at + (secret_char_at(r, at) == '$'));
    while (at < r->text.len) {
        size_t len = secret_quote_at(r, at, &quote);
        if (len) {
            if (at > pair->value && is_open(r, quote))
                break;
            quoted = true;
            at = next_part(r, pair, secret_quoted_end(r, at + len, quote));
            continue;
        }
        char c = secret_char_at(r, at);
        if (quoted ? is_white(c) || secret_is_any(c, ",)]}:;&|<>") : ends_value(r, pair, at))
            break;
        while (secret_char_at(r, at) == '\\') /* the next character belongs to the value, even a space */
            at++;
        at += at < r->text.len;
    }
    for (end = at; !quoted && end > pair->value + 1 && secret_is_any(secret_char_at(r, end - 1), ",)]};"); end--)
        ;
    return end;
}

static bool is_number(struct slice text) {
    for (size_t i = 0; i < text.len; i++)
        if (!secret_is_digit(text.ptr[i]) && !secret_is_any(text.ptr[i], ".-+"))
            return false;
    return true;
}

/* A user name, possibly with a number, or a path on a host, but not user:password. */
static bool has_no_password(struct slice value) {
    size_t colon = slice_find(value, SLICE(":"));
    struct slice password = slice_from(value, colon == SIZE_MAX ? value.len : colon + 1);
    return !password.len || is_number(password) || password.ptr[0] == '/';
}

bool secret_is_harmless(struct slice value, enum secret_name secret) {
    static const char *const words[] = {"", "***", "false", "no", "none", "null", "off", "on", "true", "yes"};
    value = slice_trim(value);
    while (value.len && secret_is_any(value.ptr[0], "'\"\\"))
        value = slice_from(value, 1);
    while (value.len && secret_is_any(value.ptr[value.len - 1], "'\"\\"))
        value.len--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (secret_is_word(value, words[i]))
            return true;
    if (secret == SECRET_OF_USER)
        return has_no_password(value);
    return secret == SECRET_MAYBE && value.len <= NUMBER_MAX && is_number(value);
}
