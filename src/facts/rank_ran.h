/* rank_ran.h - what ran on one rank, according to its profile, and how long ranks wait for each other.
 *
 * Only for the report on several ranks that is made with profiles: files of facts do not have it. Times are in
 * nanoseconds. */
#pragma once

#include "model/model.h"

/* A collective operation, in the order of their starts. */
struct rank_collective {
    struct slice name;
    int64_t ns;
};

struct rank_ran {
    uint64_t calls, steps;
    int64_t region_ns, graph_ns, guard_ns;
    int64_t step_ns; /* median of the steps with a call of compiled code; 0: there are none */
    struct slice frame,
        frame_name; /* the compile with most time: its key, and the label of its frame; ptr NULL: none */
    int64_t frame_ns;
    struct slice kernel; /* with most time; ptr NULL: none */
    struct place kernel_place;
    int64_t kernel_ns;
    LIST(struct rank_collective) collectives;
};

/* Copied to the arena; NULL: the model has no profile, or nothing compiled ran in it. */
struct rank_ran *rank_ran_take(const struct model *model, struct arena *arena);
/* Sets, for each rank, the time in its collectives beyond that of the rank that was in each for the shortest time. The
 * nth collectives of all ranks with a profile are the same one: returns false if their names or numbers differ, or if
 * there are fewer than two such ranks. ran: NULL for a rank without a profile, whose time is 0. */
bool rank_ran_waits(const struct rank_ran *const *ran, size_t count, int64_t *waits_ns);
