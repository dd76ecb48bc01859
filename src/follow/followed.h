/* followed.h - one log that is followed: its file, its records so far, and their events.
 *
 * The file is read with read(), from where the last read ended. If its name refers to another file, the log was
 * rotated: the old file is read to its end, and then the new one. If the file is shorter than the part already read, or
 * begins with other bytes, it was truncated or rewritten: it is read from its start, as a new log. A file whose name is
 * gone is read as long as it is open, because its writer may still write to it. Earlier parts of a rotated log are read
 * first. These parts and compressed files are read only once.
 *
 * followed_rest() closes a file until it changes; it is then reopened, and reading continues. If it was rotated in the
 * meantime, the last bytes written to it may be lost, which is reported as an error.
 *
 * followed_read() reads and folds. To fold several logs in the order of their records' times, call followed_fetch() and
 * followed_fold() until a fetch returns nothing.
 *
 * Life cycle: followed_init, followed_add_part…, followed_read…, followed_close. One thread. */
#pragma once

#include <sys/types.h>

#include "follow/cutter.h"
#include "follow/news.h"
#include "pipeline/feed.h"
#include "trace/process.h"
#include "trace/source.h"

enum {
    FOLLOWED_HEAD_BYTES = 64,         /* bytes that identify the content of a file */
    FOLLOWED_READ_BYTES = 256 * 1024, /* at once */
    FOLLOWED_QUIET_MS = 100, /* the last record is checked after this time without growth: see cutter_prove() */
    FOLLOWED_PROOF_BYTES_PER_MS = 5000, /* a large record is checked less often */
};

struct followed;

/* Closes files of other logs. make() is called before a file is opened. `full`: opening failed, because too many files
 * are open. Returns true if it closed a file. */
struct followed_room {
    bool (*make)(void *context, const struct followed *log, bool full);
    void *context;
};

struct followed {
    char *path;
    int fd; /* -1: not open */
    dev_t device;
    ino_t inode;
    uint64_t offset;
    char head[FOLLOWED_HEAD_BYTES];
    size_t head_len;
    bool packed, gone;      /* packed: compressed, so it does not grow; gone: its name is gone */
    bool resting;           /* it was read up to offset and then closed */
    struct timespec rested; /* its modification time when it was closed */
    int refused;            /* errno if it exists but could not be opened; 0: no error */
    const struct followed_room *room;
    int64_t grew_ms;      /* when it grew last */
    LIST(char *) parts;   /* earlier files of the log */
    size_t part;          /* the next one of them */
    struct source source; /* an earlier part, or the compressed log */
    bool sourced;         /* it is open */
    struct cutter cutter;
    struct buf records; /* whole records; those from `folded` on are not folded yet */
    size_t folded;
    int64_t next_us; /* the time of the first of these */
    struct feed *feed;
    size_t feeds;  /* files of the log so far */
    uint64_t read; /* bytes of folded records; never decreases */
    struct processes processes;
    struct news news;
    struct reading_watcher watcher;
    bool has_only_rank;
    uint64_t only_rank;
};

struct followed_options {
    const struct follow_listener *listener; /* valid until followed_close() */
    bool has_rank;                          /* the name of the log has a rank */
    uint64_t rank;
    bool has_only_rank; /* --rank */
    uint64_t only_rank;
    int64_t slow_us;                  /* for news.h */
    const struct followed_room *room; /* valid until followed_close(); NULL: there is always room */
};

/* followed_read() opens the file. */
void followed_init(struct followed *log, const char *path, const struct followed_options *options);
/* Adds an earlier part of the log, which does not grow. It is skipped with an error if it cannot be read. */
void followed_add_part(struct followed *log, const char *path);
/* Reads and folds new bytes, at most some MiB. *more: there may be more. Fails only on errors that do not concern a
 * single file. */
bool followed_read(struct followed *log, int64_t now_ms, bool *more, struct err *err);

/* Reads up to `bytes` new bytes; all records must have been folded. Sets *more to false at the current end; the last
 * record has then been taken if it is provably complete. */
bool followed_fetch(struct followed *log, size_t bytes, int64_t now_ms, bool *more, struct err *err);
/* Whether there are records to fold; log->next_us is the time of the first one: see followed_before(). */
bool followed_has_records(const struct followed *log);
/* Folds the first record, and later ones up to the given time; NULL: all. */
void followed_fold(struct followed *log, const int64_t *until_us);
/* Whether the first time is before the second. Records have no year: if two times are more than half a year apart, they
 * are from two years. */
bool followed_before(int64_t a_us, int64_t b_us);

/* Closes the file until it changes. Returns false if it is not open or could not be reopened. */
bool followed_rest(struct followed *log);

/* Reads the record that still waits, complete or not, because the log is no longer followed. */
void followed_flush(struct followed *log);
/* Whether feed_end() gives the report.json of the whole log: one file, one rank. */
bool followed_is_simple(const struct followed *log);
void followed_close(struct followed *log);
