#include "sink/sinks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"

struct directory_sink {
    struct sink sink;
    int dirfd;
    bool owned; /* close the descriptor with the sink */
};

static const struct sink_ops operations;

static int dirfd_of(const struct sink *sink) {
    return ((const struct directory_sink *)sink)->dirfd;
}

static struct sink *create_sink(int dirfd, bool owned) {
    struct directory_sink *made = mem_zalloc(1, sizeof *made);
    *made = (struct directory_sink){.sink = {.ops = &operations}, .dirfd = dirfd, .owned = owned};
    return &made->sink;
}

struct sink *directory_sink_create(int dirfd) {
    return create_sink(dirfd, false);
}

static void destroy(struct sink *sink) {
    if (((struct directory_sink *)sink)->owned)
        close(dirfd_of(sink));
    mem_free(sink);
}

/* Requires a directory, not a link to one. */
static bool make_directory(struct sink *sink, const char *path) {
    struct stat st;
    if (mkdirat(dirfd_of(sink), path, 0777) == 0)
        return true;
    if (errno != EEXIST || fstatat(dirfd_of(sink), path, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(st.st_mode);
}

static bool create(struct sink *sink, const char *path, struct sink_file *file) {
    int fd = openat(dirfd_of(sink), path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    *file = (struct sink_file){sink, fd};
    return fd >= 0;
}

static bool write_all(struct sink_file *file, struct slice content) {
    while (content.len) {
        ssize_t done = write((int)file->handle, content.ptr, content.len);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        content = slice_from(content, (size_t)done);
    }
    return true;
}

static bool close_file(struct sink_file *file) {
    return close((int)file->handle) == 0;
}

static bool is_taken(struct sink *sink, const char *path) {
    struct stat st;
    return fstatat(dirfd_of(sink), path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool share(struct sink *sink, struct sink *from, const char *path) {
    return from->ops == sink->ops && linkat(dirfd_of(from), path, dirfd_of(sink), path, 0) == 0;
}

static struct sink *below(struct sink *sink, const char *directory) {
    if (mkdirat(dirfd_of(sink), directory, 0777) != 0)
        return NULL;
    int dirfd = openat(dirfd_of(sink), directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return dirfd < 0 ? NULL : create_sink(dirfd, true);
}

/* For file systems that cannot create a file without a name: the file has a name for a moment. */
static int open_and_unlink(int dirfd) {
    enum { TRIES = 100 };
    char name[32];
    for (int i = 0; i < TRIES; i++) {
        snprintf(name, sizeof name, ".spool-%ld-%d", (long)getpid(), i);
        int fd = openat(dirfd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno == EEXIST)
            continue;
        if (fd >= 0 && unlinkat(dirfd, name, 0) != 0) {
            int number = errno;
            close(fd);
            errno = number;
            return -1;
        }
        return fd;
    }
    return -1;
}

static int open_scratch(struct sink *sink) {
    int fd = compat_open_unnamed(dirfd_of(sink));
    bool unknown = fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOENT);
    return unknown ? open_and_unlink(dirfd_of(sink)) : fd;
}

static const struct sink_ops operations = {
    .make_directory = make_directory,
    .create = create,
    .write = write_all,
    .close = close_file,
    .is_taken = is_taken,
    .share = share,
    .below = below,
    .open_scratch = open_scratch,
    .destroy = destroy,
};
