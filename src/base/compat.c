/* The only file that uses more than POSIX. */
#ifndef __APPLE__
#define _GNU_SOURCE
#endif
#include "base/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <sys/auxv.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#endif
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/mount.h>
#include <sys/random.h>
#endif

#define LACKING (errno = ENOSYS, -1)

/* ---- files ------------------------------------------------------------------------------------------------------ */

#if defined __linux__ && defined SYS_renameat2
/* As a raw system call: not every C library has the function. The constants are the kernel's. */
enum { NO_REPLACE = 1, EXCHANGE = 2 };

static int rename_with(int at, const char *name, int new_at, const char *new_name, unsigned how) {
    return (int)syscall(SYS_renameat2, at, name, new_at, new_name, how);
}
#elif defined __APPLE__
enum { NO_REPLACE = RENAME_EXCL, EXCHANGE = RENAME_SWAP };

static int rename_with(int at, const char *name, int new_at, const char *new_name, unsigned how) {
    return renameatx_np(at, name, new_at, new_name, how);
}
#else
enum { NO_REPLACE, EXCHANGE };

static int rename_with(int at, const char *name, int new_at, const char *new_name, unsigned how) {
    (void)at, (void)name, (void)new_at, (void)new_name, (void)how;
    return LACKING;
}
#endif

int compat_rename_exchange(int at, const char *name, int other_at, const char *other) {
    return rename_with(at, name, other_at, other, EXCHANGE);
}

int compat_rename_new(int at, const char *name, int new_at, const char *new_name) {
    return rename_with(at, name, new_at, new_name, NO_REPLACE);
}

int compat_open_unnamed(int folder) {
#ifdef O_TMPFILE
    return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#else
    (void)folder;
    errno = EOPNOTSUPP;
    return -1;
#endif
}

int compat_is_mount_root(int folder) {
#ifdef STATX_ATTR_MOUNT_ROOT
    struct statx st;
    /* Linux before 5.8 lacks the attribute, as the mask shows. */
    if (statx(folder, "", AT_EMPTY_PATH, STATX_TYPE, &st) == 0 && (st.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT))
        return (st.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#else
    (void)folder;
#endif
    return LACKING;
}

bool compat_is_local(int folder) {
#ifdef __linux__
    static const uint32_t local[] = {
        0xef53,     /* ext2, ext3, ext4 */
        0x58465342, /* XFS */
        0x9123683e, /* Btrfs */
        0xca451a4e, /* bcachefs */
        0xf2f52010, /* F2FS */
        0x2fc12fc1, /* ZFS */
        0x01021994, /* tmpfs */
        0x858458f6, /* ramfs */
        0x794c7630, /* overlayfs */
        0x4d44,     /* FAT */
        0x2011bab0, /* exFAT */
        0x7366746e, /* NTFS */
    };
    struct statfs st;
    bool found = false;
    if (fstatfs(folder, &st) != 0)
        return false;
    for (size_t i = 0; i < sizeof local / sizeof *local; i++)
        found |= (uint32_t)st.f_type == local[i];
    return found;
#elif defined __APPLE__
    struct statfs st;
    return fstatfs(folder, &st) == 0 && (st.f_flags & MNT_LOCAL);
#else
    (void)folder;
    return false;
#endif
}

int compat_allocate(int fd, off_t len) {
#ifdef __APPLE__
    fstore_t room = {.fst_flags = F_ALLOCATEALL, .fst_posmode = F_PEOFPOSMODE, .fst_length = len};
    return fcntl(fd, F_PREALLOCATE, &room) == -1 ? -1 : ftruncate(fd, len);
#else
    errno = posix_fallocate(fd, 0, len);
    return errno ? -1 : 0;
#endif
}

void compat_close_from(int first) {
    enum { FILES_MAX = 1024 };
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, UINT_MAX, 0) == 0)
        return;
#endif
    for (int fd = first; fd < FILES_MAX; fd++)
        close(fd);
}

#ifdef __linux__
int compat_watch_open(void) {
    return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

void compat_watch_add(int watch, const char *path) {
    if (watch >= 0)
        inotify_add_watch(watch, path, IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE);
}

bool compat_watch_drain(int watch) {
    _Alignas(struct inotify_event) char bytes[16 * 1024];
    bool names = false;
    ssize_t len;
    while (watch >= 0 && (len = read(watch, bytes, sizeof bytes)) > 0) {
        for (ssize_t at = 0; at < len;) {
            const struct inotify_event *event = (const struct inotify_event *)(const void *)(bytes + at);
            names |= (event->mask & ~(uint32_t)IN_MODIFY) != 0;
            at += (ssize_t)(sizeof *event + event->len);
        }
    }
    return names;
}
#else
int compat_watch_open(void) {
    return LACKING;
}

void compat_watch_add(int watch, const char *path) {
    (void)watch, (void)path;
}

bool compat_watch_drain(int watch) {
    (void)watch;
    return false;
}
#endif

mode_t compat_entry_type(const struct dirent *entry) {
#ifdef DTTOIF
    return entry->d_type == DT_UNKNOWN ? 0 : (mode_t)DTTOIF(entry->d_type);
#else
    (void)entry;
    return 0;
#endif
}

int compat_list_open(struct compat_list *list, int folder) {
    list->at = list->end = 0;
    list->dir = NULL;
    list->fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
#ifndef __linux__
    list->dir = list->fd < 0 ? NULL : fdopendir(list->fd);
    if (list->fd >= 0 && !list->dir) {
        int why = errno;
        close(list->fd);
        errno = why;
        return -1;
    }
#endif
    return list->fd < 0 ? -1 : 0;
}

static const struct dirent *next_entry(struct compat_list *list) {
#ifdef __linux__
    if (list->at == list->end) {
        long count = syscall(SYS_getdents64, list->fd, list->bytes, sizeof list->bytes);
        list->at = 0;
        list->end = count > 0 ? (size_t)count : 0;
        if (count <= 0)
            return NULL;
    }
    const struct dirent *entry = (const void *)(list->bytes + list->at); /* the kernel's layout, with a 64-bit offset */
    list->at += entry->d_reclen;
    return entry;
#else
    return readdir(list->dir);
#endif
}

const char *compat_list_next(struct compat_list *list) {
    errno = 0;
    for (const struct dirent *entry; (entry = next_entry(list)); errno = 0)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return entry->d_name;
    return NULL;
}

void compat_list_close(struct compat_list *list) {
    int why = errno;
    if (list->dir)
        closedir(list->dir);
    else
        close(list->fd);
    errno = why;
}

/* ---- processes -------------------------------------------------------------------------------------------------- */

#ifndef __linux__
static int close_by_exec(const int ends[2]) {
    for (int i = 0; i < 2; i++)
        if (fcntl(ends[i], F_SETFD, FD_CLOEXEC) != 0)
            return -1;
    return 0;
}
#endif

int compat_pipe(int ends[2]) {
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC);
#else
    return pipe(ends) == 0 ? close_by_exec(ends) : -1;
#endif
}

