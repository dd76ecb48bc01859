#define _DEFAULT_SOURCE /* timegm */
/* chromium_event: what happened when. The payload is one event of the trace event format. */
#include <time.h>

#include "envelope/registry.h"

void event_decode(struct record *record, yyjson_val *value, struct arena *arena) {
    (void)value;
    record->json_text = record->payload;
    if (record->has_payload)
        json_read(&record->json_text, JSON_NUMBERS, arena, &record->json);
}

static unsigned two_digits(const char *p) {
    return (unsigned)(p[0] - '0') * 10 + (unsigned)(p[1] - '0');
}

/* Seconds since the epoch of the prefix's date and time in that year, as if it were UTC. */
static int64_t seconds_in(const struct glog *glog, int year) {
    struct tm tm = {.tm_year = year - 1900,
                    .tm_mon = (int)two_digits(glog->date.ptr) - 1,
                    .tm_mday = (int)two_digits(glog->date.ptr + 2),
                    .tm_hour = (int)two_digits(glog->time.ptr),
                    .tm_min = (int)two_digits(glog->time.ptr + 3),
                    .tm_sec = (int)two_digits(glog->time.ptr + 6)};
    return (int64_t)timegm(&tm);
}

/* The prefix tells no year, but an event's time does: the year in which the prefix's date comes nearest to it. */
static void learn_year(struct fold *fold, int64_t us) {
    time_t seconds = (time_t)(us / 1000000);
    struct tm tm;
    if (fold->year_known || us < 0 || !gmtime_r(&seconds, &tm) || tm.tm_year > 8000)
        return;
    int64_t best = INT64_MAX;
    for (int year = tm.tm_year + 1899; year <= tm.tm_year + 1901; year++) {
        int64_t away = seconds_in(&fold->record->glog, year) - (int64_t)seconds;
        away = away < 0 ? -away : away;
        if (away < best) {
            best = away;
            fold->year = year;
        }
    }
    fold->year_known = true;
}

void event_fold(struct fold *fold, const struct kind *kind, yyjson_val *value) {
    const struct record *record = fold->record;
    double ts;
    (void)kind, (void)value;
    if (!record->json) {
        if (record->has_payload)
            fold_fault(fold, COUNTERS, "chromium_event whose payload is no JSON; it is dropped", (struct slice){0});
        return;
    }
    if (json_to_double(json_get(record->json, "ts"), &ts) && ts > 0 && ts < 9e15) {
        int64_t us = (int64_t)ts;
        learn_year(fold, us);
        if (!fold->report->first_us || us < fold->report->first_us)
            fold->report->first_us = us;
        if (us > fold->report->last_us)
            fold->report->last_us = us;
    }
    stream_add(&fold->events, fold->event_count++ ? SLICE(",\n") : SLICE("\n"));
    stream_add(&fold->events, record->json_text);
}
