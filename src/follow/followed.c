#define _GNU_SOURCE /* O_CLOEXEC, O_NOCTTY */
#include "follow/followed.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/source.h"

enum { READS_AT_ONCE = 32 };

static void on_fault(void *context, const char *kind, uint64_t line, struct slice detail) {
    struct news *news = context;
    if (news->listener->fault)
        news->listener->fault(news->listener->context, news->path, kind, line, detail);
}

void followed_init(struct followed *log, const char *path, const struct followed_options *options) {
    *log = (struct followed){
        .path = mem_strdup(path),
        .fd = -1,
        .has_only_rank = options->has_only_rank,
        .only_rank = options->only_rank,
        .news = {.listener = options->listener,
                 .has_rank = options->has_rank,
                 .rank = options->rank,
                 .slow_us = options->slow_us},
    };
    log->news.path = log->path;
}

/* A message about the log itself. */
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
    log->watcher = (struct run_watcher){.context = &log->news, .fault = on_fault, .folded = news_folded};
    log->feed = feed_create(&options, &log->watcher, err);
    log->feeds++;
    return log->feed != NULL;
}

static void feed_records(struct followed *log) {
    if (log->records.len)
        feed_add(log->feed, buf_slice(&log->records));
    log->read += log->records.len;
    log->records.len = 0;
}

/* Reads a whole file, whatever its compression. */
static bool read_whole(struct followed *log, const char *path, struct err *err) {
    struct source source;
    struct err why = {0};
    ssize_t got = 1;
    if (!begin_file(log, path, err))
        return false;
    if (!source_open(&source, path, &why)) {
        on_fault(&log->news, "part of the log cannot be read", 1, slice_str(why.text));
        return true;
    }
    while (got > 0) {
        got = source_read(&source, cutter_room(&log->cutter, FOLLOWED_READ_BYTES), FOLLOWED_READ_BYTES, &why);
        cutter_added(&log->cutter, got > 0 ? (size_t)got : 0, &log->records);
        feed_records(log);
    }
    cutter_flush(&log->cutter, &log->records);
    feed_records(log);
    if (got < 0 || source_damage(&source))
        on_fault(&log->news, "part of the log cannot be read", 1,
                 slice_str(got < 0 ? why.text : source_damage(&source)));
    source_close(&source);
    return true;
}

bool followed_read_part(struct followed *log, const char *path, int64_t now_ms, struct err *err) {
    log->news.now_ms = now_ms;
    return read_whole(log, path, err);
}

static bool is_packed(int fd) {
    unsigned char head[4];
    ssize_t len = pread(fd, head, sizeof head, 0);
    return (len >= 2 && head[0] == 0x1f && head[1] == 0x8b) || (len == 4 && memcmp(head, "\x28\xb5\x2f\xfd", 4) == 0);
}

/* Opens the file that the name refers to now. Returns true if there is none: it may come. */
static bool open_file(struct followed *log, struct err *err) {
    struct stat st;
    int fd = open(log->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return true;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) { /* a pipe or a folder has come to this place */
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
    if (log->packed)
        return read_whole(log, log->path, err);
    return begin_file(log, log->path, err);
}

/* Whether the file has other content than what was read: it is shorter, or it begins with other bytes. */
static bool is_rewritten(struct followed *log, const struct stat *st) {
    char head[FOLLOWED_HEAD_BYTES];
    if ((uint64_t)st->st_size < log->offset)
        return true;
    ssize_t len = pread(log->fd, head, log->head_len, 0);
    return len >= 0 && ((size_t)len < log->head_len || memcmp(head, log->head, log->head_len) != 0);
}

static void note_head(struct followed *log, const char *bytes, size_t len) {
    size_t room = FOLLOWED_HEAD_BYTES - log->head_len;
    if (log->offset != log->head_len)
        return;
    memcpy(log->head + log->head_len, bytes, len < room ? len : room);
    log->head_len += len < room ? len : room;
}

/* Reads up to the end of the open file, or as much as is read at once. */
static void read_bytes(struct followed *log, bool *more) {
    *more = false;
    for (int i = 0; i < READS_AT_ONCE; i++) {
        char *room = cutter_room(&log->cutter, FOLLOWED_READ_BYTES);
        ssize_t got = pread(log->fd, room, FOLLOWED_READ_BYTES, (off_t)log->offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) /* an error of a network file system may pass */
            return;
        note_head(log, room, (size_t)got);
        log->offset += (uint64_t)got;
        log->grew_ms = log->news.now_ms;
        cutter_added(&log->cutter, (size_t)got, &log->records);
        feed_records(log);
        *more = true;
    }
}

/* The last record, if the log has been quiet for long enough. */
static void prove(struct followed *log) {
    int64_t wait_ms = FOLLOWED_QUIET_MS + (int64_t)(log->cutter.waiting.len / FOLLOWED_PROOF_BYTES_PER_MS);
    if (!log->cutter.waiting.len || log->news.now_ms - log->grew_ms < wait_ms)
        return;
    cutter_prove(&log->cutter, &log->records);
    feed_records(log);
}

/* Where the name points, once the open file is read to its end. */
static bool follow_name(struct followed *log, bool *more, struct err *err) {
    struct stat st;
    if (stat(log->path, &st) != 0) {
        if (!log->gone)
            pass(log, FOLLOW_REMOVED);
        log->gone = true;
        return true;
    }
    if (st.st_dev == log->device && st.st_ino == log->inode)
        return true;
    followed_flush(log);
    close(log->fd);
    log->fd = -1;
    pass(log, FOLLOW_ROTATED);
    *more = true;
    return open_file(log, err);
}

bool followed_read(struct followed *log, int64_t now_ms, bool *more, struct err *err) {
    struct stat st;
    *more = false;
    log->news.now_ms = now_ms;
    if (log->fd < 0 && !open_file(log, err))
        return false;
    if (log->fd < 0)
        return true;
    if (!log->packed && fstat(log->fd, &st) == 0) {
        if (is_rewritten(log, &st)) {
            pass(log, FOLLOW_TRUNCATED);
            log->offset = log->head_len = 0;
            log->feeds--; /* what was read is not part of the log any more */
            if (!begin_file(log, log->path, err))
                return false;
        }
        if ((uint64_t)st.st_size > log->offset)
            read_bytes(log, more);
    }
    if (*more)
        return true;
    prove(log);
    news_tick(&log->news);
    return follow_name(log, more, err);
}

void followed_flush(struct followed *log) {
    if (!log->feed)
        return;
    cutter_flush(&log->cutter, &log->records);
    feed_records(log);
}

bool followed_is_simple(const struct followed *log) {
    return log->feed && log->feeds == 1 && feed_lanes(log->feed)->count == 1;
}

void followed_close(struct followed *log) {
    if (log->fd >= 0)
        close(log->fd);
    feed_destroy(log->feed);
    news_finish(&log->news);
    cutter_free(&log->cutter);
    buf_free(&log->records);
    processes_finish(&log->processes);
    mem_free(log->path);
    *log = (struct followed){.fd = -1};
}
