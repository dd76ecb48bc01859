#define _GNU_SOURCE /* sigset_t in interrupt.h */
#include "cmd/parse.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/pool.h"
#include "base/printable.h"
#include "cmd/browser.h"
#include "cmd/interrupt.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/serve.h"
#include "pipeline/pipeline.h"
#include "ranks/ranks.h"
#include "sink/directory_sink.h"
#include "sink/outdir.h"
#include "trace/choice_groups.h"
#include "trace/choose.h"
#include "trace/process_ranks.h"
#include "trace/source.h"

enum { NAMES_SHOWN = 5, KEYS_SHOWN = 20 };

/* Context of the callbacks of the pipeline and of the ranks. */
struct run {
    struct messages messages;
    struct progress progress;
    const struct source *source; /* if there is one log, else NULL */
    struct ranks_split *split;   /* if there is one log, else NULL */
    uint64_t file_bytes;         /* of all logs whose size is known */
};

static void say(struct buf *line) {
    buf_add_byte(line, '\0');
    messages_print(stderr, line->ptr);
    buf_free(line);
}

/* Adds "a, b, c, d, e and 2 more", relative to the folder if one was given. */
static void add_names(struct buf *line, const struct choice *choice, const char *const *paths, size_t count, bool all) {
    size_t shown = all || count < NAMES_SHOWN ? count : NAMES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        struct slice name = slice_str(paths[i]), folder = slice_str(choice->folder);
        if (slice_starts(name, folder)) {
            name = slice_from(name, folder.len);
            while (name.len && name.ptr[0] == '/')
                name = slice_from(name, 1);
        }
        buf_addf(line, "%s%.*s", i ? ", " : "", SLICE_ARG(name));
    }
    if (shown < count) {
        buf_add_lit(line, " and ");
        messages_add_count(line, count - shown);
        buf_add_lit(line, " more");
    }
}

/* Returns the paths of the chosen logs. The caller frees the list, but not the strings. */
static const char **choice_paths(const struct choice *choice) {
    const char **paths = mem_alloc(choice->count * sizeof *paths);
    for (size_t i = 0; i < choice->count; i++)
        paths[i] = choice->items[i].path;
    return paths;
}

static bool has_rank(const struct choice *choice) {
    for (size_t i = 0; i < choice->count; i++)
        if (choice->items[i].has_rank)
            return true;
    return false;
}

/* Adds "old, new"; for jobs, with the number of their logs. */
static void add_runs(struct buf *line, const struct choice *choice, bool verbose) {
    size_t count = choice->groups.count, shown = verbose || count < NAMES_SHOWN ? count : NAMES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const struct choice_group *group = &choice->groups.items[i];
        buf_addf(line, "%s%s", i ? ", " : "", group->name);
        size_t logs = 0;
        for (size_t n = 0; n < group->count && group->job; n++) {
            const struct choice_log *log = &choice->items[group->first + n];
            logs += n == 0 || !log->has_rank || !choice_is_same_log(log - 1, log);
        }
        if (group->job)
            buf_addf(line, " (%zu rank logs)", logs);
    }
    if (shown < count)
        buf_addf(line, " and %zu more", count - shown);
    if (choice->has_shared_rank)
        buf_addf(line, "; these are separate jobs, because more than one has rank %llu",
                 (unsigned long long)choice->shared_rank);
}

/* Prints what is read, and how several logs are related. */
static void say_decision(const struct choice *choice, bool verbose) {
    const char **paths = choice_paths(choice);
    struct buf line = {0};
    bool names = choice->folder || verbose;
    if (choice->kind == CHOICE_RUNS) {
        buf_addf(&line, "comparing %zu runs: ", choice->groups.count);
        add_runs(&line, choice, verbose);
        names = false;
    } else if (choice->one_log) {
        buf_addf(&line, "reading %zu files as one rotated log", choice->count);
    } else if (choice->kind == CHOICE_PROCESSES) {
        buf_addf(&line, "reading %zu logs as processes of one run (use --compare to compare them)", choice->count);
    } else if (choice->kind == CHOICE_RANKS && !has_rank(choice)) {
        buf_addf(&line, "reading %zu logs without ranks as separate runs", choice->count);
    } else if (choice->kind == CHOICE_RANKS) {
        buf_addf(&line, "reading %zu logs as ranks of one job", choice->groups.count);
        if (choice->hosts)
            buf_addf(&line, ", because the %zu folders share no rank (use --compare to compare them)", choice->hosts);
    } else if (names) {
        buf_add_lit(&line, "reading 1 log");
    }
    if (names) {
        buf_add_lit(&line, ": ");
        add_names(&line, choice, paths, choice->count, verbose);
    }
    if (line.len)
        say(&line);
    free(paths);
}

