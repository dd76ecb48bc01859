#include <signal.h>
#include <unistd.h>

#include "base/child.h"
#include "cmd/commands.h"
#include "cmd/messages.h"
#include "cmd/options.h"
#include "cmd/serve_command.h"
#include "cmd/user_hooks.h"

enum { STATUS_LIMIT = 1, STATUS_USAGE = 2 };

/* Writing to a closed pipe, or beyond the file size limit, must fail instead of ending the program, which has to
 * remove a staging folder. */
static void ignore_write_signals(void) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
}

/* The exit status of a call that failed. */
static int status_of(const struct command *command, const struct err *err) {
    return err->code == ERR_EXIT  ? err->status
         : err->code == ERR_USAGE ? STATUS_USAGE
         : err->code == ERR_LIMIT ? STATUS_LIMIT
                                  : command->failed;
}

/* Runs it with the configuration of the user, who may want to know of the call. */
static bool run_command(const struct command *command, struct options *options, struct err *err) {
    struct user_hooks hooks;
    int64_t start_ms = child_clock_ms();
    options->profile_by_run = command->run == diff_run;
    bool ok = user_hooks_begin(&hooks, options, err);
    options->hooks = &hooks;
    if (ok) {
        ok = command->run(options, err);
        user_hooks_notify(&hooks, command->name, options, ok ? 0 : status_of(command, err), child_clock_ms() - start_ms,
                          ok ? "" : err->text);
    }
    options->hooks = NULL;
    user_hooks_end(&hooks);
    return ok;
}

static bool run(const struct command *command, bool named, struct options *options, struct err *err) {
    switch (options->action) {
    case ACTION_RUN:
        if (options->unpack_data)
            return data_print(options->unpack_data, stdout, err);
        return serve_is_possible(command->run == serve_run, options, err) && run_command(command, options, err);
    case ACTION_HELP:
        commands_print_help(command, named, stdout);
        break;
    case ACTION_VERSION:
        version_print(stdout);
        break;
    case ACTION_COMPLETION:
        completion_print((enum options_shell)options->shell, stdout);
        break;
    }
    return (fflush(stdout) == 0 && !ferror(stdout)) || err_errno(err, "cannot write to standard output");
}

/* Of the command that the user named; NULL: of none. */
static void hint_at_help(const struct command *command) {
    char hint[100];
    snprintf(hint, sizeof hint, "run 'tlparse%s%s --help' for a list of options", command ? " " : "",
             command ? command->name : "");
    messages_hint(stderr, hint);
}

/* A first word that is neither a command nor a file may be a misspelled command. */
static bool hint_at_command(const char *word) {
    const char *nearest = word && word[0] != '-' && access(word, F_OK) != 0 ? commands_nearest(word) : NULL;
    char hint[100];
    if (!nearest)
        return false;
    snprintf(hint, sizeof hint, "did you mean the command 'tlparse %s'?", nearest);
    messages_hint(stderr, hint);
    return true;
}

int main(int argc, char **argv) {
    struct options options;
    struct err err = {0};
    ignore_write_signals();
    bool named;
    size_t count;
    enum command_id id = command_of(argc, argv, &named);
    /* getopt skips the first word: the name of the program, or of the command. */
    bool ok = options_parse(id, argc - named, argv + named, &options, &err);
    if (ok) {
        ok = run(&commands_table(&count)[id], named, &options, &err);
        options_finish(&options);
    }
    if (ok)
        return 0;
    if (err.text[0])
        messages_print(stderr, err.text);
    if (!named && hint_at_command(argv[1]))
        ;
    else if (err.hint[0])
        messages_hint(stderr, err.hint);
    else if (err.code == ERR_USAGE)
        hint_at_help(named ? &commands_table(&count)[id] : NULL);
    return status_of(&commands_table(&count)[id], &err);
}
