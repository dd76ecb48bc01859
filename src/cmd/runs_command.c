#include "cmd/commands.h"

#include <fcntl.h>
#include <unistd.h>

#include "cmd/answer.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "runs/job.h"
#include "runs/kept.h"
#include "runs/run_file.h"

/* The arguments of the sub-commands: the runs, and their names in the call. */
struct call {
    const struct options *options;
    const struct store *store;
    const struct kept_runs *runs;
    const char *const *names;
    size_t name_count;
};

/* ---- list, show */

static bool print_text(const struct call *call, const struct kept *run, struct err *err) {
    AUTO_BUF text = {0};
    struct term term;
    term_init(&term, &text, answer_width(), answer_color());
    if (run)
        kept_add_details(&term, run);
    else
        kept_add_list(&term, call->runs, call->store);
    term_finish(&term);
    bool ok = answer_print(buf_slice(&text), err);
    return ok;
}

/* Prints one run; NULL: all runs. */
static bool print_runs(const struct call *call, const struct kept *run, struct err *err) {
    AUTO_BUF text = {0};
    if (call->options->format == FORMAT_MARKDOWN)
        return err_set(err, ERR_USAGE, "invalid value 'markdown' for --format: expected text or json");
    if (call->options->format == FORMAT_TEXT)
        return print_text(call, run, err);
    kept_add_runs_json(&text, call->store, run ? run : call->runs->items, run ? 1 : call->runs->count);
    bool ok = answer_print(buf_slice(&text), err);
    return ok;
}

static bool list_runs(const struct call *call, struct err *err) {
    if (call->name_count)
        return err_set(err, ERR_USAGE, "runs list takes no arguments: %s", call->names[0]);
    return print_runs(call, NULL, err);
}

static bool show_run(const struct call *call, struct err *err) {
    if (call->name_count > 1)
        return err_set(err, ERR_USAGE, "runs show takes one run, but %zu were given", call->name_count);
    const struct kept *run = kept_runs_find(call->runs, call->name_count ? call->names[0] : "last", err);
    return run && print_runs(call, run, err);
}

/* ---- diff */

static bool diff_runs(const struct call *call, struct err *err) {
    static const char *const last[] = {"last~1", "last"};
    const char *const *names = call->name_count ? call->names : last;
    const char *paths[2], *reports[2];
    if (call->name_count != 0 && call->name_count != 2)
        return err_set(err, ERR_USAGE, "runs diff compares two runs, but %zu %s given", call->name_count,
                       call->name_count == 1 ? "was" : "were");
    const struct kept *runs[2];
    for (size_t i = 0; i < 2; i++) {
        runs[i] = kept_runs_find(call->runs, names[i], err);
        if (!runs[i])
            return false;
        if (!runs[i]->logs || access(runs[i]->logs, F_OK) != 0)
            return err_set(err, ERR_INPUT, "run %s has no logs anymore", runs[i]->id);
        paths[i] = runs[i]->logs;
        reports[i] = runs[i]->report;
    }
    const char *const titles[] = {runs[0]->id, runs[1]->id};
    struct options options = *call->options;
    options.paths = (struct option_list){paths, 2};
    options.one_run = true;
    bool ok = diff_run_named(&options, titles, reports, err);
    return ok;
}

/* ---- rm, pin */

/* "30m", "12h", "7d", "4w" in microseconds. */
static bool parse_age(const char *text, int64_t *us, struct err *err) {
    static const struct {
        char unit;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 7 * 86400}};
    size_t len = strlen(text);
    uint64_t number;
    if (len > 1 && slice_to_u64(slice_make(text, len - 1), &number) && number <= UINT32_MAX)
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (text[len - 1] == units[i].unit) {
                *us = (int64_t)number * units[i].seconds * 1000000;
                return true;
            }
    return err_set(err, ERR_USAGE, "invalid value '%s' for --older-than: expected an age such as 30m, 12h, 7d or 4w",
                   text);
}

static bool remove_run(const struct call *call, const struct kept *run, struct err *err) {
    if (run->state == KEPT_RUNNING)
        return err_set(err, ERR_INPUT, "cannot remove run %s: it is running", run->id);
    return store_remove_run(call->store, run->id) ||
           err_errno(err, "cannot remove run %s in %s", run->id, call->store->path);
}

/* Removes all runs that are old enough, except pinned and running ones. */
static bool remove_old(const struct call *call, int64_t before_us, struct err *err) {
    size_t removed = 0;
    bool ok = true;
    for (size_t i = 0; i < call->runs->count && ok; i++) {
        const struct kept *run = &call->runs->items[i];
        if (run->pinned || run->state == KEPT_RUNNING || run->started_us >= before_us)
            continue;
        ok = remove_run(call, run, err);
        removed += ok;
    }
    char *text = mem_printf("removed %zu %s", removed, removed == 1 ? "run" : "runs");
    messages_print(stderr, text);
    mem_free(text);
    return ok;
}