static void say_choice(const struct choice *choice, bool verbose) {
    struct buf line = {0};
    for (size_t i = 0; i < choice->repeated.count; i++) {
        buf_addf(&line, "%s is listed twice; reading it once", choice->repeated.items[i]);
        say(&line);
    }
    if (choice->folder) {
        size_t count = choice->folders.count, shown = verbose || count < NAMES_SHOWN ? count : NAMES_SHOWN;
        buf_add_lit(&line, "looking for logs in ");
        for (size_t i = 0; i < shown; i++)
            buf_addf(&line, "%s%s", i ? ", " : "", choice->folders.items[i]);
        if (shown < count)
            buf_addf(&line, " and %zu more folders", count - shown);
        buf_add_str(&line, choice->from_fallback ? " ($TORCH_TRACE)" : "");
        say(&line);
    }
    if (choice->cut) {
        buf_addf(&line, "%s has too many subfolders; only some were searched", choice->cut);
        say(&line);
        messages_hint(stderr, "pass the folder that contains the logs");
    }
    say_decision(choice, verbose);
    if (!choice->left.count)
        return;
    buf_addf(&line, "skipping %zu %s%s: ", choice->left.count, choice->left.count == 1 ? "log" : "logs",
             choice->earlier == choice->left.count      ? " written more than an hour before the others"
             : choice->other_jobs == choice->left.count ? " of other jobs (use --compare to compare them)"
             : choice->unnamed == choice->left.count    ? " not named dedicated_log_torch_trace_*"
                                                        : "");
    add_names(&line, choice, (const char *const *)choice->left.items, choice->left.count, verbose);
    say(&line);
}

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

static void on_rank_fault(void *context, const char *path, const char *kind, uint64_t line, struct slice detail) {
    struct run *run = context;
    run->messages.file = path;
    messages_fault(&run->messages, kind, line, detail);
}

static void on_rank_progress(void *context, uint64_t bytes) {
    struct run *run = context;
    progress_update(&run->progress, bytes, run->file_bytes, bytes);
}

static void say_empty(const char *path) {
    struct buf line = {0};
    buf_addf(&line, "no trace records in %s", path);
    say(&line);
}

static void say_processes(const char *path, uint64_t count) {
    struct buf line = {0};
    buf_addf(&line, "%s has records of %llu processes; compile ids include the process id", path,
             (unsigned long long)count);
    say(&line);
}

/* Processes in different containers may have the same id. */
static void say_namesakes(const char *path, uint64_t count, uint64_t number) {
    struct buf line = {0};
    buf_addf(&line, "%s: %llu %s the id of an earlier one; %llu.2 means the second process %llu", path,
             (unsigned long long)count, count == 1 ? "process has" : "processes have", (unsigned long long)number,
             (unsigned long long)number);
    say(&line);
}

static void on_rank_processes(void *context, const char *path, const struct pipeline_result *result, bool told) {
    struct run *run = context;
    progress_clear(&run->progress);
    if (!told)
        say_processes(path, result->processes);
    if (result->namesakes)
        say_namesakes(path, result->namesakes, result->namesake);
}

static void on_rank_empty(void *context, const char *path) {
    struct run *run = context;
    progress_clear(&run->progress);
    say_empty(path);
}

static void say_unknown_keys(const struct pipeline_result *result) {
    struct buf line = {0};
    size_t count = result->unknown_key_count, shown = count < KEYS_SHOWN ? count : KEYS_SHOWN;
    if (!count)
        return;
    buf_add_lit(&line, "Unknown fields: {");
    for (size_t i = 0; i < shown; i++) {
        buf_add_str(&line, i ? ", \"" : "\"");
        printable_add(&line, slice_str(result->unknown_keys[i]), MESSAGES_DETAIL_BYTES);
        buf_add_byte(&line, '"');
    }
    if (shown < count)
        buf_addf(&line, ", and %zu more", count - shown);
    buf_add_lit(&line, "} (consider updating tlparse to render these)\n");
    fwrite(line.ptr, 1, line.len, stderr);
    buf_free(&line);
}

