/* glog.h - the prefix of a record: "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:1288] ".
 *
 * The prefix may be anywhere in a line. The text before it (a launcher's "[rank0]:") is the lead. Slices point into
 * the line. Pure; any thread. */
#pragma once

#include "base/base.h"

struct glog {
    struct slice lead;     /* text before the prefix, usually empty */
    struct slice date;     /* MMDD: digits, not necessarily a valid date */
    struct slice time;     /* HH:MM:SS.ffffff */
    uint64_t thread;       /* actually the process id; UINT64_MAX if it overflows */
    struct slice pathname; /* the source file that emitted the record */
    uint64_t lineno;
    struct slice rest; /* the text after "] " */
};

bool glog_parse(struct slice line, struct glog *glog);
/* Whether the line may be the beginning of a truncated prefix: "V1206 15:1". */
bool glog_is_cut(struct slice line);
/* Microseconds since midnight, or -1 if the time is invalid. */
int64_t glog_time_of_day(const struct glog *glog);
