/* version.h - what --version prints. */
#ifndef TLPARSE_CMD_VERSION_H
#define TLPARSE_CMD_VERSION_H

#include <stdio.h>

#include "base/buf.h"

/* Prints the version to `to`, and a message to stderr if the program that `tlparse` runs is not this one: other tools, such as the
 * tests of PyTorch, take the first on PATH. */
void version_print(FILE *to);
/* The first program `tlparse` on a PATH; false: none. Relative folders are not searched. */
bool version_find(const char *path, struct buf *found);

#endif
