#include "base/dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/mem.h"

void names_free(struct names *names) {
    for (size_t i = 0; i < names->count; i++)
        mem_free(names->items[i]);
    mem_free(names->items);
    *names = (struct names){0};
}

int dir_name_order(struct slice a, struct slice b) {
    bool a_last = slice_is(a, "index.html"), b_last = slice_is(b, "index.html");
    return a_last != b_last ? a_last - b_last : slice_cmp(a, b);
}

static int by_name(const void *a, const void *b) {
    return dir_name_order(slice_str(*(char *const *)a), slice_str(*(char *const *)b));
}

bool names_list(int fd, struct names *names) {
    struct compat_list list;
    if (compat_list_open(&list, fd) != 0)
        return false;
    for (const char *name; (name = compat_list_next(&list));)
        LIST_ADD(names, mem_strdup(name));
    int why = errno;
    compat_list_close(&list);
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, by_name);
    errno = why;
    return why == 0;
}

bool dir_is_mount_point(int fd) {
    struct stat st, up;
    int known = compat_is_mount_root(fd);
    if (known >= 0)
        return known;
    return fstat(fd, &st) == 0 && fstatat(fd, "..", &up, 0) == 0 && st.st_dev != up.st_dev;
}

bool dir_make(const char *path, mode_t mode) {
    char *part = mem_strdup(path);
    bool ok = true;
    for (char *at = part + (part[0] == '/'); ok && (at = strchr(at, '/')); at++) {
        *at = '\0';
        ok = mkdir(part, mode) == 0 || access(part, F_OK) == 0;
        *at = '/';
    }
    ok = ok && (mkdir(part, mode) == 0 || errno == EEXIST);
    int why = errno;
    mem_free(part);
    errno = why;
    return ok;
}

static bool is_full(int error) {
    return error == ENOTEMPTY || error == EEXIST;
}

bool dir_remove_simple(int fd, const char *name) {
    if (unlinkat(fd, name, 0) == 0 || errno == ENOENT)
        return true;
    if (errno != EISDIR && errno != EPERM)
        return false;
    if (unlinkat(fd, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
        return true;
    if (errno == EEXIST)
        errno = ENOTEMPTY;
    return false;
}

#define REST_NAME "rest-%u"

/* Nested folders are moved to the top, so the depth never exceeds two. */

/* Empties the folder `name` of top. Nested folders that are not empty are moved to top. */
static bool flatten(int top, const char *name, unsigned *moved) {
    char to[32];
    bool ok = true;
    int fd = openat(top, name, DIR_OPEN | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT;
    struct compat_list list;
    bool opened = !dir_is_mount_point(fd) && compat_list_open(&list, fd) == 0;
    for (const char *entry; opened && ok && (entry = compat_list_next(&list));) {
        ok = dir_remove_simple(fd, entry);
        if (ok || errno != ENOTEMPTY)
            continue;
        do
            snprintf(to, sizeof to, REST_NAME, (*moved)++);
        while (!(ok = renameat(fd, entry, top, to) == 0) && (is_full(errno) || errno == ENOTDIR));
    }
    if (opened)
        compat_list_close(&list);
    close(fd);
    return opened && ok;
}

/* Removes an entry of top. Returns false if it, or a folder moved out of it, still exists. */
static bool remove_entry(int top, const char *name, unsigned *moved) {
    char rest[32];
    unsigned next = *moved;
    bool gone = dir_remove_simple(top, name);
    if (gone || errno != ENOTEMPTY)
        return gone;
    gone = flatten(top, name, moved) && dir_remove_simple(top, name);
    for (; next < *moved; next++) { /* *moved grows: folders that were moved out may contain others */
        snprintf(rest, sizeof rest, REST_NAME, next);
        if (!dir_remove_simple(top, rest))
            gone &= errno == ENOTEMPTY && flatten(top, rest, moved) && dir_remove_simple(top, rest);
    }
    return gone;
}

/* Repeats until a pass finds nothing: a listing is unreliable while the folder changes. */
static bool remove_contents(int top) {
    unsigned moved = 0;
    for (bool found = true, progress = true; found;) {
        struct compat_list list;
        if (!progress || compat_list_open(&list, top) != 0)
            return false;
        found = progress = false;
        for (const char *name; (name = compat_list_next(&list));) {
            found = true;
            progress |= remove_entry(top, name, &moved);
        }
        compat_list_close(&list);
    }
    return true;
}

bool dir_remove(int parent, const char *name) {
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0) /* if it was empty, it need not be read */
        return true;
    int fd = openat(parent, name, DIR_OPEN | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT;
    bool ok = remove_contents(fd);
    close(fd);
    return ok && dir_remove_simple(parent, name);
}
