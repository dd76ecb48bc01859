#include "sink/outdir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/dir.h"
#include "base/fd.h"
#include "sink/manifest.h"
#include "sink/sinks.h"
#include "sink/staging.h"

/* Another run may replace the report at any time. It then removes the old one entry by entry, so a look at that folder
 * shows half a report. So a problem with a folder only counts if the folder is still at the place. If not, the new
 * folder is checked, up to this many times. */
enum { TRIES = 1000, SHOWN = 300 };

/* ---- the lock ------------------------------------------------------------------------------------------------- */

static void undo(struct outdir *o);

static void cut_last_part(char *path) {
    char *end = strrchr(path, '/');
    while (end && end > path && end[-1] == '/')
        end--;
    if (end)
        *end = '\0';
}

static void remove_parents(struct outdir *o) {
    for (; o->made && rmdir(o->parents) == 0; o->made--)
        cut_last_part(o->parents);
    o->made = 0;
}

/* Reserves descriptors, so a process that has run out of them can still move or remove what it has built. */
static bool take_spares(struct outdir *o) {
    for (int i = 0; i < OUTDIR_SPARES; i++)
        if ((o->spares[i] = fcntl(o->parent, F_DUPFD_CLOEXEC, 0)) < 0)
            return false;
    return true;
}

static void drop_spares(struct outdir *o) {
    for (int i = 0; i < OUTDIR_SPARES; i++) {
        if (o->spares[i] >= 0)
            close(o->spares[i]);
        o->spares[i] = -1;
    }
}

/* Tries twice: the missing memory or descriptor may be available again, and the first attempt may have freed some. */
static bool remove_staging(struct outdir *o) {
    drop_spares(o);
    bool gone = !o->staging || dir_remove(o->parent, o->staging) || dir_remove(o->parent, o->staging);
    mem_free(o->staging);
    o->staging = NULL;
    return gone;
}

static void discard(struct outdir *o) {
    o->leftover |= !remove_staging(o);
    remove_parents(o);
}

/* Memory is exhausted in the thread that holds the lock, so no other thread can remove anything. */
static void abandon(void *data) {
    struct outdir *o = data;
    undo(o);
    discard(o);
    pthread_mutex_unlock(&o->lock);
}

static void lock(struct outdir *o) {
    pthread_mutex_lock(&o->lock);
    mem_on_exhaustion(abandon, o);
}

static void unlock(struct outdir *o) {
    mem_on_exhaustion(NULL, NULL);
    pthread_mutex_unlock(&o->lock);
}

/* ---- existing content --------------------------------------------------------------------------------------- */

/* Whether the folder contains the file or folder at `path`, at any depth. */
static bool holds(const struct stat *folder, const char *path) {
    struct stat st;
    bool found = false;
    char *real = realpath(path, NULL);
    for (char *slash; real && !found && (slash = strrchr(real, '/'));) {
        slash[slash == real] = '\0'; /* the parent, or "/" */
        found = stat(real, &st) == 0 && dir_is_same(&st, folder);
        if (slash == real)
            break;
    }
    mem_free(real);
    return found;
}

static bool set_foreign(const struct outdir *o, const struct buf *foreign, struct err *err) {
    err_set(err, ERR_SYSTEM, "cannot replace %s: it contains '%.*s', which is not part of a report", o->request.path,
            foreign->len < SHOWN ? (int)foreign->len : SHOWN, foreign->ptr);
    return err_hint(err, "choose another folder with -o, or remove this folder yourself");
}

/* Whether this folder contains nothing but a report. */
static bool check_content(const struct outdir *o, int fd, struct err *err) {
    AUTO_BUF foreign = {0};
    enum verdict verdict = verdict_on(fd, o->name, &foreign);
    if (verdict == VERDICT_UNREADABLE) {
        err_errno(err, "cannot read folder %s", o->request.path);
    } else if (verdict == VERDICT_FOREIGN && foreign.len) {
        set_foreign(o, &foreign, err);
    } else if (verdict != VERDICT_REPORT) {
        err_set(err, ERR_SYSTEM, "cannot replace %s: it is not a report", o->request.path);
        err_hint(err, "choose another folder with -o, or remove this folder yourself");
    }
    return verdict == VERDICT_REPORT;
}