static void print_stats(const struct pipeline_result *result) {
    struct buf line = {0};
    const char *between = "";
    buf_add_lit(&line, "Stats { ");
    for (int i = 0; i < COUNTERS; i++) {
        if (!result->counters[i])
            continue;
        buf_addf(&line, "%s%s: %llu", between, counter_name((enum counter)i), (unsigned long long)result->counters[i]);
        between = ", ";
    }
    buf_add_str(&line, *between ? " }\n" : "}\n");
    fwrite(line.ptr, 1, line.len, stderr);
    buf_free(&line);
}

static void say_place(const struct options *options, const struct outdir *outdir, bool opened) {
    struct buf line = {0}, hint = {0};
    const char *out = options->out, *slash = out[0] && out[strlen(out) - 1] == '/' ? "" : "/";
    buf_addf(&line, "%s%sindex.html%s", out, slash, opened ? " (opened in the browser)" : "");
    buf_add_byte(&line, '\0');
    messages_report(stderr, line.ptr);
    buf_free(&line);
    if (!outdir->leftover)
        return;
    messages_print(stderr, "cannot remove all files of the old report");
    buf_addf(&hint, "delete .*.tlparse-* next to %s and in it", out);
    buf_add_byte(&hint, '\0');
    messages_hint(stderr, hint.ptr);
    buf_free(&hint);
}

static void say_summary(const struct pipeline_result *result) {
    struct buf line = {0};
    messages_add_count(&line, result->compiles);
    buf_add_str(&line, result->compiles == 1 ? " compile, " : " compiles, ");
    messages_add_count(&line, result->artifacts);
    buf_add_str(&line, result->artifacts == 1 ? " artifact, " : " artifacts, ");
    progress_add_bytes(&line, result->bytes);
    if (result->has_rank)
        buf_addf(&line, ", rank %llu", (unsigned long long)result->rank);
    say(&line);
}

static bool check_strict(const struct options *options, const struct pipeline_result *result, struct err *err) {
    static const enum counter faults[] = {COUNT_OTHER_RANK,
                                          COUNT_FAIL_GLOG,
                                          COUNT_FAIL_JSON,
                                          COUNT_FAIL_PAYLOAD_MD5,
                                          COUNT_FAIL_DYNAMO_GUARDS_JSON,
                                          COUNT_FAIL_PARSER};
    struct buf what = {0};
    for (size_t i = 0; options->strict && i < sizeof faults / sizeof *faults; i++)
        if (result->counters[faults[i]])
            buf_addf(&what, "%s%s: %llu", what.len ? ", " : "--strict: ", counter_name(faults[i]),
                     (unsigned long long)result->counters[faults[i]]);
    if (options->strict_compile_id && result->no_compile_id)
        buf_addf(&what, "%s--strict-compile-id: %llu %s a stack but no compile id, first at %s:%llu",
                 what.len ? "; " : "", (unsigned long long)result->no_compile_id,
                 result->no_compile_id == 1 ? "record has" : "records have", result->no_compile_id_file,
                 (unsigned long long)result->no_compile_id_line);
    bool ok = what.len == 0 || err_set(err, ERR_INPUT, "%.*s", (int)what.len, what.ptr);
    buf_free(&what);
    return ok;
}

static struct run_options pipeline_options_of(const struct options *options) {
    return (struct run_options){
        .plain_text = options->plain_text,
        .custom_header = slice_str(options->custom_header),
        .workers = options->has_threads ? options->threads : pool_cores(),
        .block_bytes = options->block_bytes,
        .export = options->export,
        .provenance = options->provenance,
        .split = !options->has_rank,
        .has_only_rank = options->has_rank,
        .only_rank = options->rank,
    };
}

