#include "kinds/clock.h"

#include "base/compat.h"

enum { DAY_S = 86400, NEAR_S = 2 * DAY_S, UNKNOWN_YEAR = 1970, YEAR_DIGITS = 4 };
enum {
    NEW_YEAR_DAYS = 180
}; /* a date that jumps ahead by more days than this is not a new year: the clock was set
    * back */

/* Time zones are multiples of a quarter of an hour. A prefix has a different time from its event, even an earlier one
 * because of rounding. */
static const int64_t ZONE_STEP_US = 900 * INT64_C(1000000), EARLY_US = 1000000, LATE_US = 60 * INT64_C(1000000),
                     ZONE_MAX_US = 15 * 3600 * INT64_C(1000000);

static int two_digits(const char *p) {
    return (p[0] - '0') * 10 + (p[1] - '0');
}

/* Seconds since the epoch of a date and time in that year, in UTC. */
static int64_t seconds_in(const char *date, const char *time_of_day, int year) {
    struct tm tm = {.tm_year = year - 1900, .tm_mon = two_digits(date) - 1, .tm_mday = two_digits(date + 2)};
    if (time_of_day) {
        tm.tm_hour = two_digits(time_of_day);
        tm.tm_min = two_digits(time_of_day + 3);
        tm.tm_sec = two_digits(time_of_day + 6);
    }
    return (int64_t)compat_utc_time(&tm);
}

static bool year_at(int64_t seconds, int *year) {
    time_t at = (time_t)seconds;
    struct tm tm;
    if (seconds < 0 || !gmtime_r(&at, &tm) || tm.tm_year > 8000)
        return false;
    *year = tm.tm_year + 1900;
    return true;
}

/* The year in which the date is nearest to the time, and the distance in seconds; INT64_MAX: not a valid date. */
static int64_t nearest_year(const char *date, const char *time_of_day, int64_t us, int *nearest) {
    int64_t seconds = us / 1000000, best = INT64_MAX;
    int middle;
    if (us < 0 || !year_at(seconds, &middle))
        return best;
    for (int year = middle - 1; year <= middle + 1; year++) {
        int64_t away = seconds_in(date, time_of_day, year) - seconds;
        away = away < 0 ? -away : away;
        if (away < best) {
            best = away;
            *nearest = year;
        }
    }
    return best;
}

/* The latest year in which the date is at most a day after the last modification. The day allows for the time zone. */
static int guess(const struct clock *clock, const char *date) {
    int year;
    if (!year_at((int64_t)clock->last_write, &year))
        return UNKNOWN_YEAR;
    if (seconds_in(date, NULL, year) > (int64_t)clock->last_write + DAY_S && year > UNKNOWN_YEAR)
        year--;
    return year;
}