/* Whether this folder, which is not empty, may be replaced. */
static bool check_replaceable(const struct outdir *o, int fd, struct err *err) {
    const char *path = o->request.path, *home = getenv("HOME");
    struct stat here, other;
    if (!o->request.overwrite)
        return err_set(err, ERR_SYSTEM, "Directory %s already exists; pass --overwrite to replace it or use -o OUTDIR",
                       path);
    if (fstat(fd, &here) != 0)
        return err_errno(err, "cannot read folder %s", path);
    if (stat("/", &other) == 0 && dir_is_same(&here, &other))
        return err_set(err, ERR_SYSTEM, "cannot replace %s: it is the root of the file system", path);
    if (home && stat(home, &other) == 0 && dir_is_same(&here, &other))
        return err_set(err, ERR_SYSTEM, "cannot replace %s: it is the home folder", path);
    if (holds(&here, "."))
        return err_set(err, ERR_SYSTEM, "cannot replace %s: it contains the current folder", path);
    for (size_t i = 0; i < o->request.input_count; i++)
        if (holds(&here, o->request.inputs[i]))
            return err_set(err, ERR_SYSTEM, "cannot replace %s: it contains the log %s", path, o->request.inputs[i]);
    return check_content(o, fd, err);
}

/* ---- begin ------------------------------------------------------------------------------------------------------ */

void outdir_init(struct outdir *o) {
    *o = (struct outdir){.parent = -1, .fd = -1};
    for (int i = 0; i < OUTDIR_SPARES; i++)
        o->spares[i] = -1;
    pthread_mutex_init(&o->lock, NULL);
}

/* mkdir -p of the part before the last '/'. */
static bool make_parents(struct outdir *o, char *path, struct err *err) {
    const char *end = strrchr(path + 1, '/');
    if (end && !o->parents)
        o->parents = mem_printf("%.*s", (int)(end - path), path);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        struct stat st;
        *slash = '\0';
        if (mkdir(path, 0777) == 0) {
            o->made++;
        } else {
            int why = errno; /* the folder may exist, although mkdir() failed for another reason */
            if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
                o->parents[strlen(path)] = '\0'; /* begins with path */
                cut_last_part(o->parents);
                errno = why == EEXIST ? ENOTDIR : why;
                return err_errno(err, "cannot create folder %s", path);
            }
        }
        *slash = '/';
    }
    return true;
}

/* Opens the parent of the staging folder for a place that is already a folder. */
static bool open_around(struct outdir *o, int place, struct err *err) {
    struct stat there, here, above;
    char *real = realpath(o->request.path, NULL);
    o->parent = openat(place, "..", DIR_OPEN);
    if (!real || fstat(place, &there) != 0) {
        mem_free(real);
        return err_errno(err, "cannot read folder %s", o->request.path);
    }
    o->name = mem_strdup(strrchr(real, '/') + 1);
    mem_free(real);
    o->inside = o->parent < 0 || dir_is_mount_point(place) || faccessat(o->parent, ".", W_OK | X_OK, AT_EACCESS) != 0 ||
                (stat(".", &here) == 0 && dir_is_same(&here, &there)) ||
                (fstat(o->parent, &above) == 0 && dir_is_same(&above, &there));
    if (!o->inside)
        return true;
    if (o->parent >= 0)
        close(o->parent);
    o->parent = openat(place, ".", DIR_OPEN);
    return o->parent >= 0 || err_errno(err, "cannot open %s", o->request.path);
}

/* The same for a place that does not exist. */
static bool open_parent(struct outdir *o, char *path, struct err *err) {
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        path[--len] = '\0';
    if (!make_parents(o, path, err))
        return false;
    char *slash = strrchr(path, '/');
    o->name = mem_strdup(slash ? slash + 1 : path);
    if (slash)
        slash[slash == path] = '\0';
    o->parent = open(slash ? path : ".", DIR_OPEN);
    return o->parent >= 0 || err_errno(err, "cannot open %s", slash ? path : "the current folder");
}

/* Sets *empty if the folder contains only staging folders. */
static bool look_inside(const struct outdir *o, int fd, bool *empty, struct err *err) {
    struct names names = {0};
    bool ok = names_list(fd, &names) || err_errno(err, "cannot read folder %s", o->request.path);
    *empty = true;
    for (size_t i = 0; i < names.count && *empty; i++)
        *empty = staging_is_of(slice_str(names.items[i]), o->name);
    names_free(&names);
    return ok;
}

/* Whether this folder is empty or may be replaced. */
static bool check_room(const struct outdir *o, int fd, bool *empty, struct err *err) {
    return look_inside(o, fd, empty, err) && (*empty || check_replaceable(o, fd, err));
}

