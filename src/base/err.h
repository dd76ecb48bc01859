/* err.h - why something failed.
 *
 * What can fail returns bool and takes a struct err * last, which is untouched on success. The text is whole and
 * reads after "tlparse: ". Only main prints it. {0} is "no error". */
#ifndef TLPARSE_BASE_ERR_H
#define TLPARSE_BASE_ERR_H

#include <stdbool.h>

enum err_code {
    ERR_NONE,
    ERR_USAGE,  /* the call is wrong: exit status 2 */
    ERR_SYSTEM, /* the system refused: exit status 1 */
    ERR_INPUT,  /* the input cannot be read at all: exit status 1 */
};

struct err {
    enum err_code code;
    char text[1024];
};

/* Sets *err and returns false, so that a caller can `return err_set(...)`. */
__attribute__((format(printf, 3, 4))) bool err_set(struct err *err, enum err_code code, const char *format, ...);
/* The same for a failed system call: adds ": " and the text of errno. Code ERR_SYSTEM. */
__attribute__((format(printf, 2, 3))) bool err_errno(struct err *err, const char *format, ...);

#endif
