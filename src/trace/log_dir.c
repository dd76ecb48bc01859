#include "trace/log_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/compat.h"
#include "base/fd.h"

void choice_paths_free(struct choice_paths *paths) {
    for (size_t i = 0; i < paths->count; i++)
        mem_free(paths->items[i]);
    mem_free(paths->items);
    *paths = (struct choice_paths){0};
}

struct place {
    char *path;
    unsigned depth;
    dev_t device;
    ino_t inode;
};

/* Folders in search order. */
struct places {
    struct place *items;
    size_t count, cap;
};

struct slice choose_log_name(struct slice name) {
    if (!slice_cut_end(&name, SLICE(".gz")))
        slice_cut_end(&name, SLICE(".zst"));
    size_t digits = name.len;
    while (digits > 0 && name.ptr[digits - 1] >= '0' && name.ptr[digits - 1] <= '9')
        digits--;
    struct slice bare = slice_first(name, digits);
    bool rotated = digits < name.len && slice_cut_end(&bare, SLICE(".")) && slice_ends(bare, SLICE(".log"));
    return rotated ? bare : name;
}

enum choose_kind choose_kind_of(struct slice name, uint64_t *rank) {
    struct slice dedicated = SLICE("dedicated_log_torch_trace"), mark = SLICE("_rank_");
    name = choose_log_name(name);
    if (slice_cut_end(&name, SLICE(".txt")))
        return CHOOSE_LOG;
    if (!slice_cut_end(&name, SLICE(".log")))
        return CHOOSE_OTHER;
    if (!slice_cut_start(&name, dedicated))
        return CHOOSE_LOG;
    if (!slice_cut_start(&name, mark))
        return CHOOSE_DEDICATED;
    size_t digits = 0;
    while (digits < name.len && name.ptr[digits] >= '0' && name.ptr[digits] <= '9')
        digits++;
    if (digits < name.len && name.ptr[digits] != '_')
        return CHOOSE_DEDICATED;
    return slice_to_u64(slice_first(name, digits), rank) ? CHOOSE_RANK : CHOOSE_DEDICATED;
}

static char *join(const char *folder, const char *name) {
    size_t len = strlen(folder);
    return mem_printf(len && folder[len - 1] == '/' ? "%s%s" : "%s/%s", folder, name);
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct log_candidate *)a)->path, ((const struct log_candidate *)b)->path);
}

static int by_place(const void *a, const void *b) {
    return strcmp(((const struct place *)a)->path, ((const struct place *)b)->path);
}

/* Adds a folder unless it is known already or a limit is reached. Takes ownership of the path. */
static void add_place(struct log_dir *all, struct places *places, char *path, unsigned depth, const struct stat *st) {
    bool known = false;
    for (size_t i = 0; i < places->count && !known; i++)
        known = places->items[i].device == st->st_dev && places->items[i].inode == st->st_ino;
    bool room = places->count < LOG_DIR_DIRS && depth <= LOG_DIR_DEPTH;
    all->cut |= !known && !room;
    if (known || !room) {
        mem_free(path);
        return;
    }
    LIST_ADD(places, (struct place){.path = path, .depth = depth, .device = st->st_dev, .inode = st->st_ino});
}

static void add_file(struct log_dir *all, char *path, const char *name, const struct stat *st, uint32_t folder) {
    uint64_t rank = 0;
    enum choose_kind kind = choose_kind_of(slice_str(name), &rank);
    if (kind == CHOOSE_OTHER && folder > 0) {
        mem_free(path);
        return;
    }
    LIST_ADD(all, (struct log_candidate){.path = path,
                                         .kind = kind,
                                         .rank = rank,
                                         .written = compat_mtime(st),
                                         .folder = folder});
}

static bool is_report(int fd) {
    return faccessat(fd, "compile_directory.json", F_OK, 0) == 0 ||
           (faccessat(fd, "report.json", F_OK, 0) == 0 && faccessat(fd, "index.html", F_OK, 0) == 0);
}

/* The reason is errno. */
static void add_unread(struct log_dir *all, const char *folder) {
    LIST_ADD(&all->unread, mem_printf("%s: %s", folder, strerror(errno)));
}

