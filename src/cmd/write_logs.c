
#include "cmd/write_logs.h"

#include <sys/stat.h>

#include "base/pool.h"
#include "cmd/messages.h"
#include "cmd/notes.h"
#include "cmd/progress.h"
#include "cmd/user_hooks.h"
#include "pipeline/pipeline.h"
#include "ranks/merge_facts.h"
#include "ranks/ranks.h"
#include "trace/choice.h"
#include "trace/process_ranks.h"
#include "trace/source.h"

/* Context of the callbacks of the pipeline and of the ranks. */
struct run {
    struct messages messages;
    struct progress progress;
    const struct source *source; /* if there is one log; else NULL */
    struct ranks_split *split;   /* if there is one log; else NULL */
    char *shown;                 /* path of the log that the latest message was about */
    uint64_t file_bytes;         /* total size of all logs with a known size */
};

static void on_fault(void *context, const char *kind, uint64_t line, struct slice detail) {
    struct run *run = context;
    const struct source_file *file = source_file_at(run->source, line);
    run->messages.file = file->path;
    messages_fault(&run->messages, kind, line - (file->first_line - 1), detail);
}

static void on_progress(void *context, uint64_t bytes) {
    struct run *run = context;
    progress_update(&run->progress, run->source->file_read, run->source->file_bytes, bytes);
}

static void on_whole(void *context, struct model *model, const char *dir, struct view_together *together) {
    struct run *run = context;
    ranks_split_whole(run->split, model, dir, together);
}

/* The path as it may be shown, until the next call. */
static const char *show(struct run *run, const char *path) {
    mem_free(run->shown);
    return run->shown = mem_printf("%.*s", SLICE_ARG(source_shown(path)));
}

static void on_rank_fault(void *context, const char *path, const char *kind, uint64_t line, struct slice detail) {
    struct run *run = context;
    run->messages.file = show(run, path);
    messages_fault(&run->messages, kind, line, detail);
}

static void on_rank_progress(void *context, const struct ranks_read *read) {
    struct run *run = context;
    progress_update(&run->progress, read->file_bytes, run->file_bytes, read->bytes);
}

static void on_rank_processes(void *context, const char *path, const struct pipeline_result *result, bool told) {
    struct run *run = context;
    progress_clear(&run->progress);
    if (!told)
        notes_processes(path, result->processes);
    if (result->namesakes)
        notes_namesakes(path, result->namesakes, result->namesake);
}

static void on_hook(void *context, const char *text) {
    struct run *run = context;
    progress_clear(&run->progress);
    messages_print(stderr, text);
}

static void on_rank_hook(void *context, const char *path, const char *text) {
    char *named = mem_printf("%.*s: %s", SLICE_ARG(source_shown(path)), text);
    on_hook(context, named);
    mem_free(named);
}

static void on_rank_empty(void *context, const char *path) {
    struct run *run = context;
    progress_clear(&run->progress);
    notes_empty(path);
}

struct reading_options write_logs_options(const struct options *options) {
    struct user_hooks *hooks = options->hooks;
    return (struct reading_options){
        .remote = hooks ? &hooks->fetcher.remote : NULL,
        .parsers = hooks && hooks->reporting ? &hooks->parsers : NULL,
        .source_link =
            hooks && hooks->reporting && hooks->source_link.len ? buf_slice(&hooks->source_link) : (struct slice){0},
        .sources = hooks && hooks->sources.list.count ? &hooks->sources : NULL,
        .profiles = options->no_profiles ? NULL : user_hooks_profiles(hooks, false),
        .plain_text = options->plain_text,
        .custom_header = slice_str(options->custom_header),
        .live = options->live,
        .workers = options->threads.given ? (unsigned)options->threads.value : pool_cores(),
        .output_max = options->max_output.value,
        .record_max = (size_t)options->max_record.value,
        .block_bytes = (size_t)options->block_bytes.value,
        .export = options->export,
        .provenance = options->provenance,
        .split = !options->rank.given,
        .has_only_rank = options->rank.given,
        .only_rank = options->rank.value,
    };
}

