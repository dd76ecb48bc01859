#include "cmd/user_hooks.h"

#include "base/jsonw.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "hooks/config.h"
#include "hooks/hooks.h"
#include "hooks/words.h"
#include "runs/secret.h"

enum { OUTPUT_MAX = 1 << 20, ADDRESS_MAX = 4096 };

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct parser *)a)->name, ((const struct parser *)b)->name);
}

static void add_parsers(struct parsers *parsers, const struct config_commands *from) {
    for (size_t i = 0; i < from->count; i++) {
        bool known = false;
        for (size_t k = 0; k < parsers->count; k++)
            known |= strcmp(parsers->items[k].name, from->items[i].name) == 0;
        if (known) /* --parser comes first, so it takes precedence */
            continue;
        LIST_ADD(parsers, (struct parser){from->items[i].name, from->items[i].words});
    }
}

/* "KIND=COMMAND" */
static bool read_parser(struct config_commands *to, const char *text, struct err *err) {
    const char *equals = strchr(text, '='), *why = NULL;
    if (!equals || equals == text)
        return err_set(err, ERR_USAGE, "invalid value '%s' for --parser: expected KIND=COMMAND", text);
    char **words = words_split(slice_str(equals + 1), &why);
    if (!words)
        return err_set(err, ERR_USAGE, "invalid value '%s' for --parser: %s", text, why);
    char *name = mem_printf("%.*s", (int)(equals - text), text);
    if (config_command_of(to, name)) {
        words_free(words);
        err_set(err, ERR_USAGE, "--parser is given twice for '%s'", name);
        mem_free(name);
        return false;
    }
    LIST_ADD(to, (struct config_command){name, words});
    return true;
}

/* Worker threads that read a profile. */
static unsigned workers_of(const struct options *options) {
    return options->threads.given ? (unsigned)options->threads.value : 1;
}

static bool read_profiles(struct user_hooks *hooks, const struct options *options, struct err *err) {
    const struct option_list *given = &options->profile;
    unsigned workers = workers_of(options);
    size_t first = options->profile_by_run && given->count ? 1 : given->count;
    if (options->profile_by_run && given->count && given->count != 2)
        return err_set(err, ERR_USAGE,
                       "--profile is needed twice, for the first run and for the second, but was given %zu time%s",
                       given->count, given->count == 1 ? "" : "s");
    return profiles_read(&hooks->profiles, given->items, first, workers, err) &&
           (first == given->count ||
            profiles_read(&hooks->newer, given->items + first, given->count - first, workers, err));
}

