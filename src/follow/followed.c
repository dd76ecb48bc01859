#include "follow/followed.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/fd.h"
#include "trace/block.h"
#include "trace/glog.h"

enum { READS_AT_ONCE = 32 };

#define DAY_US INT64_C(86400000000)
#define YEAR_US (12 * 31 * DAY_US) /* with months of 31 days */

static void on_fault(void *context, const char *kind, uint64_t line, struct slice detail) {
    struct news *news = context;
    if (news->listener->fault)
        news->listener->fault(news->listener->context, news->path, kind, line, detail);
}

void followed_init(struct followed *log, const char *path, const struct followed_options *options) {
    *log = (struct followed){
        .path = mem_strdup(path),
        .fd = -1,
        .room = options->room,
        .has_only_rank = options->has_only_rank,
        .only_rank = options->only_rank,
        .news = {.listener = options->listener,
                 .has_rank = options->has_rank,
                 .rank = options->rank,
                 .slow_us = options->slow_us},
    };
    log->news.path = log->path;
}

/* Passes an event about the log itself. */
static void pass(struct followed *log, enum follow_kind kind) {
    const struct news *news = &log->news;
    const struct follow_event event = {.kind = kind, .path = log->path, .has_rank = news->has_rank, .rank = news->rank};
    news->listener->event(news->listener->context, &event);
}

