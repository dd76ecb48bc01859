/* pgo.h - Dynamo's profile-guided optimization (torch/_dynamo/pgo.py): profiles read from an earlier run and written
 * for the next one, and the sources that they made dynamic.
 *
 * A part of the model (extras.h), filled in log order by the fold's thread. Each record contains the whole profile.
 * Only counts, and differences to the previous profile of the process, are stored. Lists are limited. */
#pragma once

#include "model/model.h"

enum { PGO_RECORDS_MAX = 1000, PGO_CHANGES_MAX = 2000, PGO_STATES_MAX = 50000, PGO_TEXT_MAX = 300 };

/* A source that is dynamic in this record but was not in the previous one. */
struct pgo_change {
    struct place frame;
    struct slice source, had, has; /* had.ptr NULL: the previous profile did not have it */
};

struct pgo_record {
    uint32_t compile;
    bool written;      /* otherwise read */
    const char *store; /* local, remote, extra_remote */
    uint64_t line;
    uint64_t frames, sources, dynamic;
    size_t first_change, changes; /* in the list */
};

struct pgo_state {
    struct slice text;
    bool dynamic;
};

struct pgo {
    LIST(struct pgo_record) records;
    LIST(struct pgo_change) changes;
    LIST(struct pgo_state) states; /* by process, frame and source; a changed text is a new item */
    struct map state_map;
    struct slice suggested; /* the latest suggested value of TORCH_COMPILE_DYNAMIC_SOURCES; ptr NULL: none */
    uint64_t more_records, more_changes;
};

/* Whether an artifact with this name is a profile; sets its store, and whether it was written rather than read. */
bool pgo_name(struct slice name, const char **store, bool *written);
/* Adds the profile in a record. Copies are in the report's arena. */
void pgo_add(struct pgo *pgo, struct model *model, uint64_t process, const struct pgo_record *record,
             struct slice text);
