/* secret_value.h - finds the end of a secret value: quotes, brackets, and the surrounding text. See secret.h. */
#pragma once

#include "runs/secret_name.h"
#include "runs/secret_view.h"

enum { SECRET_QUOTES_MAX = 32 };

/* A quote with its preceding backslashes: \" differs from ", and only \" closes it. */
struct secret_quote {
    char c;
    size_t backslashes;
};

struct secret_reader {
    struct secret_view view;
    struct slice text; /* of the view */
    struct secret_shapes shapes;
    struct buf *out;
    size_t at, done; /* done: the source has been copied up to here */
    struct secret_quote quotes[SECRET_QUOTES_MAX];
    size_t quote_count, depth; /* numbers of open quotes and brackets */
    bool whole;                /* this is an argument, and the value extends to its end: --token=a b */
    size_t plain;              /* up to here, there are only names and "=" */
    bool removed;
    enum secret_name awaits; /* set if the text ends where a value is expected: "--token", "Authorization:" */
    bool header, several;
};

/* How a value follows its name. */
struct secret_pair {
    size_t name, name_end, value;
    enum secret_name secret;
    bool wide;    /* the value may have spaces: "password: a b" */
    bool query;   /* a parameter of a URL */
    bool quoted;  /* the name is */
    bool element; /* <token>…</token> */
    bool option;  /* --token x */
    bool joined;  /* --token=x, without spaces */
};

static inline char secret_char_at(const struct secret_reader *r, size_t at) {
    return at < r->text.len ? r->text.ptr[at] : '\0';
}

static inline bool secret_is_any(char c, const char *set) {
    return c && strchr(set, c);
}

/* The length of the quote at `at`, including its backslashes; 0 if there is none. */
size_t secret_quote_at(const struct secret_reader *r, size_t at, struct secret_quote *quote);
/* Opens the quote, or closes it and all quotes within it. */
void secret_turn_quote(struct secret_reader *r, struct secret_quote quote);
/* The end of the text after an opening quote: after the closing quote, before a quote that closes an enclosing one, or
 * at the end. */
size_t secret_quoted_end(const struct secret_reader *r, size_t at, struct secret_quote open);
/* The position after spaces, continued lines and, with `lines`, line breaks. */
size_t secret_skip_white(const struct secret_reader *r, size_t at, bool lines);
/* The end of the indented lines after this one: a YAML value. */
size_t secret_block_end(const struct secret_reader *r, size_t at);
size_t secret_value_end(const struct secret_reader *r, const struct secret_pair *pair);
/* Whether the value reveals nothing: true, None; a number if the name allows one. */
bool secret_is_harmless(struct slice value, enum secret_name secret);
