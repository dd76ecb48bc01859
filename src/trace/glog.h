/* glog.h - the prefix of a record: "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288] ".
 *
 * The prefix may stand anywhere in a line; what stands before it (a launcher's "[rank0]:") is the lead. Slices point into
 * the line. Pure; any thread. */
#ifndef TLPARSE_TRACE_GLOG_H
#define TLPARSE_TRACE_GLOG_H

#include "base/slice.h"

struct glog {
    struct slice lead;     /* before the prefix, mostly empty */
    struct slice date;     /* MMDD, digits that need not be a date */
    struct slice time;     /* HH:MM:SS.ffffff */
    uint64_t thread;       /* the process id, in fact; UINT64_MAX where it has too many digits */
    struct slice pathname; /* of the source file that emitted the record */
    uint64_t lineno;
    struct slice rest; /* behind "] " */
};

bool glog_parse(struct slice line, struct glog *glog);
/* Microseconds since midnight; -1 where the time is none. */
int64_t glog_time_of_day(const struct glog *glog);

#endif
