#include "runs/run_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"

#define FILE_NAME "run.json"
#define NEW_NAME "run.json.new"
#define LOCK_NAME "lock"

enum {
    BYTES_MAX = 8 << 20,
    READ_BYTES = 1 << 16,
    MORE_BYTES = 4096, /* the most that a change adds: the end of a process, its report */
};

/* ---- Reading */

static bool read_all(int fd, struct buf *text) {
    for (;;) {
        ssize_t n = read(fd, buf_reserve(text, READ_BYTES), READ_BYTES);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        text->len += (size_t)n;
        if (text->len > BYTES_MAX) {
            errno = EBADMSG;
            return false;
        }
    }
}

yyjson_doc *run_file_read(int run) {
    AUTO_BUF text = {0};
    /* O_NONBLOCK: opening must not block if this is not a regular file */
    int fd = openat(run, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    bool ok = read_all(fd, &text);
    int why = errno;
    close(fd);
    yyjson_doc *doc =
        ok && text.len ? yyjson_read_opts(text.ptr, text.len, YYJSON_READ_NOFLAG, &json_allocator, NULL) : NULL;
    if (doc && !slice_is(json_get_text(yyjson_doc_get_root(doc), "format"), "tlparse-run")) {
        yyjson_doc_free(doc);
        doc = NULL;
    }
    errno = ok ? EBADMSG : why;
    return doc;
}

/* ---- Writing */

static bool write_all(int fd, const char *text, size_t len) {
    while (len) {
        ssize_t n = write(fd, text, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        text += n;
        len -= (size_t)n;
    }
    return true;
}

/* Replaces the file atomically: readers see the old file or the new one. The new file uses the space that reserve()
 * kept, so this works even if the disk is full. */
static bool replace(int run, const char *text, size_t len) {
    int fd = openat(run, NEW_NAME, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return false;
    bool ok = write_all(fd, text, len) && write_all(fd, "\n", 1) && ftruncate(fd, (off_t)len + 1) == 0;
    int why = errno;
    ok = close(fd) == 0 && ok;
    if (ok && renameat(run, NEW_NAME, run, FILE_NAME) == 0)
        return true;
    why = ok ? errno : why;
    unlinkat(run, NEW_NAME, 0);
    errno = why;
    return false;
}

/* Reserves space for the next change, which might otherwise fail on a full disk. */
static void reserve(int run, size_t len) {
    int fd = openat(run, NEW_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return;
    if (compat_allocate(fd, (off_t)len + MORE_BYTES) != 0)
        unlinkat(run, NEW_NAME, 0);
    close(fd);
}

/* Whether some process has not ended, so there is more to write. */
static bool is_open(yyjson_val *root) {
    yyjson_val *process;
    size_t i, max;
    yyjson_arr_foreach(json_get(root, "processes"), i, max, process) {
        if (!yyjson_is_str(json_get(process, "ended")))
            return true;
    }
    return false;
}

static bool write_doc(int run, yyjson_mut_doc *doc) {
    yyjson_doc *written = yyjson_mut_doc_imut_copy(doc, &json_allocator);
    if (!written) { /* a document without a root */
        errno = EINVAL;
        return false;
    }
    AUTO_BUF text = {0};
    json_add_pretty(&text, yyjson_doc_get_root(written), SLICE(""));
    bool ok = replace(run, text.ptr, text.len);
    int why = errno;
    if (ok && is_open(yyjson_doc_get_root(written)))
        reserve(run, text.len);
    yyjson_doc_free(written);
    errno = why;
    return ok;
}

static int lock(int run) {
    int fd = openat(run, LOCK_NAME, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600), failed = 0;
    if (fd < 0)
        return -1;
    do
        failed = flock(fd, LOCK_EX);
    while (failed && errno == EINTR);
    return fd; /* without working locks, two programs that end at the same time may lose a change, but nothing else */
}

bool run_file_change(int run, run_file_edit *edit, void *context) {
    int fd = lock(run);
    if (fd < 0)
        return false;
    yyjson_doc *old = run_file_read(run);
    if (!old && errno != ENOENT && errno != EBADMSG) { /* its content would be lost */
        int why = errno;
        close(fd);
        errno = why;
        return false;
    }
    yyjson_mut_doc *doc = old ? yyjson_doc_mut_copy(old, &json_allocator) : yyjson_mut_doc_new(&json_allocator);
    if (!old) {
        yyjson_mut_doc_set_root(doc, yyjson_mut_obj(doc));
        run_put_text(doc, yyjson_mut_doc_get_root(doc), "format", SLICE("tlparse-run"));
        run_put_number(doc, yyjson_mut_doc_get_root(doc), "version", 1);
    }
    bool ok = !edit(doc, yyjson_mut_doc_get_root(doc), context) || write_doc(run, doc);
    int why = errno;
    yyjson_mut_doc_free(doc);
    yyjson_doc_free(old);
    close(fd);
    errno = why;
    return ok;
}

yyjson_mut_val *run_text(yyjson_mut_doc *doc, struct slice text) {
    AUTO_BUF clean = {0};
    if (!text.ptr)
        return yyjson_mut_null(doc);
    utf8_add_clean(&clean, text);
    yyjson_mut_val *value = yyjson_mut_strncpy(doc, clean.len ? clean.ptr : "", clean.len);
    return value;
}

void run_put(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, yyjson_mut_val *value) {
    yyjson_mut_obj_put(object, yyjson_mut_str(doc, key), value);
}

void run_put_text(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, struct slice text) {
    run_put(doc, object, key, run_text(doc, text));
}

void run_put_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, int64_t number) {
    run_put(doc, object, key, yyjson_mut_sint(doc, number));
}

/* ---- Times */

int64_t run_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void run_put_time(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, int64_t us) {
    time_t seconds = (time_t)(us / 1000000);
    struct tm parts;
    char text[64];
    gmtime_r(&seconds, &parts);
    size_t len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    len += (size_t)snprintf(text + len, sizeof text - len, ".%06dZ", (int)(us % 1000000));
    run_put_text(doc, object, key, slice_make(text, len));
}

int64_t run_time_us(struct slice text) {
    char copy[40], *rest;
    struct tm parts = {0};
    if (text.len >= sizeof copy)
        return -1;
    memcpy(copy, text.len ? text.ptr : "", text.len);
    copy[text.len] = '\0';
    rest = strptime(copy, "%Y-%m-%dT%H:%M:%S", &parts);
    uint64_t fraction = 0;
    if (!rest || rest[0] != '.' || strlen(rest) != 8 || rest[7] != 'Z' ||
        !slice_to_u64(slice_make(rest + 1, 6), &fraction))
        return -1;
    time_t seconds = compat_utc_time(&parts);
    return seconds < 0 ? -1 : (int64_t)seconds * 1000000 + (int64_t)fraction;
}
