/* log_head.h - when and by whom a log was written, from its first and its last records.
 *
 * Only plain files are opened: what is read from a pipe is gone. Any thread (localtime_r). */
#ifndef TLPARSE_TRACE_LOG_HEAD_H
#define TLPARSE_TRACE_LOG_HEAD_H

#include <stdbool.h>
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

#endif
