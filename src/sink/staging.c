#include "sink/staging.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/dir.h"
#include "sink/manifest.h"
#include "sink/sinks.h"

/* Another run may remove the folder as abandoned before it is locked: retry. */
int staging_make(int parent, const char *name, char **staging, mode_t *mode) {
    for (int tries = 0; tries < 100; tries++) {
        struct stat made, there;
        char *fresh = staging_name_make(name);
        if (mkdirat(parent, fresh, 0777) == 0) {
            int fd = openat(parent, fresh, DIR_OPEN | O_NOFOLLOW);
            bool ours = fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
            if (ours && fstat(fd, &made) == 0 && fstatat(parent, fresh, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
                dir_is_same(&made, &there)) {
                *mode = made.st_mode & 07777;
                fchmod(fd, (*mode & 07000) | 0700);
                *staging = fresh;
                return fd;
            }
            if (fd >= 0)
                close(fd);
            unlinkat(parent, fresh, AT_REMOVEDIR);
        } else if (errno != EEXIST) {
            mem_free(fresh);
            return -1;
        }
        mem_free(fresh);
    }
    return -1;
}

char *staging_whole_aside(const char *staging) {
    return mem_printf("%s%c", staging, STAGING_WHOLE_ASIDE);
}

int staging_make_aside(int place, const char *staging, char **aside) {
    *aside = mem_printf("%s%c", staging, STAGING_ENTRIES_ASIDE);
    if (mkdirat(place, *aside, 0777) != 0)
        return -1;
    int fd = openat(place, *aside, DIR_OPEN | O_NOFOLLOW);
    if (fd >= 0) {
        flock(fd, LOCK_EX | LOCK_NB); /* if this file system has no locks, others do not remove it, either */
    } else {
        int why = errno;
        unlinkat(place, *aside, AT_REMOVEDIR);
        errno = why;
    }
    return fd;
}

/* ---- what killed processes left ------------------------------------------------------------------------------------ */

/* Opens and locks a folder that a process has left behind. Returns -1 with EBUSY if the folder belongs to another user
 * or the process lives. On a shared file system, the lock of another host may be invisible (NFS), so only folders of
 * this host can be stale. */
static int open_stale(int parent, const char *name) {
    struct stat st;
    int fd = openat(parent, name, DIR_OPEN | O_NOFOLLOW);
    if (fd < 0)
        return -1;
    bool known = staging_name_is_ours(slice_str(name)) || compat_is_local(fd);
    if (known && fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    close(fd);
    errno = EBUSY;
    return -1;
}

/* Calls `body` for each stale folder of the place that is aside as this kind. */
static void for_stale(int parent, const char *name, enum staging_kind wanted,
                      bool (*body)(int parent, int fd, const char *entry, void *data), void *data) {
    struct names names = {0};
    names_list(parent, &names);
    for (size_t i = 0; i < names.count; i++) {
        enum staging_kind kind;
        bool is_one = staging_name_parse(slice_str(names.items[i]), name, &kind) && kind == wanted;
        int fd = is_one ? open_stale(parent, names.items[i]) : -1;
        if (fd < 0)
            continue;
        bool more = body(parent, fd, names.items[i], data);
        close(fd);
        if (!more)
            break;
    }
    names_free(&names);
}

/* Keeps the folder if the process was killed before it checked whether the old report in it has files of others. */
static bool remove_one(int parent, int fd, const char *entry, void *data) {
    AUTO_BUF foreign = {0};
    (void)data;
    enum manifest_verdict verdict = manifest_check(fd, "", &foreign);
    if (verdict != MANIFEST_FOREIGN && verdict != MANIFEST_UNREADABLE)
        dir_remove(parent, entry);
    return true;
}

struct whole {
    const char *name;
    bool moved;
};

static bool recover_whole(int parent, int fd, const char *entry, void *data) {
    struct whole *whole = data;
    (void)fd;
    whole->moved = renameat(parent, entry, parent, whole->name) == 0;
    return !whole->moved;
}

bool staging_recover_whole(int parent, const char *name) {
    struct stat st;
    struct whole whole = {.name = name};
    if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT)
        for_stale(parent, name, STAGING_WHOLE_ASIDE, recover_whole, &whole);
    return whole.moved;
}

/* Moves all entries that do not exist in `to`. */
static void move_missing(int from, int to) {
    struct names names = {0};
    struct stat st;
    names_list(from, &names);
    for (size_t i = 0; i < names.count; i++)
        if (fstatat(to, names.items[i], &st, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT)
            renameat(from, names.items[i], to, names.items[i]);
    names_free(&names);
}

static bool recover_entries(int place, int aside, const char *entry, void *data) {
    int parent = *(const int *)data;
    char *staging = mem_strdup(entry);
    staging[strlen(staging) - 1] = '\0';
    /* Entries are moved in the order of dir_name_order(). */
    bool old_is_aside = faccessat(aside, "index.html", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    int around = place, fresh = old_is_aside ? open_stale(place, staging) : -1;
    if (old_is_aside && fresh < 0) {
        around = parent;
        fresh = open_stale(parent, staging);
    }
    bool moved = fresh < 0 && errno == ENOENT; /* all of the new report; the emptied folder was removed */
    if (fresh >= 0)
        move_missing(fresh, place);
    if (old_is_aside && (moved || (fresh >= 0 && dir_remove_simple(around, staging))))
        renameat(place, entry, place, staging); /* now it is stale */
    if (fresh >= 0)
        close(fresh);
    if (!old_is_aside) {
        move_missing(aside, place);
        dir_remove_simple(place, entry);
    }
    mem_free(staging);
    return true;
}

void staging_recover_entries(int place, int parent, const char *name) {
    for_stale(place, name, STAGING_ENTRIES_ASIDE, recover_entries, &parent);
}

void staging_remove_stale(int parent, const char *name) {
    struct stat st;
    for_stale(parent, name, STAGING_NEW, remove_one, NULL);
    if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        for_stale(parent, name, STAGING_WHOLE_ASIDE, remove_one, NULL);
}
