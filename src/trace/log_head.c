#include "trace/log_head.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/json.h"
#include "trace/glog.h"
#include "trace/source.h"

enum { HEAD_BYTES = 64 * 1024, STARTS_BYTES = 256 * 1024, DAY_S = 24 * 3600 };

static int two_digits(const char *p) {
    return (p[0] - '0') * 10 + p[1] - '0';
}

static time_t time_of(const struct glog *glog, time_t last) {
    struct tm tm;
    if (!localtime_r(&last, &tm))
        return -1;
    int year = tm.tm_year;
    for (int back = 0; back < 2; back++) {
        tm = (struct tm){.tm_year = year - back,
                         .tm_mon = two_digits(glog->date.ptr) - 1,
                         .tm_mday = two_digits(glog->date.ptr + 2),
                         .tm_hour = two_digits(glog->time.ptr),
                         .tm_min = two_digits(glog->time.ptr + 3),
                         .tm_sec = two_digits(glog->time.ptr + 6),
                         .tm_isdst = -1};
        time_t at = mktime(&tm);
        if (at != -1 && at <= last + DAY_S)
            return at;
    }
    return -1;
}

/* "15:18:15.925000": the digits after the point. */
static unsigned us_of(const struct glog *glog) {
    unsigned us = 0;
    for (size_t i = sizeof "15:18:15." - 1; i < glog->time.len; i++)
        us = us * 10 + (unsigned)(glog->time.ptr[i] - '0');
    return us;
}

int64_t log_time_us(const struct glog *glog, time_t last_write) {
    time_t at = time_of(glog, last_write);
    return at <= 0 ? 0 : (int64_t)at * 1000000 + us_of(glog);
}

static bool is_plain_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

struct log_head log_head_read(const char *path, time_t last_write) {
    struct log_head head = {.at = -1};
    struct source source;
    struct err ignored;
    errno = 0;
    if (!is_plain_file(path) || !source_open(&source, path, &ignored)) {
        head.failed = errno;
        return head;
    }
    char *text = mem_alloc(HEAD_BYTES);
    ssize_t len = source_read(&source, text, HEAD_BYTES, &ignored);
    head.failed = len < 0 ? errno : 0;
    struct slice rest = slice_make(text, len > 0 ? (size_t)len : 0), line;
    struct glog glog;
    while (!head.known && slice_next_line(&rest, &line))
        if (line.len && line.ptr[0] != '\t' && glog_parse(line, &glog))
            head = (struct log_head){true, time_of(&glog, last_write), us_of(&glog), glog.thread, 0};
    mem_free(text);
    source_close(&source);
    return head;
}

time_t log_end_read(const char *path, time_t last_write) {
    int fd = is_plain_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return -1;
    char *text = mem_alloc(HEAD_BYTES);
    off_t size = lseek(fd, 0, SEEK_END), from = size > HEAD_BYTES ? size - HEAD_BYTES : 0;
    ssize_t len = size > 0 ? fd_read_at(fd, text, HEAD_BYTES, (uint64_t)from) : 0;
    struct slice rest = slice_make(text, len > 0 ? (size_t)len : 0), line;
    struct glog glog;
    time_t end = -1;
    while (slice_next_line(&rest, &line))
        if (line.len && line.ptr[0] != '\t' && glog_parse(line, &glog)) {
            time_t at = time_of(&glog, last_write);
            end = at > end ? at : end;
        }
    mem_free(text);
    close(fd);
    return end;
}

const struct log_start *log_starts_of(const struct log_starts *starts, uint64_t number) {
    for (size_t i = 0; i < starts->count; i++)
        if (starts->items[i].number == number)
            return &starts->items[i];
    return NULL;
}

/* The id in the envelope's first "filename": N. Returns false if there is none. */
static bool first_reference(struct slice envelope, uint64_t *id) {
    static const char key[] = "\"filename\": ";
    size_t at = slice_find(envelope, SLICE(key)), digits = 0;
    if (at == SIZE_MAX)
        return false;
    envelope = slice_from(envelope, at + sizeof key - 1);
    while (digits < envelope.len && envelope.ptr[digits] >= '0' && envelope.ptr[digits] <= '9')
        digits++;
    return slice_to_u64(slice_first(envelope, digits), id);
}

/* Notes what a record says about the strings of its process. */
static void see_start(struct log_starts *starts, const struct glog *glog, struct arena *arena) {
    struct slice envelope = slice_trim(glog->rest);
    struct log_start start = {.number = glog->thread};
    yyjson_val *root = NULL;
    if (starts->count == LOG_STARTS_MAX || log_starts_of(starts, glog->thread))
        return;
    if (slice_starts(envelope, SLICE("{\"str\":"))) {
        json_read(&envelope, JSON_NUMBERS, arena, &root);
        if (!json_to_u64(yyjson_arr_get(json_get(root, "str"), 1), &start.id))
            return;
        start.kind = start.id ? LOG_START_DEFINES : LOG_START_FRESH;
    } else if (first_reference(envelope, &start.id)) {
        start.kind = LOG_START_REFERS;
    } else {
        return;
    }
    starts->items[starts->count++] = start;
}

bool log_rank_read(const char *path, uint64_t *rank) {
    struct source source;
    struct err ignored;
    if (!is_plain_file(path) || !source_open(&source, path, &ignored))
        return false;
    char *text = mem_alloc(STARTS_BYTES);
    ssize_t len = source_read(&source, text, STARTS_BYTES, &ignored);
    struct slice rest = slice_make(text, len > 0 ? (size_t)len : 0), line;
    AUTO_ARENA arena = {0};
    struct glog glog;
    bool found = false;
    while (!found && slice_next_line(&rest, &line)) {
        yyjson_val *root = NULL;
        if (!line.len || line.ptr[0] == '\t' || slice_find(line, SLICE("\"rank\":")) == SIZE_MAX ||
            !glog_parse(line, &glog))
            continue;
        struct slice envelope = glog.rest;
        found =
            json_read(&envelope, JSON_NUMBERS, &arena, &root) != JSON_BAD && json_to_u64(json_get(root, "rank"), rank);
    }
    mem_free(text);
    source_close(&source);
    return found;
}

void log_starts_read(struct log_starts *starts, const char *path) {
    struct source source;
    struct err ignored;
    *starts = (struct log_starts){0};
    if (!is_plain_file(path) || !source_open(&source, path, &ignored))
        return;
    char *text = mem_alloc(STARTS_BYTES);
    ssize_t len = source_read(&source, text, STARTS_BYTES, &ignored);
    struct slice rest = slice_make(text, len > 0 ? (size_t)len : 0), line;
    AUTO_ARENA arena = {0};
    struct glog glog;
    while (slice_next_line(&rest, &line))
        if (line.len && line.ptr[0] != '\t' && glog_parse(line, &glog))
            see_start(starts, &glog, &arena);
    mem_free(text);
    source_close(&source);
}

bool log_start_continues(const struct log_start *start, size_t strings) {
    return start->kind == LOG_START_DEFINES ? strings > 0 && strings <= start->id
                                            : start->kind == LOG_START_REFERS && strings > start->id;
}
