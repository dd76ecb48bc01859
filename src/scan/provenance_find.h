/* provenance_find.h - which of many names stand in which lines of a text.
 *
 * One pass over the text however many names there are (Aho and Corasick), because a large model has thousands of kernels
 * and megabytes of code. A name is found as a part of longer words too. Names beyond NAMES_BYTES in all, and empty ones, are
 * never found. Pure; a struct names may be used by one thread at a time. */
#ifndef TLPARSE_SCAN_PROVENANCE_FIND_H
#define TLPARSE_SCAN_PROVENANCE_FIND_H

#include "base/slice.h"

enum { NAMES_BYTES = 1 << 20 };

/* Lines from 1, ascending, each once. */
struct name_lines {
    uint32_t *items;
    size_t count, cap;
};

struct names;

/* The names need to live no longer than this call. The same name may be given twice. */
struct names *names_create(const struct slice *names, size_t count);
void names_destroy(struct names *names);
/* The lists of all names; the caller frees them with name_lines_free(). */
struct name_lines *names_find(const struct names *names, struct slice text);
/* The list of the name with this place in names_create(). Names of the same text share one. */
const struct name_lines *names_lines(const struct names *names, const struct name_lines *lines, size_t name);
void name_lines_free(const struct names *names, struct name_lines *lines);

#endif
