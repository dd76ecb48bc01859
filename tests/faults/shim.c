/* Preloaded by run.py: lets the n-th call of a function fail, without calling it, or writes down which calls there are.
 *
 *     FAULTS_LIST=FILE    append "NAME STACK" for each call; STACK is equal for calls from the same place by the same way
 *     FAULTS_CALL=NAME    the name of a group in `groups`, of which
 *     FAULTS_FIRST=N      the N-th call fails, and
 *     FAULTS_LAST=N       those up to this one
 *     FAULTS_ERRNO=N      with this number; 0: the call reads or writes one byte only
 *     FAULTS_RENAMEAT2=N  each renameat2() fails with this number
 *     FAULTS_HIT=FILE     append "NAME FILE" for each call that failed
 *
 * Programs that tlparse starts are not affected. Functions that release what they are given (close, closedir, fclose) do so before
 * they fail, as the kernel does. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* clang-format off */
#define GROUPS(X) \
    X(alloc) X(open) X(read) X(write) X(rename) X(mkdir) X(close) X(readdir) X(stat) X(unlink) X(link) X(seek) \
    X(lock) X(thread) X(spawn) X(pipe) X(path) X(mode) X(random) X(flush) X(socket)
/* clang-format on */

enum group {
#define X(name) G_##name,
    GROUPS(X)
#undef X
        G_COUNT
};

static const char *const groups[] = {
#define X(name) #name,
    GROUPS(X)
#undef X
};

enum { STACK_DEPTH = 14, OWN_FRAMES = 2, NAME_BYTES = 4096 };

static atomic_uint counts[G_COUNT];
static int list_fd = -1, hit_fd = -1, number, no_renameat2;
static unsigned first, last;
static enum group chosen = G_COUNT;
static _Thread_local bool within; /* a call of this file's own, or of what it calls */

/* ---- what is wanted --------------------------------------------------------------------------------------------- */

static int open_file(const char *variable) {
    const char *path = getenv(variable);
    if (!path)
        return -1;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int high =
        (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 900); /* the program's own descriptors are as without this */
    syscall(SYS_close, fd);
    return high;
}

static unsigned number_of(const char *variable, unsigned fallback) {
    const char *text = getenv(variable);
    return text ? (unsigned)strtoul(text, NULL, 10) : fallback;
}

__attribute__((constructor)) static void begin(void) {
    void *stack[STACK_DEPTH];
    const char *name = getenv("FAULTS_CALL");
    within = true;
    backtrace(stack, STACK_DEPTH); /* loads a library, once */
    list_fd = open_file("FAULTS_LIST");
    hit_fd = open_file("FAULTS_HIT");
    first = number_of("FAULTS_FIRST", 1);
    last = number_of("FAULTS_LAST", first);
    number = (int)number_of("FAULTS_ERRNO", EIO);
    no_renameat2 = (int)number_of("FAULTS_RENAMEAT2", 0);
    for (int i = 0; name && i < G_COUNT; i++)
        if (strcmp(name, groups[i]) == 0)
            chosen = (enum group)i;
    unsetenv("LD_PRELOAD");
    for (int i = 0; i < G_COUNT; i++)
        atomic_store(&counts[i], 0);
    within = false;
}

static void list_call(enum group group) {
    const uint64_t PRIME = 1099511628211u;
    void *stack[STACK_DEPTH];
    char line[64];
    uint64_t hash = 14695981039346656037u; /* FNV-1a, of places that do not depend on where modules are loaded */
    int depth = backtrace(stack, STACK_DEPTH);
    for (int i = OWN_FRAMES; i < depth; i++) {
        Dl_info module;
        bool known = dladdr(stack[i], &module) != 0;
        for (const char *c = known ? module.dli_fname : ""; *c; c++)
            hash = (hash ^ (unsigned char)*c) * PRIME;
        hash = (hash ^ ((uintptr_t)stack[i] - (uintptr_t)(known ? module.dli_fbase : NULL))) * PRIME;
    }
    int len = snprintf(line, sizeof line, "%s %016llx\n", groups[group], (unsigned long long)hash);
    syscall(SYS_write, list_fd, line, (size_t)len);
}

static void note_hit(const char *function, int fd, const char *path) {
    char line[NAME_BYTES + 100], name[NAME_BYTES] = "", link[64];
    if (path) {
        snprintf(name, sizeof name, "%s", path);
    } else if (fd >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        long len = syscall(SYS_readlinkat, AT_FDCWD, link, name, sizeof name - 1);
        name[len > 0 ? len : 0] = '\0';
    }
    int len = snprintf(line, sizeof line, "%s %s\n", function, name);
    syscall(SYS_write, hit_fd, line, (size_t)len);
}

