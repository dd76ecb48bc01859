
#include "cmd/notes.h"

#include "cmd/messages.h"
#include "cmd/progress.h"
#include "trace/choice.h"

enum { NAMES_SHOWN = 5, KEYS_SHOWN = 20 };

static void say(struct buf *line) {
    buf_add_byte(line, '\0');
    messages_print(stderr, line->ptr);
    buf_free(line);
}

/* Adds "a, b, c, d, e and 2 more", relative to the folder if one was given. */
static void add_names(struct buf *line, const struct choice *choice, const char *const *paths, size_t count, bool all) {
    size_t shown = all || count < NAMES_SHOWN ? count : NAMES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        struct slice name = source_shown(paths[i]), folder = slice_str(choice->folder);
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

/* Adds "old, new"; for jobs, with the number of their logs. */
static void add_runs(struct buf *line, const struct choice *choice, bool verbose) {
    size_t count = choice->groups.count, shown = verbose || count <= NAMES_SHOWN + 1 ? count : NAMES_SHOWN;
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
        buf_addf(line, "; these are separate jobs, because more than one has rank %" PRIu64, choice->shared_rank);
}

/* Prints which logs are read, and how they are related. */
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
    } else if (choice->kind == CHOICE_RANKS && !choice_has_rank(choice)) {
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
    mem_free(paths);
}

void notes_choice(const struct choice *choice, bool verbose) {
    struct buf line = {0};
    for (size_t i = 0; i < choice->repeated.count; i++) {
        buf_addf(&line, "%.*s is listed twice; reading it once", SLICE_ARG(source_shown(choice->repeated.items[i])));
        say(&line);
    }
    if (choice->folder) {
        size_t count = choice->folders.count, shown = verbose || count <= NAMES_SHOWN + 1 ? count : NAMES_SHOWN;
        buf_add_lit(&line, "looking for logs in ");
        for (size_t i = 0; i < shown; i++)
            buf_addf(&line, "%s%s", i ? ", " : "", choice->folders.items[i]);
        if (shown < count)
            buf_addf(&line, " and %zu more folders", count - shown);
        if (choice->fallback_variable)
            buf_addf(&line, " ($%s)", choice->fallback_variable);
        say(&line);
    }
    if (choice->cut) {
        buf_addf(&line, "%s has too many subfolders; only some were searched", choice->cut);
        say(&line);
        messages_hint(stderr, "pass the folder that contains the logs");
    }
    for (size_t i = 0; i < choice->unread.count && (verbose || i < NAMES_SHOWN); i++) {
        buf_addf(&line, "cannot read folder %s; its logs are missing", choice->unread.items[i]);
        say(&line);
    }
    if (!verbose && choice->unread.count > NAMES_SHOWN) {
        buf_addf(&line, "cannot read %zu more folders", choice->unread.count - NAMES_SHOWN);
        say(&line);
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

void notes_empty(const char *path) {
    struct buf line = {0};
    buf_addf(&line, "no trace records in %s", path);
    say(&line);
}

void notes_processes(const char *path, uint64_t count) {
    struct buf line = {0};
    buf_addf(&line, "%s has records of %" PRIu64 " processes; compile ids include the process id", path, count);
    say(&line);
}

/* Processes in different containers may have the same id. */
void notes_namesakes(const char *path, uint64_t count, uint64_t number) {
    struct buf line = {0};
    buf_addf(&line, "%s: %" PRIu64 " %s the id of an earlier one; %" PRIu64 ".2 means the second process %" PRIu64,
             path, count, count == 1 ? "process has" : "processes have", number, number);
    say(&line);
}

void notes_unknown_fields(const struct pipeline_result *result) {
    AUTO_BUF line = {0};
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
}

void notes_stats(const struct pipeline_result *result) {
    AUTO_BUF line = {0};
    const char *between = "";
    buf_add_lit(&line, "Stats { ");
    for (int i = 0; i < COUNTERS; i++) {
        if (!result->counters[i])
            continue;
        buf_addf(&line, "%s%s: %" PRIu64, between, counter_name((enum counter)i), result->counters[i]);
        between = ", ";
    }
    buf_add_str(&line, *between ? " }\n" : "}\n");
    fwrite(line.ptr, 1, line.len, stderr);
}

void notes_report(const struct options *options, const struct outdir *outdir, bool opened) {
    AUTO_BUF line = {0};
    const char *out = options->out, *slash = out[0] && out[strlen(out) - 1] == '/' ? "" : "/";
    buf_addf(&line, "%s%sindex.html%s", out, slash, opened ? " (opened in the browser)" : "");
    buf_add_byte(&line, '\0');
    messages_report(stderr, line.ptr);
    notes_leftover(out, outdir);
}

void notes_leftover(const char *out, const struct outdir *outdir) {
    AUTO_BUF hint = {0};
    if (!outdir->leftover)
        return;
    messages_print(stderr, "cannot remove all files of the old report");
    buf_addf(&hint, "delete .*.tlparse-* next to %s and in it", out);
    buf_add_byte(&hint, '\0');
    messages_hint(stderr, hint.ptr);
}

void notes_summary(const struct pipeline_result *result) {
    struct buf line = {0};
    messages_add_count(&line, result->compiles);
    buf_add_str(&line, result->compiles == 1 ? " compile, " : " compiles, ");
    messages_add_count(&line, result->artifacts);
    buf_add_str(&line, result->artifacts == 1 ? " artifact, " : " artifacts, ");
    progress_add_bytes(&line, result->bytes);
    if (result->has_rank)
        buf_addf(&line, ", rank %" PRIu64, result->rank);
    say(&line);
}

/* Prints notes on a log that was read. */
void notes_log(const struct options *options, const struct source *source, const struct pipeline_result *result) {
    struct buf line = {0};
    for (size_t i = 0; i < source->file_count; i++) {
        const struct source_file *file = &source->files[i];
        if (file->damage) { /* errors of open() already include the file's name */
            bool named = slice_find(slice_str(file->damage), slice_str(file->path)) != SIZE_MAX;
            buf_addf(&line, "%s%s%s", named ? "" : file->path, named ? "" : ": ", file->damage);
            say(&line);
        } else if (!file->records) {
            notes_empty(file->path);
        }
    }
    if (options->rank.given && !result->has_rank) {
        buf_addf(&line, "%s has no records of rank %" PRIu64, source->name, options->rank.value);
        say(&line);
    }
    if (result->processes > 1 && (source->file_count == 1 || result->processes > source->file_count))
        notes_processes(source->name, result->processes);
    if (result->namesakes)
        notes_namesakes(source->name, result->namesakes, result->namesake);
}

void notes_split(const struct ranks_split *split) {
    struct buf line = {0};
    if (!ranks_split_count(split))
        return;
    buf_addf(&line, "this log has records of %zu ranks; the reports of all but the first are in rank_<N>/",
             ranks_split_count(split));
    say(&line);
}
