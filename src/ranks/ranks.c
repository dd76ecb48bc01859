#define _GNU_SOURCE /* O_DIRECTORY */
#include "ranks/ranks.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/path.h"
#include "out/assets.h"
#include "out/files.h"
#include "ranks/facts.h"
#include "ranks/graph_store.h"
#include "ranks/jobs.h"
#include "ranks/landing.h"
#include "ranks/plan.h"
#include "ranks/rank_files.h"
#include "ranks/rank_place.h"
#include "ranks/ranks_json.h"
#include "ranks/settings.h"
#include "trace/source.h"
#include "trace/strings.h"

struct run {
    const struct ranks_request *request;
    const struct ranks_watcher *watcher;
    struct plan plan;
    struct rank_facts *facts; /* one for each log, in the order of the plan */
    struct rank_settings *settings;
    struct graph_store *graphs;
    int dirfd;
    struct run_options options;
    pthread_mutex_t lock; /* over all below, and the watcher */
    size_t next;          /* the log that a worker takes next */
    uint64_t bytes;
    bool failed;
    struct err err;
    struct pipeline_result total;
    struct map known_keys; /* of total */
};

/* One log under way. */
struct one {
    struct run *run;
    size_t place;
    uint64_t bytes; /* told so far */
};

static void on_fault(void *context, const char *kind, uint64_t line, struct slice detail) {
    struct one *one = context;
    struct run *run = one->run;
    if (!run->watcher->fault)
        return;
    pthread_mutex_lock(&run->lock);
    run->watcher->fault(run->watcher->context, run->plan.items[one->place].log.path, kind, line, detail);
    pthread_mutex_unlock(&run->lock);
}

static void on_progress(void *context, uint64_t bytes) {
    struct one *one = context;
    struct run *run = one->run;
    pthread_mutex_lock(&run->lock);
    run->bytes += bytes - one->bytes;
    one->bytes = bytes;
    if (run->watcher->progress)
        run->watcher->progress(run->watcher->context, run->bytes);
    pthread_mutex_unlock(&run->lock);
}

static void on_whole(void *context, struct report *report, const char *dir, struct buf *extra) {
    struct one *one = context;
    const struct planned *planned = &one->run->plan.items[one->place];
    (void)dir, (void)extra; /* a log of a rank becomes one report */
    struct slice name = path_last(slice_str(planned->log.path));
    char *file = mem_printf("%.*s", SLICE_ARG(name));
    struct rank_facts *facts = &one->run->facts[one->place];
    rank_facts_take(facts, report, one->run->graphs, planned->dir, file);
    facts->has_rank = planned->log.has_rank; /* the name of the file says which rank it is, whatever stands inside */
    facts->rank = planned->log.rank;
    rank_settings_take(one->run->settings, facts, report);
    free(file);
}

static void mark_bad(struct one *one, const char *why) {
    const struct planned *planned = &one->run->plan.items[one->place];
    struct rank_facts *facts = &one->run->facts[one->place];
    struct slice name = path_last(slice_str(planned->log.path));
    rank_facts_finish(facts);
    *facts = (struct rank_facts){.bad = true,
                                 .has_rank = planned->log.has_rank,
                                 .rank = planned->log.rank,
                                 .dir = mem_strdup(planned->dir),
                                 .file = mem_printf("%.*s", SLICE_ARG(name)),
                                 .error = mem_strdup(why)};
    on_fault(one, "this log is left out", 0, slice_str(why));
}

static void add_result(struct run *run, const struct pipeline_result *result) {
    struct pipeline_result *total = &run->total;
    for (int i = 0; i < COUNTERS; i++)
        total->counters[i] += result->counters[i];
    if (!total->no_compile_id)
        total->no_compile_id_line = result->no_compile_id_line;
    total->no_compile_id += result->no_compile_id;
    total->compiles += result->compiles;
    total->artifacts += result->artifacts;
    total->bytes += result->bytes;
    for (size_t i = 0; i < result->unknown_key_count; i++) {
        bool added;
        map_put(&run->known_keys, slice_str(result->unknown_keys[i]), 0, &added);
        if (added)
            pipeline_result_add_key(total, slice_str(result->unknown_keys[i]));
    }
}

static void fail(struct run *run, const struct err *err) {
    pthread_mutex_lock(&run->lock);
    if (!run->failed)
        run->err = *err;
    run->failed = true;
    pthread_mutex_unlock(&run->lock);
}