static bool is_date(const char *date) {
    int month = two_digits(date), day = two_digits(date + 2);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static int year_of(const struct clock *clock, const char *date) {
    int year = UNKNOWN_YEAR;
    if (!is_date(date))
        year_at(clock->known ? clock->known_us / 1000000 : (int64_t)clock->last_write, &year);
    else if (clock->known)
        nearest_year(date, NULL, clock->known_us, &year);
    else
        year = guess(clock, date);
    return year;
}

bool clock_see(struct clock *clock, const struct glog *glog, int64_t us) {
    int year;
    bool near = us > 0 && nearest_year(glog->date.ptr, glog->time.ptr, us, &year) <= NEAR_S;
    if (!near || clock->known)
        return near;
    clock->known = true;
    clock->known_us = us;
    clock->wrong = clock->cached && (clock->several || year_of(clock, clock->date) != clock->year);
    clock->cached = false;
    return true;
}

void clock_see_value(struct clock *clock, const struct glog *glog, yyjson_val *value) {
    uint64_t us;
    double seconds;
    if (clock->known || !yyjson_is_obj(value))
        return;
    if (json_to_u64(json_get(value, "start_time_us"), &us) && us < INT64_MAX)
        clock_see(clock, glog, (int64_t)us);
    if (!clock->known && json_to_double(json_get(value, "start_time"), &seconds) && seconds > 0 && seconds < 9e9)
        clock_see(clock, glog, (int64_t)(seconds * 1e6));
}

int clock_year(struct clock *clock, const struct glog *glog) {
    if (clock->cached && memcmp(clock->date, glog->date.ptr, sizeof clock->date) == 0)
        return clock->year;
    clock->several |= clock->cached;
    memcpy(clock->date, glog->date.ptr, sizeof clock->date);
    clock->year = year_of(clock, clock->date);
    clock->cached = true;
    return clock->year;
}

/* The local time of the prefix, as if it were UTC; -1: invalid. The year must be known. */
static int64_t local_us(struct clock *clock, const struct clock_prefix *prefix) {
    if (prefix->us < 0 || !is_date(prefix->date))
        return -1;
    if (!clock->day_us || memcmp(clock->day, prefix->date, sizeof clock->day) != 0) {
        memcpy(clock->day, prefix->date, sizeof clock->day);
        clock->day_us = seconds_in(prefix->date, NULL, year_of(clock, prefix->date)) * 1000000;
    }
    return clock->day_us + prefix->us;
}

static void note_zoned(struct clock *clock, const struct clock_prefix *prefix) {
    int64_t local = local_us(clock, prefix), us = local - clock->zone_us;
    if (local < 0 || us <= 0)
        return;
    clock->first_us = !clock->first_us || us < clock->first_us ? us : clock->first_us;
    clock->last_us = us > clock->last_us ? us : clock->last_us;
}

void clock_note(struct clock *clock, const struct glog *glog) {
    memcpy(clock->last.date, glog->date.ptr, sizeof clock->last.date);
    clock->last.us = glog_time_of_day(glog);
    if (!clock->begun)
        clock->first = clock->last;
    clock->begun = true;
    if (clock->zoned)
        note_zoned(clock, &clock->last);
}

void clock_see_event(struct clock *clock, const struct glog *glog, int64_t us) {
    struct clock_prefix prefix = {.us = glog_time_of_day(glog)};
    memcpy(prefix.date, glog->date.ptr, sizeof prefix.date);
    int64_t local = local_us(clock, &prefix);
    if (clock->zoned || !clock->known || local < 0)
        return;
    int64_t ahead = local - us + EARLY_US, zone = ahead / ZONE_STEP_US - (ahead % ZONE_STEP_US < 0);
    if (ahead - zone * ZONE_STEP_US > EARLY_US + LATE_US || zone * ZONE_STEP_US > ZONE_MAX_US ||
        zone * ZONE_STEP_US < -ZONE_MAX_US)
        return;
    clock->zoned = true;
    clock->zone_us = zone * ZONE_STEP_US;
    note_zoned(clock, &clock->first);
    note_zoned(clock, &prefix);
}

int64_t clock_span(const struct clock *clock) {
    const struct clock_prefix *first = &clock->first, *last = &clock->last;
    if (!clock->begun || first->us < 0 || last->us < 0 || !is_date(first->date) || !is_date(last->date))
        return -1;
    int year = year_of(clock, first->date);
    bool new_year = memcmp(last->date, first->date, sizeof last->date) < 0;
    int64_t days = (seconds_in(last->date, NULL, year + new_year) - seconds_in(first->date, NULL, year)) / DAY_S;
    if (new_year && days > NEW_YEAR_DAYS)
        return -1;
    int64_t us = days * DAY_S * 1000000 + last->us - first->us;
    return us > 0 ? us : -1;
}

/* The position of the year that this program wrote in the line. The key, with unescaped quotes, cannot occur in any
 * later text. */
static char *find_year(char *line, size_t len) {
    static const struct slice key = {"\"timestamp\": \"", sizeof "\"timestamp\": \"" - 1};
    enum { DATE_BYTES = sizeof "2026-12-31T" - 1 };
    for (size_t at = len; at-- > 0;)
        if (line[at] == '"' && len - at >= key.len + DATE_BYTES && memcmp(line + at, key.ptr, key.len) == 0)
            return line + at + key.len;
    return NULL;
}

static void correct(const struct clock *clock, char *line, size_t len) {
    char *year = find_year(line, len), text[16];
    if (!year)
        return;
    const char date[4] = {year[5], year[6], year[8], year[9]};
    snprintf(text, sizeof text, "%04d", year_of(clock, date));
    memcpy(year, text, YEAR_DIGITS);
}

/* Corrects the lines of a piece that begins at byte `start`. */
static void correct_lines(const struct clock *clock, struct buf *piece, uint64_t start, uint64_t guessed) {
    for (size_t at = 0; at < piece->len && start + at < guessed;) {
        char *line = piece->ptr + at, *end = memchr(line, '\n', piece->len - at);
        size_t len = end ? (size_t)(end - line) + 1 : piece->len - at;
        correct(clock, line, len);
        at += len;
    }
}

void clock_copy_lines(const struct clock *clock, const struct spooled *lines, uint64_t guessed, struct stream *to) {
    AUTO_BUF piece = {0};
    uint64_t start = 0;
    for (size_t i = 0; i < lines->pieces.count; i++, start += piece.len) {
        piece.len = 0;
        if (!spooled_read(lines, i, &piece)) {
            files_fail(to->files, "write", slice_str(to->path));
            break;
        }
        if (clock->wrong)
            correct_lines(clock, &piece, start, guessed);
        stream_add(to, buf_slice(&piece));
    }
}
