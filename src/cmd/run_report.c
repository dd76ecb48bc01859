#include "cmd/commands.h"

#include <unistd.h>

#include "answers/summary.h"
#include "cmd/answer.h"
#include "cmd/browser.h"
#include "cmd/messages.h"
#include "cmd/notes.h"
#include "cmd/options.h"
#include "cmd/parse_command.h"
#include "cmd/serve_command.h"
#include "cmd/user_hooks.h"
#include "pipeline/result.h"
#include "runs/kept.h"
#include "runs/kept_run.h"
#include "runs/profile_hook.h"
#include "runs/secret.h"
#include "sink/outdir.h"
#include "trace/choose.h"

enum { TOP_DEFAULT = 3, CHECK_FAILED = 1, CHECK_UNKNOWN = 2 };

static void print_error(const struct err *err) {
    messages_print(stderr, err->text);
    if (err->hint[0])
        messages_hint(stderr, err->hint);
}

static void print_labeled(const char *label, const char *text) {
    AUTO_BUF line = {0};
    buf_addf(&line, "%s: ", label);
    printable_add(&line, slice_str(text), SIZE_MAX);
    buf_add_byte(&line, '\n');
    fwrite(line.ptr, 1, line.len, stderr);
}

/* Whether the program starts others on other machines, or with a new environment, so they do not get TORCH_TRACE. */
static bool drops_environment(const char *command) {
    static const char *const names[] = {"apptainer", "docker", "enroot",      "kubectl", "mpirun", "podman",
                                        "ray",       "sbatch", "singularity", "ssh",     "sudo"};
    struct slice name = path_last(slice_str(command));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i]))
            return true;
    return false;
}

static void print_no_logs(const struct options *options, const struct process *process) {
    char *text = mem_printf("no logs were written to %s", process->logs);
    messages_print(stderr, text);
    mem_free(text);
    if (drops_environment(options->paths.items[0])) {
        text = mem_printf("%s may not pass TORCH_TRACE on; put tlparse run behind it", options->paths.items[0]);
        messages_hint(stderr, text);
        mem_free(text);
    } else {
        messages_hint(stderr,
                      "nothing was compiled by torch.compile or torch.export, or the program changed TORCH_TRACE");
    }
}

/* The command on one line, without its secrets, as the name of the summary. */
static char *name_of(const struct options *options) {
    AUTO_BUF name = {0}, argument = {0};
    struct secret_command reading = {0};
    for (size_t i = 0; i < options->paths.count; i++) {
        argument.len = 0;
        secret_add_argument(&reading, &argument, slice_str(options->paths.items[i]));
        buf_add_str(&name, i ? " " : "");
        kept_add_word(&name, buf_slice(&argument));
    }
    struct slice shown = utf8_first(buf_slice(&name), answer_width() - 1);
    char *text = mem_printf("%.*s%s", SLICE_ARG(shown), shown.len < name.len ? "…" : "");
    return text;
}

static void print_summary(const struct options *options, const struct report_doc *report) {
    char *name = name_of(options);
    const struct summary_request request = {.name = name,
                                            .top = options->top.given ? (size_t)options->top.value : TOP_DEFAULT,
                                            .all = "see the report"};
    AUTO_BUF text = {0};
    struct term term;
    struct err err;
    buf_add_byte(&text, '\n');
    term_init(&term, &text, answer_width(), answer_color());
    summary_add_text(&term, report, &request);
    term_finish(&term);
    buf_add_byte(&text, '\n');
    answer_print(buf_slice(&text), &err); /* standard output now refers to standard error */
    mem_free(name);
}

static bool write_report(const struct options *options, const struct choice *choice, struct err *err) {
    struct outdir outdir;
    struct pipeline_result result = {0};
    bool ok = parse_write(options, choice, &outdir, &result, err);
    if (ok)
        notes_leftover(options->out, &outdir);
    outdir_finish(&outdir);
    pipeline_result_finish(&result);
    return ok;
}

