/* hook_run.h - runs a hook to its end, and says what went wrong. Any thread. */
#ifndef TLPARSE_HOOKS_HOOK_RUN_H
#define TLPARSE_HOOKS_HOOK_RUN_H

#include "base/child.h"

/* Runs the program with this input and adds its output. Standard error must be a pipe. Returns false if it could not be
 * started, failed, or was killed by a limit; the error begins with `what`. Its output until then
 * was added. */
bool hook_run(const char *what, const struct child_request *request, struct slice input, struct buf *out,
              struct err *err);
/* Sets the error of a program that was finished without success: "WHAT: aws: exit status 1: LAST LINES". Returns false.
 * `program` is its name. */
bool hook_failed(const char *what, const char *program, const struct child_request *request, const struct child *child,
                 const struct child_end *end, struct err *err);

#endif
