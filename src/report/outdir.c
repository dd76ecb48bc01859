#define _GNU_SOURCE /* renameat2, statx, O_DIRECTORY */
#include "report/outdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

enum { FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC, NAME_SHOWN = 200, RANDOM_CHARS = 6, HEAD_BYTES = 4096 };

/* ---- folders ---------------------------------------------------------------------------------------------------- */

struct names {
    char **items;
    size_t count, cap;
};

static void names_free(struct names *names) {
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    *names = (struct names){0};
}

/* index.html comes last, so that a page that can be opened has all that it needs. */
static int by_name(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    bool x_last = strcmp(x, "index.html") == 0, y_last = strcmp(y, "index.html") == 0;
    return x_last != y_last ? x_last - y_last : strcmp(x, y);
}

/* A second, independent stream: the offset of fd stays. */
static DIR *open_stream(int fd) {
    int again = openat(fd, ".", FOLDER);
    DIR *dir = again < 0 ? NULL : fdopendir(again);
    if (again >= 0 && !dir)
        close(again);
    return dir;
}

static const char *next_name(DIR *dir) {
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return entry->d_name;
    return NULL;
}

static bool names_list(int fd, struct names *names) {
    DIR *dir = open_stream(fd);
    if (!dir)
        return false;
    for (const char *name; (name = next_name(dir));) {
        MEM_GROW(names);
        names->items[names->count++] = mem_strdup(name);
    }
    closedir(dir);
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, by_name);
    return true;
}

static bool is_mount_point(int fd) {
#ifdef STATX_ATTR_MOUNT_ROOT
    struct statx st;
    return statx(fd, "", AT_EMPTY_PATH, STATX_TYPE, &st) == 0 && (st.stx_attributes & STATX_ATTR_MOUNT_ROOT);
#else
    struct stat st, up;
    return fstat(fd, &st) == 0 && fstatat(fd, "..", &up, 0) == 0 && st.st_dev != up.st_dev;
#endif
}

static bool is_same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_full(int error) {
    return error == ENOTEMPTY || error == EEXIST;
}

/* ---- removing: folders inside of folders are moved up to the top, so that it is never deeper than two ----------- */

