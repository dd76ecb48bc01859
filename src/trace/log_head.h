/* log_head.h - when and by whom a log was written, from its first and its last records.
 *
 * Only plain files are opened: what is read from a pipe is gone. Any thread (localtime_r). */
#ifndef TLPARSE_TRACE_LOG_HEAD_H
#define TLPARSE_TRACE_LOG_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct log_head {
    bool known;       /* a record is within the first bytes */
    time_t at;        /* of the first record; -1: no time that could be */
    unsigned us;      /* microseconds of that second */
    uint64_t process; /* of the first record */
};

/* A record's time has no year and no zone: it is taken as the last such time of this machine's clock that is not behind
 * last_write, give or take a day. */
struct log_head log_head_read(const char *path, time_t last_write);
/* The time of a record near the end of a plain file that is not packed; -1 where there is none. */
time_t log_end_read(const char *path, time_t last_write);

/* What the first records of a process in a file say of its table of interned strings. PyTorch counts strings from 0, once in a
 * process (torch/_logging/structured.py, INTERN_TABLE): a table that does not begin at 0 was begun in another file, or by the
 * process that forked. */
enum log_start_kind {
    LOG_START_FRESH,   /* string 0 is defined first */
    LOG_START_DEFINES, /* the first string that is defined has this id */
    LOG_START_REFERS,  /* a stack has the string of this id before any is defined */
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

/* Of the processes with records within the first bytes of a plain file. */
void log_starts_read(struct log_starts *starts, const char *path);
/* NULL: the file does not say. */
const struct log_start *log_starts_of(const struct log_starts *starts, uint64_t number);
/* Whether it goes on with a table that held so many strings when another file ended. */
bool log_start_continues(const struct log_start *start, size_t strings);

#endif
