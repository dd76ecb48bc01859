#include "trace/choose.h"

#include <sys/stat.h>
#include <time.h>

#include "trace/choice.h"
#include "trace/log_head.h"
#include "trace/source.h"

enum { EARLY_MAX = 1024 };

static int time_cmp(struct timespec a, struct timespec b) {
    if (a.tv_sec != b.tv_sec)
        return a.tv_sec < b.tv_sec ? -1 : 1;
    return a.tv_nsec < b.tv_nsec ? -1 : a.tv_nsec > b.tv_nsec;
}

static bool is_newer(const struct log_candidate *a, const struct log_candidate *b) {
    int order = time_cmp(a->written, b->written);
    return order > 0 || (order == 0 && strcmp(a->path, b->path) > 0);
}

/* The newest log whose kind is at least `least`, or NULL. */
static struct log_candidate *newest(struct log_dir *all, enum choose_kind least) {
    struct log_candidate *best = NULL;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kind >= least && (!best || is_newer(&all->items[i], best)))
            best = &all->items[i];
    return best;
}

static struct log_head head_of(const struct log_candidate *c) {
    return log_head_read(c->path, c->written.tv_sec);
}

/* Takes logs without a rank that a process of the run wrote before it had a rank. */
static void take_early(struct log_dir *all) {
    uint64_t processes[EARLY_MAX];
    size_t known = 0, looked = 0;
    for (size_t i = 0; i < all->count && known < EARLY_MAX; i++)
        if (all->items[i].taken && all->items[i].kind == CHOOSE_RANK) {
            struct log_head head = head_of(&all->items[i]);
            struct log_starts starts;
            log_starts_read(&starts, all->items[i].path);
            const struct log_start *start = log_starts_of(&starts, head.process);
            if (head.known && (!start || start->kind != LOG_START_FRESH)) /* otherwise, it has no log before this one */
                processes[known++] = head.process;
        }
    for (size_t i = 0; i < all->count && looked < EARLY_MAX; i++) {
        struct log_candidate *c = &all->items[i];
        if (c->taken || c->kind != CHOOSE_DEDICATED)
            continue;
        struct log_head head = head_of(c);
        looked++;
        for (size_t p = 0; p < known && head.known && !c->taken; p++)
            c->taken = processes[p] == head.process;
    }
}

static struct slice parent_of(const struct log_candidate *c) {
    return choice_folder_of(choice_folder_of(slice_str(c->path)));
}

static uint32_t *owner_of(struct map *owners, const struct log_candidate *c) {
    return map_put(owners, slice_make((const char *)&c->rank, sizeof c->rank), c->folder, NULL);
}

/* Subfolders with logs of the same rank belong to several jobs. Only the job of the newest log counts, together with
 * folders that share no rank with it: they may come from other hosts. */
static void drop_other_jobs(struct log_dir *all, const struct log_candidate *best) {
    struct map owners = {0}; /* rank → the folder whose log of that rank counts */
    bool other[LOG_DIR_DIRS + 1] = {0}, twice = false;
    for (size_t i = 0; i < all->count; i++) {
        const struct log_candidate *c = &all->items[i];
        if (c->taken && c->kind == CHOOSE_RANK && c->folder == best->folder)
            owner_of(&owners, c);
    }
    for (size_t i = 0; i < all->count; i++) {
        const struct log_candidate *c = &all->items[i];
        if (c->taken && c->kind == CHOOSE_RANK && *owner_of(&owners, c) != c->folder)
            other[c->folder] = twice = true;
    }
    for (size_t i = 0; i < all->count; i++) {
        struct log_candidate *c = &all->items[i];
        if (!twice || !c->taken || c->folder == best->folder)
            continue;
        c->other_job = c->kind == CHOOSE_RANK && (other[c->folder] || !slice_eq(parent_of(c), parent_of(best)));
        c->taken = c->kind == CHOOSE_RANK && !c->other_job;
    }
    map_free(&owners);
}

/* A rank creates its log at its first compile, perhaps after all other ranks have finished. So logs of further ranks
 * that were written some hours earlier belong to the run, unless one of them is of a rank that the run already has. */
static void take_ranks_before(struct log_dir *all, time_t begin) {
    AUTO_MAP ranks = {0};
    bool earlier_run = false;
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].taken && all->items[i].kind == CHOOSE_RANK)
            owner_of(&ranks, &all->items[i]);
    for (int add = 0; add < 2 && !earlier_run; add++)
        for (size_t i = 0; i < all->count; i++) {
            struct log_candidate *c = &all->items[i];
            if (c->taken || c->kind != CHOOSE_RANK || c->written.tv_sec < begin - CHOOSE_LATE_S)
                continue;
            earlier_run |= map_get(&ranks, slice_make((const char *)&c->rank, sizeof c->rank)) != MAP_NONE;
            c->taken = add;
        }
}

