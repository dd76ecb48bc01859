/* provenance_find.h - finds the lines of a text in which each of many names occurs.
 *
 * One pass over the text for any number of names (Aho-Corasick), because a large model has thousands of kernels and
 * megabytes of code. Names are also found within longer words. Empty names, and names beyond NAMES_BYTES in total, are
 * never found. Pure; one thread at a time per struct names. */
#pragma once

#include "base/base.h"

enum { NAMES_BYTES = 1 << 20 };

/* Line numbers from 1, ascending and unique. */
struct name_lines {
    uint32_t *items;
    size_t count, cap;
};

struct names;

/* `names` is not used after this call. Duplicates are allowed. */
struct names *names_create(const struct slice *names, size_t count);
void names_destroy(struct names *names);
/* Returns the lists of all names. The caller frees them with name_lines_free(). */
struct name_lines *names_find(const struct names *names, struct slice text);
/* The list of the name at this index in the argument of names_create(). Equal names share a list. */
const struct name_lines *names_lines(const struct names *names, const struct name_lines *lines, size_t name);
void name_lines_free(const struct names *names, struct name_lines *lines);
