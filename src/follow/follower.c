#include "follow/follower.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/fd.h"
#include "trace/choice.h"
#include "trace/log_dir.h"
#include "trace/log_head.h"

enum {
    SCAN_SHARE = 20,           /* a search takes at most 1/SCAN_SHARE of the time */
    MERGE_BYTES = 64 << 20,    /* limit for all logs that are merged at the start, together */
    MERGE_READ_MIN = 16 << 10, /* of a log, at once */
    MERGE_AT_ONCE = 4 << 20,
    OTHER_FILES = 64, /* open files besides those of logs: for a report, for clients */
};

/* An existing log that is not followed, because it belongs to an earlier run. */
struct left_log {
    char *path;
    struct timespec written;
};

struct follower {
    struct follower_options options;
    LIST(struct followed *) logs;
    LIST(struct left_log) left;
    int watch;                   /* compat.h */
    int64_t scanned_ms, scan_ms; /* when the folder was last searched, and how long that took */
    int64_t grew_ms;
    struct followed_room room;
    struct err unread; /* why the folder cannot be read; code 0: no error */
    size_t open_max;   /* number of log files that may be open */
    bool beyond;       /* there are more logs than FOLLOWER_LOGS_MAX */
    size_t merging;    /* number of first logs that are read in the order of their records' times: those that
                        * existed at the start */
    bool behind;       /* there was more to read at the last tick */
};

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

/* Closes the file of the log that has been quiet for the longest time, if the limit on open files is reached or opening
 * a file failed. */
static bool make_room(void *context, const struct followed *asking, bool full) {
    struct follower *follower = context;
    struct followed *quiet = NULL;
    size_t open = 0;
    for (size_t i = 0; i < follower->logs.count; i++) {
        struct followed *log = follower->logs.items[i];
        open += log->fd >= 0;
        if (log != asking && log->fd >= 0 && !log->sourced && !log->gone && (!quiet || log->grew_ms < quiet->grew_ms))
            quiet = log;
    }
    return (full || open >= follower->open_max) && quiet && followed_rest(quiet);
}

/* ---- logs ------------------------------------------------------------------------------------------------------- */

static struct followed *add_log(struct follower *follower, const char *path, bool has_rank, uint64_t rank) {
    const struct follower_options *options = &follower->options;
    const struct followed_options how = {.listener = options->listener,
                                         .has_rank = has_rank,
                                         .rank = rank,
                                         .has_only_rank = options->has_only_rank,
                                         .only_rank = options->only_rank,
                                         .slow_us = options->slow_us,
                                         .room = &follower->room};
    if (has_rank && options->has_only_rank && rank != options->only_rank)
        return NULL;
    if (follower->logs.count == FOLLOWER_LOGS_MAX) {
        follower->beyond = true;
        return NULL;
    }
    struct followed *log = mem_alloc(sizeof *log);
    followed_init(log, path, &how);
    LIST_ADD(&follower->logs, log);
    const struct follow_event event = {.kind = FOLLOW_LOG, .path = log->path, .has_rank = has_rank, .rank = rank};
    options->listener->event(options->listener->context, &event);
    return log;
}

/* The files of one rotated log are read as one log, the current file last. */
static void add_choice(struct follower *follower, const struct choice *choice) {
    for (size_t i = 0, n; i < choice->count; i += n) {
        for (n = 1; i + n < choice->count && choice_is_same_log(&choice->items[i], &choice->items[i + n]); n++)
            ;
        const struct choice_log *last = &choice->items[i + n - 1];
        struct followed *log = add_log(follower, last->path, last->has_rank, last->rank);
        for (size_t part = i; log && part + 1 < i + n; part++)
            followed_add_part(log, choice->items[part].path);
    }
    follower->merging = follower->logs.count;
}

/* ---- searching -------------------------------------------------------------------------------------------------- */

static bool is_followed(const struct follower *follower, const char *path, const struct stat *st) {
    for (size_t i = 0; i < follower->logs.count; i++) {
        const struct followed *log = follower->logs.items[i];
        if (strcmp(log->path, path) == 0 ||
            ((log->fd >= 0 || log->resting) && log->device == st->st_dev && log->inode == st->st_ino))
            return true;
    }
    return false;
}

/* Whether the log was left out at the start and has not been written to since. */
static bool is_left(struct follower *follower, const struct log_candidate *candidate) {
    for (size_t i = 0; i < follower->left.count; i++) {
        const struct left_log *left = &follower->left.items[i];
        if (strcmp(left->path, candidate->path) == 0)
            return left->written.tv_sec == candidate->written.tv_sec &&
                   left->written.tv_nsec == candidate->written.tv_nsec;
    }
    return false;
}

