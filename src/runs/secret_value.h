/* secret_value.h - where the value of a secret ends: quotes, brackets, and the text in which it is. See secret.h. */
#pragma once

#include "runs/secret_name.h"
#include "runs/secret_shape.h"

enum { SECRET_QUOTES_MAX = 32 };

/* A quote with the backslashes before it: \" is not ", and ends only with \". */
struct secret_quote {
    char c;
    size_t backslashes;
};

struct secret_reader {
    struct secret_view view;
    struct slice text; /* of the view */
    struct secret_shapes shapes;
    struct buf *out;
    size_t at, done; /* done: the source is copied up to here */
    struct secret_quote quotes[SECRET_QUOTES_MAX];
    size_t quote_count, depth; /* open quotes and brackets */
    bool whole;                /* an argument, whose value is the rest of it: --token=a b */
    size_t plain;              /* up to here it has names and "=" only */
    bool removed;
    enum secret_name awaits; /* the text ends where a value is due: "--token", "Authorization:" */
    bool header, several;
};

/* How a value follows its name. */
struct secret_pair {
    size_t name, name_end, value;
    enum secret_name secret;
    bool wide;    /* it may have spaces: "password: a b" */
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

/* The length of a quote at `at` with its backslashes, 0 if there is none. */
size_t secret_quote_at(const struct secret_reader *r, size_t at, struct secret_quote *quote);
/* Opens the quote, or closes it with those within it. */
void secret_turn_quote(struct secret_reader *r, struct secret_quote quote);
/* The end of what begins behind an opening quote: behind its closing one, at one that closes what is around, or at the end. */
size_t secret_quoted_end(const struct secret_reader *r, size_t at, struct secret_quote open);
/* Behind spaces, continued lines and, with `lines`, line breaks. */
size_t secret_skip_white(const struct secret_reader *r, size_t at, bool lines);
/* The end of the indented lines behind this one: a value of YAML. */
size_t secret_block_end(const struct secret_reader *r, size_t at);
size_t secret_value_end(const struct secret_reader *r, const struct secret_pair *pair);
/* Whether the value says nothing: true, None; a number if the name may be of one. */
bool secret_is_harmless(struct slice value, enum secret_name secret);
