/* log_head.h - reads the times and processes of a log from its first and last records.
 *
 * Only plain files are opened: data read from a pipe would be lost. Any thread (localtime_r). */
#pragma once

#include <time.h>

#include "trace/glog.h"

struct log_head {
    bool known;       /* there is a record within the first bytes */
    time_t at;        /* time of the first record; -1: invalid */
    unsigned us;      /* microseconds within that second */
    uint64_t process; /* process of the first record */
    int failed;       /* errno if the file cannot be read; 0 otherwise */
};

/* Timestamps of records have neither year nor time zone. The year is the latest one in which the time, in local time,
 * is not more than a day after last_write. */
struct log_head log_head_read(const char *path, time_t last_write);
/* Microseconds since the epoch of a record's timestamp, with the year found in the same way; 0: invalid. */
int64_t log_time_us(const struct glog *glog, time_t last_write);
/* The time of a record near the end of a plain, uncompressed file, or -1 if there is none. */
time_t log_end_read(const char *path, time_t last_write);

/* The rank in the first record of a plain file that has one. Returns false if none of the first records has. */
bool log_rank_read(const char *path, uint64_t *rank);

/* What the first records of a process in a file tell about its table of interned strings. PyTorch numbers strings from
 * 0, once per process (torch/_logging/structured.py, INTERN_TABLE). A table that does not begin at 0 began in another
 * file, or in the parent of a fork. */
enum log_start_kind {
    LOG_START_FRESH,   /* string 0 is defined first */
    LOG_START_DEFINES, /* the first defined string has this id */
    LOG_START_REFERS,  /* a stack refers to this id before any string is defined */
};
struct log_start {
    uint64_t number; /* of the process */
    enum log_start_kind kind;
    uint64_t id;
};
enum { LOG_STARTS_MAX = 64 };
struct log_starts {
    struct log_start items[LOG_STARTS_MAX];
    size_t count;
};

/* Finds the processes with records within the first bytes of a plain file. */
void log_starts_read(struct log_starts *starts, const char *path);
/* NULL: the file does not tell. */
const struct log_start *log_starts_of(const struct log_starts *starts, uint64_t number);
/* Whether the process continues a table that had this many strings at the end of another file. */
bool log_start_continues(const struct log_start *start, size_t strings);
