/* words.h - the command of a hook: a list of arguments, and values to be filled in. No shell is involved.
 *
 * A command that is written as one text is split by these rules: white space separates arguments; text within '…' or
 * "…" is one argument or a part of one; a backslash takes the next character literally, except within '…'. Nothing else
 * is special: no variables, no globs, no pipes. Pure; any thread. */
#pragma once

#include "base/base.h"

/* The arguments, ending in NULL. The caller frees them with words_free(). Returns NULL and a reason if a quote is not
 * closed, or if there is no argument. */
char **words_split(struct slice text, const char **why);
/* A copy in which each "{name}" is replaced by the value, within its argument: the number of arguments does not depend
 * on the value. */
char **words_fill(char *const *words, const char *name, const char *value);
/* Whether an argument contains "{name}". */
bool words_have(char *const *words, const char *name);
/* NULL is allowed. */
void words_free(char **words);