bool user_hooks_begin(struct user_hooks *hooks, const struct options *options, struct err *err) {
    *hooks = (struct user_hooks){.sources = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    if (!config_read(&hooks->config, ".", err))
        return false;
    for (size_t i = 0; i < hooks->config.warnings.count; i++)
        messages_print(stderr, hooks->config.warnings.items[i]);
    for (size_t i = 0; i < options->parsers.count; i++)
        if (!read_parser(&hooks->given, options->parsers.items[i], err))
            return false;
    fetcher_init(&hooks->fetcher, &hooks->config);
    add_parsers(&hooks->parsers, &hooks->given);
    add_parsers(&hooks->parsers, &hooks->config.parsers);
    if (hooks->parsers.count)
        qsort(hooks->parsers.items, hooks->parsers.count, sizeof *hooks->parsers.items, by_name);
    hooks->parsers.limit_ms = (int64_t)hooks->config.timeouts.parsers_ms;
    return source_folders_open(&hooks->sources, options->sources.items, options->sources.count, err) &&
           read_profiles(hooks, options, err);
}

bool user_hooks_add_profiles(struct user_hooks *hooks, const struct options *options, const char *const *paths,
                             size_t count, struct err *err) {
    user_hooks_drop_profiles(hooks);
    bool ok = profiles_read(&hooks->profiles, paths, count, workers_of(options), err);
    if (!ok)
        user_hooks_drop_profiles(hooks);
    return ok;
}

void user_hooks_drop_profiles(struct user_hooks *hooks) {
    profiles_free(&hooks->profiles);
    profiles_free(&hooks->newer);
}

struct profiles *user_hooks_profiles(struct user_hooks *hooks, bool newer) {
    struct profiles *profiles = !hooks ? NULL : newer && hooks->newer.files.count ? &hooks->newer : &hooks->profiles;
    return profiles && profiles->files.count ? profiles : NULL;
}

void user_hooks_end(struct user_hooks *hooks) {
    for (size_t i = 0; i < hooks->given.count; i++) {
        mem_free(hooks->given.items[i].name);
        words_free(hooks->given.items[i].words);
    }
    mem_free(hooks->given.items);
    mem_free(hooks->parsers.items);
    user_hooks_drop_profiles(hooks);
    source_folders_close(&hooks->sources);
    buf_free(&hooks->source_link);
    config_finish(&hooks->config);
}

static void note_profiles(const struct profiles *profiles) {
    for (size_t i = 0; i < profiles->files.count; i++) {
        const char *why = profiles_complaint(profiles, i);
        if (!why)
            continue;
        char *text = mem_printf("%s %s", profiles->files.items[i].path, why);
        messages_print(stderr, text);
        mem_free(text);
    }
}

void user_hooks_note_inputs(const struct user_hooks *hooks) {
    note_profiles(&hooks->profiles);
    note_profiles(&hooks->newer);
    AUTO_BUF note = {0};
    source_folders_add_note(&hooks->sources, &note);
    if (note.len) {
        char *text = mem_printf("%.*s", SLICE_ARG(buf_slice(&note)));
        messages_print(stderr, text);
        mem_free(text);
    }
}

bool user_hooks_report(struct user_hooks *hooks, const struct options *options, struct err *err) {
    struct err why = {0};
    hooks->reporting = true;
    if (options->upload && !hooks->config.upload)
        return err_set(err, ERR_USAGE, "--upload: no command is configured") ||
               err_hint(err, "add {\"upload\": [\"PROGRAM\", \"{path}\"]} to %s",
                        hooks->config.user.path ? hooks->config.user.path : "~/.config/tlparse/config.json");
    if (options->source_commit && !source_commit_is_good(slice_str(options->source_commit)))
        return err_set(err, ERR_USAGE, "invalid value '%s' for --source-commit: expected a commit, tag or branch",
                       options->source_commit);
    if (options->source_commit && !hooks->config.source_link)
        messages_print(stderr, "--source-commit has no effect, because no 'source_link' is configured");
    if (!source_link_add(&hooks->source_link, &hooks->config, options->source_commit, ".", &why)) {
        char *text = mem_printf("places have no links to code: %s", why.text);
        messages_print(stderr, text);
        mem_free(text);
    }
    return true;
}

/* The last line that is not empty. */
static struct slice last_line(struct slice text) {
    struct slice line, last = {0};
    while (slice_next_line(&text, &line))
        if (slice_trim(line).len)
            last = slice_trim(line);
    return last;
}

/* Prints the address, sanitized, because a program printed it. */
static bool print_address(struct slice address, struct err *err) {
    AUTO_BUF line = {0};
    printable_add(&line, address, ADDRESS_MAX);
    buf_add_byte(&line, '\n');
    bool ok = fwrite(line.ptr, 1, line.len, stdout) == line.len && fflush(stdout) == 0;
    return ok || err_errno(err, "cannot write to standard output");
}

bool user_hooks_upload(const struct user_hooks *hooks, const char *path, struct err *err) {
    char **argv = words_fill(hooks->config.upload, "path", path);
    const struct child_request request = {.argv = (const char *const *)argv,
                                          .in = CHILD_NULL,
                                          .out = CHILD_PIPE,
                                          .errs = CHILD_PIPE,
                                          .out_max = OUTPUT_MAX,
                                          .limit_ms = (int64_t)hooks->config.timeouts.upload_ms};
    AUTO_BUF out = {0};
    bool ok = hook_run("upload", &request, (struct slice){0}, &out, err);
    struct slice address = last_line(buf_slice(&out));
    if (ok)
        ok = address.len ? print_address(address, err)
                         : err_set(err, ERR_INPUT, "upload: %s: it printed no address", argv[0]);
    words_free(argv);
    return ok;
}

/* Writes paths and addresses; for `tlparse run`, the arguments of the command. */
static void write_paths(struct jsonw *w, const struct options *options, bool runs) {
    struct secret_command reading = {0};
    AUTO_BUF argument = {0};
    jsonw_array(w, "paths");
    for (size_t i = 0; i < options->paths.count; i++) {
        argument.len = 0;
        if (runs)
            secret_add_argument(&reading, &argument, slice_str(options->paths.items[i]));
        jsonw_text(w, NULL, runs ? buf_slice(&argument) : source_shown(options->paths.items[i]));
    }
    jsonw_end_array(w);
}

static void write_event(struct buf *line, const char *command, const struct options *options, int status,
                        int64_t duration_ms, const char *error, bool reported) {
    struct jsonw w = {.out = line};
    jsonw_object(&w, NULL);
    JSON_ADD(&w, "format", "tlparse-notify", "version", 1U);
    jsonw_object(&w, "tool");
    JSON_ADD(&w, "name", "tlparse", "version", TLPARSE_VERSION);
    jsonw_end_object(&w);
    jsonw_str(&w, "command", command);
    write_paths(&w, options, strcmp(command, "run") == 0);
    jsonw_text(&w, "report", reported ? slice_str(options->out) : (struct slice){0});
    jsonw_i64(&w, "status", status);
    jsonw_i64(&w, "duration_ms", duration_ms);
    jsonw_text(&w, "error", error[0] ? slice_str(error) : (struct slice){0});
    jsonw_end_object(&w);
    buf_add_byte(line, '\n');
}

void user_hooks_notify(const struct user_hooks *hooks, const char *command, const struct options *options, int status,
                       int64_t duration_ms, const char *error) {
    if (!hooks->config.notify)
        return;
    const struct child_request request = {.argv = (const char *const *)hooks->config.notify,
                                          .in = CHILD_PIPE,
                                          .out = CHILD_NULL,
                                          .errs = CHILD_PIPE,
                                          .limit_ms = (int64_t)hooks->config.timeouts.notify_ms};
    struct err why = {0};
    AUTO_BUF line = {0}, out = {0};
    write_event(&line, command, options, status, duration_ms, error, hooks->reported);
    if (!hook_run("notify", &request, buf_slice(&line), &out, &why))
        messages_print(stderr, why.text);
}
