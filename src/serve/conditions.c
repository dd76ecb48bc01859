
#include "serve/conditions.h"

#include "base/compat.h"

void validator_init(struct validator *v, const struct stat *st) {
    const struct timespec changed = compat_mtime(st);
    v->mtime_s = changed.tv_sec;
    snprintf(v->etag, sizeof v->etag, "\"%" PRIx64 "-%" PRIx64 "-%" PRIx64 ".%lx\"", st->st_ino, st->st_size,
             (uint64_t)changed.tv_sec, (unsigned long)changed.tv_nsec);
}

void conditions_add_date(char date[CONDITIONS_DATE_BYTES], time_t time_s) {
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct tm tm = {0};
    gmtime_r(&time_s, &tm);
    snprintf(date, CONDITIONS_DATE_BYTES, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[tm.tm_wday], tm.tm_mday,
             months[tm.tm_mon], (tm.tm_year + 1900) % 10000, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

bool conditions_read_date(struct slice text, time_t *time_s) {
    static const char *const forms[] = {"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT",
                                        "%a %b %e %H:%M:%S %Y"};
    char copy[64];
    if (text.len >= sizeof copy)
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct tm tm = {0};
        const char *end = strptime(copy, forms[i], &tm);
        if (!end || *end)
            continue;
        *time_s = compat_utc_time(&tm);
        return true;
    }
    return false;
}

/* Whether the tag is in a list such as `"a", W/"b"`, or the list is "*". A weak tag counts only if weak_counts is
 * true. */
static bool has_tag(struct slice list, const char *tag, bool weak_counts) {
    list = slice_trim(list);
    if (slice_is(list, "*"))
        return true;
    while (list.len) {
        bool weak = slice_starts(list, SLICE("W/"));
        list = slice_from(list, weak ? 2 : 0);
        size_t quote = list.len && list.ptr[0] == '"' ? slice_find(slice_from(list, 1), SLICE("\"")) : SIZE_MAX;
        if (quote == SIZE_MAX)
            return false;
        if ((weak_counts || !weak) && slice_is(slice_first(list, quote + 2), tag))
            return true;
        list = slice_trim(slice_from(list, quote + 2));
        if (list.len && list.ptr[0] == ',')
            list = slice_trim(slice_from(list, 1));
    }
    return false;
}

enum conditions_result conditions_check(const struct conditions *c, const struct validator *v) {
    time_t since;
    if (c->if_match.ptr) {
        if (!has_tag(c->if_match, v->etag, false))
            return CONDITIONS_FAILED;
    } else if (c->if_unmodified_since.ptr && conditions_read_date(c->if_unmodified_since, &since) &&
               v->mtime_s > since) {
        return CONDITIONS_FAILED;
    }
    if (c->if_none_match.ptr)
        return has_tag(c->if_none_match, v->etag, true) ? CONDITIONS_NOT_MODIFIED : CONDITIONS_SEND;
    if (c->if_modified_since.ptr && conditions_read_date(c->if_modified_since, &since) && v->mtime_s <= since)
        return CONDITIONS_NOT_MODIFIED;
    return CONDITIONS_SEND;
}

bool conditions_range_stands(const struct conditions *c, const struct validator *v) {
    time_t then;
    if (!c->if_range.ptr)
        return true;
    if (slice_find(c->if_range, SLICE("\"")) != SIZE_MAX)
        return slice_is(slice_trim(c->if_range), v->etag);
    return conditions_read_date(c->if_range, &then) && then == v->mtime_s;
}
