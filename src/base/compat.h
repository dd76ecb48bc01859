/* compat.h - what POSIX.1-2008 does not have, in one place.
 *
 * The sources are compiled with _XOPEN_SOURCE=700, so a function of one system cannot be used by accident. Each function
 * here uses what Linux (glibc, musl) or macOS offers, and says what remains on other systems. Callers never ask which
 * system it is.
 *
 * No shared state; any thread, unless a function says otherwise. Functions that return int return -1 and set errno on
 * failure. ENOSYS: the system has nothing like it. */
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

/* Exchanges two names. */
int compat_rename_exchange(int at, const char *name, int other_at, const char *other);
/* Renames; EEXIST if the new name exists. */
int compat_rename_new(int at, const char *name, int new_at, const char *new_name);
/* A file without a name, read and write. EOPNOTSUPP: the file system has none. */
int compat_open_unnamed(int folder);
/* 1 or 0; ENOSYS if the system does not say. */
int compat_is_mount_root(int folder);
/* Whether only this host writes to the file system. If that is not known, it is shared. */
bool compat_is_local(int folder);
/* S_IFREG, S_IFDIR, ...; 0 if the folder does not say. */
mode_t compat_entry_type(const struct dirent *entry);
/* The entries of a folder, in any order. On Linux without allocating memory, so that a folder can be removed when there is none.
 * compat_list_open() does not change the offset of `folder`. compat_list_next() returns the next name but "." and "..", valid until
 * the next call; NULL at the end, with errno 0, or if the folder cannot be read. */
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
/* Makes the file at least this long, with room for all of it on the disk. */
int compat_allocate(int fd, off_t len);
/* Closes all descriptors from this one on. Safe between fork() and exec. */
void compat_close_from(int first);

/* Changes in folders and files, to wake up from poll(). ENOSYS where only asking the file system again and again helps. */
int compat_watch_open(void);
/* Adding a path again changes nothing. A failure means no news of this path. */
void compat_watch_add(int watch, const char *path);
/* Reads all news without blocking. Returns whether a name came or went. */
bool compat_watch_drain(int watch);

/* ---- processes */

/* A pipe, or a pair of connected sockets that keep the bounds of messages; closed by exec. */
int compat_pipe(int ends[2]);
int compat_socket_pair(int ends[2]);
/* Readable when the process has ended. */
int compat_open_process(pid_t pid);
/* waitpid(), with what the process has used. */
pid_t compat_wait(pid_t pid, int *status, int options, struct rusage *use);
/* This process gets the signal when its parent ends, where the system can do that. */
void compat_die_with_parent(int number);
/* The path of this program, at least PATH_MAX bytes. If it was started by a link, what the link leads to. */
bool compat_program(char *path);
/* The flag of posix_spawn() for a new session; 0: there is none. */
short compat_spawn_session(void);
/* Processors that this process may use, at least 1. */
unsigned compat_cores(void);

/* ---- signals: the caller has blocked those of the set */

/* Waits for one. *sender is the process that sent it, 0 for the system, -1 if that is not known. */
int compat_wait_signal(const sigset_t *set, pid_t *sender);
/* Takes one that is pending; 0: none is. Safe between fork() and exec. */
int compat_take_signal(const sigset_t *set);
/* Readable while one is pending, to wake up from poll(); take it with compat_take_signal(). */
int compat_signal_fd(const sigset_t *set);

/* ---- the rest */

/* Random bytes of the system, at most 256. */
bool compat_random(void *bytes, size_t count);
/* The first place of the needle, or NULL. */
const void *compat_find(const void *bytes, size_t count, const void *needle, size_t needle_count);
/* The time of a date in UTC; (time_t)-1 as mktime(). */
time_t compat_utc_time(struct tm *date);
/* Begins a new scan of getopt(). One thread. */
void compat_getopt_reset(void);
