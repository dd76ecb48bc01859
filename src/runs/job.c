#define _GNU_SOURCE /* O_DIRECTORY */
#include "runs/job.h"

#include <errno.h>
#include <fcntl.h>
#include <md5.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

#define FOLDER "jobs"
#define LOCK_NAME ".lock"

enum { ANCESTORS_MAX = 64, FILE_BYTES_MAX = 4 << 20, READ_BYTES = 1 << 14, STARTTIME_FIELD = 22 };

/* ---- The launcher */

/* Reads a file of /proc. */
static bool read_proc(struct buf *text, pid_t pid, const char *file) {
    char path[64];
    text->len = 0;
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 1;
    while (n > 0 && text->len < FILE_BYTES_MAX) {
        n = read(fd, buf_reserve(text, READ_BYTES), READ_BYTES);
        if (n > 0)
            text->len += (size_t)n;
        else if (n < 0 && errno == EINTR)
            n = 1;
    }
    if (fd >= 0)
        close(fd);
    return n == 0;
}

/* The field of /proc/<pid>/stat, counted from 1 as in proc(5). The second is in parentheses and may contain anything. */
static int64_t stat_field(struct buf *text, pid_t pid, int field) {
    if (!read_proc(text, pid, "stat"))
        return -1;
    struct slice rest = buf_slice(text);
    size_t end = slice_rfind_byte(rest, ')');
    if (end == SIZE_MAX)
        return -1;
    rest = slice_from(rest, end + 2); /* the third field */
    for (int i = 3; i < field; i++) {
        size_t space = slice_find(rest, SLICE(" "));
        if (space == SIZE_MAX)
            return -1;
        rest = slice_from(rest, space + 1);
    }
    uint64_t number;
    bool ok = slice_to_u64(slice_first(rest, slice_find(rest, SLICE(" "))), &number) && number <= INT64_MAX;
    return ok ? (int64_t)number : -1;
}

/* Whether the program was started with RANK in its environment. */
static bool was_started_as_rank(struct buf *text, pid_t pid) {
    if (!read_proc(text, pid, "environ"))
        return false;
    buf_add_byte(text, '\0');
    for (size_t at = 0; at < text->len; at += strlen(text->ptr + at) + 1)
        if (strncmp(text->ptr + at, "RANK=", 5) == 0)
            return true;
    return false;
}

/* Adds what identifies the launcher: its process id, and when it started, because ids are used again. */
static void add_launcher(struct buf *out) {
    struct buf text = {0};
    pid_t pid = getppid();
    for (int i = 0; i < ANCESTORS_MAX && pid > 1 && was_started_as_rank(&text, pid); i++) {
        int64_t parent = stat_field(&text, pid, 4);
        if (parent <= 0)
            break;
        pid = (pid_t)parent;
    }
    buf_addf(out, "%ld %lld ", (long)pid, (long long)stat_field(&text, pid, STARTTIME_FIELD));
    buf_free(&text);
}

/* ---- The environment */

static int64_t number_of(const char *variable) {
    const char *value = getenv(variable);
    uint64_t number;
    return value && slice_to_u64(slice_str(value), &number) && number <= INT32_MAX ? (int64_t)number : -1;
}

static void add_variable(struct buf *out, const char *variable) {
    const char *value = getenv(variable);
    buf_addf(out, "%s=%s\n", variable, value ? value : "");
}

static char *key_of(void) {
    struct buf text = {0};
    char host[256] = "", digest[MD5_DIGEST_STRING_LENGTH];
    gethostname(host, sizeof host - 1); /* a home folder may be shared by machines */
    buf_addf(&text, "%s\n", host);
    add_variable(&text, "TORCHELASTIC_RUN_ID");
    add_variable(&text, "MASTER_ADDR");
    add_variable(&text, "MASTER_PORT");
    add_launcher(&text);
    MD5Data((const uint8_t *)text.ptr, text.len, digest);
    buf_free(&text);
    return mem_strdup(digest);
}

void job_of_environment(struct job *job) {
    const char *run_id = getenv("TORCHELASTIC_RUN_ID");
    *job = (struct job){.rank = number_of("RANK"), .world_size = number_of("WORLD_SIZE"), .local_size = -1};
    if (job->rank < 0 || job->world_size < 1) {
        *job = (struct job){.rank = -1, .world_size = -1, .local_size = -1};
        return;
    }
    job->elastic = run_id != NULL;
    job->run_id = run_id;
    job->local_size = number_of("LOCAL_WORLD_SIZE");
    job->restart = number_of("TORCHELASTIC_RESTART_COUNT");
    job->restart = job->restart < 0 ? 0 : job->restart;
    job->key = key_of();
}

void job_finish(struct job *job) {
    free(job->key);
    *job = (struct job){0};
}

/* ---- The store */

static int open_folder(const struct store *store) {
    if (mkdirat(store->fd, FOLDER, 0700) != 0 && errno != EEXIST)
        return -1;
    return openat(store->fd, FOLDER, DIR_OPEN | O_NOFOLLOW);
}

int job_lock(const struct store *store) {
    int folder = open_folder(store), failed = 0;
    if (folder < 0)
        return -1;
    int fd = openat(folder, LOCK_NAME, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    close(folder);
    if (fd < 0)
        return -1;
    do
        failed = flock(fd, LOCK_EX);
    while (failed && errno == EINTR);
    return fd;
}

bool job_find(const struct store *store, const struct job *job, char *id) {
    int folder = open_folder(store);
    ssize_t len = folder < 0 ? -1 : readlinkat(folder, job->key, id, RUN_ID_LEN + 1);
    if (folder >= 0)
        close(folder);
    if (len != RUN_ID_LEN)
        return false;
    id[len] = '\0';
    return store_is_id(slice_str(id));
}

bool job_set(const struct store *store, const struct job *job, const char *id) {
    int folder = open_folder(store);
    if (folder < 0)
        return false;
    bool ok = (unlinkat(folder, job->key, 0) == 0 || errno == ENOENT) && symlinkat(id, folder, job->key) == 0;
    int why = errno;
    close(folder);
    errno = why;
    return ok;
}

static int64_t member(yyjson_val *process, const char *key) {
    uint64_t number;
    return json_to_u64(json_get(process, key), &number) && number <= INT64_MAX ? (int64_t)number : -1;
}

bool job_joins(const struct job *job, int run, yyjson_val *processes) {
    bool living = false;
    int64_t last = 0;
    size_t i, count;
    yyjson_val *process;
    yyjson_arr_foreach(processes, i, count, process) {
        int64_t restart = member(process, "restart");
        if (restart == job->restart && member(process, "rank") == job->rank)
            return false;
        last = restart > last ? restart : last;
        living |= store_is_held(run, i);
    }
    return living || (job->elastic && job->restart > last);
}

void job_sweep(const struct store *store) {
    struct names links = {0};
    int folder = openat(store->fd, FOLDER, DIR_OPEN | O_NOFOLLOW);
    if (folder < 0)
        return;
    names_list(folder, &links);
    for (size_t i = 0; i < links.count; i++) {
        char id[RUN_ID_LEN + 1];
        ssize_t len = readlinkat(folder, links.items[i], id, sizeof id);
        if (len < 0)
            continue; /* the lock */
        id[len == RUN_ID_LEN ? RUN_ID_LEN : 0] = '\0';
        if (!id[0] || faccessat(store->fd, id, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
            unlinkat(folder, links.items[i], 0);
    }
    names_free(&links);
    close(folder);
}
