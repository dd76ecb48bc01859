#include "trace/choice.h"

#include <sys/stat.h>
#include <unistd.h>

#include "trace/log_dir.h"
#include "trace/log_head.h"
#include "trace/source.h"

enum { PARTS_MAX = 8 };

/* Adds a file's identity: device and inode, or else the path. */
static void add_identity(struct buf *key, const char *path) {
    struct stat st;
    bool known = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) == 0 : stat(path, &st) == 0;
    if (known)
        buf_addf(key, "%" PRIuMAX " %" PRIuMAX, (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
    else
        buf_add_str(key, path);
}

void choice_drop_repeated(struct choice *choice) {
    AUTO_MAP known = {0};
    size_t kept = 0;
    for (size_t i = 0; i < choice->count; i++) {
        AUTO_BUF key = {0};
        bool added;
        add_identity(&key, choice->items[i].path);
        map_put(&known, buf_slice(&key), 0, &added);
        if (added) {
            choice->items[kept++] = choice->items[i];
            continue;
        }
        LIST_ADD(&choice->repeated, choice->items[i].path);
    }
    choice->count = kept;
}

struct timed {
    struct choice_log log;
    struct log_head head;
    size_t place;
};

static int by_begin(const void *a, const void *b) {
    const struct timed *x = a, *y = b;
    if ((x->head.at == -1) != (y->head.at == -1))
        return x->head.at == -1 ? 1 : -1;
    if (x->head.at != y->head.at)
        return x->head.at < y->head.at ? -1 : 1;
    if (x->head.us != y->head.us)
        return x->head.us < y->head.us ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Sorts by the time of the first record. Logs without a time come last, in the order given. */
static void sort_by_time(struct choice_log *logs, size_t count) {
    if (count < 2)
        return;
    struct timed *list = mem_alloc(count * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        struct stat st;
        bool file = stat(logs[i].path, &st) == 0;
        list[i] =
            (struct timed){logs[i], file ? log_head_read(logs[i].path, st.st_mtime) : (struct log_head){.at = -1}, i};
    }
    qsort(list, count, sizeof *list, by_begin);
    for (size_t i = 0; i < count; i++)
        logs[i] = list[i].log;
    mem_free(list);
}

static void add_group(struct choice *choice, size_t first, size_t count) {
    LIST_ADD(&choice->groups, (struct choice_group){.first = first, .count = count});
}

static size_t argument_count(const struct choice *choice) {
    size_t count = 0;
    for (size_t i = 0; i < choice->count; i++)
        count += i == 0 || choice->items[i].argument != choice->items[i - 1].argument;
    return count;
}

static bool has_rank(const struct choice *choice) {
    for (size_t i = 0; i < choice->count; i++)
        if (choice->items[i].has_rank)
            return true;
    return false;
}

/* The last `parts` components of a path without trailing slashes, or all if it has fewer. */
static struct slice last_parts(struct slice path, unsigned parts) {
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    size_t from = path.len;
    while (from > 0 && (path.ptr[from - 1] != '/' || --parts > 0))
        from--;
    return slice_from(path, from);
}

static bool are_names(const struct slice *names, size_t count) {
    AUTO_MAP known = {0};
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        bool dots = slice_is(names[i], ".") || slice_is(names[i], "..") || slice_is(names[i], "/");
        map_put(&known, names[i], 0, &good);
        good = good && names[i].len && !dots;
    }
    return good;
}

/* Whether a name does not identify the run: PyTorch chose it at random, or every report has a log of this name. */
static bool says_nothing(struct slice path) {
    uint64_t rank;
    struct slice name = last_parts(path, 1);
    return choose_kind_of(name, &rank) >= CHOOSE_DEDICATED || slice_is(name, "raw.log");
}

/* Names files by their file names, or by their folders if file names are equal or do not identify the run; then by as
 * many components as make them distinct. */
static void find_names(const struct slice *paths, const bool *folders, struct slice *names, size_t count) {
    bool nothing = false;
    for (size_t i = 0; i < count; i++) {
        nothing |= !folders[i] && says_nothing(paths[i]);
        names[i] = last_parts(paths[i], 1);
    }
    if (!nothing && are_names(names, count))
        return;
    for (size_t i = 0; i < count; i++)
        names[i] = last_parts(folders[i] ? paths[i] : choice_folder_of(paths[i]), 1);
    if (are_names(names, count))
        return;
    for (unsigned parts = 1; parts <= PARTS_MAX; parts++) {
        for (size_t i = 0; i < count; i++)
            names[i] = last_parts(paths[i], parts);
        if (are_names(names, count))
            return;
    }
    memcpy(names, paths, count * sizeof *names);
}

static void name_groups(struct choice *choice, const char *const *arguments, const struct choice_jobs *jobs) {
    size_t count = choice->groups.count;
    struct slice *paths = mem_alloc((count + 1) * sizeof *paths), *names = mem_alloc((count + 1) * sizeof *names);
    bool *folders = mem_zalloc(count + 1, sizeof *folders);
    for (size_t i = 0; i < count; i++) {
        const struct choice_group *group = &choice->groups.items[i];
        const struct choice_log *log = &choice->items[group->first];
        bool whole = group->count > 1 && choice->kind == CHOICE_RUNS;
        paths[i] = jobs->count > 1 ? jobs->paths[log->job] : source_shown(whole ? arguments[log->argument] : log->path);
        folders[i] = paths[i].ptr != log->path;
        names[i] = last_parts(paths[i], 1);
    }
    if (choice->kind == CHOICE_RUNS)
        find_names(paths, folders, names, count);
    for (size_t i = 0; i < count; i++)
        choice->groups.items[i].name = mem_printf("%.*s", SLICE_ARG(names[i]));
    mem_free(paths);
    mem_free(names);
    mem_free(folders);
}

/* "trace (3 logs)" for logs of one folder, else "3 logs". */
static void name_processes(struct choice *choice) {
    struct choice_group *group = &choice->groups.items[0];
    struct slice folder = choice->folder ? last_parts(slice_str(choice->folder), 1) : SLICE("");
    bool named = argument_count(choice) == 1 && are_names(&folder, 1);
    mem_free(group->name);
    group->name =
        named ? mem_printf("%.*s (%zu logs)", SLICE_ARG(folder), group->count) : mem_printf("%zu logs", group->count);
}

struct placed {
    struct choice_log log;
    size_t place;
};

/* By job, then by rank (logs without a rank last), then as given. */
static int by_rank(const void *a, const void *b) {
    const struct placed *x = a, *y = b;
    if (x->log.job != y->log.job)
        return x->log.job < y->log.job ? -1 : 1;
    if (x->log.has_rank != y->log.has_rank)
        return x->log.has_rank ? -1 : 1;
    if (x->log.has_rank && x->log.rank != y->log.rank)
        return x->log.rank < y->log.rank ? -1 : 1;
    int order = x->log.has_rank
                  ? slice_cmp(choose_log_name(slice_str(x->log.path)), choose_log_name(slice_str(y->log.path)))
                  : 0;
    if (order)
        return order;
    return x->place < y->place ? -1 : x->place > y->place;
}

static void sort_by_rank(struct choice *choice) {
    struct placed *list = mem_alloc((choice->count + 1) * sizeof *list);
    for (size_t i = 0; i < choice->count; i++)
        list[i] = (struct placed){choice->items[i], i};
    qsort(list, choice->count, sizeof *list, by_rank);
    for (size_t i = 0; i < choice->count; i++)
        choice->items[i] = list[i].log;
    mem_free(list);
}

bool choice_is_same_log(const struct choice_log *a, const struct choice_log *b) {
    return a->has_rank == b->has_rank && a->rank == b->rank &&
           slice_eq(choose_log_name(slice_str(a->path)), choose_log_name(slice_str(b->path)));
}

/* Whether the log belongs to a different group from the previous one. */
static bool begins_group(const struct choice *choice, size_t i, bool jobs, bool apart) {
    const struct choice_log *log = &choice->items[i], *before = &choice->items[i - 1];
    if (jobs)
        return log->job != before->job;
    if (log->has_rank && choice_is_same_log(log, before))
        return false;
    return choice->kind == CHOICE_RANKS || apart || (choice->kind == CHOICE_RUNS && log->argument != before->argument);
}

/* Sorts the files of each log of a job by their first records. */
static void sort_logs(struct choice_log *logs, size_t count) {
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && logs[i].has_rank && choice_is_same_log(&logs[i], &logs[i + n]); n++)
            ;
        sort_by_time(logs + i, n);
    }
}

