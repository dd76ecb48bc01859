/* log_dir.h - lists the files of a folder and its subfolders, from which logs are chosen.
 *
 * Hidden files are ignored, and so are subfolders that contain a report (of this program or of the reference), because
 * a report contains copies of logs. If the given folder is itself a report, these copies are listed: raw.log of the
 * report and of each rank. Each folder is searched once, regardless of links to it. Depth and number are limited. The
 * order is that of the paths, not of the file system.
 *
 * Life cycle: {0}, log_dir_list, log_dir_finish. */
#pragma once

#include <time.h>

#include "trace/choice.h"

/* The kind of file, determined from its name. */
enum choose_kind {
    CHOOSE_OTHER,     /* not a log */
    CHOOSE_LOG,       /* *.log or *.txt, perhaps compressed; *.log.1 */
    CHOOSE_DEDICATED, /* dedicated_log_torch_trace_*.log */
    CHOOSE_RANK,      /* dedicated_log_torch_trace_rank_<N>.log or …_rank_<N>_*.log */
};
enum choose_kind choose_kind_of(struct slice name, uint64_t *rank);
/* The name without the suffix of a compression and the number of a rotated log: x.log for x.log.1.gz. */
struct slice choose_log_name(struct slice name);

/* Limits. No further folder is searched after LOG_DIR_FILES files. */
enum { LOG_DIR_DEPTH = 8, LOG_DIR_DIRS = 1000, LOG_DIR_FILES = 20000 };

struct log_candidate {
    char *path; /* to open */
    enum choose_kind kind;
    uint64_t rank;
    struct timespec written;
    uint32_t folder; /* index of its folder; 0 is the given one */
    bool taken;      /* for choose.c */
    bool earlier;    /* for choose.c: it belongs to an earlier run */
    bool other_job;  /* for choose.c: it belongs to a rank of another job */
};

struct log_dir {
    struct log_candidate *items;
    size_t count, cap;
    bool cut;                   /* a limit was reached */
    struct choice_paths unread; /* subfolders that cannot be read completely, each with the reason */
};

/* Adds the files of the folder; with `below`, also the logs of its subfolders. Fails if the folder itself cannot be
 * read. */
bool log_dir_list(struct log_dir *all, const char *folder, bool below, struct err *err);
void log_dir_finish(struct log_dir *all);