/* Whether this is an older part of a followed log: x.log.1 of x.log. Its content was read when it was named x.log. */
static bool is_old_part(const struct log_candidate *candidate) {
    struct slice path = slice_str(candidate->path);
    return choose_log_name(path).len != path.len;
}

/* Whether the candidate is a log: PyTorch's file names suffice; other files must begin with a record. */
static bool is_log(const struct follower *follower, const struct log_candidate *candidate) {
    if (candidate->kind >= CHOOSE_DEDICATED)
        return true;
    for (size_t i = 0; i < follower->logs.count; i++) {
        uint64_t rank;
        if (choose_kind_of(path_last(slice_str(follower->logs.items[i]->path)), &rank) >= CHOOSE_DEDICATED)
            return false; /* another program's output next to PyTorch's logs */
    }
    return candidate->kind == CHOOSE_LOG && log_head_read(candidate->path, candidate->written.tv_sec).known;
}

static bool list_logs(const struct follower *follower, struct log_dir *all, struct err *err) {
    if (!log_dir_list(all, follower->options.path, false, err))
        return false;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kind == CHOOSE_RANK) /* as in choose.h: subfolders are then not searched */
            return true;
    log_dir_finish(all);
    *all = (struct log_dir){0};
    return log_dir_list(all, follower->options.path, true, err);
}

/* first: leaves out existing logs that are not followed. */
static void search_folder(struct follower *follower, bool first) {
    struct log_dir all = {0};
    follower->unread = (struct err){0};
    if (!list_logs(follower, &all, &follower->unread)) {
        log_dir_finish(&all);
        return;
    }
    for (size_t i = 0; i < all.count; i++) {
        struct log_candidate *candidate = &all.items[i];
        struct stat st;
        if (candidate->kind < CHOOSE_LOG || stat(candidate->path, &st) != 0 || !S_ISREG(st.st_mode) ||
            is_followed(follower, candidate->path, &st) || is_left(follower, candidate) || is_old_part(candidate))
            continue;
        if (first) {
            LIST_ADD(&follower->left, (struct left_log){mem_strdup(candidate->path), candidate->written});
        } else if (is_log(follower, candidate)) {
            add_log(follower, candidate->path, candidate->kind == CHOOSE_RANK, candidate->rank);
        }
    }
    log_dir_finish(&all);
}

static void search(struct follower *follower, int64_t now) {
    struct stat st;
    uint64_t rank = 0;
    const char *path = follower->options.path;
    if (stat(path, &st) != 0)
        return;
    compat_watch_add(follower->watch, path);
    if (S_ISDIR(st.st_mode)) {
        search_folder(follower, false);
    } else if (!follower->logs.count && S_ISREG(st.st_mode)) {
        bool has_rank = choose_kind_of(path_last(slice_str(path)), &rank) == CHOOSE_RANK;
        add_log(follower, path, has_rank, rank);
    }
    follower->scanned_ms = now;
    follower->scan_ms = now_ms() - now;
}

/* ---- following -------------------------------------------------------------------------------------------------- */

struct follower *follower_create(const struct follower_options *options) {
    struct follower *follower = mem_zalloc(1, sizeof *follower);
    follower->options = *options;
    follower->options.choice = NULL;
    size_t limit = fd_allow(FOLLOWER_LOGS_MAX + OTHER_FILES);
    follower->open_max = limit > 2 * OTHER_FILES ? limit - OTHER_FILES : limit / 2;
    follower->room = (struct followed_room){.make = make_room, .context = follower};
    follower->watch = options->poll ? -1 : compat_watch_open();
    follower->grew_ms = now_ms();
    if (options->choice) {
        struct stat st;
        add_choice(follower, options->choice);
        if (stat(options->path, &st) == 0 && S_ISDIR(st.st_mode))
            search_folder(follower, true);
    }
    search(follower, now_ms());
    return follower;
}

void follower_destroy(struct follower *follower) {
    if (!follower)
        return;
    for (size_t i = 0; i < follower->logs.count; i++) {
        followed_close(follower->logs.items[i]);
        mem_free(follower->logs.items[i]);
    }
    for (size_t i = 0; i < follower->left.count; i++)
        mem_free(follower->left.items[i].path);
    if (follower->watch >= 0)
        close(follower->watch);
    mem_free(follower->left.items);
    mem_free(follower->logs.items);
    mem_free(follower);
}

int follower_fd(const struct follower *follower) {
    return follower->watch;
}