/* Whether this call must fail. Sets errno. */
static bool fails(enum group group, const char *function, int fd, const char *path) {
    if (within)
        return false;
    int before = errno;
    unsigned n = atomic_fetch_add(&counts[group], 1) + 1;
    bool failing = group == chosen && n >= first && n <= last;
    within = true;
    if (list_fd >= 0)
        list_call(group);
    if (failing && hit_fd >= 0)
        note_hit(function, fd, path);
    within = false;
    errno = failing && number ? number : before;
    return failing;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

#define REAL(name)                                                                                                     \
    static __typeof__(&name) real;                                                                                     \
    if (!real)                                                                                                         \
    real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* dlsym() may allocate before it has found malloc(). */
static _Alignas(16) char early[16384];
static size_t early_used;
static _Thread_local bool looking;

static void *early_alloc(size_t bytes) {
    void *ptr = early + early_used;
    early_used += (bytes + 15) & ~(size_t)15;
    return early_used <= sizeof early ? ptr : NULL;
}

static bool is_early(const void *ptr) {
    return (const char *)ptr >= early && (const char *)ptr < early + sizeof early;
}

#define REAL_OR_EARLY(name, bytes)                                                                                     \
    static __typeof__(&name) real;                                                                                     \
    if (!real) {                                                                                                       \
        if (looking)                                                                                                   \
            return early_alloc(bytes);                                                                                 \
        looking = true;                                                                                                \
        real = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                                             \
        looking = false;                                                                                               \
    }

/* If all calls fail from one on, then as if the memory was full: what is freed can be allocated again. */
static atomic_bool full;
static atomic_size_t freed;

static bool is_free_again(size_t bytes) {
    size_t rest = atomic_load(&freed);
    while (rest >= bytes)
        if (atomic_compare_exchange_weak(&freed, &rest, rest - bytes))
            return true;
    return false;
}

/* What a thread has just freed is what it is given if it then allocates as much. minizip relies on it (share/zip.c); for all others it
 * does not count, so that more of them fail. */
static _Thread_local size_t just_freed;

static bool is_at_hand(size_t bytes, const void *caller) {
    /* of glibc, which keeps such blocks for each thread */
    enum { SMALLEST = 24, STEP = 16, OVERHEAD = 8, LARGEST = 1032 };
    size_t usable = ((bytes + OVERHEAD + STEP - 1) & ~(size_t)(STEP - 1)) - OVERHEAD;
    bool same = just_freed && just_freed <= LARGEST && just_freed == (usable < SMALLEST ? SMALLEST : usable);
    Dl_info place;
    just_freed = 0;
    return same && !within && dladdr(caller, &place) && strstr(place.dli_fname, "minizip");
}

static bool no_memory(const char *function, size_t bytes, const void *caller) {
    if (is_at_hand(bytes, caller))
        return false;
    if (!fails(G_alloc, function, -1, NULL))
        return false;
    atomic_store(&full, true);
    if (is_free_again(bytes))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes) {
    REAL_OR_EARLY(malloc, bytes)
    return no_memory("malloc", bytes, __builtin_return_address(0)) ? NULL : real(bytes);
}

void *calloc(size_t count, size_t bytes) {
    REAL_OR_EARLY(calloc, count * bytes)
    return no_memory("calloc", count * bytes, __builtin_return_address(0)) ? NULL : real(count, bytes);
}

void *realloc(void *ptr, size_t bytes) {
    REAL_OR_EARLY(realloc, bytes)
    if (is_early(ptr)) {
        void *made = malloc(bytes);
        return made ? memcpy(made, ptr, bytes) : NULL;
    }
    return no_memory("realloc", bytes, __builtin_return_address(0)) ? NULL : real(ptr, bytes);
}

void free(void *ptr) {
    static void (*real)(void *);
    if (!ptr || is_early(ptr))
        return;
    if (!real)
        real = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    if (!within)
        just_freed = malloc_usable_size(ptr);
    if (atomic_load(&full))
        atomic_fetch_add(&freed, malloc_usable_size(ptr));
    real(ptr);
}

int posix_memalign(void **ptr, size_t alignment, size_t bytes) {
    REAL(posix_memalign);
    return no_memory("posix_memalign", bytes, __builtin_return_address(0)) ? ENOMEM : real(ptr, alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    REAL(aligned_alloc);
    return no_memory("aligned_alloc", bytes, __builtin_return_address(0)) ? NULL : real(alignment, bytes);
}

/* ---- system calls ----------------------------------------------------------------------------------------------- */

/* A function whose arguments are passed on. */
#define CALL(group, type, name, failed, fd, path, parameters, arguments)                                               \
    type name parameters {                                                                                             \
        REAL(name);                                                                                                    \
        return fails(G_##group, #name, fd, path) ? failed : real arguments;                                            \
    }

/* One whose third or fourth argument is only there with some flags. */
#define MODE_OF(flags)                                                                                                 \
    mode_t mode = 0;                                                                                                   \
    if (((flags)&O_CREAT) || ((flags)&O_TMPFILE) == O_TMPFILE) {                                                       \
        va_list args;                                                                                                  \
        va_start(args, flags);                                                                                         \
        mode = va_arg(args, mode_t);                                                                                   \
        va_end(args);                                                                                                  \
    }

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...) {                                                                       \
        MODE_OF(flags)                                                                                                 \
        REAL(name);                                                                                                    \
        return fails(G_open, #name, -1, path) ? -1 : real(path, flags, mode);                                          \
    }
#define OPENAT(name)                                                                                                   \
    int name(int at, const char *path, int flags, ...) {                                                               \
        MODE_OF(flags)                                                                                                 \
        REAL(name);                                                                                                    \
        return fails(G_open, #name, -1, path) ? -1 : real(at, path, flags, mode);                                      \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
CALL(open, DIR *, opendir, NULL, -1, path, (const char *path), (path))

/* One that transfers bytes: a short transfer if there is no error number. */
#define TRANSFER(group, name, type, parameters, arguments)                                                             \
    ssize_t name parameters {                                                                                          \
        REAL(name);                                                                                                    \
        if (fails(G_##group, #name, fd, NULL)) {                                                                       \
            if (number)                                                                                                \
                return -1;                                                                                             \
            if (bytes > 1)                                                                                             \
                bytes = 1;                                                                                             \
        }                                                                                                              \
        return real arguments;                                                                                         \
    }

TRANSFER(read, read, void, (int fd, void *buffer, size_t bytes), (fd, buffer, bytes))
TRANSFER(read, pread, void, (int fd, void *buffer, size_t bytes, off_t at), (fd, buffer, bytes, at))
TRANSFER(read, pread64, void, (int fd, void *buffer, size_t bytes, off64_t at), (fd, buffer, bytes, at))
TRANSFER(write, write, const void, (int fd, const void *buffer, size_t bytes), (fd, buffer, bytes))
TRANSFER(write, pwrite, const void, (int fd, const void *buffer, size_t bytes, off_t at), (fd, buffer, bytes, at))
TRANSFER(write, pwrite64, const void, (int fd, const void *buffer, size_t bytes, off64_t at), (fd, buffer, bytes, at))

CALL(rename, int, rename, -1, -1, from, (const char *from, const char *to), (from, to))
CALL(rename, int, renameat, -1, -1, from, (int at, const char *from, int to_at, const char *to), (at, from, to_at, to))

/* renameat2() and others are called by their number. */
long syscall(long which, ...) {
    REAL(syscall);
    va_list args;
    long a[6];
    va_start(args, which);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    if (which == SYS_renameat2 &&
        fails(G_rename, "renameat2", -1, (const char *)a[1])) /* NOLINT(performance-no-int-to-ptr) */
        return -1;
    if (which == SYS_getdents64 && fails(G_readdir, "getdents64", (int)a[0], NULL))
        return -1;
    if (which == SYS_renameat2 && no_renameat2) {
        errno = no_renameat2;
        return -1;
    }
    return real(which, a[0], a[1], a[2], a[3], a[4], a[5]);
}

CALL(mkdir, int, mkdir, -1, -1, path, (const char *path, mode_t mode), (path, mode))
CALL(mkdir, int, mkdirat, -1, -1, path, (int at, const char *path, mode_t mode), (at, path, mode))
CALL(mkdir, char *, mkdtemp, NULL, -1, path, (char *path), (path))
CALL(readdir, struct dirent *, readdir, NULL, -1, NULL, (DIR * dir), (dir))
CALL(readdir, struct dirent64 *, readdir64, NULL, -1, NULL, (DIR * dir), (dir))
CALL(stat, int, stat, -1, -1, path, (const char *path, struct stat *st), (path, st))
CALL(stat, int, stat64, -1, -1, path, (const char *path, struct stat64 *st), (path, st))
CALL(stat, int, lstat, -1, -1, path, (const char *path, struct stat *st), (path, st))
CALL(stat, int, lstat64, -1, -1, path, (const char *path, struct stat64 *st), (path, st))
CALL(stat, int, fstat, -1, fd, NULL, (int fd, struct stat *st), (fd, st))
CALL(stat, int, fstat64, -1, fd, NULL, (int fd, struct stat64 *st), (fd, st))
CALL(stat, int, fstatat, -1, -1, path, (int at, const char *path, struct stat *st, int how), (at, path, st, how))
CALL(stat, int, fstatat64, -1, -1, path, (int at, const char *path, struct stat64 *st, int how), (at, path, st, how))
CALL(stat, int, statx, -1, -1, path, (int at, const char *path, int how, unsigned mask, struct statx *st),
     (at, path, how, mask, st))
CALL(stat, int, access, -1, -1, path, (const char *path, int mode), (path, mode))
CALL(stat, int, faccessat, -1, -1, path, (int at, const char *path, int mode, int how), (at, path, mode, how))
CALL(unlink, int, unlink, -1, -1, path, (const char *path), (path))
CALL(unlink, int, unlinkat, -1, -1, path, (int at, const char *path, int how), (at, path, how))
CALL(unlink, int, rmdir, -1, -1, path, (const char *path), (path))
CALL(link, int, linkat, -1, -1, from, (int at, const char *from, int to_at, const char *to, int how),
     (at, from, to_at, to, how))
CALL(link, int, symlinkat, -1, -1, to, (const char *from, int at, const char *to), (from, at, to))
CALL(seek, off_t, lseek, -1, fd, NULL, (int fd, off_t at, int whence), (fd, at, whence))
CALL(seek, off64_t, lseek64, -1, fd, NULL, (int fd, off64_t at, int whence), (fd, at, whence))
CALL(lock, int, flock, -1, fd, NULL, (int fd, int how), (fd, how))
CALL(path, char *, realpath, NULL, -1, path, (const char *path, char *real_path), (path, real_path))
CALL(path, char *, getcwd, NULL, -1, ".", (char *buffer, size_t bytes), (buffer, bytes))
CALL(path, ssize_t, readlinkat, -1, -1, path, (int at, const char *path, char *to, size_t bytes), (at, path, to, bytes))
CALL(mode, int, fchmod, -1, fd, NULL, (int fd, mode_t mode), (fd, mode))
CALL(mode, int, fchown, -1, fd, NULL, (int fd, uid_t user, gid_t group), (fd, user, group))
CALL(random, int, getentropy, -1, -1, NULL, (void *bytes, size_t count), (bytes, count))
CALL(pipe, int, pipe2, -1, -1, NULL, (int ends[2], int flags), (ends, flags))
CALL(pipe, int, socketpair, -1, -1, NULL, (int domain, int type, int protocol, int ends[2]),
     (domain, type, protocol, ends))
CALL(spawn, pid_t, fork, -1, -1, NULL, (void), ())
CALL(socket, int, socket, -1, -1, NULL, (int domain, int type, int protocol), (domain, type, protocol))

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]) {
    REAL(posix_spawnp);
    return fails(G_spawn, "posix_spawnp", -1, file) ? number : real(pid, file, actions, attributes, argv, envp);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    REAL(pthread_create);
    return fails(G_thread, "pthread_create", -1, NULL) ? number : real(thread, attributes, start, argument);
}

#define RELEASE(group, name, type, fd)                                                                                 \
    int name(type object) {                                                                                            \
        REAL(name);                                                                                                    \
        bool failing = fails(G_##group, #name, fd, NULL);                                                              \
        int result = real(object);                                                                                     \
        if (failing)                                                                                                   \
            errno = number;                                                                                            \
        return failing ? -1 : result;                                                                                  \
    }

RELEASE(close, close, int, object)
RELEASE(close, closedir, DIR *, -1)
RELEASE(flush, fclose, FILE *, -1)

/* What is in the buffer is lost, as on a full disk. */
int fflush(FILE *file) {
    REAL(fflush);
    return fails(G_flush, "fflush", file ? fileno(file) : -1, NULL) ? EOF : real(file);
}
