/* followed.h - one log that is followed: its file, the records that it has so far, and what they say.
 *
 * The file is read with read(), from where the last read ended. If its name refers to another file, the old one is read to its end, and
 * then the new one: the log was rotated. If the file is shorter than what was read, or begins with other bytes, it was truncated or written
 * again: it is read from its start, as a new log. A file whose name is gone is read as long as it is open, because its writer may still
 * write to it. Earlier parts of a rotated log are read first; they and compressed files are read once.
 *
 * An open file may be closed until it changes, by followed_rest(): it is opened again, and read on. If it was rotated in
 * the meantime, what was written to it last may be lost, which is a fault.
 *
 * followed_read() reads and folds. To fold several logs in the order of their records' times, call followed_fetch() and followed_fold()
 * until a fetch has nothing.
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
    FOLLOWED_HEAD_BYTES = 64,           /* bytes that identify the content of a file */
    FOLLOWED_READ_BYTES = 256 * 1024,   /* at once */
    FOLLOWED_QUIET_MS = 100,            /* after which the last record is looked at: see cutter_prove() */
    FOLLOWED_PROOF_BYTES_PER_MS = 5000, /* a large record is looked at less often */
};

struct followed;

/* Lets others rest. make() is called before a file is opened; `full`: that failed, because too many files are open. It
 * returns true if it closed a file. */
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
    bool packed, gone;      /* compressed, so it does not grow; its name is gone */
    bool resting;           /* it was read up to offset, and then closed */
    struct timespec rested; /* when it had been written to last then */
    int refused;            /* why it could not be opened (errno), unless it does not exist; 0: it could */
    const struct followed_room *room;
    int64_t grew_ms;      /* when it grew last */
    LIST(char *) parts;   /* earlier files of the log */
    size_t part;          /* the next one of them */
    struct source source; /* an earlier part, or the compressed log */
    bool sourced;         /* it is open */
    struct cutter cutter;
    struct buf records; /* whole records that are not folded yet, from folded on */
    size_t folded;
    int64_t next_us; /* the time of the first of them */
    struct feed *feed;
    size_t feeds;  /* files of the log so far */
    uint64_t read; /* bytes of records that were folded; never less than before */
    struct processes processes;
    struct news news;
    struct reading_watcher watcher;
    bool has_only_rank;
    uint64_t only_rank;
};

struct followed_options {
    const struct follow_listener *listener; /* valid until followed_close() */
    bool has_rank;                          /* from the name of the log */
    uint64_t rank;
    bool has_only_rank; /* --rank */
    uint64_t only_rank;
    int64_t slow_us;                  /* for news.h */
    const struct followed_room *room; /* valid until followed_close(); NULL: there is always room */
};

/* The file is opened by followed_read(). */
void followed_init(struct followed *log, const char *path, const struct followed_options *options);
/* An earlier part of the log, which does not grow. It is skipped with a fault if it cannot be read. */
void followed_add_part(struct followed *log, const char *path);
/* Reads and folds what is new, at most some MiB. *more: there may be more. Fails only on errors that are not those of a file. */
bool followed_read(struct followed *log, int64_t now_ms, bool *more, struct err *err);

/* Reads up to `bytes` of what is new, when all records are folded. *more is false at the end of what there is now; then the last record has
 * been taken if it is provably complete. */
bool followed_fetch(struct followed *log, size_t bytes, int64_t now_ms, bool *more, struct err *err);
/* Whether there are records to fold; log->next_us is the time of the first one: see followed_before(). */
bool followed_has_records(const struct followed *log);
/* Folds the first record, and those after it up to that time; NULL: all. */
void followed_fold(struct followed *log, const int64_t *until_us);
/* Whether the first time is before the second. Records have no year: times that are more than half a year apart are of two years. */
bool followed_before(int64_t a_us, int64_t b_us);

/* Closes the file until it changes. Returns false if it is not open, or could not be opened again. */
bool followed_rest(struct followed *log);

/* The log has ended for us: reads the record that still waits, complete or not. */
void followed_flush(struct followed *log);
/* Whether feed_end() gives the report.json of the whole log: one file, one rank. */
bool followed_is_simple(const struct followed *log);
void followed_close(struct followed *log);
