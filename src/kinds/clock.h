/* clock.h - the year of a log's records, which their prefixes do not tell.
 *
 * It is known from the first time since the epoch in the log that fits a prefix: of an event, or of a compile's metrics. Other
 * records are of the year in which their date comes nearest to that time, so a log may cross New Year. Before such a time was seen,
 * and in logs that hold none, a year is a guess: the last one in which the date is not behind the last write of the file. What
 * was written with a guess is corrected in the end: see clock_copy_lines().
 *
 * One thread. {.last_write = …} is a valid clock. */
#ifndef TLPARSE_KINDS_CLOCK_H
#define TLPARSE_KINDS_CLOCK_H

#include <time.h>

#include "base/json.h"
#include "sink/spool.h"
#include "trace/glog.h"

struct clock {
    time_t last_write; /* of the log */
    bool known;
    int64_t known_us; /* the time that was seen */
    bool cached;
    char date[4]; /* of the latest answer */
    int year;
    bool several; /* more than one date was guessed */
    bool wrong;   /* a guess was wrong, or may have been */
};

/* A time in microseconds since the epoch that belongs to the record. Whether it is one at which the record may have been
 * written, in some year: the clocks of both are the same but for the zone, so a time days away is none. */
bool clock_see(struct clock *clock, const struct glog *glog, int64_t us);
/* The same, of the times in a value such as compilation_metrics. */
void clock_see_value(struct clock *clock, const struct glog *glog, yyjson_val *value);
int clock_year(struct clock *clock, const struct glog *glog);
/* Adds the lines of raw.jsonl, each of which is whole in one piece, to the stream. The timestamps of those that begin before
 * the byte `guessed` get the years that are known now. */
void clock_copy_lines(const struct clock *clock, const struct spooled *lines, uint64_t guessed, struct stream *to);

#endif