/* Removes a file or an empty folder. False with errno ENOTEMPTY for a folder that is not empty. */
static bool remove_simple(int fd, const char *name) {
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

/* Takes everything out of the folder `name` of top; what is a full folder itself comes to stand in top. */
static bool flatten(int top, const char *name, unsigned *moved) {
    char to[32];
    bool ok = true;
    int fd = openat(top, name, FOLDER | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT;
    DIR *dir = is_mount_point(fd) ? NULL : open_stream(fd);
    for (const char *entry; dir && ok && (entry = next_name(dir));) {
        ok = remove_simple(fd, entry);
        if (ok || errno != ENOTEMPTY)
            continue;
        do
            snprintf(to, sizeof to, REST_NAME, (*moved)++);
        while (!(ok = renameat(fd, entry, top, to) == 0) && (is_full(errno) || errno == ENOTDIR));
    }
    if (dir)
        closedir(dir);
    close(fd);
    return dir && ok;
}

/* Removes an entry of top. False when it is still there, or something that came out of it. */
static bool remove_entry(int top, const char *name, unsigned *moved) {
    char rest[32];
    unsigned next = *moved;
    bool gone = remove_simple(top, name);
    if (gone || errno != ENOTEMPTY)
        return gone;
    gone = flatten(top, name, moved) && remove_simple(top, name);
    for (; next < *moved; next++) { /* moved grows: what came out of it may be full too */
        snprintf(rest, sizeof rest, REST_NAME, next);
        if (!remove_simple(top, rest))
            gone &= errno == ENOTEMPTY && flatten(top, rest, moved) && remove_simple(top, rest);
    }
    return gone;
}

/* Passes over the folder until one finds nothing: what readdir() shows of a folder that changes is not certain. */
static bool remove_contents(int top) {
    unsigned moved = 0;
    for (bool found = true, progress = true; found;) {
        DIR *dir = progress ? open_stream(top) : NULL;
        if (!dir)
            return false;
        found = progress = false;
        for (const char *name; (name = next_name(dir));) {
            found = true;
            progress |= remove_entry(top, name, &moved);
        }
        closedir(dir);
    }
    return true;
}

static bool remove_folder(int parent, const char *name) {
    int fd = openat(parent, name, FOLDER | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT;
    bool ok = remove_contents(fd);
    close(fd);
    return ok && remove_simple(parent, name);
}

/* ---- staging folders: .NAME.tlparse-XXXXXX ---------------------------------------------------------------------- */

static const struct slice staging_mark = {".tlparse-", 9};

static bool is_staging(struct slice name) {
    size_t tail = staging_mark.len + RANDOM_CHARS;
    return name.len > tail && name.ptr[0] == '.' && slice_starts(slice_from(name, name.len - tail), staging_mark);
}

/* A staging folder of the place with this name? */
static bool is_staging_of(struct slice entry, const char *name) {
    size_t shown = strnlen(name, NAME_SHOWN);
    return is_staging(entry) && entry.len == 1 + shown + staging_mark.len + RANDOM_CHARS &&
           memcmp(entry.ptr + 1, name, shown) == 0;
}

static char *staging_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char random[RANDOM_CHARS];
    char text[RANDOM_CHARS + 1] = "";
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        uint64_t mix = (uint64_t)now.tv_nsec * 2654435761u ^ (uint64_t)getpid();
        memcpy(random, &mix, sizeof random);
    }
    for (int i = 0; i < RANDOM_CHARS; i++)
        text[i] = letters[random[i] % 32];
    return mem_printf(".%.*s%s%s", NAME_SHOWN, name, staging_mark.ptr, text);
}

/* Makes and locks one; its fd, or -1 with errno. Another run may take it for a dead one's before that: then anew. */
static int make_staging(int parent, const char *name, char **staging) {
    for (int tries = 0; tries < 100; tries++) {
        struct stat made, there;
        char *fresh = staging_name(name);
        if (mkdirat(parent, fresh, 0777) == 0) {
            int fd = openat(parent, fresh, FOLDER | O_NOFOLLOW);
            bool ours = fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK);
            if (ours && fstat(fd, &made) == 0 && fstatat(parent, fresh, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
                is_same(&made, &there)) {
                *staging = fresh;
                return fd;
            }
            if (fd >= 0)
                close(fd);
            unlinkat(parent, fresh, AT_REMOVEDIR);
        } else if (errno != EEXIST) {
            free(fresh);
            return -1;
        }
        free(fresh);
    }
    return -1;
}

/* Removes the staging folders of this place whose makers are dead. */
static void remove_stale(int parent, const char *name) {
    struct names names = {0};
    struct stat st;
    names_list(parent, &names);
    for (size_t i = 0; i < names.count; i++) {
        if (!is_staging_of(slice_str(names.items[i]), name))
            continue;
        int fd = openat(parent, names.items[i], FOLDER | O_NOFOLLOW);
        if (fd < 0)
            continue;
        if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
            remove_folder(parent, names.items[i]);
        close(fd);
    }
    names_free(&names);
}

/* ---- is it a report? -------------------------------------------------------------------------------------------- */

/* What a report has at its top, and what tells it from other folders: a name, or a text near the start of the file. */
static const struct part {
    const char *name;
    bool folder;
    const char *mark; /* NULL: others have this too; "": the name is enough */
} parts[] = {
    {"assets", true, NULL},
    {"chromium_events.json", false, NULL},
    {"chromium_trace_with_runtime.json", false, NULL},
    {"collective_schedules.json", false, NULL},
    {"collectives_parity.json", false, NULL},
    {"compile_directory.json", false, ""},
    {"data", true, NULL},
    {"dump_file", true, NULL},
    {"execution_order_report.json", false, NULL},
    {"failures_and_restarts.html", false, ""},
    {"index.html", false, "<h1>Draft Export Report</h1>"}, /* mostly all that the reference writes for --export */
    {"payloads", true, NULL},
    {"raw.jsonl", false, "{\"string_table\""},
    {"raw.log", false, NULL},
    {"report.json", false, "tlparse-report"},
    {"runtime_estimations.json", false, NULL},
    {"tlparse_index.html", false, ""},
};

enum verdict { FOREIGN, PART, TELLING };

static bool is_number(struct slice s) {
    uint64_t ignored;
    return slice_to_u64(s, &ignored);
}

static bool is_numbered(struct slice name, struct slice stem) {
    return slice_starts(name, stem) && is_number(slice_from(name, stem.len));
}

/* The folder of a compile id: a_x_y_z with a '-' for what is missing. Without any '-' it may as well be a date. */
static enum verdict judge_compile_folder(struct slice name) {
    int count = 0;
    bool dash = false;
    for (;; count++) {
        const char *end = memchr(name.ptr, '_', name.len);
        struct slice one = slice_first(name, end ? (size_t)(end - name.ptr) : name.len);
        if (!slice_is(one, "-") && !is_number(one))
            return FOREIGN;
        dash |= slice_is(one, "-");
        if (!end)
            break;
        name = slice_from(name, one.len + 1);
    }
    return count != 3 ? FOREIGN : dash ? TELLING : PART;
}

static bool has_mark(int fd, const char *name, const char *mark) {
    char head[HEAD_BYTES];
    int file = openat(fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t len = file < 0 ? -1 : read(file, head, sizeof head);
    if (file >= 0)
        close(file);
    return len > 0 && slice_find(slice_make(head, (size_t)len), slice_str(mark)) != SIZE_MAX;
}

static enum verdict judge_file(int fd, struct slice name) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!parts[i].folder && slice_is(name, parts[i].name))
            return parts[i].mark && (!parts[i].mark[0] || has_mark(fd, name.ptr, parts[i].mark)) ? TELLING : PART;
    bool page = slice_ends(name, SLICE(".html")) && (slice_starts(name, SLICE("provenance_tracking_")) ||
                                                     slice_starts(name, SLICE("symbolic_guard_information_")));
    return page ? PART : FOREIGN;
}

