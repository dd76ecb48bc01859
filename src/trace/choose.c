#define _GNU_SOURCE /* struct stat's st_mtim, localtime_r */
#include "trace/choose.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "trace/glog.h"
#include "trace/source.h"

enum { HEAD_BYTES = 64 * 1024, EARLY_MAX = 1024 };

struct candidate {
    char *name;
    enum choose_kind kind;
    uint64_t rank;
    struct timespec written;
    bool taken;
};

struct candidates {
    struct candidate *items;
    size_t count, cap;
};

/* Takes a suffix off the name. */
static bool cut_suffix(struct slice *name, struct slice suffix) {
    if (!slice_ends(*name, suffix))
        return false;
    name->len -= suffix.len;
    return true;
}

enum choose_kind choose_kind_of(struct slice name, uint64_t *rank) {
    struct slice dedicated = SLICE("dedicated_log_torch_trace"), mark = SLICE("_rank_");
    if (!cut_suffix(&name, SLICE(".gz")))
        cut_suffix(&name, SLICE(".zst"));
    if (cut_suffix(&name, SLICE(".txt")))
        return CHOOSE_LOG;
    if (!cut_suffix(&name, SLICE(".log")))
        return CHOOSE_OTHER;
    if (!slice_starts(name, dedicated))
        return CHOOSE_LOG;
    name = slice_from(name, dedicated.len);
    if (!slice_starts(name, mark))
        return CHOOSE_DEDICATED;
    name = slice_from(name, mark.len);
    size_t digits = 0;
    while (digits < name.len && name.ptr[digits] >= '0' && name.ptr[digits] <= '9')
        digits++;
    if (digits < name.len && name.ptr[digits] != '_')
        return CHOOSE_DEDICATED;
    return slice_to_u64(slice_first(name, digits), rank) ? CHOOSE_RANK : CHOOSE_DEDICATED;
}

static int time_cmp(struct timespec a, struct timespec b) {
    if (a.tv_sec != b.tv_sec)
        return a.tv_sec < b.tv_sec ? -1 : 1;
    return a.tv_nsec < b.tv_nsec ? -1 : a.tv_nsec > b.tv_nsec;
}

static bool is_newer(const struct candidate *a, const struct candidate *b) {
    int order = time_cmp(a->written, b->written);
    return order > 0 || (order == 0 && strcmp(a->name, b->name) > 0);
}

static void candidates_free(struct candidates *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].name);
    free(all->items);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct candidate *)a)->name, ((const struct candidate *)b)->name);
}

/* Every file of the folder that is not hidden, by name. */
static bool list_folder(const char *folder, struct candidates *all, struct err *err) {
    DIR *dir = opendir(folder);
    if (!dir) {
        err_errno(err, "cannot look into %s", folder);
        err->code = ERR_INPUT;
        return false;
    }
    for (const struct dirent *entry; (entry = readdir(dir));) {
        struct stat st;
        if (entry->d_name[0] == '.' || fstatat(dirfd(dir), entry->d_name, &st, 0) != 0 || !S_ISREG(st.st_mode))
            continue;
        MEM_GROW(all);
        struct candidate *c = &all->items[all->count++];
        *c = (struct candidate){.name = mem_strdup(entry->d_name), .written = st.st_mtim};
        c->kind = choose_kind_of(slice_str(c->name), &c->rank);
    }
    closedir(dir);
    if (all->count)
        qsort(all->items, all->count, sizeof *all->items, by_name);
    return true;
}

/* The newest of those whose kind is at least `least`, or NULL. */
static struct candidate *newest(struct candidates *all, enum choose_kind least) {
    struct candidate *best = NULL;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kind >= least && (!best || is_newer(&all->items[i], best)))
            best = &all->items[i];
    return best;
}

static int two_digits(const char *p) {
    return (p[0] - '0') * 10 + p[1] - '0';
}

