#include "cmd/whole_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/fd.h"

static bool exists(const char *path, struct err *err) {
    return err_set(err, ERR_SYSTEM, "%s already exists; pass --overwrite to replace it or use -o FILE", path);
}

/* Devices and pipes are written to, not replaced. */
static bool is_special(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

bool whole_file_check(const char *path, bool overwrite, struct err *err) {
    return overwrite || strcmp(path, "-") == 0 || access(path, F_OK) != 0 || is_special(path) || exists(path, err);
}

static bool write_to(int fd, struct slice bytes, const char *path, struct err *err) {
    return fd_write_all(fd, bytes.ptr, bytes.len) || err_errno(err, "cannot write %s", path);
}

/* Gives the file its final name. */
static bool move(const char *staged, const char *path, bool overwrite, struct err *err) {
    int failed = -1;
    errno = ENOSYS;
    if (!overwrite)
        failed = compat_rename_new(AT_FDCWD, staged, AT_FDCWD, path);
    if (failed && !overwrite && errno == EEXIST)
        return exists(path, err);
    if (failed && (errno == ENOSYS || errno == EINVAL))
        failed = rename(staged, path);
    return !failed || err_errno(err, "cannot write %s", path);
}

static bool save(const char *path, bool overwrite, struct slice bytes, struct err *err) {
    struct slice last = path_last(slice_str(path));
    char *staged = mem_printf("%.*s.%.*s.tlparse-%ld", (int)(last.ptr - path), path, SLICE_ARG(last), (long)getpid());
    struct stat old;
    bool replaces = overwrite && lstat(path, &old) == 0 && S_ISREG(old.st_mode);
    int fd = open(staged, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, replaces ? 0600 : 0666);
    if (fd >= 0 && replaces)
        fd_take_mode(fd, &old);
    bool good = fd >= 0 ? write_to(fd, bytes, path, err) : err_errno(err, "cannot write %s", path);
    if (fd >= 0 && close(fd) != 0 && good)
        good = err_errno(err, "cannot write %s", path);
    good = good && move(staged, path, overwrite, err);
    if (fd >= 0 && !good)
        unlink(staged);
    mem_free(staged);
    return good;
}

static bool save_special(const char *path, struct slice bytes, struct err *err) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 ? write_to(fd, bytes, path, err) : err_errno(err, "cannot write %s", path);
    if (fd >= 0 && close(fd) != 0 && good)
        good = err_errno(err, "cannot write %s", path);
    return good;
}

bool whole_file_save(const char *path, bool overwrite, struct slice bytes, struct err *err) {
    sigset_t ends, before;
    if (strcmp(path, "-") == 0)
        return write_to(STDOUT_FILENO, bytes, "to standard output", err);
    if (is_special(path))
        return save_special(path, bytes, err);
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, &before); /* for a moment, so that no temporary file is left */
    bool good = save(path, overwrite, bytes, err);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}
