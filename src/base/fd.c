#include "base/fd.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

ssize_t fd_read_at(int fd, void *to, size_t bytes, uint64_t offset) {
    size_t done = 0;
    while (done < bytes) {
        ssize_t got = pread(fd, (char *)to + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

bool fd_write_at(int fd, const char *from, size_t bytes, uint64_t offset) {
    while (bytes) {
        ssize_t written = pwrite(fd, from, bytes, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        from += written;
        offset += (uint64_t)written;
        bytes -= (size_t)written;
    }
    return true;
}

bool fd_write_all(int fd, const char *from, size_t bytes) {
    while (bytes) {
        ssize_t written = write(fd, from, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        from += written;
        bytes -= (size_t)written;
    }
    return true;
}

void fd_take_mode(int fd, const struct stat *replaced) {
    if (fchown(fd, replaced->st_uid, replaced->st_gid) != 0)
        (void)errno; /* only root may change the owner */
    fchmod(fd, replaced->st_mode & 07777);
}

size_t fd_allow(size_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return wanted;
    if (limit.rlim_cur < wanted) {
        rlim_t before = limit.rlim_cur;
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
            limit.rlim_cur = before;
    }
    return limit.rlim_cur;
}