/* A record's time has no year and no zone: it is the last such time of this machine's clock that is not behind `last`,
 * give or take a day. -1 when there is none. */
static time_t time_of(const struct glog *glog, time_t last) {
    struct tm tm;
    if (!localtime_r(&last, &tm))
        return -1;
    int year = tm.tm_year;
    for (int back = 0; back < 2; back++) {
        tm = (struct tm){.tm_year = year - back,
                         .tm_mon = two_digits(glog->date.ptr) - 1,
                         .tm_mday = two_digits(glog->date.ptr + 2),
                         .tm_hour = two_digits(glog->time.ptr),
                         .tm_min = two_digits(glog->time.ptr + 3),
                         .tm_sec = two_digits(glog->time.ptr + 6),
                         .tm_isdst = -1};
        time_t at = mktime(&tm);
        if (at != -1 && at <= last + 24 * 3600)
            return at;
    }
    return -1;
}

/* What the first record of a log says. */
struct head {
    bool known;
    time_t at; /* -1: no time that could be */
    uint64_t process;
};

static struct head read_head(const char *path, time_t last_write) {
    struct head head = {.at = -1};
    struct source source;
    struct err ignored;
    if (!source_open(&source, path, &ignored))
        return head;
    char *text = mem_alloc(HEAD_BYTES);
    ssize_t len = source_read(&source, text, HEAD_BYTES, &ignored);
    struct slice rest = slice_make(text, len > 0 ? (size_t)len : 0), line;
    struct glog glog;
    while (!head.known && slice_next_line(&rest, &line)) {
        if (!glog_parse(line, &glog))
            continue;
        time_t at = time_of(&glog, last_write);
        head = (struct head){true, at <= last_write ? at : -1, glog.thread};
    }
    free(text);
    source_close(&source);
    return head;
}

static char *join(const char *folder, const char *name) {
    size_t len = strlen(folder);
    return mem_printf(len && folder[len - 1] == '/' ? "%s%s" : "%s/%s", folder, name);
}

static struct head head_of(const char *folder, const struct candidate *c) {
    char *path = join(folder, c->name);
    struct head head = read_head(path, c->written.tv_sec);
    free(path);
    return head;
}

/* Logs without a rank that a process of the run wrote before it had one. */
static void take_early(const char *folder, struct candidates *all) {
    uint64_t processes[EARLY_MAX];
    size_t known = 0, looked = 0;
    for (size_t i = 0; i < all->count && known < EARLY_MAX; i++)
        if (all->items[i].taken && all->items[i].kind == CHOOSE_RANK) {
            struct head head = head_of(folder, &all->items[i]);
            if (head.known)
                processes[known++] = head.process;
        }
    for (size_t i = 0; i < all->count && looked < EARLY_MAX; i++) {
        struct candidate *c = &all->items[i];
        if (c->taken || c->kind != CHOOSE_DEDICATED)
            continue;
        struct head head = head_of(folder, c);
        looked++;
        for (size_t p = 0; p < known && head.known && !c->taken; p++)
            c->taken = processes[p] == head.process;
    }
}

/* The logs of the run of the newest one: see choose.h. */
static void take_run(const char *folder, struct candidates *all, struct candidate *best) {
    struct head head = head_of(folder, best);
    time_t begin = head.at != -1 ? head.at - CHOOSE_SLACK_S : best->written.tv_sec - CHOOSE_WINDOW_S;
    bool ranks = false;
    for (size_t i = 0; i < all->count; i++)
        ranks |= all->items[i].kind == CHOOSE_RANK && all->items[i].written.tv_sec >= begin;
    if (!ranks)
        return;
    for (size_t i = 0; i < all->count; i++)
        all->items[i].taken |= all->items[i].kind >= CHOOSE_DEDICATED && all->items[i].written.tv_sec >= begin;
    take_early(folder, all);
}

static void add_log(struct choice *choice, char *path, bool has_rank, uint64_t rank) {
    MEM_GROW(choice);
    choice->items[choice->count++] = (struct choice_log){.path = path, .has_rank = has_rank, .rank = rank};
}

