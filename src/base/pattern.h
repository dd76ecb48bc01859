/* pattern.h - searches text from a log for a user's regular expression.
 *
 * PCRE2 and not regcomp(): its syntax is that of Python's re, it does not depend on the locale, it accepts text that is
 * not NUL-terminated or not UTF-8, it reports the position of an error, and its search is bounded for every pattern.
 *
 * A character is a UTF-8 character, or a byte if PCRE2 was built without Unicode, as in the wheels: `.` then matches
 * one byte of a non-ASCII character, and [...] cannot contain such a character.
 *
 * Life cycle: pattern_create(), pattern_search(), pattern_destroy(). A pattern may be searched for on any thread. */
#pragma once

#include "base/buf.h"

struct pattern;

enum pattern_found {
    PATTERN_ABSENT,
    PATTERN_FOUND,
    PATTERN_TOO_EXPENSIVE, /* the search was given up */
};

/* NULL if the text is not a regular expression; `why` then has the cause and the position: "missing closing parenthesis
 * at character 3". */
struct pattern *pattern_create(struct slice text, struct buf *why);
/* Finds the pattern anywhere in the text, unless it is anchored. */
enum pattern_found pattern_search(const struct pattern *pattern, struct slice text);
/* NULL is allowed. */
void pattern_destroy(struct pattern *pattern);