/* Reads the next records of the log if it has none left. */
static bool refill(struct follower *follower, struct followed *log, struct err *err) {
    size_t share = MERGE_BYTES / follower->merging;
    size_t bytes = share < MERGE_READ_MIN ? MERGE_READ_MIN : share < FOLLOWED_READ_BYTES ? share : FOLLOWED_READ_BYTES;
    for (bool more = true; more && !followed_has_records(log);)
        if (!followed_fetch(log, bytes, now_ms(), &more, err))
            return false;
    return true;
}

/* The log with the earliest record, and the time of the earliest record of the others. NULL: no log has records. */
static struct followed *earliest(const struct follower *follower, int64_t *others_us, bool *any_other) {
    struct followed *first = NULL;
    *any_other = false;
    for (size_t i = 0; i < follower->merging; i++) {
        struct followed *log = follower->logs.items[i];
        if (!followed_has_records(log))
            continue;
        bool before = !first || followed_before(log->next_us, first->next_us);
        const struct followed *later = before ? first : log;
        if (later && (!*any_other || followed_before(later->next_us, *others_us))) {
            *others_us = later->next_us;
            *any_other = true;
        }
        first = before ? log : first;
    }
    return first;
}

/* Reads some of the logs that existed at the start, merged by time. */
static bool merge(struct follower *follower, struct err *err) {
    uint64_t folded = 0;
    for (size_t i = 0; i < follower->merging; i++)
        if (!refill(follower, follower->logs.items[i], err))
            return false;
    while (folded < MERGE_AT_ONCE) {
        int64_t others_us;
        bool any_other;
        struct followed *log = earliest(follower, &others_us, &any_other);
        if (!log) {
            follower->merging = 0;
            return true;
        }
        uint64_t before = log->read;
        followed_fold(log, any_other ? &others_us : NULL);
        folded += log->read - before;
        if (!refill(follower, log, err))
            return false;
    }
    return true;
}

/* Reads new records in all logs. *more: there is more. */
static bool read_logs(struct follower *follower, bool *more, struct err *err) {
    for (size_t i = 0; i < follower->logs.count; i++) {
        bool further;
        if (!followed_read(follower->logs.items[i], now_ms(), &further, err))
            return false;
        *more |= further;
    }
    return true;
}

bool follower_tick(struct follower *follower, bool *more, struct err *err) {
    int64_t now = now_ms();
    bool names = compat_watch_drain(follower->watch);
    if (names || now - follower->scanned_ms >= FOLLOWER_TICK_MS)
        if (now - follower->scanned_ms >= SCAN_SHARE * follower->scan_ms)
            search(follower, now);
    *more = follower->merging > 0;
    bool ok = *more ? merge(follower, err) : read_logs(follower, more, err);
    if (*more)
        follower->grew_ms = now_ms();
    follower->behind = *more;
    return ok;
}

int64_t follower_quiet_ms(const struct follower *follower) {
    return now_ms() - follower->grew_ms;
}

uint64_t follower_bytes(const struct follower *follower) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < follower->logs.count; i++)
        bytes += follower->logs.items[i]->read;
    return bytes;
}

bool follower_end(struct follower *follower, struct slice *json, struct err *err) {
    *json = (struct slice){0};
    if (follower->behind)
        return true;
    for (size_t i = 0; i < follower->logs.count; i++) {
        followed_flush(follower->logs.items[i]);
        followed_rest(follower->logs.items[i]); /* a report needs the descriptors */
    }
    if (follower->logs.count != 1 || !followed_is_simple(follower->logs.items[0]))
        return true;
    return feed_end(follower->logs.items[0]->feed, json, err);
}

bool follower_check(const struct follower *follower, struct err *err) {
    const struct followed *first = NULL;
    size_t refused = 0;
    if (follower->unread.code) {
        *err = follower->unread;
        return false;
    }
    for (size_t i = 0; i < follower->logs.count; i++) {
        const struct followed *log = follower->logs.items[i];
        refused += log->refused != 0;
        first = log->refused && !first ? log : first;
    }
    if (first && refused == 1)
        err_set(err, ERR_SYSTEM, "cannot read %s: %s", first->path, strerror(first->refused));
    else if (first)
        err_set(err, ERR_SYSTEM, "cannot read %zu logs, such as %s: %s", refused, first->path,
                strerror(first->refused));
    if (first && first->refused == EMFILE)
        err_hint(err, "allow the process more open files (ulimit -n)");
    if (first)
        return false;
    if (follower->beyond)
        err_set(err, ERR_INPUT, "only the first %d logs were followed", FOLLOWER_LOGS_MAX);
    return !follower->beyond;
}
