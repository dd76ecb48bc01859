/* markdown.h - text from a log in GitHub-flavored markdown. Pure; any thread. */
#ifndef TLPARSE_ANSWERS_MARKDOWN_H
#define TLPARSE_ANSWERS_MARKDOWN_H

#include "base/buf.h"

/* Adds text on one line such that no character of it is markup, HTML, a mention or the end of a table's cell. Text between backticks
 * becomes code. Sanitized like text for a terminal. */
void markdown_add(struct buf *out, struct slice text);
/* Adds text as inline code, whatever it contains. */
void markdown_add_code(struct buf *out, struct slice text);

#endif