/* A packed log that is cut or damaged: what could be unpacked counts, if that is anything. */
static void take_damage(struct one *one, const char *damage, uint64_t good_records) {
    struct rank_facts *facts = &one->run->facts[one->place];
    if (good_records == 0) {
        mark_bad(one, damage);
        return;
    }
    facts->error = mem_strdup(damage);
    on_fault(one, "this log is damaged; what could be read of it is here", 0, slice_str(damage));
}

/* Reads one log into its folder. */
static void run_one(struct one *one, struct processes *processes) {
    struct run *run = one->run;
    const struct planned *planned = &run->plan.items[one->place];
    struct run_options options = run->options;
    const struct run_watcher watcher = {.context = one, .fault = on_fault, .progress = on_progress, .whole = on_whole};
    struct pipeline_result result = {0};
    struct source source;
    struct err err = {0};
    int dirfd = -1;
    options.processes = processes;
    options.shares_events = planned->log.has_rank;
    options.events_pid = planned->log.rank;
    if (!planned->readable || !source_open(&source, planned->log.path, &err)) {
        mark_bad(one, planned->error ? planned->error : err.text);
        return;
    }
    if (mkdirat(run->dirfd, planned->dir, 0777) != 0 ||
        (dirfd = openat(run->dirfd, planned->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0) {
        err_errno(&err, "cannot make the folder '%s' in the report", planned->dir);
        fail(run, &err);
    } else if (!pipeline_run(&source, dirfd, &options, &watcher, &result, &err)) {
        if (err.code == ERR_INPUT)
            mark_bad(one, err.text);
        else
            fail(run, &err);
    } else if (source_damage(&source)) {
        take_damage(one, source_damage(&source), result.counters[COUNT_OK]);
    }
    pthread_mutex_lock(&run->lock);
    add_result(run, &result);
    pthread_mutex_unlock(&run->lock);
    pipeline_result_finish(&result);
    if (dirfd >= 0)
        close(dirfd);
    source_close(&source);
}

/* A worker: takes log after log, each with those of its process that follow. */
static void *work(void *arg) {
    struct run *run = arg;
    for (;;) {
        pthread_mutex_lock(&run->lock);
        while (run->next < run->plan.count && run->plan.items[run->next].follows)
            run->next++;
        size_t place = run->failed ? run->plan.count : run->next++;
        pthread_mutex_unlock(&run->lock);
        if (place >= run->plan.count)
            return NULL;
        struct processes processes = {0};
        for (; place != SIZE_MAX; place = run->plan.items[place].next) {
            struct one one = {.run = run, .place = place};
            run_one(&one, &processes);
        }
        processes_finish(&processes);
    }
}

/* Many logs: a worker each. Few: the workers share one log after the other. */
static void run_all(struct run *run) {
    enum { WORKERS_MAX = 64 };
    unsigned workers = run->request->options.workers;
    pthread_t threads[WORKERS_MAX];
    unsigned started = 0;
    bool many = workers > 0 && run->plan.count >= workers;
    run->options.workers = many ? 0 : workers;
    while (many && started + 1 < workers && started < WORKERS_MAX &&
           pthread_create(&threads[started], NULL, work, run) == 0)
        started++;
    work(run);
    while (started)
        pthread_join(threads[--started], NULL);
}

/* Of a log that is not compared nobody takes the events. */
static void drop_events(const struct rank_facts *facts, struct files *files) {
    char *path = mem_printf("%s/" EVENTS_PART, facts->dir);
    if (facts->has_rank && unlinkat(files->dirfd, path, 0) != 0 && !facts->bad)
        files_fail(files, "remove", slice_str(path));
    free(path);
}

static void write_together(struct run *run, struct files *files) {
    const struct rank_facts **compared = mem_alloc(run->plan.count * sizeof *compared);
    struct rank_facts **all = mem_alloc(run->plan.count * sizeof *all);
    struct buf differences = {0};
    struct divergences divergences;
    size_t count = 0;
    for (size_t i = 0; i < run->plan.count; i++) {
        struct rank_facts *facts = &run->facts[i];
        /* Of several logs of a rank the newest that can be read stands for it. */
        const struct rank_facts *newer = i ? &run->facts[i - 1] : NULL;
        facts->older =
            newer && facts->has_rank && newer->has_rank && newer->rank == facts->rank && (!newer->bad || newer->older);
        all[i] = facts;
        if (!facts->bad)
            rank_parity_write(facts, files);
        if (rank_is_taken(facts))
            compared[count++] = facts;
        else
            drop_events(facts, files);
    }
    rank_files_write(compared, count, files);
    rank_events_write(compared, count, files);
    rank_jobs_find(all, run->plan.count);
    rank_settings_compare(run->settings, all, run->plan.count, &differences);
    divergences_find(&divergences, (const struct rank_facts *const *)all, run->plan.count);
    rank_places_write((const struct rank_facts *const *)all, run->plan.count, &divergences, files);
    landing_write((const struct rank_facts *const *)all, run->plan.count, &run->total,
                  run->request->options.custom_header, &divergences, buf_slice(&differences), files);
    divergences_finish(&divergences);
    buf_free(&differences);
    free(all);
    free(compared);
}

bool ranks_run(const struct ranks_request *request, int dirfd, const struct ranks_watcher *watcher,
               struct pipeline_result *result, struct err *err) {
    struct run run = {.request = request, .watcher = watcher, .dirfd = dirfd, .options = request->options};
    struct files files;
    files_init(&files, dirfd);
    assets_write(&files);
    pthread_mutex_init(&run.lock, NULL);
    plan_make(&run.plan, request->logs, request->count);
    run.facts = mem_zalloc(run.plan.count, sizeof *run.facts);
    run.settings = rank_settings_create();
    run.graphs = graph_store_create();
    run.options.split = false;
    run.options.has_assets = true;
    run.options.assets_dirfd = dirfd;
    run_all(&run);
    if (!run.failed)
        write_together(&run, &files);
    bool good = !run.failed;
    if (run.failed)
        *err = run.err;
    good = good && files_good(&files, err);
    *result = run.total;
    for (size_t i = 0; i < run.plan.count; i++)
        rank_facts_finish(&run.facts[i]);
    free(run.facts);
    rank_settings_destroy(run.settings);
    graph_store_destroy(run.graphs);
    plan_finish(&run.plan);
    map_free(&run.known_keys);
    pthread_mutex_destroy(&run.lock);
    files_finish(&files);
    return good;
}

struct ranks_split {
    LIST(struct rank_facts *) list;
    struct rank_settings *settings;
    struct graph_store *graphs;
    char *file;
    int dirfd;
};

struct ranks_split *ranks_split_create(const char *file, int dirfd) {
    struct ranks_split *split = mem_zalloc(1, sizeof *split);
    struct slice name = path_last(slice_str(file));
    split->file = mem_printf("%.*s", SLICE_ARG(name));
    split->dirfd = dirfd;
    split->settings = rank_settings_create();
    split->graphs = graph_store_create();
    return split;
}

static int by_rank(const void *a, const void *b) {
    const struct rank_facts *x = *(struct rank_facts *const *)a, *y = *(struct rank_facts *const *)b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

void ranks_split_whole(struct ranks_split *split, struct report *report, const char *dir, struct buf *extra) {
    if (dir[0] == 0 && split->list.count == 0)
        return; /* the only report */
    struct rank_facts *facts = mem_zalloc(1, sizeof *facts);
    rank_facts_take(facts, report, split->graphs, dir, split->file);
    rank_settings_take(split->settings, facts, report);
    MEM_GROW(&split->list);
    split->list.items[split->list.count++] = facts;
    if (dir[0])
        return;
    qsort(split->list.items, split->list.count, sizeof *split->list.items, by_rank);
    const struct rank_facts *const *all = (const struct rank_facts *const *)split->list.items;
    struct files files;
    struct buf differences = {0};
    struct divergences divergences;
    files_init(&files, split->dirfd);
    rank_jobs_find(split->list.items, split->list.count);
    rank_settings_compare(split->settings, split->list.items, split->list.count, &differences);
    divergences_find(&divergences, all, split->list.count);
    ranks_json_add(extra, all, split->list.count, &divergences, buf_slice(&differences));
    rank_places_write(all, split->list.count, &divergences, &files);
    divergences_finish(&divergences);
    rank_files_write(all, split->list.count, &files);
    for (size_t i = 0; i < split->list.count; i++)
        rank_parity_write(all[i], &files);
    buf_free(&differences);
    files_finish(&files);
}

size_t ranks_split_count(const struct ranks_split *split) {
    return split->list.count;
}

void ranks_split_destroy(struct ranks_split *split) {
    for (size_t i = 0; i < split->list.count; i++) {
        rank_facts_finish(split->list.items[i]);
        free(split->list.items[i]);
    }
    free(split->list.items);
    rank_settings_destroy(split->settings);
    graph_store_destroy(split->graphs);
    free(split->file);
    free(split);
}
