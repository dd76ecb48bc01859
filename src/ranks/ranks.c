#include "ranks/ranks.h"

#include <pthread.h>

#include "diverge/cache_misses.h"
#include "diverge/diverge.h"
#include "diverge/jobs.h"
#include "facts/facts_file.h"
#include "facts/graph_store.h"
#include "facts/guard_store.h"
#include "facts/rank_facts.h"
#include "facts/rank_parts.h"
#include "facts/settings.h"
#include "ranks/landing.h"
#include "ranks/plan.h"
#include "ranks/ranks_json.h"
#include "ranks/together.h"
#include "sink/assets.h"
#include "sink/files.h"
#include "sink/sinks.h"
#include "sink/spool.h"
#include "trace/choice.h"
#include "trace/process.h"
#include "trace/source.h"

struct run {
    const struct ranks_request *request;
    const struct ranks_watcher *watcher;
    struct plan plan;
    struct rank_facts *facts; /* one per log, in the order of the plan */
    struct rank_facts *job;   /* gets the sums over all logs; NULL: not requested */
    const char *job_dir, *job_name;
    bool inner;                              /* the report is inside another one */
    bool reports_only;                       /* facts are not taken */
    const struct ranks_facts_out *facts_out; /* receives the facts instead of a report; NULL: a report is written */
    struct rank_settings *settings;
    struct rank_stores stores;
    struct run_texts *run_texts; /* of all runs; owned by the caller */
    struct key_store *keys;
    struct sink *sink;
    struct spool *spool;    /* has the events of all logs */
    struct spooled *events; /* per log, in the order of the plan; empty if the log has no rank */
    struct reading_options options;
    pthread_mutex_t lock; /* protects everything below, and serializes calls of the watcher */
    size_t next;          /* index of the next log to take for a worker */
    struct ranks_read read;
    bool failed;
    struct err err;
    struct pipeline_result *results; /* one per log, in the order of the plan */
    struct pipeline_result total;
};

static void stores_destroy(struct rank_stores *stores) {
    graph_store_destroy(stores->graphs);
    guard_store_destroy(stores->guards);
}

/* A log that is being read. */
struct one {
    struct run *run;
    size_t place;
    const struct source *source; /* NULL: not open */
    struct ranks_read read;      /* reported so far */
};

static void on_fault(void *context, const char *kind, uint64_t line, struct slice detail) {
    struct one *one = context;
    struct run *run = one->run;
    if (!run->watcher->fault)
        return;
    const char *path = run->plan.items[one->place].log.path;
    if (one->source && line) {
        const struct source_file *file = source_file_at(one->source, line);
        path = file->path;
        line -= file->first_line - 1;
    }
    pthread_mutex_lock(&run->lock);
    run->watcher->fault(run->watcher->context, path, kind, line, detail);
    pthread_mutex_unlock(&run->lock);
}

static void on_hook(void *context, const char *text) {
    struct one *one = context;
    struct run *run = one->run;
    if (!run->watcher->hook)
        return;
    pthread_mutex_lock(&run->lock);
    run->watcher->hook(run->watcher->context, run->plan.items[one->place].log.path, text);
    pthread_mutex_unlock(&run->lock);
}

static void on_progress(void *context, uint64_t bytes) {
    struct one *one = context;
    struct run *run = one->run;
    const struct ranks_read now = {one->source ? one->source->file_read : one->read.file_bytes, bytes};
    pthread_mutex_lock(&run->lock);
    run->read.file_bytes += now.file_bytes - one->read.file_bytes;
    run->read.bytes += now.bytes - one->read.bytes;
    one->read = now;
    if (run->watcher->progress)
        run->watcher->progress(run->watcher->context, &run->read);
    pthread_mutex_unlock(&run->lock);
}

/* The name of the log's file, or a name for several files. */
static const char *name_of(const struct ranks_log *log, struct arena *arena) {
    const char *last = log->path_count > 1 ? log->paths[log->path_count - 1] : log->path;
    struct slice name = log->path_count > 1 && log->name ? slice_str(log->name) : path_last(source_shown(last));
    return arena_str(arena, name);
}