/* The following records come from another file of the log. */
static bool begin_file(struct followed *log, const char *path, struct err *err) {
    const struct feed_options options = {.path = path,
                                         .processes = &log->processes,
                                         .has_only_rank = log->has_only_rank,
                                         .only_rank = log->only_rank};
    feed_destroy(log->feed);
    news_forget(&log->news);
    cutter_free(&log->cutter);
    log->watcher = (struct reading_watcher){.context = &log->news, .fault = on_fault, .folded = news_folded};
    log->feed = feed_create(&options, &log->watcher, err);
    log->feeds++;
    return log->feed != NULL;
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static struct slice waiting_records(const struct followed *log) {
    return slice_from(buf_slice(&log->records), log->folded);
}

bool followed_has_records(const struct followed *log) {
    return log->records.len > log->folded;
}

bool followed_before(int64_t a_us, int64_t b_us) {
    int64_t apart = b_us - a_us;
    return apart > 0 ? apart <= YEAR_US / 2 : apart < -YEAR_US / 2;
}

/* The time of a record, if the first line has one. */
static bool time_of(struct slice line, int64_t *us) {
    struct glog glog;
    uint64_t month, day;
    if (!block_starts_record(line) || !glog_parse(line, &glog) || glog.date.len != 4 ||
        !slice_to_u64(slice_first(glog.date, 2), &month) || !slice_to_u64(slice_from(glog.date, 2), &day))
        return false;
    int64_t of_day_us = glog_time_of_day(&glog);
    *us = (int64_t)(month * 31 + day) * DAY_US + of_day_us;
    return of_day_us >= 0;
}

/* Notes the time with which the new records begin. Without one, they belong to the previous record. */
static void see_time(struct followed *log) {
    struct slice rest = waiting_records(log), line;
    while (slice_next_line(&rest, &line))
        if (time_of(line, &log->next_us))
            return;
}

static void fold_bytes(struct followed *log, size_t bytes) {
    if (log->cutter.left_out)
        feed_leave_out(log->feed, log->cutter.left_out);
    log->read += log->cutter.left_out;
    log->cutter.left_out = 0;
    if (bytes)
        feed_add(log->feed, slice_first(waiting_records(log), bytes));
    log->read += bytes;
    log->folded += bytes;
    if (!followed_has_records(log))
        log->records.len = log->folded = 0;
}

static void fold_all(struct followed *log) {
    fold_bytes(log, waiting_records(log).len);
}

void followed_fold(struct followed *log, const int64_t *until_us) {
    struct slice all = waiting_records(log), rest = all, line;
    size_t bytes = all.len;
    while (until_us && bytes == all.len && slice_next_line(&rest, &line))
        if (line.ptr > all.ptr && time_of(line, &log->next_us) && followed_before(*until_us, log->next_us))
            bytes = (size_t)(line.ptr - all.ptr);
    fold_bytes(log, bytes);
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

/* Opens a file; other logs may have to close theirs. Returns -1 if it cannot be read now. */
static int open_path(struct followed *log, const char *path) {
    const struct followed_room *room = log->room;
    int fd;
    if (room)
        room->make(room->context, log, false);
    do
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    while (fd < 0 && (errno == EMFILE || errno == ENFILE) && room && room->make(room->context, log, true));
    log->refused = fd < 0 && errno != ENOENT ? errno : 0;
    return fd;
}

bool followed_rest(struct followed *log) {
    struct stat st, named;
    if (log->fd < 0 || log->sourced || log->gone || fstat(log->fd, &st) != 0 || stat(log->path, &named) != 0 ||
        st.st_dev != named.st_dev || st.st_ino != named.st_ino)
        return false;
    close(log->fd);
    log->fd = -1;
    log->resting = true;
    log->rested = compat_mtime(&st);
    return true;
}

static bool is_same_time(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* ---- compressed files and earlier parts ------------------------------------------------------------------------- */

void followed_add_part(struct followed *log, const char *path) {
    LIST_ADD(&log->parts, mem_strdup(path));
}

static bool begin_source(struct followed *log, const char *path, struct err *err) {
    struct err why = {0};
    if (!begin_file(log, path, err))
        return false;
    int room = open_path(log, path); /* so that the source can be opened */
    if (room >= 0)
        close(room);
    log->sourced = source_open(&log->source, path, &why);
    if (!log->sourced)
        on_fault(&log->news, "part of the log cannot be read", 1, slice_str(why.text));
    return true;
}

/* Reads some of the source; closes it at its end. */
static void read_source(struct followed *log, size_t bytes) {
    struct err why = {0};
    ssize_t got = source_read(&log->source, cutter_room(&log->cutter, bytes), bytes, &why);
    cutter_added(&log->cutter, got > 0 ? (size_t)got : 0, &log->records);
    if (got > 0)
        return;
    cutter_flush(&log->cutter, &log->records);
    const char *damage = got < 0 ? why.text : source_damage(&log->source);
    if (damage)
        on_fault(&log->news, "part of the log cannot be read", 1, slice_str(damage));
    source_close(&log->source);
    log->sourced = false;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static bool is_packed(int fd) {
    unsigned char head[4];
    ssize_t len = fd_read_at(fd, head, sizeof head, 0);
    return (len >= 2 && head[0] == 0x1f && head[1] == 0x8b) || (len == 4 && memcmp(head, "\x28\xb5\x2f\xfd", 4) == 0);
}

/* Opens the file that the name refers to now. Returns true if there is none, because it may still appear. */
static bool open_file(struct followed *log, struct err *err) {
    struct stat st;
    int fd = open_path(log, log->path);
    if (fd < 0)
        return true;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) { /* a pipe or a folder has taken its place */
        close(fd);
        return true;
    }
    log->packed = is_packed(fd);
    log->device = st.st_dev;
    log->inode = st.st_ino;
    log->offset = log->head_len = 0;
    log->gone = false;
    log->grew_ms = log->news.now_ms;
    log->fd = fd;
    return log->packed ? begin_source(log, log->path, err) : begin_file(log, log->path, err);
}

/* Whether the content of the file changed: it is shorter than the part already read, or begins with different bytes. */
static bool is_rewritten(struct followed *log, const struct stat *st) {
    char head[FOLLOWED_HEAD_BYTES];
    if ((uint64_t)st->st_size < log->offset)
        return true;
    ssize_t len = fd_read_at(log->fd, head, log->head_len, 0);
    return len >= 0 && ((size_t)len < log->head_len || memcmp(head, log->head, log->head_len) != 0);
}

static void note_head(struct followed *log, const char *bytes, size_t len) {
    size_t room = FOLLOWED_HEAD_BYTES - log->head_len;
    if (log->offset != log->head_len)
        return;
    memcpy(log->head + log->head_len, bytes, len < room ? len : room);
    log->head_len += len < room ? len : room;
}

/* Reads some of the open file. Returns false at its end. */
static bool read_bytes(struct followed *log, size_t bytes) {
    char *room = cutter_room(&log->cutter, bytes);
    ssize_t got;
    do
        got = pread(log->fd, room, bytes, (off_t)log->offset);
    while (got < 0 && errno == EINTR);
    if (got <= 0) /* an error of a network file system may pass */
        return false;
    note_head(log, room, (size_t)got);
    log->offset += (uint64_t)got;
    log->grew_ms = log->news.now_ms;
    cutter_added(&log->cutter, (size_t)got, &log->records);
    return true;
}

/* Reads from the file, which may have been truncated. */
static bool fetch_file(struct followed *log, size_t bytes, bool *more, struct err *err) {
    struct stat st;
    if (log->packed || fstat(log->fd, &st) != 0)
        return true;
    if (is_rewritten(log, &st)) {
        pass(log, FOLLOW_TRUNCATED);
        log->offset = log->head_len = 0;
        log->feeds--; /* the part already read no longer belongs to the log */
        if (!begin_file(log, log->path, err))
            return false;
    }
    *more = (uint64_t)st.st_size > log->offset && read_bytes(log, bytes);
    return true;
}

/* The name of the log refers to another file now. */
static bool begin_rotated(struct followed *log, bool *more, struct err *err) {
    followed_flush(log);
    pass(log, FOLLOW_ROTATED);
    *more = true;
    return open_file(log, err);
}

static bool note_gone(struct followed *log) {
    if (!log->gone)
        pass(log, FOLLOW_REMOVED);
    return log->gone = true;
}

/* Checks a closed file, and continues to read if it has changed. Bytes that were written just before it was removed or
 * rotated are missed. */
static bool wake(struct followed *log, size_t bytes, bool *more, struct err *err) {
    struct stat st;
    *more = false;
    if (stat(log->path, &st) != 0)
        return note_gone(log);
    bool same = st.st_dev == log->device && st.st_ino == log->inode;
    if (same && (log->packed || ((uint64_t)st.st_size == log->offset && is_same_time(compat_mtime(&st), log->rested))))
        return true;
    if (!same) {
        log->resting = false;
        on_fault(&log->news, "part of the log cannot be read", 1,
                 SLICE("it was rotated while its file was closed: too many files are open"));
        return begin_rotated(log, more, err);
    }
    int fd = open_path(log, log->path);
    if (fd < 0)
        return true;
    log->fd = fd; /* if the file is a new one, fetch_file() notices that it begins with different bytes */
    log->resting = log->gone = false;
    return fetch_file(log, bytes, more, err);
}

/* Reads some new bytes; all records must have been folded. */
static bool fetch(struct followed *log, size_t bytes, int64_t now_ms, bool *more, struct err *err) {
    log->news.now_ms = now_ms;
    *more = true;
    if (log->sourced) {
        read_source(log, bytes);
        return true;
    }
    if (log->part < log->parts.count)
        return begin_source(log, log->parts.items[log->part++], err);
    if (log->fd >= 0) {
        *more = false;
        return fetch_file(log, bytes, more, err);
    }
    if (log->resting)
        return wake(log, bytes, more, err);
    bool ok = open_file(log, err);
    *more = ok && log->fd >= 0;
    return ok;
}

bool followed_fetch(struct followed *log, size_t bytes, int64_t now_ms, bool *more, struct err *err) {
    bool ok = fetch(log, bytes, now_ms, more, err);
    if (ok && !*more)
        cutter_prove(&log->cutter, &log->records);
    see_time(log);
    return ok;
}

/* Follows the name of the log, once the open file has been read to its end. */
static bool follow_name(struct followed *log, bool *more, struct err *err) {
    struct stat st;
    if (stat(log->path, &st) != 0)
        return note_gone(log);
    if (st.st_dev == log->device && st.st_ino == log->inode)
        return true;
    close(log->fd);
    log->fd = -1;
    return begin_rotated(log, more, err);
}

/* Takes the last record if the log has been quiet for long enough. */
static void prove(struct followed *log) {
    int64_t wait_ms = FOLLOWED_QUIET_MS + (int64_t)(log->cutter.waiting.len / FOLLOWED_PROOF_BYTES_PER_MS);
    if (!log->cutter.waiting.len || log->news.now_ms - log->grew_ms < wait_ms)
        return;
    cutter_prove(&log->cutter, &log->records);
    fold_all(log);
}

bool followed_read(struct followed *log, int64_t now_ms, bool *more, struct err *err) {
    bool any = false, again = true;
    fold_all(log);
    for (int i = 0; again && i < READS_AT_ONCE; i++) {
        if (!fetch(log, FOLLOWED_READ_BYTES, now_ms, &again, err))
            return false;
        fold_all(log);
        any |= again;
    }
    *more = any;
    if (any || (log->fd < 0 && !log->resting))
        return true;
    prove(log);
    news_tick(&log->news);
    return log->resting || follow_name(log, more, err);
}

void followed_flush(struct followed *log) {
    if (!log->feed)
        return;
    cutter_flush(&log->cutter, &log->records);
    fold_all(log);
}

bool followed_is_simple(const struct followed *log) {
    return log->feed && log->feeds == 1 && feed_lanes(log->feed)->count == 1;
}

void followed_close(struct followed *log) {
    if (log->fd >= 0)
        close(log->fd);
    if (log->sourced)
        source_close(&log->source);
    for (size_t i = 0; i < log->parts.count; i++)
        mem_free(log->parts.items[i]);
    mem_free(log->parts.items);
    feed_destroy(log->feed);
    news_finish(&log->news);
    cutter_free(&log->cutter);
    buf_free(&log->records);
    processes_finish(&log->processes);
    mem_free(log->path);
    *log = (struct followed){.fd = -1};
}
