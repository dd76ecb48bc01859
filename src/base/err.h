/* err.h - an error: what failed, and why.
 *
 * Functions that can fail return bool and take a struct err * last, which is unchanged on success. The text is one
 * line that says what failed, on what, and why. The hint is one line that says what to do, or empty. Only main prints
 * them, after "tlparse: " and "hint: ". {0} means no error. */
#pragma once

#include <stdbool.h>

enum err_code {
    ERR_NONE,
    ERR_USAGE,  /* invalid command line: exit status 2 */
    ERR_SYSTEM, /* a system call failed: exit status 1 */
    ERR_INPUT,  /* no input could be read: exit status 1; 2 for commands that answer a question */
    ERR_LIMIT,  /* the answer is negative: a limit is exceeded or a budget failed; exit status 1 */
    ERR_EXIT,   /* exits with `status`, that of the program that the command ran; the text may be empty */
};

struct err {
    enum err_code code;
    char text[1024];
    char hint[256];
    int status; /* of ERR_EXIT */
};

/* Sets *err without a hint and returns false, so that a caller can `return err_set(...)`. */
__attribute__((format(printf, 3, 4))) bool err_set(struct err *err, enum err_code code, const char *format, ...);
/* The same for a failed system call: appends ": " and the text of errno. The code is ERR_SYSTEM. */
__attribute__((format(printf, 2, 3))) bool err_errno(struct err *err, const char *format, ...);
/* Adds a hint to an error and returns false. */
__attribute__((format(printf, 2, 3))) bool err_hint(struct err *err, const char *format, ...);
