/* commands.h - the table of commands, which the first argument may name.
 *
 * A call without a command is `parse`, so `tlparse LOG` works. To read a file with the name of a command, write
 * `./parse`. The options of a command are rows of the table in cmd/options.c. Pure, any thread. */
#pragma once

#include "cmd/options.h"

struct options;
struct process;

struct command {
    const char *name;
    const char *summary;  /* one line that begins with a verb */
    const char *about;    /* printed by --help before the options: purpose, usage, examples */
    const char *statuses; /* printed by --help after the options: the exit status */
    bool (*run)(const struct options *options, struct err *err);
    const char *(*action)(size_t i); /* returns the words that may follow its name, up to a NULL; NULL: it has no
                                      * actions */
    int failed;                      /* the exit status on failure: 1, or 2 if 1 is an answer */
};

/* Indexed by enum command_id. */
const struct command *commands_table(size_t *count);
/* The command of a call. *named is true if argv[1] is its name and not a path. */
enum command_id command_of(int argc, char *const *argv, bool *named);

/* The name of the command that the word may be a misspelling of, or NULL. */
const char *commands_nearest(const char *word);

/* Prints the options of the command and, for a call without a command, the commands. */
void commands_print_help(const struct command *command, bool named, FILE *to);

/* check_command.c - the command check: compares logs or a finished report with budgets, and writes no report. */
/* Prints to standard output. False with ERR_LIMIT if a rule failed; with another code if no rule failed but one could
 * not be decided, if a budget is invalid, or if no input could be read. */
bool check_command(const struct options *options, struct err *err);

/* extract_command.c - the command extract: writes a program that runs a graph of a log, the text of an issue, or a part of the log. */
bool extract_run(const struct options *options, struct err *err);

/* graph_command.c - the command graph: prints a graph, or what differs between two, and writes no report. */
bool graph_run(const struct options *options, struct err *err);

/* diff_command.c - the command diff: prints what changed from one run to another, and writes no report. */
/* Prints to standard output. False with ERR_LIMIT if a limit of --fail-on is exceeded; with another code if nothing
 * could be compared. */
bool diff_run(const struct options *options, struct err *err);
/* The same for two paths. names: of the sides, instead of the paths. reports: finished reports, or NULL, whose profiles
 * are compared. */
bool diff_run_named(const struct options *options, const char *const *names, const char *const *reports,
                    struct err *err);

/* facts_command.c - `tlparse facts`: writes the data of logs that the comparison of ranks needs to a facts file. */
bool facts_run(const struct options *options, struct err *err);

/* follow_command.c - the command follow: prints events in growing logs until Ctrl-C, then the totals. */
/* Events and totals go to stdout, everything else to stderr. Returns true when SIGINT, SIGTERM or --until-idle ended it. */
bool follow_run(const struct options *options, struct err *err);

/* merge_command.c - `tlparse merge`: the report on all ranks of a job from the facts files of its nodes. */
bool merge_run(const struct options *options, struct err *err);

/* run_command.c - the command run: runs a program with TORCH_TRACE set to a new folder, prints a summary of its
 * compiles, and keeps the run with its report (runs/store.h).
 *
 * The program gets the unchanged standard streams. tlparse prints its messages to stderr after the program has ended.
 * It exits with the program's status, or dies by the same signal. If the program could not be started, it exits with
 * 127 (not found), 126 (cannot be executed) or 125 (anything else). A report that cannot be written does not change
 * this. */
bool run_run(const struct options *options, struct err *err);

/* run_report.c - the end of the command run, after its program has ended: the report, the summary, and where they are.
 */
/* Prints to stderr, including why there is no report, unless the command was not started: then nothing is known about
 * the other ranks. Returns the status of the check, as for tlparse check; 0 if none was requested. */
int run_report(const struct options *options, struct process *process, bool started);

/* runs_command.c - the command runs: lists, shows, compares, pins and removes the runs that `tlparse run` keeps. */
bool runs_run(const struct options *options, struct err *err);

/* The names of the actions, "list" first; NULL: no more. All except "list" take runs as arguments. */
const char *runs_action(size_t i);

/* share_command.c - the command share: writes a report as one file to send, an HTML page or a zip archive. The input is
 * a finished report, or logs, whose report is temporarily written to a hidden folder next to the file. */
bool share_run(const struct options *options, struct err *err);

/* summary_command.c - the command summary: prints the totals and the issues of logs or of a finished report, and writes no report. */
/* Prints to standard output. False if nothing could be read or printed. */
bool summary_run(const struct options *options, struct err *err);

/* completion.c - shell scripts that complete commands, options and their values, generated from the tables of commands
 * and options. Pure, any thread. */
/* Prints the script of the shell:
 *     eval "$(tlparse --completion bash)"            or a file in bash-completion/completions
 *     eval "$(tlparse --completion zsh)"             or a file _tlparse in $fpath
 *     tlparse --completion fish | source             or a file in fish/completions */
void completion_print(enum options_shell shell, FILE *to);

/* version.c - what --version prints. */
/* Prints the version to `to`, and a message to stderr if `tlparse` runs a different program: other tools, such as
 * PyTorch's tests, use the first one on PATH. */
void version_print(FILE *to);

/* data_print.c - prints what is in a file of data/ of a report. Errors: ERR_SYSTEM and ERR_INPUT. */
bool data_print(const char *path, FILE *to, struct err *err);
/* Finds the first program `tlparse` on a PATH. False: none. Relative folders are not searched. */
bool version_find(const char *path, struct buf *found);
