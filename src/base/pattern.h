/* pattern.h - regular expressions that a user wrote, searched for in text of a log.
 *
 * PCRE2 and not regcomp(): its syntax is that of Python's re, it does not depend on the locale, it takes text that is not
 * NUL-terminated or not UTF-8, it names the place of an error, and its search is bounded, whatever the pattern.
 *
 * Characters are those of UTF-8, or bytes where PCRE2 was built without Unicode, as in the wheels: `.` is then one byte of a
 * character beyond ASCII, and such a character in [...] is not one.
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

/* NULL if the text is no regular expression; why then has the cause and the place: "missing closing parenthesis at character 3". */
struct pattern *pattern_create(struct slice text, struct buf *why);
/* Finds the pattern anywhere in the text, unless it is anchored. */
enum pattern_found pattern_search(const struct pattern *pattern, struct slice text);
/* NULL is allowed. */
void pattern_destroy(struct pattern *pattern);