/* Prints notes on a log that was read. */
static void say_facts(const struct options *options, const struct source *source,
                      const struct pipeline_result *result) {
    struct buf line = {0};
    for (size_t i = 0; i < source->file_count; i++) {
        const struct source_file *file = &source->files[i];
        if (file->damage) { /* errors of open() already name the file */
            bool named = slice_find(slice_str(file->damage), slice_str(file->path)) != SIZE_MAX;
            buf_addf(&line, "%s%s%s", named ? "" : file->path, named ? "" : ": ", file->damage);
            say(&line);
        } else if (!file->records) {
            say_empty(file->path);
        }
    }
    if (options->has_rank && !result->has_rank) {
        buf_addf(&line, "%s has no records of rank %llu", source->name, (unsigned long long)options->rank);
        say(&line);
    }
    if (result->processes > 1 && (source->file_count == 1 || result->processes > source->file_count))
        say_processes(source->name, result->processes);
    if (result->namesakes)
        say_namesakes(source->name, result->namesakes, result->namesake);
}

static void say_split(const struct ranks_split *split) {
    struct buf line = {0};
    if (!ranks_split_count(split))
        return;
    buf_addf(&line, "this log has records of %zu ranks; the reports of all but the first are in rank_<N>/",
             ranks_split_count(split));
    say(&line);
}

/* Writes the report of one log, which may consist of several files. */
static bool write_one(const struct options *options, const struct choice *choice, struct sink *sink,
                      struct pipeline_result *result, struct err *err) {
    struct run_options how = pipeline_options_of(options);
    struct source source;
    struct process_ranks process_ranks;
    const char **paths = choice_paths(choice);
    bool ok = source_open_all(&source, choice->groups.items[0].name, paths, choice->count, err);
    if (!ok) {
        free(paths);
        return false;
    }
    process_ranks_find(&process_ranks, paths, choice->count);
    how.process_ranks = &process_ranks;
    struct run run = {.messages = {.to = stderr, .file = source.name, .progress = &run.progress}, .source = &source};
    const struct run_watcher watcher = {.context = &run, .fault = on_fault, .progress = on_progress, .whole = on_whole};
    run.split = ranks_split_create(source.name, sink);
    progress_init(&run.progress, stderr);
    ok = pipeline_run(&source, sink, &how, &watcher, result, err) && ranks_split_good(run.split, err);
    progress_clear(&run.progress);
    messages_finish(&run.messages);
    if (ok) {
        say_facts(options, &source, result);
        say_split(run.split);
    }
    ranks_split_destroy(run.split);
    process_ranks_finish(&process_ranks);
    source_close(&source);
    free(paths);
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

static bool is_asked_for(const struct options *options, const struct choice_log *log) {
    return !options->has_rank || !log->has_rank || log->rank == options->rank;
}

/* A run that is a job, with those of its logs that --rank selects. */
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
                                                  .path_count = n};
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
    bool runs = choice->kind == CHOICE_RUNS || !has_rank(choice);
    struct ranks_log made = {.path = log->path,
                             .has_rank = log->has_rank,
                             .rank = log->rank,
                             .paths = &several->paths[group->first],
                             .path_count = group->count};
    if (group->job)
        made = job_of(several, group);
    else if (!is_asked_for(several->options, log))
        return;
    if (!made.path)
        return;
    if (runs)
        made.has_rank = false;
    made.place = runs ? place + 1 : 0;
    made.name = runs ? group->name : NULL;
    several->logs[several->count++] = made;
}

static bool write_ranks(const struct options *options, const struct choice *choice, struct sink *sink,
                        struct pipeline_result *result, struct err *err) {
    struct several several = {.options = options, .choice = choice, .paths = choice_paths(choice)};
    struct run run = {.messages = {.to = stderr, .progress = &run.progress}};
    const struct ranks_watcher watcher = {&run, on_rank_fault, on_rank_empty, on_rank_processes, on_rank_progress};
    several.logs = mem_zalloc(choice->groups.count, sizeof *several.logs);
    several.of_ranks = mem_zalloc(choice->count, sizeof *several.of_ranks);
    for (size_t i = 0; i < choice->groups.count; i++)
        add_group(&several, i);
    const struct ranks_request request = {several.logs, several.count, pipeline_options_of(options)};
    progress_init(&run.progress, stderr);
    bool ok = several.count ? ranks_run(&request, sink, &watcher, result, err)
                            : err_set(err, ERR_INPUT, "no log of rank %llu found", (unsigned long long)options->rank);
    progress_clear(&run.progress);
    messages_finish(&run.messages);
    free(several.paths);
    free(several.logs);
    free(several.of_ranks);
    return ok;
}

