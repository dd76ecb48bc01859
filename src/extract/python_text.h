/* python_text.h - text of a log inside a program in Python: as a string, in a comment, or as code.
 *
 * A string or a comment cannot be left, whatever the text. Code is code: it is copied as it is, but for characters that a
 * reader does not see, or that end a line only for Python. Pure; any thread. */
#pragma once

#include "base/base.h"

/* Adds "text" as a literal on one line. */
void python_add_string(struct buf *out, struct slice text);
/* Adds the text to a comment that has begun: on one line, at most `max` bytes of it. */
void python_add_comment(struct buf *out, struct slice text, size_t max);
/* Adds lines of code, with a newline at the end. A control character, a bidi mark or an invalid byte becomes U+FFFD, and a line that looks
 * like a heading of the program (PYTHON_HEADING) gets a space. Sets *changed if one was changed. */
void python_add_code(struct buf *out, struct slice text, bool *changed);

#define PYTHON_HEADING "# ========"