static const char *copy_or_null(struct arena *arena, const char *text) {
    return text ? arena_str(arena, slice_str(text)) : NULL;
}

static void on_whole(void *context, struct model *model, const char *dir, struct view_together *together) {
    struct one *one = context;
    const struct planned *planned = &one->run->plan.items[one->place];
    (void)dir, (void)together; /* a log of a rank becomes one report */
    if (one->run->reports_only)
        return;
    struct rank_facts *facts = &one->run->facts[one->place];
    struct rank_stores stores = one->run->stores;
    if (planned->log.has_rank && !one->run->job)
        stores.run_texts = NULL; /* a rank is not a run, unless its job is */
    rank_facts_take(facts, model, &stores, planned->dir, name_of(&planned->log, &facts->arena));
    facts->has_rank = planned->log.has_rank; /* the rank in the file name takes precedence over the records */
    facts->rank = planned->log.rank;
    facts->name = copy_or_null(&facts->arena, planned->log.name);
    rank_settings_take(one->run->settings, facts, model);
}

static void mark_bad(struct one *one, const char *why) {
    const struct planned *planned = &one->run->plan.items[one->place];
    struct rank_facts *facts = &one->run->facts[one->place];
    rank_facts_finish(facts);
    *facts = (struct rank_facts){.bad = true, .has_rank = planned->log.has_rank, .rank = planned->log.rank};
    facts->dir = arena_str(&facts->arena, slice_str(planned->dir));
    facts->file = name_of(&planned->log, &facts->arena);
    facts->name = copy_or_null(&facts->arena, planned->log.name);
    facts->error = arena_str(&facts->arena, slice_str(why));
    if (!one->run->results[one->place].missing_inputs)
        one->run->results[one->place].missing_inputs = 1;
    on_fault(one, "skipped this log", 0, slice_str(why));
}

static void fail(struct run *run, const struct err *err) {
    pthread_mutex_lock(&run->lock);
    if (!run->failed)
        run->err = *err;
    run->failed = true;
    pthread_mutex_unlock(&run->lock);
}

static void tell_file(struct one *one, const char *path, const char *what, const char *why) {
    struct run *run = one->run;
    if (!run->watcher->fault)
        return;
    pthread_mutex_lock(&run->lock);
    run->watcher->fault(run->watcher->context, path, what, 0, slice_str(why));
    pthread_mutex_unlock(&run->lock);
}

/* A truncated or corrupt compressed log: the decompressed part counts, if it is not empty. */
static void take_damage(struct one *one, uint64_t good_records) {
    struct rank_facts *facts = &one->run->facts[one->place];
    const char *damage = source_damage(one->source);
    if (damage && good_records == 0) {
        mark_bad(one, damage);
        return;
    }
    if (damage)
        facts->error = arena_str(&facts->arena, slice_str(damage));
    for (size_t i = 0; i < one->source->file_count; i++)
        if (one->source->files[i].damage)
            tell_file(one, one->source->files[i].path, "read a part of this log", one->source->files[i].damage);
}

static void tell_empty_files(struct one *one) {
    struct run *run = one->run;
    for (size_t i = 0; i < one->source->file_count && run->watcher->empty; i++) {
        const struct source_file *file = &one->source->files[i];
        if (file->records || file->damage)
            continue;
        pthread_mutex_lock(&run->lock);
        run->watcher->empty(run->watcher->context, file->path);
        pthread_mutex_unlock(&run->lock);
    }
}

/* If there are several files, the user already knows that several processes wrote them. */
static void tell_processes(struct one *one, const struct pipeline_result *result) {
    struct run *run = one->run;
    bool told = one->source->file_count > 1 && result->processes <= one->source->file_count;
    if (result->processes < 2 || (told && !result->namesakes) || !run->watcher->processes)
        return;
    pthread_mutex_lock(&run->lock);
    run->watcher->processes(run->watcher->context, one->source->name, result, told);
    pthread_mutex_unlock(&run->lock);
}