/* Writes the report of one log, which may consist of several files. */
static bool write_one(const struct options *options, const struct choice *choice, struct sink *sink,
                      struct pipeline_result *result, struct err *err) {
    struct reading_options how = write_logs_options(options);
    how.unread = &choice->unread;
    struct source source;
    struct process_ranks process_ranks;
    const char **paths = choice_paths(choice);
    bool ok = source_open_from(&source, how.remote, choice->groups.items[0].name, paths, choice->count, err);
    if (!ok) {
        mem_free(paths);
        return false;
    }
    process_ranks_find(&process_ranks, paths, choice->count);
    how.process_ranks = &process_ranks;
    struct run run = {.messages = {.to = stderr, .file = source.name, .progress = &run.progress}, .source = &source};
    const struct reading_watcher watcher = {.context = &run,
                                            .fault = on_fault,
                                            .progress = on_progress,
                                            .whole = on_whole,
                                            .hook = on_hook};
    run.split = ranks_split_create(source.name, sink);
    progress_init(&run.progress, stderr);
    ok = pipeline_run(&source, sink, &how, &watcher, result, err) && ranks_split_good(run.split, err);
    progress_clear(&run.progress);
    messages_finish(&run.messages);
    if (ok) {
        notes_log(options, &source, result);
        notes_split(run.split);
    }
    ranks_split_destroy(run.split);
    process_ranks_finish(&process_ranks);
    source_close(&source);
    mem_free(paths);
    return ok;
}

/* Several logs, each with a report in its own subfolder. */
struct several {
    const struct options *options;
    const struct choice *choice;
    const char **paths;         /* of choice->items */
    struct ranks_log *logs;     /* one per run, rank, or log without a rank */
    struct ranks_log *of_ranks; /* the logs of all jobs, job by job */
    size_t count, of_ranks_count;
};

/* The profiles of a log: in a comparison, those of its run. */
static struct profiles *profiles_of(const struct options *options, const struct choice_log *log) {
    bool newer = options->base_count && log->argument >= options->base_count;
    return options->no_profiles ? NULL : user_hooks_profiles(options->hooks, newer);
}

static bool is_asked_for(const struct options *options, const struct choice_log *log) {
    return !options->rank.given || !log->has_rank || log->rank == options->rank.value;
}

/* A run that is a job, with the logs that --rank selects. */
static struct ranks_log job_of(struct several *several, const struct choice_group *group) {
    struct ranks_log *members = several->of_ranks + several->of_ranks_count;
    size_t count = 0;
    for (size_t i = group->first, n; i < group->first + group->count; i += n) {
        const struct choice_log *log = &several->choice->items[i];
        for (n = 1; i + n < group->first + group->count && log->has_rank && choice_is_same_log(log, log + n); n++)
            ;
        if (is_asked_for(several->options, log))
            members[count++] = (struct ranks_log){.path = log->path,
                                                  .has_rank = log->has_rank,
                                                  .rank = log->rank,
                                                  .paths = &several->paths[i],
                                                  .path_count = n,
                                                  .profiles = profiles_of(several->options, log)};
    }
    several->of_ranks_count += count;
    if (count < 2) /* one log, or none */
        return members[0];
    return (
        struct ranks_log){.path = several->choice->items[group->first].path, .members = members, .member_count = count};
}

static void add_group(struct several *several, size_t place) {
    const struct choice *choice = several->choice;
    const struct choice_group *group = &choice->groups.items[place];
    const struct choice_log *log = &choice->items[group->first];
    bool runs = choice->kind == CHOICE_RUNS || !choice_has_rank(choice);
    struct ranks_log made = {.path = log->path,
                             .has_rank = log->has_rank,
                             .rank = log->rank,
                             .paths = &several->paths[group->first],
                             .path_count = group->count,
                             .profiles = profiles_of(several->options, log)};
    if (group->job)
        made = job_of(several, group);
    else if (!is_asked_for(several->options, log))
        return;
    if (!made.path)
        return;
    if (runs) {
        made.has_rank = false;
        made.rank = 0;
    }
    made.place = runs ? place + 1 : 0;
    made.name = runs ? group->name : NULL;
    several->logs[several->count++] = made;
}

