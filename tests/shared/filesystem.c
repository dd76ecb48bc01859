/* Preloaded by run.py: makes a folder of this machine behave as one on another file system.
 *
 *     FS_ROOT=FOLDER   what is below this folder; an absolute path
 *     FS_KIND=WORDS    how it differs:
 *         fold         names that differ in case only are the same name
 *         nfs          renames have no flags, and all files have a name; a file that is open is renamed to .nfs… when it is
 *                      removed, and such a file cannot be removed; the type of the file system is that of NFS
 *         bare         no links, no modes, no owners, and no file can be mapped
 *     FS_LOCK=WORD     flock() of a folder: `blind` locks it, whoever else has, as two hosts do with NFS; `none` fails with ENOLCK
 *     FS_HOST=NAME     the name of this machine
 *     FS_STALE=N       the N-th file or folder that is opened fails with ESTALE
 *     FS_KILL=N        the process is killed (SIGKILL) before its N-th call that renames, creates or removes a name
 *     FS_HELD=INODE    the file that another program has open
 *     FS_COUNT=FILE    how many calls there were, of those that FS_KILL and FS_STALE count, is written here at the end
 *
 * Programs that tlparse starts are not affected. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { NFS_MAGIC = 0x6969 };

static const char *root = "", *host, *count_file, *lock_word = "";
static bool fold, nfs, bare;
static unsigned stale_at, kill_at, held;
static atomic_uint opened, changed, removed_open;

static unsigned number_of(const char *variable) {
    const char *text = getenv(variable);
    return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static const char *text_of(const char *variable, const char *fallback) {
    const char *text = getenv(variable);
    return text ? text : fallback;
}

__attribute__((constructor)) static void begin(void) {
    const char *kind = text_of("FS_KIND", "");
    root = text_of("FS_ROOT", "");
    host = getenv("FS_HOST");
    held = number_of("FS_HELD");
    count_file = getenv("FS_COUNT");
    lock_word = text_of("FS_LOCK", "");
    fold = strstr(kind, "fold") != NULL;
    nfs = strstr(kind, "nfs") != NULL;
    bare = strstr(kind, "bare") != NULL;
    stale_at = number_of("FS_STALE");
    kill_at = number_of("FS_KILL");
    unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void) {
    FILE *file = count_file ? fopen(count_file, "w") : NULL;
    if (file) {
        fprintf(file, "%u %u\n", atomic_load(&changed), atomic_load(&opened));
        fclose(file);
    }
}

/* ---- paths -------------------------------------------------------------------------------------------------------- */

#define REAL(name)                                                                                                     \
    static __typeof__(&name) real;                                                                                     \
    if (!real)                                                                                                         \
    real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* syscall() of the C library: the one below is called by the program. */
#define raw(...) real_syscall()(__VA_ARGS__)

typedef long system_call(long which, ...);

static system_call *real_syscall(void) {
    static system_call *real;
    if (!real)
        real = (system_call *)dlsym(RTLD_NEXT, "syscall");
    return real;
}

