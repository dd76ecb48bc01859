/* triton_error.h - parses Triton's error message for a kernel that does not compile:
 *
 *     CompilationError: at 4:27:
 *     def broken_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
 *         …
 *         tl.store(out_ptr, tl.softplus_of(x))
 *                           ^
 *     AttributeError("module 'triton.language' has no attribute 'softplus_of'")
 *
 * For an error in a function that the kernel calls, Triton writes the call, and then, in place of the last line, the
 * same text for the function. Slices point into the text. Pure, any thread. */
#pragma once

#include "base/base.h"

struct triton_error {
    struct slice kernel;   /* "broken_kernel"; empty: the text has only the last lines of the kernel, not its first */
    struct slice function; /* the function with the error: the kernel, or a function that it calls; may be empty */
    struct slice message;  /* "AttributeError("module …")", on one line */
    struct slice code;     /* the line with the error, without its indentation; may be empty */
    uint64_t line;         /* of the function, from 1 */
};

/* Returns false for another exception. */
bool triton_error_read(struct slice reason, struct triton_error *found);
