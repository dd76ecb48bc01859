/* secret_view.h - a text as a reader sees it, for the search for secrets: letters of other scripts that look like Latin
 * letters become these, typographic quotes and dashes become plain ones, and zero-width characters are left out.
 *
 * Each character is one byte; any other letter becomes SECRET_LETTER, and so do bytes of ill-formed UTF-8.
 * secret_shape.c finds secrets in a view. */
#pragma once

#include "base/base.h"

#define SECRET_LETTER '\x80'

struct secret_view {
    char *text;
    size_t *from; /* the start of each character in the source, and the length of the source at the end */
    size_t len;
    struct slice source;
};

void secret_view_init(struct secret_view *view, struct slice source);
void secret_view_finish(struct secret_view *view);

static inline char secret_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool secret_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline bool secret_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == SECRET_LETTER;
}

static inline bool secret_is_alnum(char c) {
    return secret_is_letter(c) || secret_is_digit(c);
}

/* Whether the text begins with this prefix, which is in lower case, ignoring case. */
static inline bool secret_starts(struct slice text, const char *start) {
    size_t i = 0;
    while (start[i] && i < text.len && secret_lower(text.ptr[i]) == start[i])
        i++;
    return !start[i];
}

static inline bool secret_is_word(struct slice text, const char *word) {
    return text.len == strlen(word) && secret_starts(text, word);
}

/* secret_shape.c - recognizes secrets by their shape, whatever their names: tokens of known services, passwords in
 * URLs, keys.
 *
 * `view` comes from a secret_view. Pure; any thread. */
/* Remembers unsuccessful searches, so no text is read twice. {0} is valid; use one for each view. */
struct secret_shapes {
    size_t no_at; /* up to here there is no @ in this word */
};

/* The end of a secret at `at`; 0 if there is none. Sets *from to its start, which may be after "Bearer " or "https://".
 */
size_t secret_shape_at(struct secret_shapes *shapes, struct slice view, size_t at, size_t *from);