static bool open_log(struct source *source, const struct source_remote *remote, const struct ranks_log *log,
                     struct err *err) {
    bool several = log->path_count > 1;
    const char *name = several && !log->name ? log->paths[log->path_count - 1] : log->name;
    return source_open_from(source, remote, name, several ? log->paths : &log->path, several ? log->path_count : 1,
                            err);
}

/* Reads one log into its folder. */
static void run_one(struct one *one, struct processes *processes) {
    struct run *run = one->run;
    const struct planned *planned = &run->plan.items[one->place];
    struct reading_options options = run->options;
    const struct reading_watcher watcher = {.context = one,
                                            .fault = on_fault,
                                            .progress = on_progress,
                                            .whole = on_whole,
                                            .hook = on_hook};
    struct pipeline_result *result = &run->results[one->place];
    struct source source;
    struct err err = {0};
    struct sink *sink = NULL;
    options.processes = processes;
    options.profiles = planned->log.profiles;
    options.unread = NULL; /* the report on all logs mentions them */
    options.shared_events = planned->log.has_rank ? &run->events[one->place] : NULL;
    options.events_pid = planned->log.rank;
    if (!planned->readable || !open_log(&source, options.remote, &planned->log, &err)) {
        mark_bad(one, planned->error ? planned->error : err.text);
        return;
    }
    one->source = &source;
    if (options.shared_events)
        spooled_start(options.shared_events, run->spool);
    if (!(sink = sink_below(run->sink, planned->dir))) {
        err_errno(&err, "cannot create folder '%s' in the report", planned->dir);
        fail(run, &err);
    } else if (!pipeline_run(&source, sink, &options, &watcher, result, &err)) {
        if (err.code == ERR_INPUT)
            mark_bad(one, err.text);
        else
            fail(run, &err);
    } else {
        take_damage(one, result->counters[COUNT_OK]);
        tell_empty_files(one);
        tell_processes(one, result);
    }
    sink_destroy(sink);
    one->source = NULL;
    source_close(&source);
}

/* A worker: takes one log at a time, together with the next logs of its process. */
static void *work(void *arg) {
    struct run *run = arg;
    for (;;) {
        pthread_mutex_lock(&run->lock);
        while (run->next < run->plan.count &&
               (run->plan.items[run->next].follows || run->plan.items[run->next].log.members))
            run->next++;
        size_t place = run->failed ? run->plan.count : run->next++;
        pthread_mutex_unlock(&run->lock);
        if (place >= run->plan.count)
            return NULL;
        struct processes processes = {0};
        for (; place != SIZE_MAX; place = run->plan.items[place].next) {
            struct one one = {.run = run, .place = place};
            run_one(&one, &processes);
            if (!run->reports_only)
                key_store_add(run->keys, place, &run->facts[place]);
        }
        processes_finish(&processes);
    }
}

/* With many logs, one worker reads each. With few, all workers read one log at a time. */
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

static void add_results(struct run *run) {
    AUTO_MAP known = {0};
    for (size_t i = 0; i < run->plan.count; i++)
        pipeline_result_add(&run->total, &run->results[i], &known);
    if (run->request->options.unread)
        run->total.missing_inputs += run->request->options.unread->count;
}

static void write_together(struct run *run, struct rank_facts **all, struct files *files) {
    const struct spooled **events = mem_alloc(run->plan.count * sizeof *events);
    struct together together = {.facts = all,
                                .count = run->plan.count,
                                .base_count = run->request->base_count,
                                .total = &run->total,
                                .options = &run->request->options,
                                .settings = run->settings,
                                .keys = run->keys,
                                .events = events,
                                .inner = run->inner};
    for (size_t i = 0; i < run->plan.count; i++)
        events[i] = &run->events[i];
    together_find(&together);
    together_write(&together, files);
    if (run->job) {
        job_facts_take(run->job, all, run->plan.count, run->job_dir, run->job_name);
        run->job->keys = job_keys_take(run->job, run->keys, (const struct rank_facts *const *)all, run->plan.count);
    }
    together_finish(&together);
    mem_free(events);
}

/* Watches a job among the runs: progress continues where the previous run ended. */
struct inner_watcher {
    struct run *run;
    struct ranks_read before;
};

