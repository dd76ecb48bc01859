/* choice_jobs.h - which of the chosen logs of ranks are of one job: see struct choice. For choice_groups.c. */
#ifndef TLPARSE_TRACE_CHOICE_JOBS_H
#define TLPARSE_TRACE_CHOICE_JOBS_H

#include "trace/choice.h"

struct choice_jobs {
    size_t count;
    struct slice
        *paths; /* what to call each job by: a folder, or a log that is all of it. Of the arguments and the items */
};

/* Gives each of the items its job, and sets shared_rank and hosts. `paths` are the arguments of the call. */
void choice_jobs_find(struct choice *choice, const struct choose_request *request, const char *const *paths,
                      struct choice_jobs *jobs);
void choice_jobs_finish(struct choice_jobs *jobs);
/* The folder of a path, "" where it names none. */
struct slice choice_folder_of(struct slice path);

#endif