/* 0 if it is unknown. */
static uint64_t file_bytes(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

/* The number of runs that belong to the first paths. */
static size_t bases_of(const struct options *options, const struct choice *choice) {
    size_t count = 0;
    for (size_t i = 0; i < choice->groups.count; i++)
        count += choice->items[choice->groups.items[i].first].argument < options->base_count;
    return count;
}

static bool write_ranks(const struct options *options, const struct choice *choice, struct sink *sink,
                        struct pipeline_result *result, struct err *err) {
    struct several several = {.options = options, .choice = choice, .paths = choice_paths(choice)};
    struct run run = {.messages = {.to = stderr, .progress = &run.progress}};
    const struct ranks_watcher watcher =
        {&run, on_rank_fault, on_rank_empty, on_rank_processes, on_rank_progress, on_rank_hook};
    several.logs = mem_zalloc(choice->groups.count, sizeof *several.logs);
    several.of_ranks = mem_zalloc(choice->count, sizeof *several.of_ranks);
    for (size_t i = 0; i < choice->groups.count; i++)
        add_group(&several, i);
    struct reading_options how = write_logs_options(options);
    how.unread = &choice->unread;
    const struct ranks_request request = {several.logs, several.count, how, bases_of(options, choice)};
    for (size_t i = 0; i < choice->count; i++)
        run.file_bytes += file_bytes(several.paths[i]);
    progress_init(&run.progress, stderr);
    bool ok = several.count ? ranks_run(&request, sink, &watcher, result, err)
                            : err_set(err, ERR_INPUT, "no log of rank %" PRIu64 " found", options->rank.value);
    progress_clear(&run.progress);
    messages_finish(&run.messages);
    mem_free(run.shown);
    mem_free(several.paths);
    mem_free(several.logs);
    mem_free(several.of_ranks);
    return ok;
}

bool write_logs(const struct options *options, const struct choice *choice, struct sink *sink,
                struct pipeline_result *result, struct err *err) {
    bool one = choice->groups.count == 1 && !options->all_ranks;
    bool ok = one ? write_one(options, choice, sink, result, err) : write_ranks(options, choice, sink, result, err);
    if (ok && options->hooks)
        user_hooks_note_inputs(options->hooks);
    return ok;
}

/* Adds each log of each group: here, a job counts as its ranks, not as a run. */
static void add_ranks(struct several *several, const struct choice_group *group, const struct choice_rank *ranks) {
    const struct choice *choice = several->choice;
    for (size_t i = group->first, n; i < group->first + group->count; i += n) {
        const struct choice_log *log = &choice->items[i];
        size_t rest = group->first + group->count - i;
        for (n = 1;
             n < rest && (log->has_rank ? choice_is_same_log(log, log + n) : !ranks[i].known && !ranks[i + n].known);
             n++)
            ;
        several->logs[several->count++] = (struct ranks_log){.path = log->path,
                                                             .has_rank = ranks[i].known,
                                                             .rank = ranks[i].known ? ranks[i].rank : 0,
                                                             .paths = &several->paths[i],
                                                             .path_count = n};
    }
}

bool write_facts(const struct options *options, const struct choice *choice, const struct ranks_facts_out *out,
                 size_t *logs, struct pipeline_result *result, struct err *err) {
    struct several several = {.options = options, .choice = choice, .paths = choice_paths(choice)};
    struct run run = {.messages = {.to = stderr, .progress = &run.progress}};
    const struct ranks_watcher watcher =
        {&run, on_rank_fault, on_rank_empty, on_rank_processes, on_rank_progress, on_rank_hook};
    struct choice_rank *ranks = mem_zalloc(choice->count, sizeof *ranks);
    choice_ranks_find(choice, ranks);
    several.logs = mem_zalloc(choice->count, sizeof *several.logs);
    for (size_t i = 0; i < choice->groups.count; i++)
        add_ranks(&several, &choice->groups.items[i], ranks);
    mem_free(ranks);
    struct reading_options how = write_logs_options(options);
    how.unread = &choice->unread;
    const struct ranks_request request = {several.logs, several.count, how, 0};
    for (size_t i = 0; i < choice->count; i++)
        run.file_bytes += file_bytes(several.paths[i]);
    progress_init(&run.progress, stderr);
    bool ok = ranks_facts(&request, out, &watcher, result, err);
    progress_clear(&run.progress);
    messages_finish(&run.messages);
    *logs = several.count;
    mem_free(run.shown);
    mem_free(several.paths);
    mem_free(several.logs);
    return ok;
}

bool merge_facts_files(const struct merge_request *request, struct sink *sink, const struct ranks_facts_out *out,
                       struct merge_result *result, struct err *err) {
    struct run run = {.messages = {.to = stderr, .progress = &run.progress}};
    const struct ranks_watcher watcher = {&run, on_rank_fault, on_rank_empty, on_rank_processes, NULL, on_rank_hook};
    progress_init(&run.progress, stderr);
    bool ok = sink ? ranks_merge(request, sink, &watcher, result, err)
                   : ranks_merge_facts(request, out, &watcher, result, err);
    progress_clear(&run.progress);
    messages_finish(&run.messages);
    mem_free(run.shown);
    return ok;
}