static enum verdict judge_contents(int fd, bool ranks, char *foreign, size_t size);

/* rank_3, rank_none, and further logs of the same: rank_3-2. */
static bool is_rank_folder(struct slice name) {
    size_t dash = slice_rfind_byte(name, '-');
    if (dash != SIZE_MAX && is_numbered(slice_from(name, dash), SLICE("-")))
        name = slice_first(name, dash);
    return slice_is(name, "rank_none") || is_numbered(name, SLICE("rank_"));
}

static enum verdict judge_folder(int fd, struct slice name, bool ranks, char *foreign, size_t size) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].folder && slice_is(name, parts[i].name))
            return PART;
    if (is_numbered(name, SLICE("unknown_")) || is_staging(name))
        return PART;
    if (!ranks || !is_rank_folder(name))
        return judge_compile_folder(name);
    int rank = openat(fd, name.ptr, FOLDER | O_NOFOLLOW); /* a report of its own, or somebody's checkpoints */
    if (rank < 0)
        return FOREIGN;
    int len = snprintf(foreign, size, "%s/", name.ptr);
    enum verdict verdict = judge_contents(rank, false, foreign + len, size - (size_t)len);
    close(rank);
    return verdict;
}

/* The verdict on all entries. When it is FOREIGN the first foreign one's name is in `foreign`, empty if none can be
 * told; `size` is enough for two names. */