static void print_no_profile(const struct options *options, const struct profile_traces *traces) {
    if (traces->note)
        messages_print(stderr, traces->note);
    else if (options->steps.value == 0)
        messages_print(stderr, "no profile: the program exported none with torch.profiler");
    else if (!traces->paths.count) {
        messages_print(stderr, "no profile was recorded");
        messages_hint(stderr,
                      "a profile needs two steps of a Python program that imports torch, calls compiled functions, and "
                      "is not killed; isolated Python (-I, -E, -S) does not record");
    }
}

/* Reads the profile that the program left. If there is none, it says so. */
static void read_profile(const struct options *options, const struct process *process, struct profile_traces *traces) {
    char *folder = mem_printf("%s/%s", process->store->path, process->id);
    struct err err = {0};
    profile_traces_find(traces, folder);
    if (traces->note || !traces->paths.count)
        print_no_profile(options, traces);
    if (!user_hooks_add_profiles(options->hooks, options, (const char *const *)traces->paths.items, traces->paths.count,
                                 &err))
        print_error(&err);
    mem_free(folder);
}

/* Shows the report that was written. */
static void show(const struct options *options, struct process *process) {
    struct answer_input input;
    struct err err = {0};
    const char *paths[] = {options->out};
    struct options read = *options;
    read.paths = (struct option_list){paths, 1};
    if (answer_input_read(&input, &read, &err)) {
        process_add_report(process, input.report.root);
        print_summary(options, &input.report);
    } else {
        process_add_report(process, NULL);
        print_error(&err);
    }
    answer_input_finish(&input);
    char *page = mem_printf("%s/index.html", options->out);
    messages_report(stderr, page);
    if (getenv("TORCH_TRACE")) /* it is the user's folder for logs */
        print_labeled("logs", process->logs);
    print_labeled("run", process->id);
    if (options->open && !options->serve && !browser_open(page))
        messages_print(stderr, "cannot open a browser");
    mem_free(page);
}

static void make(const struct options *options, struct process *process, bool started) {
    const char *paths[] = {process->logs};
    const struct choose_request request = {.paths = paths, .path_count = 1, .one_run = true};
    struct options making = *options;
    struct profile_traces traces = {0};
    struct choice choice;
    struct err err = {0};
    if (!choose_logs(&request, &choice, &err)) {
        if (started)
            print_no_logs(options, process);
        process_add_report(process, NULL);
        return;
    }
    making.out = process->report;
    making.overwrite =
        options->overwrite || !options->out || process->n > 0; /* replaces an earlier report of this run */
    if (options->steps.given)
        read_profile(options, process, &traces);
    bool ok = write_report(&making, &choice, &err);
    user_hooks_drop_profiles(options->hooks);
    profile_traces_free(&traces);
    choice_finish(&choice);
    if (ok) {
        show(&making, process);
        return;
    }
    process_add_report(process, NULL);
    print_error(&err);
    print_labeled("logs", process->logs);
}

/* Compares the report with budgets. */
static int check(const struct options *options, const struct process *process) {
    const char *paths[] = {process->report};
    struct options checked = *options;
    struct err err = {0};
    checked.paths = (struct option_list){paths, 1};
    if (access(process->report, F_OK) != 0)
        return CHECK_UNKNOWN;
    fputc('\n', stderr);
    if (check_command(&checked, &err))
        return 0;
    print_error(&err);
    return err.code == ERR_LIMIT ? CHECK_FAILED : CHECK_UNKNOWN;
}

int run_report(const struct options *options, struct process *process, bool started) {
    struct options serving = *options;
    struct err err = {0};
    int lock = process_lock_report(process);
    if (lock < 0) {
        messages_print(stderr, "another process of this run still writes the report; it lacks what was compiled last");
        return options->check ? CHECK_UNKNOWN : 0;
    }
    make(options, process, started);
    close(lock);
    int status = options->check ? check(options, process) : 0;
    serving.out = process->report;
    if (options->serve && access(process->report, F_OK) == 0 && !serve_report(&serving, &err))
        print_error(&err);
    return status;
}
