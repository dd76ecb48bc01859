/* nearest.h - finds what a misspelled name was meant to be. Pure, any thread. */
#ifndef TLPARSE_BASE_NEAREST_H
#define TLPARSE_BASE_NEAREST_H

#include "base/slice.h"

/* The candidate with the fewest edits (insert, delete, replace a byte, swap two neighbors) to the name, if that is at
 * most a third of its bytes, rounded up; the first of several. NULL if there is none. Candidates that are NULL are
 * skipped. Names longer than 63 bytes have no candidate. */
const char *nearest_name(struct slice name, const char *const *candidates, size_t count);

#endif
