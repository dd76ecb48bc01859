/* follower.h - follows the logs of a folder, or one log: finds them, reads new records, and passes events.
 *
 * It starts with the logs that a report on the path would read. Logs that appear later, or are rewritten, are added,
 * whatever run they belong to. The path need not exist yet.
 *
 * Records that exist at the start are passed in the order of their times, across all logs; later ones, in the order in
 * which they are read.
 *
 * Nothing blocks: the caller calls follower_tick() when follower_fd() is readable, and FOLLOWER_TICK_MS after the last
 * call. inotify only makes it faster. Each tick checks the file system, so it also works without inotify (network file
 * systems).
 *
 * Life cycle: follower_create, follower_tick…, follower_end, follower_destroy. One thread. */
#pragma once

#include "follow/followed.h"
#include "trace/choice.h"

enum {
    FOLLOWER_TICK_MS = 400, /* changes are noticed within this time */
    FOLLOWER_LOGS_MAX = 4096,
};

struct follower;

struct follower_options {
    const char *path;            /* a folder or a log; valid until follower_destroy() */
    const struct choice *choice; /* the existing logs; NULL: none yet. Only needed for the call */
    const struct follow_listener *listener;
    bool has_only_rank;
    uint64_t only_rank;
    int64_t slow_us; /* a compile is not reported as unfinished before this time */
    bool poll;       /* no inotify */
};

struct follower *follower_create(const struct follower_options *options);
void follower_destroy(struct follower *follower);
/* Readable after a change; -1: there is no inotify. */
int follower_fd(const struct follower *follower);
/* Looks for logs and reads new records. *more: call it again at once. */
bool follower_tick(struct follower *follower, bool *more, struct err *err);

/* The time for which no log has grown, in milliseconds. */
int64_t follower_quiet_ms(const struct follower *follower);
/* Bytes of records read from all logs. Never decreases: it even grows when a log starts again. */
uint64_t follower_bytes(const struct follower *follower);

/* Whether all logs could be read. There may be more logs than the limit on open files: quiet logs are closed until they
 * grow. */
bool follower_check(const struct follower *follower, struct err *err);

/* Reads the records that still wait, unless the last tick left more to read. *json: report.json, if everything has been
 * read and there is only one log, in one file and from one rank; otherwise ptr NULL. Valid until follower_destroy(),
 * the only call that may follow. */
bool follower_end(struct follower *follower, struct slice *json, struct err *err);
