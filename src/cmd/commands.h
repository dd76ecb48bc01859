/* commands.h - the table of commands: what the first argument may name.
 *
 * A call without a command is `parse`, so `tlparse LOG` works. A file with the name of a command is `./parse`. The
 * options of a command are rows of the table in cmd/options.c. Pure, any thread. */
#ifndef TLPARSE_CMD_COMMANDS_H
#define TLPARSE_CMD_COMMANDS_H

#include "cmd/options.h"

struct command {
    const char *name;
    const char *summary;  /* one line that begins with a verb */
    const char *about;    /* what --help prints before the options: purpose, usage, examples */
    const char *statuses; /* what it prints after them: the exit status */
    bool (*run)(const struct options *options, struct err *err);
    const char *(*action)(size_t i); /* the words that may follow its name, up to a NULL; NULL: it has no actions */
    int failed;                      /* the exit status if it could not do its work: 1, or 2 where 1 is an answer */
};

/* By enum command_id. */
const struct command *commands_table(size_t *count);
/* The command of a call. *named is true if argv[1] is its name and not a path. */
enum command_id command_of(int argc, char *const *argv, bool *named);

/* The name of the command that the word may be a misspelling of, or NULL. */
const char *commands_nearest(const char *word);

/* Prints the options of the command and, for a call without a command, the commands. */
void commands_print_help(const struct command *command, bool named, FILE *to);

#endif