/* stat() of the place has just failed with errno. Sets *moved if there is a report again. */
static bool find_new_place(struct outdir *o, bool *moved, struct err *err) {
    const char *path = o->request.path;
    struct stat st;
    if (errno != ENOENT)
        return err_errno(err, "cannot write to %s", path);
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
        return err_set(err, ERR_SYSTEM, "cannot write to %s: it is a broken symbolic link", path);
    char *copy = mem_strdup(path);
    bool ok = open_parent(o, copy, err);
    mem_free(copy);
    *moved = ok && staging_recover_whole(o->parent, o->name);
    return ok;
}

/* Sets *moved if another run replaced the folder meanwhile: then the result does not count. */
static bool look_for_place(struct outdir *o, bool *moved, struct err *err) {
    const char *path = o->request.path;
    struct stat st, now;
    *moved = false;
    if (!path[0])
        return err_set(err, ERR_USAGE, "the name of the output folder is empty");
    if (stat(path, &st) != 0)
        return find_new_place(o, moved, err);
    if (!S_ISDIR(st.st_mode))
        return err_set(err, ERR_SYSTEM, "cannot write to %s: it is a file, not a folder", path);
    int place = open(path, DIR_OPEN);
    if (place < 0) {
        *moved = errno == ENOENT;
        return err_errno(err, "cannot read folder %s", path);
    }
    bool empty, ok = open_around(o, place, err);
    if (ok) {
        staging_recover_entries(place, o->parent, o->name);
        staging_remove_stale(place, o->name);
        ok = check_room(o, place, &empty, err);
    }
    *moved = fstat(place, &st) == 0 && (stat(path, &now) != 0 || !dir_is_same(&st, &now));
    close(place);
    return ok;
}

static void forget_place(struct outdir *o) {
    if (o->parent >= 0)
        close(o->parent);
    mem_free(o->name);
    o->name = NULL;
    o->parent = -1;
    o->inside = false;
}

static bool find_place(struct outdir *o, struct err *err) {
    for (int tries = 0; tries < TRIES; tries++) {
        struct err failed = {0};
        bool moved, ok = look_for_place(o, &moved, &failed);
        if (moved)
            forget_place(o);
        else if (!ok)
            *err = failed;
        if (!moved)
            return ok;
    }
    return err_set(err, ERR_SYSTEM, "cannot write to %s: other processes keep replacing it", o->request.path);
}

bool outdir_begin(struct outdir *o, const struct outdir_request *request, struct err *err) {
    lock(o);
    o->request = *request;
    bool ok = find_place(o, err);
    if (ok) {
        staging_remove_stale(o->parent, o->name);
        o->fd = take_spares(o) ? staging_make(o->parent, o->name, &o->staging, &o->mode) : -1;
        if (o->fd < 0)
            ok = err_errno(err, "cannot create a staging folder for %s", request->path);
    }
    unlock(o);
    return ok;
}

int outdir_fd(const struct outdir *o) {
    return o->fd;
}

/* ---- commit ----------------------------------------------------------------------------------------------------- */

/* Entries that were moved, but not yet checked to be nothing but a report. */
struct outdir_moved {
    int place, aside;        /* folders between which entries were moved; -1: the folders were exchanged instead */
    const struct names *old; /* their names */
    const char *name;        /* of the folder `aside` in `place` */
};

/* Moves the entries one by one. If one cannot be moved, moves the earlier ones back. */
static bool move_entries(int from, int to, const struct names *names) {
    size_t i = 0;
    while (i < names->count && renameat(from, names->items[i], to, names->items[i]) == 0)
        i++;
    if (i == names->count)
        return true;
    int error = errno;
    while (i--)
        renameat(to, names->items[i], from, names->items[i]);
    errno = error;
    return false;
}

/* The new report is in place: renames the old one to a stale staging folder, and removes it. */
static bool remove_aside(struct outdir *o, int place, const char *aside) {
    const char *stale = o->staging; /* `aside` without its last character */
    bool renamed = (!o->inside || dir_remove_simple(o->parent, stale)) && renameat(place, aside, place, stale) == 0;
    return dir_remove(place, renamed ? stale : aside);
}

