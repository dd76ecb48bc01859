/* process_ranks.h - of logs into which several processes wrote: the rank of each.
 *
 * A process writes records without a rank until its process group is set up. Where several ranks write into one file, only what
 * comes later tells whose these are, so the beginning of each file is looked through once before it is read: a few MiB of a
 * single file, and more of it when there is more than one process; of many files less. What is not a plain file (a pipe) can be read
 * only once, and is not looked at. */
#ifndef TLPARSE_TRACE_PROCESS_RANKS_H
#define TLPARSE_TRACE_PROCESS_RANKS_H

#include "base/map.h"

struct process_rank {
    uint64_t file, process, rank; /* file: its place among the paths */
    bool has_rank;
};

struct process_ranks {
    struct process_rank *items; /* each process of a file once, in order of appearance */
    size_t count, cap;
    struct map map; /* file and process → place */
    bool has_first;
    uint64_t first_rank; /* of the first record that has one */
    bool shared_numbers; /* in one file, records of one process number are of several ranks */
};

/* Of files that are read one after the other. *writers is overwritten. Never fails: what cannot be read has no writers. */
void process_ranks_find(struct process_ranks *process_ranks, const char *const *paths, size_t count);
/* False where the process is not known in that file, or never had a rank there. */
bool process_ranks_get(const struct process_ranks *process_ranks, size_t file, uint64_t process, uint64_t *rank);
void process_ranks_finish(struct process_ranks *process_ranks);

#endif
