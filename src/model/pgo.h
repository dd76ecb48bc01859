/* pgo.h - profile guided optimization of Dynamo (torch/_dynamo/pgo.py): what was read from an earlier run and written for the
 * next one, and which sources became dynamic by it.
 *
 * A part of the model (extras.h), filled in log order by the fold's thread. Each record holds the whole profile again; what
 * is kept of it are counts, and what differs from the profile that the process had before. Lists have bounds. */
#ifndef TLPARSE_MODEL_PGO_H
#define TLPARSE_MODEL_PGO_H

#include "model/model.h"

enum { PGO_RECORDS_MAX = 1000, PGO_CHANGES_MAX = 2000, PGO_STATES_MAX = 50000, PGO_TEXT_MAX = 300 };

/* A source that is dynamic in this record, and was not in the one before. */
struct pgo_change {
    struct place frame;
    struct slice source, had, has; /* had.ptr NULL: the profile did not have it */
};

struct pgo_record {
    uint32_t compile;
    bool written;      /* else read */
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
    LIST(struct pgo_state) states; /* by process, frame and source; a text that changes is a new one */
    struct map state_map;
    struct slice suggested; /* the latest value of TORCH_COMPILE_DYNAMIC_SOURCES that the log names; ptr NULL: none */
    uint64_t more_records, more_changes;
};

/* Whether an artifact of that name is a profile; where it lies and whether it is written. */
bool pgo_name(struct slice name, const char **store, bool *written);
/* Adds the record of a profile with its text; copies go to the report's arena. */
void pgo_add(struct pgo *pgo, struct model *model, uint64_t process, const struct pgo_record *record,
             struct slice text);

#endif