/* Takes the ranks of the newest log's run: see choose.h. Returns false if it has none. */
static bool take_ranks(struct log_dir *all, const struct log_candidate *best, bool compare) {
    struct log_head head = head_of(best);
    bool timed = head.at != -1 && head.at <= best->written.tv_sec;
    time_t begin = timed ? head.at - CHOOSE_SLACK_S : best->written.tv_sec - CHOOSE_WINDOW_S;
    bool ranks = false;
    for (size_t i = 0; i < all->count; i++)
        ranks |= all->items[i].kind == CHOOSE_RANK && all->items[i].written.tv_sec >= begin;
    if (!ranks)
        return false;
    for (size_t i = 0; i < all->count; i++) {
        struct log_candidate *c = &all->items[i];
        bool other_job = compare && c->kind == CHOOSE_RANK && c->folder != best->folder;
        c->taken |= c->kind >= CHOOSE_DEDICATED && (c->written.tv_sec >= begin || other_job);
    }
    take_ranks_before(all, begin);
    if (!compare)
        drop_other_jobs(all, best);
    take_early(all);
    return true;
}

/* A log of a process, and the time range in which it was written. */
struct span {
    struct log_candidate *log;
    time_t begin, end;
};

static int by_begin(const void *a, const void *b) {
    const struct span *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return strcmp(x->log->path, y->log->path);
}

/* Takes all logs without a rank that were written before the last one without a long pause: see choose.h. */
static void take_processes(struct log_dir *all, enum choose_kind kind) {
    struct span *spans = mem_alloc((all->count + 1) * sizeof *spans);
    size_t count = 0, first = 0;
    for (size_t i = 0; i < all->count; i++) {
        struct log_candidate *c = &all->items[i];
        struct log_head head = c->kind == kind ? head_of(c) : (struct log_head){0};
        if (!head.known)
            continue;
        time_t begin = head.at != -1 ? head.at : c->written.tv_sec, end = log_end_read(c->path, c->written.tv_sec);
        spans[count++] = (struct span){c, begin, end > begin ? end : begin};
    }
    if (count)
        qsort(spans, count, sizeof *spans, by_begin);
    time_t end = count ? spans[0].end : 0;
    for (size_t i = 1; i < count; i++) {
        if (spans[i].begin > end + CHOOSE_PAUSE_S)
            first = i;
        end = spans[i].end > end ? spans[i].end : end;
    }
    for (size_t i = 0; i < count; i++) {
        spans[i].log->taken = i >= first;
        spans[i].log->earlier = i < first;
    }
    mem_free(spans);
}

static bool any_taken(const struct log_dir *all) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].taken)
            return true;
    return false;
}

static void add_log(struct choice *choice, char *path, bool has_rank, uint64_t rank, size_t argument) {
    LIST_ADD(choice, (struct choice_log){.path = path, .has_rank = has_rank, .rank = rank, .argument = argument});
}

static bool has_ranks(const struct log_dir *all) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kind == CHOOSE_RANK)
            return true;
    return false;
}

/* Takes all logs of at least the kind `least`. */
static void take_all(struct log_dir *all, enum choose_kind least) {
    for (size_t i = 0; i < all->count; i++)
        all->items[i].taken |= all->items[i].kind >= least;
}

/* Lists the logs of a folder, and those of its subfolders unless it contains ranks. */
static bool list_logs(const char *folder, const struct choose_request *request, struct log_dir *all, struct err *err) {
    if (!log_dir_list(all, folder, false, err))
        return false;
    if (has_ranks(all) || (request->latest && newest(all, CHOOSE_LOG)))
        return true;
    struct log_dir own = *all;
    *all = (struct log_dir){0};
    bool ok = log_dir_list(all, folder, true, err);
    bool keep = ok && request->latest && !newest(all, CHOOSE_LOG); /* --latest accepts any file in the folder itself */
    log_dir_finish(keep ? all : &own);
    if (keep)
        *all = own;
    return ok;
}

