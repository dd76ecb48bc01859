#define _GNU_SOURCE /* copy_file_range */
#include "sink/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STREAM_BYTES = 256 * 1024 };

void files_init(struct files *files, int dirfd) {
    *files = (struct files){.dirfd = dirfd};
    pthread_mutex_init(&files->lock, NULL);
}

void files_finish(struct files *files) {
    map_free(&files->made);
    pthread_mutex_destroy(&files->lock);
}

bool files_good(struct files *files, struct err *err) {
    pthread_mutex_lock(&files->lock);
    bool good = files->err.code == ERR_NONE;
    if (!good)
        *err = files->err;
    pthread_mutex_unlock(&files->lock);
    return good;
}

void files_fail(struct files *files, const char *what, struct slice path) {
    int number = errno;
    pthread_mutex_lock(&files->lock);
    if (files->err.code == ERR_NONE) {
        errno = number;
        err_errno(&files->err, "cannot %s '%.*s' in the report", what, (int)(path.len < 300 ? path.len : 300),
                  path.ptr);
    }
    pthread_mutex_unlock(&files->lock);
}

/* The path as a NUL-terminated text; false where it is too long for the system. */
static bool path_text(struct slice path, char text[PATH_MAX]) {
    if (path.len >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(text, path.ptr, path.len);
    text[path.len] = 0;
    return true;
}

/* A folder, and no link to one. */
static bool make_folder(int dirfd, const char *path) {
    struct stat st;
    if (mkdirat(dirfd, path, 0777) == 0)
        return true;
    if (errno != EEXIST || fstatat(dirfd, path, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(st.st_mode);
}

void files_folder(struct files *files, struct slice path) {
    char text[PATH_MAX];
    for (size_t i = 0; i < path.len; i++) {
        bool added;
        if (path.ptr[i] != '/')
            continue;
        struct slice folder = slice_first(path, i);
        map_put(&files->made, folder, 0, &added);
        if (added && (!path_text(folder, text) || !make_folder(files->dirfd, text)))
            files_fail(files, "create folder", folder);
    }
}

static bool write_all(int fd, struct slice content) {
    while (content.len) {
        ssize_t done = write(fd, content.ptr, content.len);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        content = slice_from(content, (size_t)done);
    }
    return true;
}

static int create(struct files *files, struct slice path) {
    char text[PATH_MAX];
    if (!path_text(path, text))
        return -1;
    return openat(files->dirfd, text, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
}

void files_write(struct files *files, struct slice path, struct slice content) {
    struct err err;
    if (!files_good(files, &err))
        return;
    int fd = create(files, path);
    if (fd < 0) {
        files_fail(files, "create", path);
        return;
    }
    if (!write_all(fd, content))
        files_fail(files, "write", path);
    if (close(fd) != 0)
        files_fail(files, "close", path);
}

static bool read_all(int fd, size_t len, struct buf *out) {
    char *to = buf_reserve(out, len);
    for (size_t done = 0; done < len;) {
        ssize_t got = read(fd, to + done, len - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    out->len += len;
    return true;
}

bool files_read(struct files *files, struct slice path, size_t most, struct buf *out) {
    char text[PATH_MAX];
    struct stat st;
    int fd = path_text(path, text) ? openat(files->dirfd, text, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    bool good = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uintmax_t)st.st_size <= most &&
                read_all(fd, (size_t)st.st_size, out);
    close(fd);
    return good;
}

void stream_open(struct stream *stream, struct files *files, const char *path) {
    *stream = (struct stream){.files = files, .path = path};
    stream->fd = create(files, slice_str(path));
    if (stream->fd < 0)
        files_fail(files, "create", slice_str(path));
}

static void stream_write(struct stream *stream, struct slice content) {
    struct err err;
    if (stream->fd >= 0 && files_good(stream->files, &err) && !write_all(stream->fd, content))
        files_fail(stream->files, "write", slice_str(stream->path));
    stream->bytes += content.len;
}

static void stream_flush(struct stream *stream) {
    stream_write(stream, buf_slice(&stream->buf));
    stream->buf.len = 0;
}

void stream_flush_if_full(struct stream *stream) {
    if (stream->buf.len >= STREAM_BYTES)
        stream_flush(stream);
}

void stream_add(struct stream *stream, struct slice content) {
    if (content.len >= STREAM_BYTES) {
        stream_flush(stream);
        stream_write(stream, content);
        return;
    }
    buf_add(&stream->buf, content);
    stream_flush_if_full(stream);
}

void stream_close(struct stream *stream) {
    stream_flush(stream);
    if (stream->fd >= 0 && close(stream->fd) != 0)
        files_fail(stream->files, "close", slice_str(stream->path));
    stream->fd = -1;
    buf_free(&stream->buf);
}

/* Copies by the kernel where it can, else by hand. */
static bool copy_all(int from, int to) {
    char piece[64 * 1024];
    for (;;) {
        ssize_t done = copy_file_range(from, NULL, to, NULL, 1 << 30, 0);
        if (done > 0)
            continue;
        if (done == 0)
            return true;
        if (errno != EINTR)
            break;
    }
    for (;;) {
        ssize_t got = read(from, piece, sizeof piece);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        if (!write_all(to, slice_make(piece, (size_t)got)))
            return false;
    }
}

void stream_take(struct stream *stream, const char *path) {
    stream_flush(stream);
    int from = openat(stream->files->dirfd, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (from < 0 || (stream->fd >= 0 && !copy_all(from, stream->fd)))
        files_fail(stream->files, "copy", slice_str(path));
    if (from >= 0)
        close(from);
    if (unlinkat(stream->files->dirfd, path, 0) != 0)
        files_fail(stream->files, "remove", slice_str(path));
}