static bool fd_path(int fd, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long len = raw(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
    path[len > 0 ? len : 0] = '\0';
    return len > 0;
}

static bool is_below(const char *path) {
    size_t len = strlen(root);
    return len && strncmp(path, root, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* The absolute path, if it is below the folder. */
static bool find(int at, const char *path, char out[PATH_MAX]) {
    char folder[PATH_MAX] = "";
    int before = errno;
    if (!path || !path[0] || strstr(path, ".."))
        return false;
    if (path[0] != '/') {
        bool known = at == AT_FDCWD ? raw(SYS_getcwd, folder, sizeof folder) > 0 : fd_path(at, folder);
        errno = before;
        if (!known)
            return false;
    }
    int len = snprintf(out, PATH_MAX, "%s%s%s", folder, folder[0] ? "/" : "", path);
    return len > 0 && len < PATH_MAX && is_below(out);
}

/* Gives the last part of the path, whose folder exists, the name that it has there. */
static void fold_last(char *path, size_t start) {
    struct stat st;
    if (raw(SYS_newfstatat, AT_FDCWD, path, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return;
    char *slash = path + start - 1;
    *slash = '\0';
    DIR *dir = opendir(path);
    *slash = '/';
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (strcasecmp(entry->d_name, path + start) == 0) {
            memcpy(path + start, entry->d_name, strlen(entry->d_name));
            break;
        }
    if (dir)
        closedir(dir);
}

/* The path, with the names that are there. */
static const char *map(int *at, const char *path, char space[PATH_MAX]) {
    int before = errno;
    if (!fold || !find(*at, path, space))
        return path;
    for (char *part = space + strlen(root); *part;) {
        char *end;
        while (*part == '/')
            part++;
        end = part + strcspn(part, "/");
        char last = *end;
        *end = '\0';
        if (*part && strcmp(part, ".") != 0)
            fold_last(space, (size_t)(part - space));
        *end = last;
        part = end;
    }
    *at = AT_FDCWD;
    errno = before;
    return space;
}

static bool is_inside(int at, const char *path) {
    char space[PATH_MAX];
    return find(at, path, space);
}

/* Counts a call that changes a name. */
static void change(int at, const char *path) {
    if (is_inside(at, path) && atomic_fetch_add(&changed, 1) + 1 == kill_at)
        raise(SIGKILL);
}

static bool is_stale(int at, const char *path) {
    bool stale = is_inside(at, path) && atomic_fetch_add(&opened, 1) + 1 == stale_at;
    if (stale)
        errno = ESTALE;
    return stale;
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

#define MODE_OF(flags)                                                                                                 \
    mode_t mode = 0;                                                                                                   \
    if (((flags)&O_CREAT) || ((flags)&O_TMPFILE) == O_TMPFILE) {                                                       \
        va_list args;                                                                                                  \
        va_start(args, flags);                                                                                         \
        mode = va_arg(args, mode_t);                                                                                   \
        va_end(args);                                                                                                  \
    }

static int open_at(int at, const char *path, int flags, mode_t mode) {
    char space[PATH_MAX];
    if (nfs && (flags & O_TMPFILE) == O_TMPFILE && is_inside(at, path)) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (is_stale(at, path))
        return -1;
    path = map(&at, path, space);
    return (int)raw(SYS_openat, at, path, flags, mode);
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        MODE_OF(flags)                                                                                                 \
        return open_at(AT_FDCWD, path, flags, mode);                                                                   \
    }
#define OPENAT(name)                                                                                                   \
    int name(int at, const char *path, int flags, ...) {                                                               \
        MODE_OF(flags)                                                                                                 \
        return open_at(at, path, flags, mode);                                                                         \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* A function that looks at one path; `at` is its folder. */
#define LOOK(type, name, folder, parameters, arguments)                                                                \
    type name parameters {                                                                                             \
        char space[PATH_MAX];                                                                                          \
        int at = folder;                                                                                               \
        REAL(name);                                                                                                    \
        path = map(&at, path, space);                                                                                  \
        return real arguments;                                                                                         \
    }
#define LOOK_AT(type, name, parameters, arguments)                                                                     \
    type name parameters {                                                                                             \
        char space[PATH_MAX];                                                                                          \
        REAL(name);                                                                                                    \
        path = map(&at, path, space);                                                                                  \
        return real arguments;                                                                                         \
    }

LOOK(int, stat, AT_FDCWD, (const char *path, struct stat *st), (path, st))
LOOK(int, stat64, AT_FDCWD, (const char *path, struct stat64 *st), (path, st))
LOOK(int, lstat, AT_FDCWD, (const char *path, struct stat *st), (path, st))
LOOK(int, lstat64, AT_FDCWD, (const char *path, struct stat64 *st), (path, st))
LOOK(int, access, AT_FDCWD, (const char *path, int mode), (path, mode))
LOOK(char *, realpath, AT_FDCWD, (const char *path, char *to), (path, to))
LOOK_AT(int, fstatat, (int at, const char *path, struct stat *st, int how), (at, path, st, how))
LOOK_AT(int, fstatat64, (int at, const char *path, struct stat64 *st, int how), (at, path, st, how))
LOOK_AT(int, faccessat, (int at, const char *path, int mode, int how), (at, path, mode, how))

int mkdirat(int at, const char *path, mode_t mode) {
    char space[PATH_MAX];
    change(at, path);
    path = map(&at, path, space);
    return (int)raw(SYS_mkdirat, at, path, mode);
}

int mkdir(const char *path, mode_t mode) {
    return mkdirat(AT_FDCWD, path, mode);
}

static int rename_at(int at, const char *path, int to_at, const char *to, unsigned how) {
    char space[PATH_MAX], to_space[PATH_MAX];
    change(at, path);
    if (nfs && how && is_inside(at, path)) {
        errno = EINVAL;
        return -1;
    }
    path = map(&at, path, space);
    to = map(&to_at, to, to_space);
    return (int)raw(SYS_renameat2, at, path, to_at, to, how);
}

int renameat(int at, const char *path, int to_at, const char *to) {
    return rename_at(at, path, to_at, to, 0);
}

int rename(const char *path, const char *to) {
    return rename_at(AT_FDCWD, path, AT_FDCWD, to, 0);
}

int linkat(int at, const char *path, int to_at, const char *to, int how) {
    REAL(linkat);
    change(at, path);
    if (bare && is_inside(to_at, to)) {
        errno = EPERM;
        return -1;
    }
    char space[PATH_MAX], to_space[PATH_MAX];
    path = map(&at, path, space);
    to = map(&to_at, to, to_space);
    return real(at, path, to_at, to, how);
}

int symlinkat(const char *path, int at, const char *to) {
    REAL(symlinkat);
    if (bare && is_inside(at, to)) {
        errno = EPERM;
        return -1;
    }
    return real(path, at, to);
}

/* Whether this program has the file open. */
static bool is_open(const char *path) {
    char name[PATH_MAX];
    for (int fd = 0; fd < 256; fd++)
        if (fd_path(fd, name) && strcmp(name, path) == 0)
            return true;
    return false;
}

int unlinkat(int at, const char *path, int how) {
    char space[PATH_MAX], hidden[PATH_MAX + 40];
    change(at, path);
    if (nfs && !(how & AT_REMOVEDIR) && find(at, path, space)) {
        char *name = strrchr(space, '/') + 1;
        if (strncmp(name, ".nfs", 4) == 0) {
            errno = EBUSY;
            return -1;
        }
        int before = errno;
        struct stat st;
        bool in_use = raw(SYS_newfstatat, AT_FDCWD, space, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
                      (st.st_ino == held || is_open(space));
        errno = before;
        if (in_use) {
            unsigned n = atomic_fetch_add(&removed_open, 1);
            snprintf(hidden, sizeof hidden, "%.*s.nfs%016x%08x", (int)(name - space), space, (unsigned)getpid(), n);
            return (int)raw(SYS_renameat2, AT_FDCWD, space, AT_FDCWD, hidden, 0);
        }
    }
    path = map(&at, path, space);
    return (int)raw(SYS_unlinkat, at, path, how);
}

int unlink(const char *path) {
    return unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path) {
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

/* The last one that closes a removed file removes its hidden name. */
int close(int fd) {
    char path[PATH_MAX] = "";
    int before = errno;
    bool hidden = nfs && fd_path(fd, path) && is_below(path) && strstr(path, "/.nfs");
    errno = before;
    int result = (int)raw(SYS_close, fd);
    if (hidden)
        raw(SYS_unlinkat, AT_FDCWD, path, 0);
    return result;
}

/* ---- the rest ----------------------------------------------------------------------------------------------------- */

/* renameat2() is called by its number. */
long syscall(long which, ...) {
    va_list args;
    long a[6];
    va_start(args, which);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    if (which == SYS_renameat2) /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
        return rename_at((int)a[0], (const char *)a[1], (int)a[2], (const char *)a[3], (unsigned)a[4]);
    return raw(which, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int flock(int fd, int how) {
    struct stat st;
    if (lock_word[0] && raw(SYS_fstat, fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        errno = ENOLCK;
        return strcmp(lock_word, "blind") == 0 ? 0 : -1;
    }
    return (int)raw(SYS_flock, fd, how);
}

int uname(struct utsname *name) {
    long result = raw(SYS_uname, name);
    if (result == 0 && host)
        snprintf(name->nodename, sizeof name->nodename, "%s", host);
    return (int)result;
}

int fstatfs(int fd, struct statfs *st) {
    long result = raw(SYS_fstatfs, fd, st);
    if (result == 0 && nfs)
        st->f_type = NFS_MAGIC;
    return (int)result;
}

int fstatfs64(int fd, struct statfs64 *st) {
    return fstatfs(fd, (struct statfs *)st); /* the same on 64-bit systems */
}

int fchmod(int fd, mode_t mode) {
    errno = EPERM;
    return bare ? -1 : (int)raw(SYS_fchmod, fd, mode);
}

int fchown(int fd, uid_t user, gid_t group) {
    errno = EPERM;
    return bare ? -1 : (int)raw(SYS_fchown, fd, user, group);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int fd, off_t at) {
    char path[PATH_MAX];
    if (bare && fd >= 0 && fd_path(fd, path) && is_below(path)) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    return (void *)raw(SYS_mmap, address, bytes, protection, flags, fd, at); /* NOLINT(performance-no-int-to-ptr) */
}