static enum verdict judge_contents(int fd, bool ranks, char *foreign, size_t size) {
    struct names names = {0};
    enum verdict all = names_list(fd, &names) ? PART : FOREIGN;
    foreign[0] = '\0';
    for (size_t i = 0; i < names.count && all != FOREIGN; i++) {
        const char *name = names.items[i];
        struct stat st;
        enum verdict one = FOREIGN;
        char inner[2 * NAME_MAX + 8] = "";
        if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            one = FOREIGN;
        else if (S_ISDIR(st.st_mode))
            one = judge_folder(fd, slice_str(name), ranks, inner, sizeof inner);
        else if (S_ISREG(st.st_mode))
            one = judge_file(fd, slice_str(name));
        if (one == FOREIGN)
            snprintf(foreign, size, "%s", inner[0] ? inner : name);
        if (one == FOREIGN || one > all)
            all = one;
    }
    names_free(&names);
    return all;
}

/* Does the folder hold the file or folder at `path`, at any depth? */
static bool holds(const struct stat *folder, const char *path) {
    struct stat st;
    bool found = false;
    char *real = realpath(path, NULL);
    for (char *slash; real && !found && (slash = strrchr(real, '/'));) {
        slash[slash == real] = '\0'; /* the parent; "/" of what lies there */
        found = stat(real, &st) == 0 && is_same(&st, folder);
        if (slash == real)
            break;
    }
    free(real);
    return found;
}

/* May this full folder go? */
static bool check_replaceable(const struct outdir *o, int fd, struct err *err) {
    const char *path = o->request.path, *home = getenv("HOME");
    struct stat here, other;
    char foreign[2 * NAME_MAX + 8];
    if (!o->request.overwrite)
        return err_set(err, ERR_SYSTEM, "Directory %s already exists; pass --overwrite to replace it or use -o OUTDIR",
                       path);
    if (fstat(fd, &here) != 0)
        return err_errno(err, "cannot look into %s", path);
    if (stat("/", &other) == 0 && is_same(&here, &other))
        return err_set(err, ERR_SYSTEM, "%s is the root of the file system; not removed", path);
    if (home && stat(home, &other) == 0 && is_same(&here, &other))
        return err_set(err, ERR_SYSTEM, "%s is the home folder; not removed", path);
    if (holds(&here, "."))
        return err_set(err, ERR_SYSTEM, "%s holds the current folder; not removed", path);
    for (size_t i = 0; i < o->request.input_count; i++)
        if (holds(&here, o->request.inputs[i]))
            return err_set(err, ERR_SYSTEM, "%s holds the log %s; not removed", path, o->request.inputs[i]);
    enum verdict verdict = judge_contents(fd, true, foreign, sizeof foreign);
    if (verdict == FOREIGN && foreign[0])
        return err_set(err, ERR_SYSTEM, "%s holds '%s', which is no part of a report; not removed", path, foreign);
    return verdict == TELLING || err_set(err, ERR_SYSTEM, "%s does not look like a report; not removed", path);
}

/* ---- begin ------------------------------------------------------------------------------------------------------ */

void outdir_init(struct outdir *o) {
    *o = (struct outdir){.parent = -1, .fd = -1};
    pthread_mutex_init(&o->lock, NULL);
}

/* mkdir -p of all before the last '/'. */
static bool make_parents(char *path, struct err *err) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        struct stat st;
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))) {
            if (errno == 0 || errno == EEXIST)
                errno = ENOTDIR;
            return err_errno(err, "cannot make the folder %s", path);
        }
        *slash = '/';
    }
    return true;
}

/* Opens the folder that is to get the staging folder, for a place that is a folder already. */
static bool open_around(struct outdir *o, int place, struct err *err) {
    struct stat there, here, above;
    char *real = realpath(o->request.path, NULL);
    o->parent = openat(place, "..", FOLDER);
    if (!real || fstat(place, &there) != 0) {
        free(real);
        return err_errno(err, "cannot look into %s", o->request.path);
    }
    o->name = mem_strdup(strrchr(real, '/') + 1);
    free(real);
    o->inside = o->parent < 0 || is_mount_point(place) || faccessat(o->parent, ".", W_OK | X_OK, AT_EACCESS) != 0 ||
                (stat(".", &here) == 0 && is_same(&here, &there)) ||
                (fstat(o->parent, &above) == 0 && is_same(&above, &there));
    if (!o->inside)
        return true;
    if (o->parent >= 0)
        close(o->parent);
    o->parent = openat(place, ".", FOLDER);
    return o->parent >= 0 || err_errno(err, "cannot open %s", o->request.path);
}