static void on_job_progress(void *context, const struct ranks_read *read) {
    struct inner_watcher *inner = context;
    struct run *run = inner->run;
    run->read.file_bytes = inner->before.file_bytes + read->file_bytes;
    run->read.bytes = inner->before.bytes + read->bytes;
    if (run->watcher->progress)
        run->watcher->progress(run->watcher->context, &run->read);
}

static void on_job_fault(void *context, const char *path, const char *kind, uint64_t line, struct slice detail) {
    const struct ranks_watcher *watcher = ((struct inner_watcher *)context)->run->watcher;
    if (watcher->fault)
        watcher->fault(watcher->context, path, kind, line, detail);
}

static void on_job_empty(void *context, const char *path) {
    const struct ranks_watcher *watcher = ((struct inner_watcher *)context)->run->watcher;
    if (watcher->empty)
        watcher->empty(watcher->context, path);
}

static void on_job_processes(void *context, const char *path, const struct pipeline_result *result, bool told) {
    const struct ranks_watcher *watcher = ((struct inner_watcher *)context)->run->watcher;
    if (watcher->processes)
        watcher->processes(watcher->context, path, result, told);
}

static void on_job_hook(void *context, const char *path, const char *text) {
    const struct ranks_watcher *watcher = ((struct inner_watcher *)context)->run->watcher;
    if (watcher->hook)
        watcher->hook(watcher->context, path, text);
}

static bool run_logs(struct run *run, struct sink *from);

/* Writes the report of a run that is a job: a report on ranks in its folder. */
static void run_job(struct run *run, size_t place) {
    const struct planned *planned = &run->plan.items[place];
    struct inner_watcher inner = {run, run->read};
    const struct ranks_watcher watcher = {&inner,           on_job_fault,    on_job_empty,
                                          on_job_processes, on_job_progress, on_job_hook};
    struct ranks_request request = {planned->log.members, planned->log.member_count, run->request->options, 0};
    request.options.unread = NULL; /* the report on the runs mentions them */
    struct run job = {.request = &request,
                      .watcher = &watcher,
                      .options = request.options,
                      .job = &run->facts[place],
                      .job_dir = planned->dir,
                      .job_name = planned->log.name,
                      .run_texts = run->run_texts,
                      .inner = true};
    struct err err = {0};
    if (!(job.sink = sink_below(run->sink, planned->dir))) {
        err_errno(&err, "cannot create folder '%s' in the report", planned->dir);
        fail(run, &err);
        return;
    }
    if (!run_logs(&job, run->sink))
        fail(run, &job.err);
    sink_destroy(job.sink);
    run->results[place] = job.total;
    key_store_add(run->keys, place, &run->facts[place]);
}

/* Reads jobs in sequence, each with all workers; then the logs that are runs. */
static void run_jobs(struct run *run) {
    for (size_t i = 0; i < run->plan.count && !run->failed; i++)
        if (run->plan.items[i].log.members)
            run_job(run, i);
}

/* Sets the location of a log, for readers that only have its facts. */
static void name_origin(const struct run *run, struct rank_facts *facts, const struct planned *planned) {
    const struct ranks_log *log = &planned->log;
    for (size_t i = 0; i < (log->path_count ? log->path_count : 1); i++) {
        const char *path = log->path_count ? log->paths[i] : log->path;
        char *whole = realpath(path, NULL);
        if (!whole && errno == ENOMEM)
            mem_exhausted();
        if (!whole && !planned->error && !source_is_address(path) && strcmp(path, "-") != 0 && run->watcher->fault)
            run->watcher->fault(run->watcher->context, path, "noted with this path, not the whole one", 0,
                                slice_str(strerror(errno)));
        ARENA_ADD(&facts->arena, &facts->paths, arena_slice(&facts->arena, slice_str(whole ? whole : path)));
        mem_free(whole);
    }
    facts->modified_ns = (uint64_t)planned->modified_ns;
    facts->began_us = planned->began_us;
}

