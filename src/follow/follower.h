/* follower.h - follows the logs of a folder, or one log: finds them, reads what is new, and passes what happened.
 *
 * At first these are the logs that a report of the path would read. Logs that appear later, or that are written again, are added, whatever
 * run they belong to. The path need not exist yet.
 *
 * What is in the logs at first is passed in the order of the records' times, whichever log they are in; from then on, in the order in which
 * it is read.
 *
 * Nothing waits: the caller calls follower_tick() when follower_fd() is readable, and FOLLOWER_TICK_MS after the last call. inotify only
 * makes it faster: each tick asks the file system, so it works where inotify does not (network file systems).
 *
 * Life cycle: follower_create, follower_tick…, follower_end, follower_destroy. One thread. */
#pragma once

#include "follow/followed.h"
#include "trace/choice.h"

enum {
    FOLLOWER_TICK_MS = 400, /* changes are seen within this time at the latest */
    FOLLOWER_LOGS_MAX = 4096,
};

struct follower;

struct follower_options {
    const char *path;            /* a folder or a log; valid until follower_destroy() */
    const struct choice *choice; /* the logs there are; NULL: none yet. Needed for the call only */
    const struct follow_listener *listener;
    bool has_only_rank;
    uint64_t only_rank;
    int64_t slow_us; /* a compile is not called unfinished before */
    bool poll;       /* no inotify */
};

struct follower *follower_create(const struct follower_options *options);
void follower_destroy(struct follower *follower);
/* Readable when something changed; -1: there is no inotify. */
int follower_fd(const struct follower *follower);
/* Looks for logs, and reads what is new. *more: call it again at once. */
bool follower_tick(struct follower *follower, bool *more, struct err *err);

/* For how long no log has grown, in milliseconds. */
int64_t follower_quiet_ms(const struct follower *follower);
/* Bytes of records that were read from all logs. It never gets less: it also grows when a log begins again. */
uint64_t follower_bytes(const struct follower *follower);

/* Whether all logs could be read. The limit of open files need not be as large as the number of logs: those that are
 * quiet are closed until they grow. */
bool follower_check(const struct follower *follower, struct err *err);

/* Reads the records that still wait, unless the last tick left more. *json: report.json of the whole, if all is read, and there is one log
 * that is one file of one rank; otherwise ptr NULL.
 * Valid until follower_destroy(). Nothing else may follow. */
bool follower_end(struct follower *follower, struct slice *json, struct err *err);
