/* choice_jobs.h - finds which of the chosen logs of ranks belong to one job: see struct choice. For choice_groups.c. */
#pragma once

#include "trace/choice.h"

struct choice_jobs {
    size_t count;
    struct slice *paths; /* the name of each job: a folder, or its only log; owned by the arguments and the items */
};

/* Sets the job of each item, shared_rank and hosts. `paths` are the arguments of the call. */
void choice_jobs_find(struct choice *choice, const struct choose_request *request, const char *const *paths,
                      struct choice_jobs *jobs);
void choice_jobs_finish(struct choice_jobs *jobs);
/* The folder of a path, or "" if the path has none. */
struct slice choice_folder_of(struct slice path);