/* Lists one folder: adds its files, and its subfolders to the search. */
static bool list_one(struct log_dir *all, struct places *places, size_t which, bool below) {
    const struct place place = places->items[which]; /* the list may move */
    if (which > 0 && all->count >= LOG_DIR_FILES) {
        all->cut = true;
        return true;
    }
    DIR *dir = opendir(place.path);
    if (!dir)
        return false;
    if (which > 0 && is_report(dirfd(dir))) {
        closedir(dir);
        return true;
    }
    size_t files = all->count;
    struct places found = {0};
    errno = 0;
    for (const struct dirent *entry; (entry = readdir(dir)); errno = 0) {
        struct stat st;
        if (entry->d_name[0] == '.')
            continue;
        char *path = join(place.path, entry->d_name);
        if (fstatat(dirfd(dir), entry->d_name, &st, 0) != 0) {
            if (errno != ENOENT && errno != ELOOP) /* links to nothing */
                add_unread(all, path);
            mem_free(path);
        } else if (S_ISREG(st.st_mode)) {
            add_file(all, path, entry->d_name, &st, (uint32_t)which);
        } else if (S_ISDIR(st.st_mode) && below) {
            LIST_ADD(&found, (struct place){.path = path, .device = st.st_dev, .inode = st.st_ino});
        } else {
            mem_free(path);
        }
    }
    if (errno)
        add_unread(all, place.path);
    closedir(dir);
    if (all->count > files)
        qsort(all->items + files, all->count - files, sizeof *all->items, by_path);
    if (found.count)
        qsort(found.items, found.count, sizeof *found.items, by_place);
    for (size_t i = 0; i < found.count; i++) {
        const struct stat st = {.st_dev = found.items[i].device, .st_ino = found.items[i].inode};
        add_place(all, places, found.items[i].path, place.depth + 1, &st);
    }
    mem_free(found.items);
    return true;
}

/* Whether the folder has a log of its own in addition to the copy in a report. */
static bool has_own_log(DIR *dir) {
    for (const struct dirent *entry; (entry = readdir(dir));) {
        struct slice name = choose_log_name(slice_str(entry->d_name));
        if (entry->d_name[0] != '.' && slice_ends(name, SLICE(".log")) && !slice_is(name, "raw.log"))
            return true;
    }
    return false;
}

/* Adds the copy of a log in a report, or in the folder of a rank in it. */
static void add_copy(struct log_dir *all, const char *folder, const char *name, enum choose_kind kind, uint64_t rank) {
    char *inner = name ? join(folder, name) : mem_strdup(folder), *path = join(inner, "raw.log");
    struct stat st;
    mem_free(inner);
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
        mem_free(path);
        return;
    }
    LIST_ADD(all, (struct log_candidate){.path = path, .kind = kind, .rank = rank, .written = compat_mtime(&st)});
}

/* Whether report.json, which begins with the report's kind, belongs to a report of several runs. */
static bool is_of_runs(int fd) {
    char head[200];
    int file = openat(fd, "report.json", O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? 0 : fd_read_at(file, head, sizeof head, 0);
    if (file >= 0)
        close(file);
    return got > 0 && slice_find(slice_make(head, (size_t)got), SLICE("\"kind\":\"runs\"")) != SIZE_MAX;
}

/* If the folder is a report without logs beside it, adds the report's copies of its logs: raw.log, or one for each
 * rank, but none for a report of several runs. Returns false if it is not such a folder. */
static bool list_report(struct log_dir *all, const char *folder) {
    struct slice prefix = SLICE("rank_");
    DIR *dir = opendir(folder);
    if (!dir)
        return false;
    bool report = is_report(dirfd(dir)) && !has_own_log(dir);
    size_t before = all->count;
    rewinddir(dir);
    bool single = report && !is_of_runs(dirfd(dir));
    if (single)
        add_copy(all, folder, NULL, CHOOSE_LOG, 0);
    for (const struct dirent *entry; single && all->count - before < LOG_DIR_FILES && (entry = readdir(dir));) {
        struct slice name = slice_str(entry->d_name);
        uint64_t rank = 0;
        if (!slice_cut_start(&name, prefix))
            continue;
        if (slice_to_u64(name, &rank) || slice_is(name, "none"))
            add_copy(all, folder, entry->d_name, slice_is(name, "none") ? CHOOSE_LOG : CHOOSE_RANK, rank);
    }
    closedir(dir);
    return report;
}

bool log_dir_list(struct log_dir *all, const char *folder, bool below, struct err *err) {
    struct places places = {0};
    struct stat st = {0};
    bool good = stat(folder, &st) == 0, report = good && list_report(all, folder);
    add_place(all, &places, mem_strdup(folder), 0, &st);
    good = good && (report || list_one(all, &places, 0, below));
    if (!good) {
        err_errno(err, "cannot read folder %s", folder);
        err->code = ERR_INPUT;
    }
    if (report && !all->count)
        good = err_set(err, ERR_INPUT, "%s is a report of several runs, or has no copy of its log", folder);
    for (size_t i = 1; good && i < places.count; i++)
        if (!list_one(all, &places, i, below))
            add_unread(all, places.items[i].path);
    for (size_t i = 0; i < places.count; i++)
        mem_free(places.items[i].path);
    mem_free(places.items);
    if (all->count)
        qsort(all->items, all->count, sizeof *all->items, by_path);
    return good;
}

void log_dir_finish(struct log_dir *all) {
    for (size_t i = 0; i < all->count; i++)
        mem_free(all->items[i].path);
    mem_free(all->items);
    choice_paths_free(&all->unread);
    *all = (struct log_dir){0};
}