static bool take_from_folder(const char *folder, bool latest, struct choice *choice, struct err *err) {
    struct candidates all = {0};
    if (!list_folder(folder, &all, err))
        return false;
    enum choose_kind least = latest ? CHOOSE_LOG : CHOOSE_DEDICATED;
    struct candidate *best = newest(&all, least);
    if (!best)
        best = newest(&all, least = CHOOSE_LOG);
    if (!best && latest)
        best = newest(&all, least = CHOOSE_OTHER);
    if (!best) {
        candidates_free(&all);
        return err_set(
            err, ERR_INPUT,
            "no log in %s (looked for dedicated_log_torch_trace_*.log, *.log and *.txt, also with .gz or .zst)",
            folder);
    }
    best->taken = true;
    if (best->kind >= CHOOSE_DEDICATED && !latest)
        take_run(folder, &all, best);
    for (size_t i = 0; i < all.count; i++) {
        const struct candidate *c = &all.items[i];
        if (c->taken) {
            add_log(choice, join(folder, c->name), c->kind == CHOOSE_RANK, c->rank);
        } else if (c->kind >= (least < CHOOSE_LOG ? least : CHOOSE_LOG)) {
            MEM_GROW(&choice->left);
            choice->left.items[choice->left.count++] = join(folder, c->name);
        }
    }
    if (!choice->folder)
        choice->folder = mem_strdup(folder);
    candidates_free(&all);
    return true;
}

static bool take_path(const char *path, bool latest, struct choice *choice, struct err *err) {
    struct stat st;
    bool standard_input = strcmp(path, "-") == 0;
    if (!standard_input && stat(path, &st) != 0) {
        err_errno(err, "cannot open %s", path);
        err->code = ERR_INPUT;
        return false;
    }
    if (!standard_input && S_ISDIR(st.st_mode))
        return take_from_folder(path, latest, choice, err);
    if (latest)
        return err_set(err, ERR_USAGE, "--latest takes a folder, and %s is none", path);
    uint64_t rank = 0;
    const char *slash = strrchr(path, '/');
    bool has_rank = choose_kind_of(slice_str(slash ? slash + 1 : path), &rank) == CHOOSE_RANK;
    add_log(choice, mem_strdup(path), has_rank, rank);
    return true;
}

/* In order of rank, stable: an insertion sort, as there are few and they are mostly in order. */
static void sort_by_rank(struct choice *choice) {
    for (size_t i = 1; i < choice->count; i++) {
        struct choice_log log = choice->items[i];
        size_t j = i;
        for (; j > 0 && log.has_rank && (!choice->items[j - 1].has_rank || choice->items[j - 1].rank > log.rank); j--)
            choice->items[j] = choice->items[j - 1];
        choice->items[j] = log;
    }
}

bool choose_logs(const struct choose_request *request, struct choice *choice, struct err *err) {
    bool fallback = request->path_count == 0 && request->fallback && request->fallback[0];
    *choice = (struct choice){.from_fallback = fallback};
    if (request->path_count == 0 && !fallback)
        return err_set(err, ERR_USAGE,
                       "no log given. Record one with TORCH_TRACE=DIR python train.py, then call: tlparse DIR");
    bool ok = !fallback || take_path(request->fallback, request->latest, choice, err);
    for (size_t i = 0; ok && i < request->path_count; i++)
        ok = take_path(request->paths[i], request->latest, choice, err);
    if (ok)
        sort_by_rank(choice);
    else
        choice_finish(choice);
    return ok;
}

void choice_finish(struct choice *choice) {
    for (size_t i = 0; i < choice->count; i++)
        free(choice->items[i].path);
    for (size_t i = 0; i < choice->left.count; i++)
        free(choice->left.items[i]);
    free(choice->items);
    free(choice->left.items);
    free(choice->folder);
    *choice = (struct choice){0};
}