static void write_facts(struct run *run, struct rank_facts *const *all) {
    const struct pipeline_result **results = mem_alloc(run->plan.count * sizeof *results);
    const struct facts_of_logs logs = {all, results, NULL, run->plan.count, run->settings, run->keys};
    for (size_t i = 0; i < run->plan.count; i++) {
        results[i] = &run->results[i];
        name_origin(run, &run->facts[i], &run->plan.items[i]);
    }
    run->failed = !facts_write(&logs, run->facts_out);
    mem_free(results);
}

static void write_all(struct run *run, struct files *files) {
    struct rank_facts **all = mem_alloc(run->plan.count * sizeof *all);
    for (size_t i = 0; i < run->plan.count; i++)
        all[i] = &run->facts[i];
    if (run->facts_out)
        write_facts(run, all);
    else
        write_together(run, all, files);
    mem_free(all);
}

/* Writes the report of the logs. Sets run->total, and run->err on failure. from: a report that already has the front
 * end, or NULL. */
static bool run_logs(struct run *run, struct sink *from) {
    struct files files;
    files_init(&files, run->sink);
    assets_write(&files, from);
    pthread_mutex_init(&run->lock, NULL);
    plan_make(&run->plan, run->request->logs, run->request->count);
    run->facts = mem_zalloc(run->plan.count, sizeof *run->facts);
    run->results = mem_zalloc(run->plan.count, sizeof *run->results);
    run->settings = rank_settings_create();
    run->stores = (struct rank_stores){graph_store_create(), guard_store_create(), run->run_texts};
    run->keys = key_store_create();
    run->options.split = false;
    run->options.assets = run->sink;
    run->spool = spool_create(run->sink);
    run->events = mem_zalloc(run->plan.count, sizeof *run->events);
    run_jobs(run);
    run_all(run);
    add_results(run);
    if (!run->failed)
        write_all(run, &files);
    bool good = !run->failed && files_good(&files, &run->err);
    for (size_t i = 0; i < run->plan.count; i++) {
        rank_facts_finish(&run->facts[i]);
        pipeline_result_finish(&run->results[i]);
        spooled_free(&run->events[i]);
    }
    mem_free(run->events);
    spool_destroy(run->spool);
    mem_free(run->facts);
    mem_free(run->results);
    rank_settings_destroy(run->settings);
    stores_destroy(&run->stores);
    key_store_destroy(run->keys);
    plan_finish(&run->plan);
    pthread_mutex_destroy(&run->lock);
    files_finish(&files);
    return good;
}

bool ranks_run(const struct ranks_request *request, struct sink *sink, const struct ranks_watcher *watcher,
               struct pipeline_result *result, struct err *err) {
    struct run run = {.request = request, .watcher = watcher, .sink = sink, .options = request->options};
    run.run_texts = run_texts_create();
    bool good = run_logs(&run, NULL);
    run_texts_destroy(run.run_texts);
    if (!good)
        *err = run.err;
    *result = run.total;
    return good;
}

bool ranks_reports(const struct ranks_reports *reports, struct sink *sink, const struct ranks_watcher *watcher,
                   struct err *err) {
    const struct ranks_request request = {reports->logs, reports->count, *reports->options, 0};
    struct run run = {.request = &request,
                      .watcher = watcher,
                      .sink = sink,
                      .options = *reports->options,
                      .events = reports->events,
                      .spool = reports->spool,
                      .reports_only = true};
    pthread_mutex_init(&run.lock, NULL);
    run.plan.items = mem_zalloc(reports->count, sizeof *run.plan.items);
    run.plan.count = reports->count;
    run.facts = mem_zalloc(reports->count, sizeof *run.facts);
    run.results = mem_zalloc(reports->count, sizeof *run.results);
    run.options.split = false;
    run.options.assets = sink;
    for (size_t i = 0; i < reports->count; i++)
        run.plan.items[i] = (struct planned){.log = reports->logs[i],
                                             .dir = mem_strdup(reports->dirs[i]),
                                             .readable = true,
                                             .next = SIZE_MAX};
    run_all(&run);
    if (run.failed)
        *err = run.err;
    for (size_t i = 0; i < reports->count; i++) {
        reports->made[i] = !run.facts[i].bad;
        rank_facts_finish(&run.facts[i]);
        pipeline_result_finish(&run.results[i]);
    }
    plan_finish(&run.plan);
    mem_free(run.facts);
    mem_free(run.results);
    pthread_mutex_destroy(&run.lock);
    return !run.failed;
}

