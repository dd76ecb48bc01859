/* followed.h - one log that is followed: its file, the records that it has so far, and what they say.
 *
 * The file is read with read(), from where the last read ended. If its name refers to another file, the old one is read to its end, and
 * then the new one: the log was rotated. If the file is shorter than what was read, or begins with other bytes, it was truncated or written
 * again: it is read from its start, as a new log. A file whose name is gone is read as long as it is open, because its writer may still
 * write to it. Parts of a rotated log, and compressed ones, are read first and once.
 *
 * Life cycle: followed_open, followed_read…, followed_close. One thread. */
#ifndef TLPARSE_FOLLOW_FOLLOWED_H
#define TLPARSE_FOLLOW_FOLLOWED_H

#include <sys/types.h>

#include "follow/cutter.h"
#include "follow/news.h"
#include "pipeline/feed.h"
#include "trace/process.h"

enum {
    FOLLOWED_HEAD_BYTES = 64,           /* bytes that identify the content of a file */
    FOLLOWED_READ_BYTES = 256 * 1024,   /* at once */
    FOLLOWED_QUIET_MS = 100,            /* after which the last record is looked at: see cutter_prove() */
    FOLLOWED_PROOF_BYTES_PER_MS = 5000, /* a large record is looked at less often */
};

struct followed {
    char *path;
    int fd; /* -1: not open */
    dev_t device;
    ino_t inode;
    uint64_t offset;
    char head[FOLLOWED_HEAD_BYTES];
    size_t head_len;
    bool packed, gone; /* compressed, so it does not grow; its name is gone */
    int64_t grew_ms;   /* when it grew last */
    struct cutter cutter;
    struct buf records;
    struct feed *feed;
    size_t feeds;  /* files of the log so far */
    uint64_t read; /* bytes of records that were read; never less than before */
    struct processes processes;
    struct news news;
    struct run_watcher watcher;
    bool has_only_rank;
    uint64_t only_rank;
};

struct followed_options {
    const struct follow_listener *listener; /* valid until followed_close() */
    bool has_rank;                          /* from the name of the log */
    uint64_t rank;
    bool has_only_rank; /* --rank */
    uint64_t only_rank;
    int64_t slow_us; /* for news.h */
};

/* The file is opened by followed_read(). */
void followed_init(struct followed *log, const char *path, const struct followed_options *options);
/* Reads an earlier part of the log, which does not grow. A part that cannot be read is skipped with a fault. */
bool followed_read_part(struct followed *log, const char *path, int64_t now_ms, struct err *err);
/* Reads what is new, at most some MiB. *more: there may be more. Fails only on errors that are not those of a file. */
bool followed_read(struct followed *log, int64_t now_ms, bool *more, struct err *err);
/* The log has ended for us: reads the record that still waits, complete or not. */
void followed_flush(struct followed *log);
/* Whether feed_end() gives the report.json of the whole log: one file, one rank. */
bool followed_is_simple(const struct followed *log);
void followed_close(struct followed *log);

#endif
