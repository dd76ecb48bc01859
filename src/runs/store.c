#include "runs/store.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"

#define NEW ".new-"
#define GONE ".gone-"

enum { TRIES = 100, NAME_BYTES = 64, ABANDONED_S = 3600, DEPTH_MAX = 64 };

/* ---- The folder */

/* The user's folder for state, which the caller frees; NULL if there is none. */
static char *state_folder(void) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && state[0] == '/') /* the specification says to ignore relative paths */
        return mem_strdup(state);
    if (!home || home[0] != '/') {
        const struct passwd *user = getpwuid(getuid());
        home = user && user->pw_dir && user->pw_dir[0] == '/' ? user->pw_dir : NULL;
    }
    return home ? mem_printf("%s/.local/state", home) : NULL;
}

bool store_open(struct store *store, bool create, struct err *err) {
    char *state = state_folder();
    *store = (struct store){.fd = -1};
    if (!state)
        return err_set(err, ERR_SYSTEM, "cannot find a folder for runs: neither XDG_STATE_HOME nor HOME is set") ||
               err_hint(err, "set XDG_STATE_HOME to a folder that can be written");
    store->path = mem_printf("%s/tlparse/runs", state);
    mem_free(state);
    bool ok = !create || dir_make(store->path, 0700);
    if (ok)
        store->fd = open(store->path, DIR_OPEN);
    if (store->fd >= 0 || (!create && errno == ENOENT))
        return true;
    err_errno(err, "cannot %s the folder for runs %s", create ? "create" : "open", store->path);
    err_hint(err, "set XDG_STATE_HOME to a folder that can be written");
    store_close(store);
    return false;
}

void store_close(struct store *store) {
    if (store->fd >= 0)
        close(store->fd);
    mem_free(store->path);
    *store = (struct store){.fd = -1};
}

/* ---- Runs */

bool store_is_id(struct slice name) {
    for (size_t i = 0; i < name.len; i++)
        if (!((name.ptr[i] >= '0' && name.ptr[i] <= '9') || (name.ptr[i] >= 'a' && name.ptr[i] <= 'f')))
            return false;
    return name.len == RUN_ID_LEN;
}

bool store_list(const struct store *store, struct names *ids, struct err *err) {
    struct names all = {0};
    if (store->fd < 0)
        return true;
    if (!names_list(store->fd, &all)) {
        names_free(&all);
        return err_errno(err, "cannot list %s", store->path);
    }
    for (size_t i = 0; i < all.count; i++)
        if (store_is_id(slice_str(all.items[i]))) {
            LIST_ADD(ids, all.items[i]);
            all.items[i] = NULL;
        }
    names_free(&all);
    return true;
}

int store_create_run(const struct store *store, char *id, struct err *err) {
    char hidden[NAME_BYTES];
    int made = -1;
    errno = 0;
    for (int i = 0; i < TRIES && made != 0; i++) {
        uint32_t number;
        if (!compat_random(&number, sizeof number))
            break;
        snprintf(id, RUN_ID_LEN + 1, "%08x", number);
        snprintf(hidden, sizeof hidden, NEW "%s", id);
        if (faccessat(store->fd, id, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            continue;
        made = mkdirat(store->fd, hidden, 0700);
        if (made != 0 && errno != EEXIST)
            break;
    }
    int fd = made == 0 ? openat(store->fd, hidden, DIR_OPEN | O_NOFOLLOW) : -1;
    if (fd < 0)
        err_errno(err, "cannot create a run in %s", store->path);
    return fd;
}

bool store_publish_run(const struct store *store, const char *id) {
    char hidden[NAME_BYTES];
    snprintf(hidden, sizeof hidden, NEW "%s", id);
    return renameat(store->fd, hidden, store->fd, id) == 0;
}

int store_open_run(const struct store *store, const char *id) {
    if (store->fd < 0 || !store_is_id(slice_str(id))) {
        errno = ENOENT;
        return -1;
    }
    return openat(store->fd, id, DIR_OPEN | O_NOFOLLOW);
}

bool store_remove_run(const struct store *store, const char *id) {
    char gone[NAME_BYTES], hidden[NAME_BYTES];
    if (!store_is_id(slice_str(id)))
        return true;
    snprintf(gone, sizeof gone, GONE "%s", id);
    snprintf(hidden, sizeof hidden, NEW "%s", id);
    dir_remove(store->fd, hidden);
    if (renameat(store->fd, id, store->fd, gone) != 0)
        return errno == ENOENT;
    dir_remove(store->fd, gone); /* the rest is hidden, and the next sweep removes it */
    return true;
}

/* Whether the folder was left by a program that was killed while it created it. */
static bool is_abandoned(const struct store *store, const char *name) {
    struct stat st;
    return slice_starts(slice_str(name), SLICE(NEW)) && fstatat(store->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           st.st_mtime < time(NULL) - ABANDONED_S;
}

void store_sweep(const struct store *store) {
    struct names all = {0};
    if (store->fd < 0)
        return;
    names_list(store->fd, &all);
    for (size_t i = 0; i < all.count; i++)
        if (slice_starts(slice_str(all.items[i]), SLICE(GONE)) || is_abandoned(store, all.items[i]))
            dir_remove(store->fd, all.items[i]);
    names_free(&all);
}

/* Size of the files in the folder `name` of parent and below, on the same file system. */
static uint64_t tree_bytes(int parent, const char *name, dev_t device, unsigned depth) {
    struct names all = {0};
    struct stat st;
    uint64_t bytes = 0;
    int fd = openat(parent, name, DIR_OPEN | O_NOFOLLOW);
    if (fd >= 0)
        names_list(fd, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (fstatat(fd, all.items[i], &st, AT_SYMLINK_NOFOLLOW) != 0 || st.st_dev != device)
            continue;
        if (S_ISREG(st.st_mode))
            bytes += (uint64_t)st.st_size;
        else if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
            bytes += tree_bytes(fd, all.items[i], device, depth + 1);
    }
    names_free(&all);
    if (fd >= 0)
        close(fd);
    return bytes;
}

uint64_t store_run_bytes(const struct store *store, const char *id) {
    struct stat st;
    bool there = store->fd >= 0 && fstatat(store->fd, id, &st, AT_SYMLINK_NOFOLLOW) == 0;
    return there ? tree_bytes(store->fd, id, st.st_dev, 0) : 0;
}

/* ---- Who lives */

static int open_alive(int run, size_t n, int flags) {
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "alive.%zu", n);
    return openat(run, name, flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int store_hold(int run, size_t n) {
    int fd = open_alive(run, n, O_CREAT), failed;
    if (fd < 0)
        return -1;
    do /* processes that check the lock hold it for a moment */
        failed = flock(fd, LOCK_EX);
    while (failed && errno == EINTR);
    if (!failed)
        return fd;
    failed = errno;
    close(fd);
    errno = failed;
    return -1;
}

bool store_is_held(int run, size_t n) {
    int fd = open_alive(run, n, 0);
    if (fd < 0)
        return false;
    bool held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(fd);
    return held;
}