bool ranks_facts(const struct ranks_request *request, const struct ranks_facts_out *out,
                 const struct ranks_watcher *watcher, struct pipeline_result *result, struct err *err) {
    struct sink *sink = null_sink_create();
    struct run run = {.request = request,
                      .watcher = watcher,
                      .sink = sink,
                      .options = request->options,
                      .facts_out = out};
    bool good = run_logs(&run, NULL);
    if (!good)
        *err = run.err;
    *result = run.total;
    sink_destroy(sink);
    return good;
}

struct ranks_split {
    LIST(struct rank_facts *) list;
    struct rank_settings *settings;
    struct rank_stores stores;
    struct key_store *keys;
    char *file;
    struct sink *sink;
    struct err err; /* why the first file could not be written */
};

struct ranks_split *ranks_split_create(const char *file, struct sink *sink) {
    struct ranks_split *split = mem_zalloc(1, sizeof *split);
    struct slice name = path_last(slice_str(file));
    split->file = mem_printf("%.*s", SLICE_ARG(name));
    split->sink = sink;
    split->settings = rank_settings_create();
    split->stores = (struct rank_stores){graph_store_create(), guard_store_create(), NULL};
    split->keys = key_store_create();
    return split;
}

static int by_rank(const void *a, const void *b) {
    const struct rank_facts *x = *(struct rank_facts *const *)a, *y = *(struct rank_facts *const *)b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

void ranks_split_whole(struct ranks_split *split, struct model *model, const char *dir,
                       struct view_together *together) {
    if (dir[0] == 0 && split->list.count == 0)
        return; /* the only report */
    struct rank_facts *facts = mem_zalloc(1, sizeof *facts);
    rank_facts_take(facts, model, &split->stores, dir, split->file);
    rank_settings_take(split->settings, facts, model);
    key_store_add(split->keys, split->list.count, facts);
    LIST_ADD(&split->list, facts);
    if (dir[0])
        return;
    qsort(split->list.items, split->list.count, sizeof *split->list.items, by_rank);
    const struct rank_facts *const *all = (const struct rank_facts *const *)split->list.items;
    struct files files;
    AUTO_BUF differences = {0};
    struct divergences divergences;
    files_init(&files, split->sink);
    rank_jobs_find(split->list.items, split->list.count);
    rank_settings_compare(split->settings, split->list.items, split->list.count, &differences);
    divergences_find(&divergences, all, split->list.count);
    struct cache_misses misses;
    cache_misses_find(&misses, split->keys, all, split->list.count);
    divergences.misses = &misses;
    struct jsonw w = {.out = &together->extra, .filled = 1}; /* inside an object that already has members */
    ranks_json_add(&w, all, split->list.count, &divergences, buf_slice(&differences));
    ranks_unfinished_add(&together->unfinished, all, split->list.count);
    rank_sums_add(all, split->list.count, &together->totals, &together->sums);
    together->known = true;
    rank_places_write(all, split->list.count, &divergences, &files);
    divergences_finish(&divergences);
    cache_misses_finish(&misses);
    rank_files_write(all, split->list.count, &files);
    for (size_t i = 0; i < split->list.count; i++)
        rank_parity_write(all[i], &files);
    files_good(&files, &split->err);
    files_finish(&files);
}

bool ranks_split_good(const struct ranks_split *split, struct err *err) {
    if (split->err.code == ERR_NONE)
        return true;
    *err = split->err;
    return false;
}

size_t ranks_split_count(const struct ranks_split *split) {
    return split->list.count;
}

void ranks_split_destroy(struct ranks_split *split) {
    for (size_t i = 0; i < split->list.count; i++) {
        rank_facts_finish(split->list.items[i]);
        mem_free(split->list.items[i]);
    }
    mem_free(split->list.items);
    rank_settings_destroy(split->settings);
    stores_destroy(&split->stores);
    key_store_destroy(split->keys);
    mem_free(split->file);
    mem_free(split);
}