/* Reads the chosen logs and writes their report into the sink. */
static bool read_logs(const struct options *options, const struct choice *choice, struct sink *sink,
                      struct pipeline_result *result, struct err *err) {
    bool one = choice->groups.count == 1 && !options->all_ranks;
    return one ? write_one(options, choice, sink, result, err) : write_ranks(options, choice, sink, result, err);
}

/* Writes the report to the staging folder, then moves it to its final place. */
static bool write_report(const struct options *options, const struct choice *choice, struct outdir *outdir,
                         struct pipeline_result *result, struct err *err) {
    struct sink *sink = directory_sink_create(outdir_fd(outdir));
    bool ok = read_logs(options, choice, sink, result, err);
    sink_destroy(sink);
    return ok && outdir_commit(outdir, err);
}

static bool show(const struct options *options) {
    if (options->no_browser || options->serve || !browser_is_there())
        return false;
    char *page = mem_printf("%s/index.html", options->out);
    bool opened = browser_open(page);
    free(page);
    return opened;
}

/* Writes the report; signals are handled by interrupt.h meanwhile. */
static bool report_logs(const struct options *options, const struct choice *choice, struct err *err) {
    struct outdir outdir;
    struct interrupt interrupt;
    struct pipeline_result result = {0};
    const char **inputs = choice_paths(choice);
    for (size_t i = 0; i < choice->count; i++)
        if (strcmp(inputs[i], "-") == 0)
            inputs[i] = "/dev/stdin"; /* allows outdir to identify the file of standard input */
    const struct outdir_request request = {.path = options->out,
                                           .overwrite = options->overwrite,
                                           .inputs = inputs,
                                           .input_count = choice->count};
    outdir_init(&outdir);
    bool ok = interrupt_begin(&interrupt, &outdir, err);
    if (ok) {
        ok = outdir_begin(&outdir, &request, err) && write_report(options, choice, &outdir, &result, err);
        interrupt_end(&interrupt);
    }
    if (ok) {
        if (options->verbose)
            say_summary(&result);
        say_unknown_keys(&result);
        say_place(options, &outdir, show(options));
        print_stats(&result);
        ok = check_strict(options, &result, err);
    }
    outdir_finish(&outdir);
    pipeline_result_finish(&result);
    free(inputs);
    return ok;
}

/* Finds the logs of the call and prints what was decided. The caller finishes the choice. */
static bool choose(const struct options *options, struct choice *choice, struct err *err) {
    const struct choose_request request = {.paths = options->paths,
                                           .path_count = options->path_count,
                                           .latest = options->latest,
                                           .compare = options->compare,
                                           .all_ranks = options->all_ranks,
                                           .fallback = getenv("TORCH_TRACE")};
    if (options->latest && options->all_ranks)
        return err_set(err, ERR_USAGE,
                       "--latest cannot be used with --all-ranks-html: one reads a single log, the other all");
    if (!choose_logs(&request, choice, err))
        return false;
    say_choice(choice, options->verbose);
    if (options->compare && choice->groups.count < 2)
        messages_print(stderr, "nothing to compare: --compare needs at least two runs, but there is only one log");
    else if (options->compare && choice->kind == CHOICE_RANKS && has_rank(choice))
        messages_print(stderr,
                       "nothing to compare: --compare needs at least two runs, but all logs are ranks of one job");
    return true;
}

bool parse_into(const struct options *options, struct sink *sink, struct err *err) {
    struct choice choice;
    struct pipeline_result result = {0};
    if (!choose(options, &choice, err))
        return false;
    bool ok = read_logs(options, &choice, sink, &result, err);
    pipeline_result_finish(&result);
    choice_finish(&choice);
    return ok;
}

bool parse_run(const struct options *options, struct err *err) {
    struct choice choice;
    if (!choose(options, &choice, err))
        return false;
    bool ok = report_logs(options, &choice, err);
    choice_finish(&choice);
    return ok && (!options->serve || serve_report(options, err));
}
