#include "cmd/commands.h"

#include <pthread.h>
#include <unistd.h>

#include "cmd/log_paths.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/parse_command.h"
#include "cmd/relay.h"
#include "runs/kept.h"
#include "runs/kept_run.h"
#include "runs/profile_hook.h"

enum { STATUS_NOT_FOUND = 127, STATUS_NOT_EXECUTABLE = 126, CHECK_UNKNOWN = 2 };

/* ---- Before the command */

/* The caller frees it. */
static char *absolute(const char *path) {
    char cwd[PATH_MAX];
    if (path[0] == '/' || !getcwd(cwd, sizeof cwd))
        return mem_strdup(path);
    return mem_printf("%s/%s", cwd, path);
}

/* What the command gets in its environment, owned; ends with NULL. */
struct variables {
    char *items[5];
    size_t count;
};

static void add_profile(struct variables *variables, const struct options *options, const struct process *process) {
    const char *before = getenv("PYTHONPATH");
    if (!profile_hook_write(process->run)) {
        char *text =
            mem_printf("no profile is recorded: cannot write to %s: %s", process->store->path, strerror(errno));
        messages_print(stderr, text);
        mem_free(text);
        return;
    }
    variables->items[variables->count++] = mem_printf("TLPARSE_PROFILE=%" PRIu64, options->steps.value);
    variables->items[variables->count++] = mem_printf("PYTHONPATH=%s/%s/hook%s%s", process->store->path, process->id,
                                                      before && before[0] ? ":" : "", before ? before : "");
}

static void add_variables(struct variables *variables, const struct options *options, const struct process *process) {
    variables->items[variables->count++] = mem_printf("TORCH_TRACE=%s", process->logs);
    variables->items[variables->count++] = mem_printf("TLPARSE_RUN=%s", process->id);
    if (options->steps.given)
        add_profile(variables, options, process);
}

static void free_variables(struct variables *variables) {
    for (size_t i = 0; i < variables->count; i++)
        mem_free(variables->items[i]);
}

/* ---- The command */

struct surroundings {
    struct process *process;
    const char *command;
    pthread_t thread;
    bool started;
};

static void *find_surroundings(void *context) {
    struct surroundings *surroundings = context;
    process_add_surroundings(surroundings->process, surroundings->command);
    return NULL;
}

static bool start(struct child *child, const struct child_request *request, struct err *err) {
    if (child_start(child, request, err))
        return true;
    bool missing = errno == ENOENT;
    err->code = ERR_EXIT;
    err->status = missing ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
    return false;
}

/* Runs the command to its end. process is NULL if the command is part of a run that another process keeps. */
static bool run_command(const struct options *options, struct process *process, struct child_end *end,
                        struct err *err) {
    struct variables variables = {0};
    struct surroundings surroundings = {.process = process, .command = options->paths.items[0]};
    struct relay relay;
    struct child child;
    if (process)
        add_variables(&variables, options, process);
    bool ok = relay_begin(&relay, err);
    if (ok) {
        const struct child_request request = {.argv = options->paths.items,
                                              .env = (const char *const *)variables.items,
                                              .mask = &relay.before};
        ok = start(&child, &request, err);
        if (ok) {
            surroundings.started =
                process && pthread_create(&surroundings.thread, NULL, find_surroundings, &surroundings) == 0;
            relay_wait(&relay, &child);
            child_finish(&child, NULL, end);
        }
        relay_end(&relay);
    }
    if (surroundings.started)
        pthread_join(surroundings.thread, NULL);
    free_variables(&variables);
    return ok;
}

/* ---- After it */

/* Ends this process as the command ended. */
static bool end_like(const struct child_end *end, struct err *err) {
    if (end->signaled)
        relay_die(end->number);
    if (end->number == 0)
        return true;
    *err = (struct err){.code = ERR_EXIT, .status = end->number};
    return false;
}

/* Records how the command ended. The last process of the run makes the report. Sets *checked to the status of the
 * check. */
static void end_run(const struct options *options, const struct store *store, struct process *process,
                    const struct child_end *end, bool started, int *checked) {
    /* Readers of our output must not wait for the report; answers are printed to standard output. */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (process_end(process, end)) {
        *checked = run_report(options, process, started);
        prune(store, options->keep.given ? (size_t)options->keep.value : PRUNE_KEEP, process->id);
    }
    process_finish(process);
}

static bool keep_run(const struct options *options, const struct store *store, struct process *process,
                     struct child_end *end, int *checked, struct err *err) {
    bool started = run_command(options, process, end, err);
    if (!started && !process->job.key) {
        process_forget(process);
        return false;
    }
    if (!started) /* other ranks may have been started */
        *end = (struct child_end){.number = err->code == ERR_EXIT ? err->status : STATUS_NOT_EXECUTABLE};
    end_run(options, store, process, end, started, checked);
    return started;
}

/* If the store cannot be used, the program runs anyway, because it may be the only run of a night. */
static bool run_unkept(const struct options *options, struct child_end *end, int *checked, struct err *err) {
    messages_print(stderr, err->text);
    if (err->hint[0])
        messages_hint(stderr, err->hint);
    messages_print(stderr, "the program runs, but the run is not kept");
    *err = (struct err){0};
    *checked = options->check ? CHECK_UNKNOWN : 0;
    return run_command(options, NULL, end, err);
}

static bool run_in_store(const struct options *options, const struct store *store, struct child_end *end, int *checked,
                         struct err *err) {
    const char *trace = getenv("TORCH_TRACE");
    char *logs = trace && trace[0] ? absolute(trace) : NULL, *out = options->out ? absolute(options->out) : NULL;
    const struct process_request request = {.command = options->paths.items, .trace = logs, .report = out};
    struct process process;
    bool ok = !out || parse_check_out(options, out, err);
    if (ok)
        ok = process_begin(&process, store, &request, err) ? keep_run(options, store, &process, end, checked, err)
                                                           : run_unkept(options, end, checked, err);
    mem_free(logs);
    mem_free(out);
    return ok;
}

/* Validates the budgets now rather than after hours. */
static bool check_budgets(const struct options *options, struct err *err) {
    struct check_rules rules = {0};
    bool ok = budget_files_read(&rules, options, err);
    budgets_finish(&rules);
    return ok;
}

bool run_run(const struct options *options, struct err *err) {
    struct store store;
    struct child_end end;
    int checked = 0;
    if (!options->paths.count)
        return err_set(err, ERR_USAGE, "no command given") || err_hint(err, "tlparse run -- python train.py");
    if (options->check && !check_budgets(options, err))
        return false;
    bool stored = store_open(&store, true, err);
    bool ok = !stored                   ? run_unkept(options, &end, &checked, err)
            : process_is_nested(&store) ? run_command(options, NULL, &end, err)
                                        : run_in_store(options, &store, &end, &checked, err);
    if (stored)
        store_close(&store);
    if (!ok || !end_like(&end, err))
        return false;
    if (checked)
        *err = (struct err){.code = ERR_EXIT, .status = checked};
    return !checked;
}