/* Moves the entries of the folder `place` aside, if they are nothing but a report. */
static bool move_aside(struct outdir *o, struct outdir_moved moved, struct err *err) {
    if (!move_entries(moved.place, moved.aside, moved.old))
        return err_errno(err, "cannot move the report to %s", o->request.path);
    o->moved = &moved;
    bool ok = check_content(o, moved.aside, err); /* checked again: now nobody adds anything */
    o->moved = NULL;
    if (!ok)
        move_entries(moved.aside, moved.place, moved.old);
    return ok;
}

/* Moves the report into the folder `place`, which cannot be renamed. Its old content is moved aside first. */
static bool move_into(struct outdir *o, int place, struct err *err) {
    struct names all = {0}, old = {0}, fresh = {0};
    char *aside_name = NULL;
    int aside = -1;
    bool ok = names_list(place, &all) && names_list(o->fd, &fresh);
    for (size_t i = 0; i < all.count; i++) {
        if (staging_is_of(slice_str(all.items[i]), o->name) || staging_is_deleted(slice_str(all.items[i])))
            continue;
        LIST_ADD(&old, mem_strdup(all.items[i]));
    }
    if (ok && old.count) {
        aside = staging_make_aside(place, o->staging, &aside_name);
        ok = aside >= 0;
    }
    if (!ok)
        err_errno(err, "cannot move the report to %s", o->request.path);
    ok = ok && (aside < 0 || move_aside(o, (struct outdir_moved){place, aside, &old, aside_name}, err));
    if (ok && !move_entries(o->fd, place, &fresh)) {
        err_errno(err, "cannot move the report to %s", o->request.path);
        if (aside >= 0)
            move_entries(aside, place, &old);
        ok = false;
    }
    if (aside >= 0) {
        /* After a failure it is empty, or contains what could not be moved back, and is then kept. */
        o->leftover = ok ? !remove_aside(o, place, aside_name) : !dir_remove_simple(place, aside_name);
        close(aside);
    }
    mem_free(aside_name);
    names_free(&all);
    names_free(&old);
    names_free(&fresh);
    return ok;
}

/* Moves the old report back to its place. If another run has put its report there while the place was empty, that
 * report replaces the old one, too. Files that others added to the old report are kept. */
static void put_back(struct outdir *o) {
    AUTO_BUF foreign = {0};
    if (renameat(o->parent, o->aside, o->parent, o->name) == 0 || (errno != ENOTEMPTY && errno != EEXIST))
        return;
    int old = openat(o->parent, o->aside, DIR_OPEN | O_NOFOLLOW);
    if (old < 0 || verdict_on(old, o->name, &foreign) == VERDICT_FOREIGN || !dir_remove(o->parent, o->aside))
        o->leftover = true;
    if (old >= 0)
        close(old);
}