int compat_socket_pair(int ends[2]) {
#ifdef __linux__
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
#else
    return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0 ? close_by_exec(ends) : -1;
#endif
}

int compat_open_process(pid_t pid) {
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0); /* close-on-exec by itself */
#else
    (void)pid;
    return LACKING;
#endif
}

pid_t compat_wait(pid_t pid, int *status, int options, struct rusage *use) {
    return wait4(pid, status, options, use);
}

void compat_die_with_parent(int number) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, number);
#else
    (void)number;
#endif
}

#ifdef __linux__
enum { LINKS_MAX = 40 }; /* the kernel's limit */

/* Replaces the path of a link by its target. False: it is not a link, or the target is too long. */
static bool follow_link(char *path) {
    char link[PATH_MAX];
    ssize_t len = readlink(path, link, sizeof link);
    char *slash = strrchr(path, '/');
    char *at = len > 0 && link[0] != '/' && slash ? slash + 1 : path;
    if (len <= 0 || len >= path + PATH_MAX - at)
        return false;
    memcpy(at, link, (size_t)len);
    at[len] = '\0';
    return true;
}
#endif

bool compat_program(char *path) {
#ifdef __linux__
    /* /proc may be missing. realpath() is avoided: it would pull in musl's malloc(), half the size of
     * packaging/launcher.c. */
    const char *given = (const char *)getauxval(AT_EXECFN);
    if (!given || strlen(given) >= PATH_MAX)
        return false;
    memcpy(path, given, strlen(given) + 1);
    for (int left = LINKS_MAX; left > 0 && follow_link(path); left--)
        ;
    return true;
#elif defined __APPLE__
    char given[PATH_MAX];
    uint32_t bytes = sizeof given;
    return _NSGetExecutablePath(given, &bytes) == 0 && realpath(given, path);
#else
    (void)path;
    return false;
#endif
}

short compat_spawn_session(void) {
#ifdef POSIX_SPAWN_SETSID
    return POSIX_SPAWN_SETSID;
#else
    return 0;
#endif
}

unsigned compat_cores(void) {
#ifdef __linux__
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
#else
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return cores < 1 ? 1 : (unsigned)cores;
}

/* ---- signals ---------------------------------------------------------------------------------------------------- */

int compat_wait_signal(const sigset_t *set, pid_t *sender) {
#ifdef __linux__
    siginfo_t info;
    int number = sigwaitinfo(set, &info);
    *sender = number < 0 ? -1 : info.si_code == SI_KERNEL ? 0 : info.si_pid;
    return number;
#else
    int number, failed = sigwait(set, &number);
    *sender = -1;
    errno = failed;
    return failed ? -1 : number;
#endif
}

int compat_take_signal(const sigset_t *set) {
#ifdef __linux__
    const struct timespec now = {0};
    int number = sigtimedwait(set, NULL, &now);
    return number > 0 ? number : 0;
#else
    sigset_t pending;
    int number;
    sigpending(&pending);
    for (number = 1; number < NSIG; number++) {
        sigset_t one;
        int taken;
        if (sigismember(set, number) != 1 || sigismember(&pending, number) != 1)
            continue;
        sigemptyset(&one);
        sigaddset(&one, number);
        return sigwait(&one, &taken) == 0 ? taken : 0;
    }
    return 0;
#endif
}

int compat_signal_fd(const sigset_t *set) {
#ifdef __linux__
    return signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
#else
    (void)set;
    return LACKING;
#endif
}

/* ---- the rest --------------------------------------------------------------------------------------------------- */

bool compat_random(void *bytes, size_t count) {
    return getentropy(bytes, count) == 0;
}

const void *compat_find(const void *bytes, size_t count, const void *needle, size_t needle_count) {
    return count > PTRDIFF_MAX ? NULL : memmem(bytes, count, needle, needle_count); /* for gcc, which sees -1 in LTO */
}

time_t compat_utc_time(struct tm *date) {
    return timegm(date);
}

void compat_getopt_reset(void) {
#ifdef __APPLE__
    optreset = optind = 1;
#else
    optind = 0;
#endif
}
