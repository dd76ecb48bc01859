/* process_ranks.h - finds the rank of each process in logs that several processes wrote.
 *
 * A process writes records without a rank until its process group is set up. If several ranks write to one file, only
 * later records reveal which rank wrote the earlier ones. So the beginning of each file is read in advance: a few MiB
 * of a single file, more if several processes wrote it, less if there are many files. Input that is not a plain file (a
 * pipe) can be read only once, and is skipped. */
#pragma once

#include "base/base.h"

struct process_rank {
    uint64_t file, process, rank; /* file: index of the path */
    bool has_rank;
};

struct process_ranks {
    struct process_rank *items; /* each process of a file, once, in order of appearance */
    size_t count, cap;
    struct map map; /* file and process → index */
    bool has_first;
    uint64_t first_rank; /* rank of the first record that has one */
    bool shared_numbers; /* within one file, records with the same process number have several ranks */
};

/* For files that are read in sequence. Overwrites *writers. Never fails: an unreadable file has no writers. */
void process_ranks_find(struct process_ranks *process_ranks, const char *const *paths, size_t count);
/* Returns false if the process is unknown in that file, or never had a rank there. */
bool process_ranks_get(const struct process_ranks *process_ranks, size_t file, uint64_t process, uint64_t *rank);
void process_ranks_finish(struct process_ranks *process_ranks);
