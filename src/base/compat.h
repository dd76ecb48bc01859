/* compat.h - functions that POSIX.1-2008 lacks, in one place.
 *
 * The sources are compiled with _XOPEN_SOURCE=700, so a system-specific function cannot be used by accident. Each
 * function here uses what Linux (glibc, musl) or macOS offers, and documents the fallback elsewhere. Callers never
 * check which system they run on.
 *
 * No shared state; any thread, unless a function says otherwise. Functions that return int return -1 and set errno on
 * failure. ENOSYS: the system has no equivalent. */
#pragma once

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

struct rusage;
struct tm;

/* POSIX has the variable, but no header declares it. */
extern char **environ;

/* ---- files */

/* Exchanges two names atomically. */
int compat_rename_exchange(int at, const char *name, int other_at, const char *other);
/* Renames a file; fails with EEXIST if the new name exists. */
int compat_rename_new(int at, const char *name, int new_at, const char *new_name);
/* A file without a name, read and write. EOPNOTSUPP: the file system has none. */
int compat_open_unnamed(int folder);
/* 1 or 0; -1 with ENOSYS if the system cannot tell. */
int compat_is_mount_root(int folder);
/* Whether only this host writes to the file system. If unknown, the file system counts as shared. */
bool compat_is_local(int folder);
/* S_IFREG, S_IFDIR, ...; 0 if the folder does not say. */
mode_t compat_entry_type(const struct dirent *entry);
/* The entries of a folder, in any order. On Linux, this allocates no memory, so a folder can be removed when memory is
 * exhausted. compat_list_open() does not change the offset of `folder`. compat_list_next() returns the next name except
 * "." and "..", valid until the next call. It returns NULL at the end, with errno 0, or if the folder cannot be read,
 * with errno set. */
struct compat_list {
    int fd;
    DIR *dir;
    size_t at, end;
    _Alignas(8) char bytes[8192];
};
int compat_list_open(struct compat_list *list, int folder);
const char *compat_list_next(struct compat_list *list);
void compat_list_close(struct compat_list *list);
/* When the content was last changed. */
static inline struct timespec compat_mtime(const struct stat *st) {
#ifdef __APPLE__
    return st->st_mtimespec;
#else
    return st->st_mtim;
#endif
}
/* Extends the file to at least this length, and reserves disk space for all of it. */
int compat_allocate(int fd, off_t len);
/* Closes all descriptors from this one on. Safe between fork() and exec. */
void compat_close_from(int first);

/* Watches folders and files for changes, to wake up from poll(). ENOSYS: only polling the file system works. */
int compat_watch_open(void);
/* Adding a path twice has no effect. If it fails, changes of this path are not reported. */
void compat_watch_add(int watch, const char *path);
/* Drains all events without blocking. Returns whether a name was created or removed. */
bool compat_watch_drain(int watch);

/* ---- processes */

/* A pipe, or a pair of connected sockets that preserve message boundaries; close-on-exec. */
int compat_pipe(int ends[2]);
int compat_socket_pair(int ends[2]);
/* A descriptor that becomes readable when the process has ended. */
int compat_open_process(pid_t pid);
/* waitpid() that also returns the resources that the process has used. */
pid_t compat_wait(pid_t pid, int *status, int options, struct rusage *use);
/* Sends this process the signal when its parent ends, if the system supports that. */
void compat_die_with_parent(int number);
/* The path of this program; `path` has room for PATH_MAX bytes. If it was started through a link, the link's target. */
bool compat_program(char *path);
/* The posix_spawn() flag for a new session; 0: unsupported. */
short compat_spawn_session(void);
/* Processors that this process may use, at least 1. */
unsigned compat_cores(void);

/* ---- signals: the caller has blocked those in the set */

/* Waits for a signal. *sender is the process that sent it, 0 for the system, -1 if unknown. */
int compat_wait_signal(const sigset_t *set, pid_t *sender);
/* Takes a pending signal; 0: none is pending. Safe between fork() and exec. */
int compat_take_signal(const sigset_t *set);
/* Readable while a signal is pending, to wake up from poll(); take the signal with compat_take_signal(). */
int compat_signal_fd(const sigset_t *set);

/* ---- the rest */

/* At most 256 random bytes from the system. */
bool compat_random(void *bytes, size_t count);
/* The first occurrence of the needle, or NULL. */
const void *compat_find(const void *bytes, size_t count, const void *needle, size_t needle_count);
/* The time of a date in UTC; (time_t)-1 on failure, like mktime(). */
time_t compat_utc_time(struct tm *date);
/* Resets getopt() for a new argument list. One thread. */
void compat_getopt_reset(void);