static bool is_one_log(const struct choice *choice) {
    for (size_t i = 1; i < choice->count; i++)
        if (!choice_is_same_log(&choice->items[0], &choice->items[i]))
            return false;
    return choice->count > 1;
}

void choice_group(struct choice *choice, const struct choose_request *request, const char *const *paths) {
    struct choice_jobs jobs = {0};
    bool ranks = has_rank(choice);
    if (ranks)
        choice_jobs_find(choice, request, paths, &jobs);
    sort_by_rank(choice);
    size_t arguments = argument_count(choice);
    if (jobs.count > 1 && is_one_log(choice))
        jobs.count = 1;
    bool apart = ranks || request->all_ranks || (request->compare && arguments == 1);
    choice->one_log = !request->compare && !request->all_ranks && is_one_log(choice);
    choice->kind = choice->one_log            ? CHOICE_PROCESSES
                 : jobs.count > 1             ? CHOICE_RUNS
                 : apart && choice->count > 1 ? (ranks || request->all_ranks ? CHOICE_RANKS : CHOICE_RUNS)
                 : arguments == 2 || (request->compare && arguments > 1) ? CHOICE_RUNS
                 : choice->count > 1                                     ? CHOICE_PROCESSES
                                                                         : CHOICE_LOG;
    for (size_t i = 0, n; i < choice->count; i += n) {
        for (n = 1; i + n < choice->count && !begins_group(choice, i + n, jobs.count > 1, apart && !choice->one_log);
             n++)
            ;
        add_group(choice, i, n);
        struct choice_group *group = &choice->groups.items[choice->groups.count - 1];
        group->job = jobs.count > 1 && n > 1 && choice->items[i].has_rank; /* logs without a rank come last */
        if (!group->job)
            sort_by_time(choice->items + i, n);
        else
            sort_logs(choice->items + i, n);
    }
    name_groups(choice, paths, &jobs);
    if (choice->kind == CHOICE_PROCESSES)
        name_processes(choice);
    choice_jobs_finish(&jobs);
}