/* The same for a place that is not there. */
static bool open_parent(struct outdir *o, char *path, struct err *err) {
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        path[--len] = '\0';
    if (!make_parents(path, err))
        return false;
    char *slash = strrchr(path, '/');
    o->name = mem_strdup(slash ? slash + 1 : path);
    if (slash)
        slash[slash == path] = '\0';
    o->parent = open(slash ? path : ".", FOLDER);
    return o->parent >= 0 || err_errno(err, "cannot open %s", slash ? path : "the current folder");
}

static bool is_empty(int fd) {
    struct names names = {0};
    bool empty = names_list(fd, &names);
    for (size_t i = 0; i < names.count && empty; i++)
        empty = is_staging(slice_str(names.items[i]));
    names_free(&names);
    return empty;
}

static bool find_place(struct outdir *o, struct err *err) {
    const char *path = o->request.path;
    struct stat st;
    if (!path[0])
        return err_set(err, ERR_USAGE, "the output folder has no name");
    if (stat(path, &st) != 0) {
        if (errno != ENOENT)
            return err_errno(err, "cannot write to %s", path);
        if (lstat(path, &st) == 0)
            return err_set(err, ERR_SYSTEM, "%s is a link to something that is not there", path);
        char *copy = mem_strdup(path);
        bool ok = open_parent(o, copy, err);
        free(copy);
        return ok;
    }
    if (!S_ISDIR(st.st_mode))
        return err_set(err, ERR_SYSTEM, "%s is in the way: it is a file, not a folder", path);
    int place = open(path, FOLDER);
    if (place < 0)
        return err_errno(err, "cannot look into %s", path);
    bool ok = open_around(o, place, err);
    if (ok) {
        remove_stale(place, o->name);
        ok = is_empty(place) || check_replaceable(o, place, err);
    }
    close(place);
    return ok;
}

bool outdir_begin(struct outdir *o, const struct outdir_request *request, struct err *err) {
    pthread_mutex_lock(&o->lock);
    o->request = *request;
    bool ok = find_place(o, err);
    if (ok) {
        remove_stale(o->parent, o->name);
        o->fd = make_staging(o->parent, o->name, &o->staging);
        if (o->fd < 0)
            ok = err_errno(err, "cannot make a folder for %s", request->path);
    }
    pthread_mutex_unlock(&o->lock);
    return ok;
}

int outdir_fd(const struct outdir *o) {
    return o->fd;
}

/* ---- commit ----------------------------------------------------------------------------------------------------- */

/* Moves the entries one by one; when one cannot be moved those before it go back. */
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

/* Fills the folder `place`, whose own name cannot be given to another. What it holds goes aside first. */
static bool move_into(struct outdir *o, int place, struct err *err) {
    struct names all = {0}, old = {0}, fresh = {0};
    char *aside_name = NULL;
    int aside = -1;
    bool ok = names_list(place, &all) && names_list(o->fd, &fresh);
    for (size_t i = 0; i < all.count; i++) {
        if (is_staging(slice_str(all.items[i])))
            continue;
        MEM_GROW(&old);
        old.items[old.count++] = mem_strdup(all.items[i]);
    }
    if (ok && old.count) {
        aside = make_staging(place, o->name, &aside_name);
        ok = aside >= 0 && move_entries(place, aside, &old);
    }
    if (ok && !move_entries(o->fd, place, &fresh)) {
        int error = errno;
        if (aside >= 0)
            move_entries(aside, place, &old);
        errno = error;
        ok = false;
    }
    if (!ok)
        err_errno(err, "cannot put the report into %s", o->request.path);
    if (aside >= 0) {
        /* After a failure it is empty, or holds what could not be moved back: then it stays. */
        o->leftover = ok ? !remove_folder(place, aside_name) : !remove_simple(place, aside_name);
        close(aside);
    }
    free(aside_name);
    names_free(&all);
    names_free(&old);
    names_free(&fresh);
    return ok;
}

