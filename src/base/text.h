/* text.h - plain text: makes it safe to print, corrects misspelled words, writes sizes, validates UTF-8. */
#pragma once

#include "base/buf.h"
#include "base/slice.h"

/* printable.c - text from a log or a file name, made safe to print. Pure; any thread. */
/* Adds text that cannot control a terminal: control characters, invisible characters and bidi marks become \xNN or \u{NNNN},
 * a tab becomes a space, and invalid UTF-8 becomes U+FFFD. Text longer than `max` bytes is truncated and ends in "…". */
void printable_add(struct buf *out, struct slice text, size_t max);
/* The number of bytes of the character at `at` of valid UTF-8 if it is one of those; otherwise 0. Sets *code to the character. */
size_t harmful_at(struct slice text, size_t at, uint32_t *code);

/* markdown.c - text from a log in GitHub-flavored markdown. Pure; any thread. */
/* Adds text on one line, so that no character of it is markup, HTML, a mention or the end of a table cell. Text between
 * backticks becomes code. Sanitized like text for a terminal. */
void markdown_add(struct buf *out, struct slice text);
/* Adds text as inline code, whatever it contains. */
void markdown_add_code(struct buf *out, struct slice text);
/* The most backticks in a row. Code in more of them cannot end early. */
size_t markdown_backticks(struct slice text);

/* nearest.c - finds the intended name for a misspelled one. Pure, any thread. */
/* The candidate that is the fewest edits (insert, delete or replace a byte, swap two neighbors) away from the name, but
 * at most a third of the name's bytes, rounded up; the first of several. NULL if there is none. Candidates that are
 * NULL are skipped. Names longer than 63 bytes match no candidate. */
const char *nearest_name(struct slice name, const char *const *candidates, size_t count);

/* size.c - sizes for readers. Pure; any thread. */
/* Adds bytes with three digits: "64.0 MB", as the page shows them. */
void size_add(struct buf *out, int64_t bytes);

/* utf8.c - validates and repairs UTF-8. Pure; any thread. */
/* The number of leading bytes that are well formed (no surrogates, no overlong forms). */
size_t utf8_valid_len(struct slice s);
static inline bool utf8_is_valid(struct slice s) {
    return utf8_valid_len(s) == s.len;
}
/* The first characters of s, at most max bytes. */
struct slice utf8_first(struct slice s, size_t max);
/* Adds s, with each ill-formed byte replaced by U+FFFD. */
void utf8_add_clean(struct buf *out, struct slice s);