/* Finds all named runs before changing any of them. The caller frees the list. */
static const struct kept **find_named(const struct call *call, struct err *err) {
    const struct kept **found = mem_alloc((call->name_count + 1) * sizeof *found);
    for (size_t i = 0; i < call->name_count; i++) {
        found[i] = kept_runs_find(call->runs, call->names[i], err);
        if (!found[i]) {
            mem_free(found);
            return NULL;
        }
    }
    return found;
}

static bool remove_runs(const struct call *call, struct err *err) {
    const struct options *options = call->options;
    int64_t age = 0;
    bool old = options->all || options->older_than;
    if (options->older_than && !parse_age(options->older_than, &age, err))
        return false;
    if (old == (call->name_count > 0))
        return err_set(err, ERR_USAGE,
                       old ? "runs rm takes runs, or --all or --older-than, not both" : "runs rm: no run given") ||
               err_hint(err, "tlparse runs rm RUN..., or --all, or --older-than AGE");
    bool ok = true;
    if (old) {
        ok = remove_old(call, options->older_than ? run_now_us() - age : INT64_MAX, err);
    } else {
        const struct kept **runs = find_named(call, err);
        ok = runs != NULL;
        for (size_t i = 0; i < call->name_count && ok; i++)
            ok = remove_run(call, runs[i], err);
        mem_free(runs);
    }
    if (call->store->fd >= 0)
        job_sweep(call->store);
    return ok;
}

static bool set_pinned(const struct call *call, const struct kept *kept, bool pinned, struct err *err) {
    int run = store_open_run(call->store, kept->id), fd = -1;
    bool ok = run >= 0;
    if (ok && pinned) {
        fd = openat(run, "pinned", O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        ok = fd >= 0;
    } else if (ok) {
        ok = !kept->pinned || unlinkat(run, "pinned", 0) == 0;
    }
    if (!ok)
        err_errno(err, "cannot %s run %s", pinned ? "pin" : "unpin", kept->id);
    if (fd >= 0)
        close(fd);
    if (run >= 0)
        close(run);
    return ok;
}

static bool pin_all(const struct call *call, bool pinned, struct err *err) {
    if (!call->name_count)
        return err_set(err, ERR_USAGE, "runs %s: no run given", pinned ? "pin" : "unpin");
    const struct kept **runs = find_named(call, err);
    bool ok = runs != NULL;
    for (size_t i = 0; i < call->name_count && ok; i++)
        ok = set_pinned(call, runs[i], pinned, err);
    mem_free(runs);
    return ok;
}

static bool pin_runs(const struct call *call, struct err *err) {
    return pin_all(call, true, err);
}

static bool unpin_runs(const struct call *call, struct err *err) {
    return pin_all(call, false, err);
}

/* ---- The command */

static const struct {
    const char *name;
    bool (*act)(const struct call *call, struct err *err);
} actions[] = {{"list", list_runs}, {"show", show_run}, {"diff", diff_runs},
               {"rm", remove_runs}, {"pin", pin_runs},  {"unpin", unpin_runs}};

enum { ACTIONS = sizeof actions / sizeof *actions };

const char *runs_action(size_t i) {
    return i < ACTIONS ? actions[i].name : NULL;
}

/* Checks options that only one action has. */
static bool check_options(const struct options *options, const char *action, struct err *err) {
    bool rm = strcmp(action, "rm") == 0, diff = strcmp(action, "diff") == 0;
    if (!rm && (options->all || options->older_than))
        return err_set(err, ERR_USAGE, "--%s is an option of runs rm", options->all ? "all" : "older-than");
    if (!diff && (options->stat || options->fail_on.count))
        return err_set(err, ERR_USAGE, "--%s is an option of runs diff", options->stat ? "stat" : "fail-on");
    return true;
}

static bool unknown_action(const char *name, struct err *err) {
    const char *names[ACTIONS];
    for (size_t i = 0; i < ACTIONS; i++)
        names[i] = actions[i].name;
    const char *nearest = nearest_name(slice_str(name), names, ACTIONS);
    if (nearest)
        return err_set(err, ERR_USAGE, "unknown action %s: did you mean %s?", name, nearest);
    return err_set(err, ERR_USAGE, "unknown action %s: expected list, show, diff, rm, pin or unpin", name);
}

bool runs_run(const struct options *options, struct err *err) {
    const char *name = options->paths.count ? options->paths.items[0] : "list";
    size_t a = 0;
    while (a < ACTIONS && strcmp(actions[a].name, name) != 0)
        a++;
    if (a == ACTIONS)
        return unknown_action(name, err);
    struct store store;
    struct kept_runs runs;
    if (!check_options(options, name, err) || !store_open(&store, false, err))
        return false;
    bool ok = kept_runs_read(&runs, &store, err);
    if (ok) {
        size_t given = options->paths.count ? options->paths.count - 1 : 0;
        const struct call call = {options, &store, &runs, options->paths.items + (options->paths.count > 0), given};
        ok = actions[a].act(&call, err);
        kept_runs_finish(&runs);
    }
    store_close(&store);
    return ok;
}