/* Exchanges the names of the old report and the staging folder. */
static bool exchange(struct outdir *o) {
    if (compat_rename_exchange(o->parent, o->staging, o->parent, o->name) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
        return false;
    bool ok = renameat(o->parent, o->name, o->parent, o->aside) == 0;
    if (ok && renameat(o->parent, o->staging, o->parent, o->name) != 0) {
        int error = errno;
        put_back(o);
        errno = error;
        ok = false;
    }
    if (ok && renameat(o->parent, o->aside, o->parent, o->staging) != 0) { /* nobody would remove it */
        int error = errno;
        renameat(o->parent, o->name, o->parent, o->staging);
        renameat(o->parent, o->aside, o->parent, o->name);
        errno = error;
        ok = false;
    }
    return ok;
}

/* If memory is exhausted, it stays unknown whether the old report may be removed. */
static void undo(struct outdir *o) {
    const struct outdir_moved *moved = o->moved;
    o->moved = NULL;
    if (moved && moved->aside >= 0) {
        move_entries(moved->aside, moved->place, moved->old);
        dir_remove_simple(moved->place, moved->name);
    } else if (moved) {
        exchange(o);
    }
}

/* The report gets the mode of the folder that it replaces, or else the mode of a new folder. */
static void open_to_others(const struct outdir *o, int old) {
    struct stat st;
    if (old >= 0 && fstat(old, &st) == 0)
        fd_take_mode(o->fd, &st);
    else
        fchmod(o->fd, o->mode);
}

/* The old report now has the name of the staging folder, so nobody adds anything to it. If somebody has since the
 * check, moves it back. If it cannot be read, another run is removing it. */
static bool check_exchanged(struct outdir *o, struct err *err) {
    AUTO_BUF foreign = {0};
    struct outdir_moved moved = {.place = -1, .aside = -1};
    o->moved = &moved;
    int old = openat(o->parent, o->staging, DIR_OPEN | O_NOFOLLOW);
    bool added = old >= 0 && verdict_on(old, o->name, &foreign) == VERDICT_FOREIGN && foreign.len;
    if (old >= 0)
        close(old);
    o->moved = NULL;
    if (added) {
        set_foreign(o, &foreign, err);
        exchange(o);
    }
    return !added;
}

/* Replaces the folder `old`, which was just at the place; -1: there was none. */
static bool replace_old(struct outdir *o, int old, struct err *err) {
    bool empty = true;
    if (old >= 0 &&
        /* checked again: the folder may have been created or changed since outdir_begin() */
        !check_room(o, old, &empty, err))
        return false;
    bool full = !empty;
    open_to_others(o, old);
    if (old >= 0) /* it will have the name of a staging folder, and a locked one belongs to a live process */
        flock(old, LOCK_EX | LOCK_NB);
    bool ok = full ? exchange(o) : renameat(o->parent, o->staging, o->parent, o->name) == 0;
    if (ok && !full) {
        mem_free(o->staging);
        o->staging = NULL;
    } else if (ok) {
        return check_exchanged(o, err);
    } else if (old >= 0 && (errno == EBUSY || errno == EXDEV || errno == EPERM || errno == EACCES)) {
        ok = move_into(o, old, err);
    } else {
        err_errno(err, "cannot move the report to %s", o->request.path);
    }
    return ok;
}

/* Whether the folder `old` is still at the place, or the place is still empty if `old` is -1. */
static bool is_unmoved(const struct outdir *o, int old) {
    struct stat was, now;
    bool there = fstatat(o->parent, o->name, &now, AT_SYMLINK_NOFOLLOW) == 0;
    return old < 0 ? !there : there && fstat(old, &was) == 0 && dir_is_same(&was, &now);
}

static bool replace(struct outdir *o, struct err *err) {
    for (int tries = 1;; tries++) {
        struct err failed = {0};
        int old = openat(o->parent, o->name, DIR_OPEN | O_NOFOLLOW);
        if (old < 0 && errno != ENOENT)
            return err_errno(err, "cannot move the report to %s", o->request.path);
        bool ok = replace_old(o, old, &failed);
        bool again = !ok && tries < TRIES && !is_unmoved(o, old);
        if (old >= 0)
            close(old);
        if (!ok && !again)
            *err = failed;
        if (!again)
            return ok;
    }
}

bool outdir_commit(struct outdir *o, struct err *err) {
    bool empty;
    lock(o);
    o->aside = staging_whole_aside(o->staging);
    drop_spares(o);
    bool ok = manifest_write(o->fd) || err_errno(err, "cannot list the files of the report for %s", o->request.path);
    if (ok && o->inside)
        ok = check_room(o, o->parent, &empty, err);
    if (ok)
        ok = o->inside ? move_into(o, o->parent, err) : replace(o, err);
    if (ok) {
        o->leftover |= !remove_staging(o); /* it now contains the old report, or is empty */
        o->made = 0;
    }
    unlock(o);
    return ok;
}

/* ---- end -------------------------------------------------------------------------------------------------------- */

/* Others may still write to the folder, so it may not stay empty after it was emptied. */
static void remove_busy(int parent, const char *staging) {
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    for (int tries = 0; tries < 200 && !dir_remove(parent, staging); tries++)
        nanosleep(&pause, NULL);
}

void outdir_discard(struct outdir *o) {
    pthread_mutex_lock(&o->lock);
    discard(o);
    pthread_mutex_unlock(&o->lock);
}

void outdir_finish(struct outdir *o) {
    outdir_discard(o);
    pthread_mutex_lock(&o->lock);
    if (o->fd >= 0)
        close(o->fd);
    if (o->parent >= 0)
        close(o->parent);
    mem_free(o->name);
    mem_free(o->parents);
    mem_free(o->aside);
    o->name = o->parents = o->aside = NULL;
    o->fd = o->parent = -1;
    pthread_mutex_unlock(&o->lock);
    pthread_mutex_destroy(&o->lock);
}

void outdir_interrupt(struct outdir *o, void (*removing)(void)) {
    pthread_mutex_lock(&o->lock);
    if (!o->staging)
        return;
    if (removing)
        removing();
    drop_spares(o);
    remove_busy(o->parent, o->staging);
    remove_parents(o);
}
