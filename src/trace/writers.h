/* writers.h - of a log into which several processes wrote: the rank of each.
 *
 * A process writes records without a rank until its process group is set up. Where several ranks write into one file, only what
 * comes later tells whose these are, so the beginning of the log is looked through once before it is read: a few MiB, and more
 * of it when there is more than one process. What is not a plain file (a pipe) can be read only once, and is not looked at. */
#ifndef TLPARSE_TRACE_WRITERS_H
#define TLPARSE_TRACE_WRITERS_H

#include "base/slice.h"

struct writer {
    uint64_t process, rank;
    bool has_rank;
};

struct writers {
    struct writer *items; /* each process once, in order of appearance */
    size_t count, cap;
    bool has_first;
    uint64_t first_rank; /* of the first record that has one */
};

/* Of files that are read one after the other. *writers is overwritten. Never fails: what cannot be read has no writers. */
void writers_find(struct writers *writers, const char *const *paths, size_t count);
/* False where the process is not known, or never had a rank. */
bool writers_rank(const struct writers *writers, uint64_t process, uint64_t *rank);
void writers_finish(struct writers *writers);

#endif