/* Changes place with the old report, which then has the staging folder's name. */
static bool exchange(struct outdir *o) {
    if (renameat2(o->parent, o->staging, o->parent, o->name, RENAME_EXCHANGE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
        return false;
    char *aside = mem_printf("%s~", o->staging); /* no name that another run takes for a dead staging folder */
    bool ok = renameat(o->parent, o->name, o->parent, aside) == 0;
    if (ok && renameat(o->parent, o->staging, o->parent, o->name) != 0) {
        int error = errno;
        renameat(o->parent, aside, o->parent, o->name);
        errno = error;
        ok = false;
    }
    if (ok)
        renameat(o->parent, aside, o->parent, o->staging);
    free(aside);
    return ok;
}

/* The report gets the mode, and where the system lets us the owner, of the folder that it replaces. */
static void take_mode(int fd, int old) {
    struct stat st;
    if (fstat(old, &st) != 0)
        return;
    if (fchown(fd, st.st_uid, st.st_gid) != 0)
        (void)errno; /* only root may give things away */
    fchmod(fd, st.st_mode & 07777);
}

static bool replace(struct outdir *o, struct err *err) {
    int old = openat(o->parent, o->name, FOLDER | O_NOFOLLOW);
    if (old < 0 && errno != ENOENT)
        return err_errno(err, "cannot put the report into %s", o->request.path);
    bool full = old >= 0 && !is_empty(old);
    bool ok = !full || check_replaceable(o, old, err); /* again: it may have come, or changed, since the begin */
    if (ok) {
        if (old >= 0)
            take_mode(o->fd, old);
        ok = full ? exchange(o) : renameat(o->parent, o->staging, o->parent, o->name) == 0;
        if (ok && !full) {
            free(o->staging);
            o->staging = NULL;
        } else if (!ok && old >= 0 && (errno == EBUSY || errno == EXDEV || errno == EPERM || errno == EACCES)) {
            ok = move_into(o, old, err);
        } else if (!ok) {
            err_errno(err, "cannot put the report into %s", o->request.path);
        }
    }
    if (old >= 0)
        close(old);
    return ok;
}

bool outdir_commit(struct outdir *o, struct err *err) {
    pthread_mutex_lock(&o->lock);
    bool ok = true;
    if (o->inside && !is_empty(o->parent))
        ok = check_replaceable(o, o->parent, err);
    if (ok)
        ok = o->inside ? move_into(o, o->parent, err) : replace(o, err);
    if (ok && o->staging) { /* by now the old report, or an empty folder */
        o->leftover |= !remove_folder(o->parent, o->staging);
        free(o->staging);
        o->staging = NULL;
    }
    pthread_mutex_unlock(&o->lock);
    return ok;
}

/* ---- end -------------------------------------------------------------------------------------------------------- */

/* Others may still write into the folder, so what was empty may be full again. */
static void remove_busy(int parent, const char *staging) {
    const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    for (int tries = 0; tries < 200 && !remove_folder(parent, staging); tries++)
        nanosleep(&pause, NULL);
}

void outdir_finish(struct outdir *o) {
    pthread_mutex_lock(&o->lock);
    if (o->staging)
        remove_folder(o->parent, o->staging);
    if (o->fd >= 0)
        close(o->fd);
    if (o->parent >= 0)
        close(o->parent);
    free(o->staging);
    free(o->name);
    o->staging = o->name = NULL;
    o->fd = o->parent = -1;
    pthread_mutex_unlock(&o->lock);
    pthread_mutex_destroy(&o->lock);
}

void outdir_interrupt(struct outdir *o) {
    pthread_mutex_lock(&o->lock);
    if (o->staging)
        remove_busy(o->parent, o->staging);
}
