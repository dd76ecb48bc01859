/* commands.h - the table of commands: what the first argument may name.
 *
 * A call without the name of a command is `parse`, so that `tlparse LOG` stays what it is; a file with the name of a
 * command is `./parse`. The options of a command are rows of the table in cmd/options.c. Pure, any thread. */
#ifndef TLPARSE_CMD_COMMANDS_H
#define TLPARSE_CMD_COMMANDS_H

#include "cmd/options.h"

struct command {
    const char *name;
    const char *summary; /* one line, a verb first */
    bool (*run)(const struct options *options, struct err *err);
    int failed; /* the exit status if it could not do its work: 1, or 2 where 1 is an answer */
};

/* By enum command_id. */
const struct command *commands_table(size_t *count);
/* The command of a call; *named: argv[1] is its name, and no path. */
enum command_id command_of(int argc, char *const *argv, bool *named);

/* The options of the command; of a call that names none, also the commands. */
void commands_print_help(const struct command *command, bool named, FILE *to);
/* A script for the shell: `eval "$(tlparse --completion bash)"`. */
void commands_print_completion(FILE *to);

#endif
