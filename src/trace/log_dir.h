/* log_dir.h - the files of a folder and of those below it, for whoever chooses logs among them.
 *
 * What is hidden is never looked at, nor are folders below that hold a report (of this program or of the reference), which has
 * copies of logs in it. Each folder is searched once, whatever links lead to it; depth and numbers have bounds. The order is that
 * of the paths, never that of the file system.
 *
 * Life cycle: {0}, log_dir_list, log_dir_finish. */
#ifndef TLPARSE_TRACE_LOG_DIR_H
#define TLPARSE_TRACE_LOG_DIR_H

#include <time.h>

#include "base/err.h"
#include "base/slice.h"

/* What a name says. */
enum choose_kind {
    CHOOSE_OTHER,     /* no log */
    CHOOSE_LOG,       /* *.log or *.txt, perhaps packed; *.log.1 */
    CHOOSE_DEDICATED, /* dedicated_log_torch_trace_*.log */
    CHOOSE_RANK,      /* dedicated_log_torch_trace_rank_<N>.log or …_rank_<N>_*.log */
};
enum choose_kind choose_kind_of(struct slice name, uint64_t *rank);
/* The name without what tells its packing, and without the number of a rotated log: x.log of x.log.1.gz. */
struct slice choose_log_name(struct slice name);

/* Once so many files were found, no further folder is searched. */
enum { LOG_DIR_DEPTH = 8, LOG_DIR_DIRS = 1000, LOG_DIR_FILES = 20000 };

struct log_candidate {
    char *path; /* to open */
    enum choose_kind kind;
    uint64_t rank;
    struct timespec written;
    uint32_t folder; /* in which it is: 0 is the one that was asked for */
    bool taken;      /* the chooser's */
    bool earlier;    /* the chooser's: it is of an earlier run */
    bool other_job;  /* the chooser's: it is of a rank of another job */
};

struct log_dir {
    struct log_candidate *items;
    size_t count, cap;
    bool cut; /* there is more than the bounds allow */
};

/* Adds the files of the folder, and with `below` logs of the folders below it. Fails where the folder itself cannot be read. */
bool log_dir_list(struct log_dir *all, const char *folder, bool below, struct err *err);
void log_dir_finish(struct log_dir *all);

#endif
