#define _DEFAULT_SOURCE /* timegm */
/* chromium_event: what happened when. The payload is one event of the trace event format. */
#include <time.h>

#include "base/jsonw.h"
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

/* The place of the event's pid in its text, where that is plain to see: the key stands there once, with a number behind. */
static bool find_pid(const struct record *record, size_t *start, size_t *end) {
    static const struct slice key = {"\"pid\"", 5};
    struct slice text = record->json_text;
    size_t at = slice_find(text, key);
    if (at == SIZE_MAX || slice_find(slice_from(text, at + key.len), key) != SIZE_MAX ||
        !yyjson_is_uint(json_get(record->json, "pid")))
        return false;
    at += key.len;
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == ':'))
        at++;
    *start = at;
    while (at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9')
        at++;
    *end = at;
    return *end > *start;
}

/* The event with the rank as its pid. */
static void share_event(struct fold *fold) {
    const struct record *record = fold->record;
    struct stream *out = &fold->shared_events;
    size_t start, end, i, max;
    yyjson_val *key, *value;
    if (find_pid(record, &start, &end)) {
        buf_add(&out->buf, slice_first(record->json_text, start));
        buf_add_u64(&out->buf, fold->options->events_pid);
        buf_add(&out->buf, slice_from(record->json_text, end));
    } else {
        struct jsonw w = {.out = &out->buf};
        jsonw_object(&w, NULL);
        jsonw_u64(&w, "pid", fold->options->events_pid);
        yyjson_obj_foreach(record->json, i, max, key, value) {
            if (slice_is(json_text(key), "pid"))
                continue;
            jsonw_key(&w, json_text(key));
            jsonw_value(&w, NULL, value);
        }
        jsonw_end_object(&w);
    }
    stream_flush_if_full(out);
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
    struct slice between = fold->report->events++ ? SLICE(",\n") : SLICE("\n");
    stream_add(&fold->events, between);
    stream_add(&fold->events, record->json_text);
    if (fold->options->shares_events) {
        stream_add(&fold->shared_events, between);
        share_event(fold);
    }
}
