/* compiler_error.h - parses what a C++ compiler said in PyTorch's CppCompileError:
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
    struct slice message; /* of its first error: "'x' was not declared in this scope" */
    struct slice excerpt; /* its line of source text, with its number; ptr NULL: none */
    struct slice missing; /* the header or library that the machine lacks; ptr NULL: another error */
    bool generated;       /* the line is in the file that PyTorch wrote, which the command compiles */
    bool killed;          /* the system ended a program of the compiler */
};

/* Returns false for another exception, or if no line of the output is known to be an error. */
bool compiler_error_read(struct slice reason, struct compiler_error *found);
