/* clock.h - the year of a log's records, which their prefixes do not have.
 *
 * It is known from the first time since the epoch in the log that fits a prefix: the time of an event, or a time in a
 * compile's metrics. The year of other records is the one in which their date is nearest to that time, so a log may
 * span New Year. Before such a time occurs, and in logs without one, the year is guessed: the latest one in which the
 * date is not after the last modification of the file. Guessed years are corrected at the end: see clock_copy_lines().
 *
 * One thread. {.last_write = …} is a valid clock. */
#pragma once

#include <time.h>

#include "base/json.h"
#include "sink/spool.h"
#include "trace/glog.h"

struct clock {
    time_t last_write; /* of the log */
    bool known;
    int64_t known_us; /* the reference time */
    bool cached;
    char date[4]; /* date of the latest result */
    int year;
    bool several; /* more than one date was guessed */
    bool wrong;   /* a guess was wrong, or may have been */
    struct clock_prefix {
        char date[4];
        int64_t us;            /* since midnight; -1: invalid */
    } first, last;             /* of the records */
    bool begun;                /* they are set */
    bool zoned;                /* the time zone of the prefixes is known: determined from an event */
    int64_t zone_us;           /* local time − UTC */
    char day[4];               /* date of day_us */
    int64_t day_us;            /* midnight in local time, as if it were UTC; 0: none */
    int64_t first_us, last_us; /* of the records with a zone, since the epoch, in any order; 0: none */
};

/* Passes a time in microseconds since the epoch that belongs to the record. Returns whether the record may have been
 * written at that time, in some year: the clocks differ only by the time zone, so a time that is days away is invalid.
 */
bool clock_see(struct clock *clock, const struct glog *glog, int64_t us);
/* Passes the time of an event for which clock_see() returned true, and finds the zone: an event is logged when it
 * happens, or some seconds later. */
void clock_see_event(struct clock *clock, const struct glog *glog, int64_t us);
/* The same for the times in a value such as compilation_metrics. */
void clock_see_value(struct clock *clock, const struct glog *glog, yyjson_val *value);
int clock_year(struct clock *clock, const struct glog *glog);
/* Passes the prefix of each record of the report, before its time is seen. Texts that only look like a prefix must not
 * be passed. */
void clock_note(struct clock *clock, const struct glog *glog);
/* Microseconds from the first to the last prefix; -1 if unknown: they are equal or invalid, or the clock was set back.
 */
int64_t clock_span(const struct clock *clock);
/* Copies the lines of raw.jsonl to the stream. Each line is contained in one piece. Timestamps of lines that begin
 * before byte `guessed` get the years that are known now. */
void clock_copy_lines(const struct clock *clock, const struct spooled *lines, uint64_t guessed, struct stream *to);
