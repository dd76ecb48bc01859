/* compiler_error.h - parses a C++ compiler's output in PyTorch's CppCompileError:
 *
 *     CppCompileError: C++ compile error
 *
 *     Command:
 *     g++ /tmp/torchinductor_me/ab/cab.main.cpp -D … -o …
 *
 *     Output:
 *     /tmp/torchinductor_me/ab/cab.main.cpp:1187:45: error: 'x' was not declared in this scope
 *
 * Slices point into the text. Pure, any thread. */
#pragma once

#include "base/base.h"

struct compiler_error {
    struct slice message; /* first error message: "'x' was not declared in this scope" */
    struct slice excerpt; /* the source line of that error, with its number; ptr NULL: none */
    struct slice missing; /* the header or library that is missing on the machine; ptr NULL: another error */
    bool generated;       /* the line is in the file that PyTorch generated, which the command compiles */
    bool killed;          /* the system killed a compiler process */
};

/* Returns false for another exception, or if no line of the output is recognized as an error. */
bool compiler_error_read(struct slice reason, struct compiler_error *found);
