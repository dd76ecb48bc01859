/* triton_error.h - parses what Triton said of a kernel that does not compile:
 *
 *     CompilationError: at 4:27:
 *     def broken_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
 *         …
 *         tl.store(out_ptr, tl.softplus_of(x))
 *                           ^
 *     AttributeError("module 'triton.language' has no attribute 'softplus_of'")
 *
 * Of an error in a function that the kernel calls, Triton writes the call, and the same text for the function in place of the
 * last line. Slices point into the text. Pure, any thread. */
#pragma once

#include "base/base.h"

struct triton_error {
    struct slice kernel;   /* "broken_kernel"; empty: its first line is not in the text, which has only the last ones */
    struct slice function; /* that has the error: the kernel, or what it calls; may be empty */
    struct slice message;  /* "AttributeError("module …")", a line */
    struct slice code;     /* the line with the error, without its indentation; may be empty */
    uint64_t line;         /* of the function, from 1 */
};

/* Returns false for another exception. */
bool triton_error_read(struct slice reason, struct triton_error *found);