static bool take_from_folder(const char *folder, const struct choose_request *request, size_t argument,
                             struct choice *choice, struct err *err) {
    struct log_dir all = {0};
    bool latest = request->latest;
    if (!list_logs(folder, request, &all, err)) {
        log_dir_finish(&all);
        return false;
    }
    enum choose_kind least = latest ? CHOOSE_LOG : CHOOSE_DEDICATED;
    struct log_candidate *best = newest(&all, least);
    if (!best)
        best = newest(&all, least = CHOOSE_LOG);
    if (!best && latest)
        best = newest(&all, least = CHOOSE_OTHER);
    if (!best) {
        log_dir_finish(&all);
        return err_set(err, ERR_INPUT, "no logs found in %s", folder) ||
               err_hint(err,
                        "logs are named dedicated_log_torch_trace_*.log, *.log or *.txt, optionally with .gz or .zst");
    }
    if (request->one_run)
        take_all(&all, least);
    else if (!latest &&
             !(best->kind >= CHOOSE_DEDICATED && take_ranks(&all, best, request->compare && request->path_count < 2)))
        take_processes(&all, least);
    best->taken |= !any_taken(&all);
    for (size_t i = 0; i < all.count; i++) {
        struct log_candidate *c = &all.items[i];
        if (c->taken) {
            add_log(choice, c->path, c->kind == CHOOSE_RANK, c->rank, argument);
            c->path = NULL;
        } else if (c->kind >= (least < CHOOSE_LOG ? least : CHOOSE_LOG)) {
            LIST_ADD(&choice->left, c->path);
            choice->earlier += c->earlier;
            choice->other_jobs += c->other_job;
            choice->unnamed += !latest && c->kind < least;
            c->path = NULL;
        }
    }
    LIST_ADD(&choice->folders, mem_strdup(folder));
    if (all.cut && !choice->cut)
        choice->cut = choice->folders.items[choice->folders.count - 1];
    for (size_t i = 0; i < all.unread.count; i++) {
        LIST_ADD(&choice->unread, all.unread.items[i]);
        all.unread.items[i] = NULL;
    }
    if (!choice->folder)
        choice->folder = mem_strdup(folder);
    log_dir_finish(&all);
    return true;
}

static bool take_path(const char *path, const struct choose_request *request, size_t argument, struct choice *choice,
                      struct err *err) {
    struct stat st;
    bool stream = strcmp(path, "-") == 0 || source_is_address(path);
    if (!stream && stat(path, &st) != 0) {
        err_errno(err, "cannot open %s", path);
        err->code = ERR_INPUT;
        return false;
    }
    if (!stream && S_ISDIR(st.st_mode))
        return take_from_folder(path, request, argument, choice, err);
    if (request->latest)
        return err_set(err, ERR_USAGE, "--latest requires a folder, but %s is a file", path);
    uint64_t rank = 0;
    struct slice name = source_shown(path);
    bool has_rank = choose_kind_of(slice_from(name, slice_rfind_byte(name, '/') + 1), &rank) == CHOOSE_RANK;
    add_log(choice, mem_strdup(path), has_rank, rank, argument);
    return true;
}

bool choose_logs(const struct choose_request *request, struct choice *choice, struct err *err) {
    bool fallback = request->path_count == 0 && request->fallback && request->fallback[0];
    *choice =
        (struct choice){.from_fallback = fallback, .fallback_variable = fallback ? request->fallback_variable : NULL};
    if (request->path_count == 0 && !fallback)
        return err_set(err, ERR_USAGE, "no log given") ||
               err_hint(err, "record one with TORCH_TRACE=DIR python train.py, then run tlparse DIR; or: tlparse run "
                             "-- python train.py");
    bool ok = !fallback || take_path(request->fallback, request, 0, choice, err);
    for (size_t i = 0; ok && i < request->path_count; i++)
        ok = take_path(request->paths[i], request, i, choice, err);
    if (!ok) {
        choice_finish(choice);
        return false;
    }
    const char *const *paths = fallback ? &request->fallback : request->paths;
    choice_drop_repeated(choice);
    choice_group(choice, request, paths);
    return true;
}

void choice_finish(struct choice *choice) {
    for (size_t i = 0; i < choice->count; i++)
        mem_free(choice->items[i].path);
    for (size_t i = 0; i < choice->groups.count; i++)
        mem_free(choice->groups.items[i].name);
    mem_free(choice->groups.items);
    choice_paths_free(&choice->left);
    choice_paths_free(&choice->repeated);
    choice_paths_free(&choice->unread);
    mem_free(choice->items);
    mem_free(choice->folder);
    choice_paths_free(&choice->folders);
    *choice = (struct choice){0};
}

const char **choice_paths(const struct choice *choice) {
    const char **paths = mem_alloc(choice->count * sizeof *paths);
    for (size_t i = 0; i < choice->count; i++)
        paths[i] = choice->items[i].path;
    return paths;
}

bool choice_has_rank(const struct choice *choice) {
    for (size_t i = 0; i < choice->count; i++)
        if (choice->items[i].has_rank)
            return true;
    return false;
}
