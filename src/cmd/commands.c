#include "cmd/commands.h"

#include <string.h>

#include "base/buf.h"
#include "cmd/diff.h"
#include "cmd/parse.h"
#include "cmd/summary.h"

static const struct command table[COMMANDS] = {
    [COMMAND_PARSE] = {"parse", "Make a report of logs; what a call without a command does.", parse_run, 1},
    [COMMAND_DIFF] = {"diff", "Print what changed from one run to another.", diff_run, 2},
    [COMMAND_SUMMARY] = {"summary", "Print the totals and the issues of logs or of a report.", summary_run, 2},
};

const struct command *commands_table(size_t *count) {
    *count = COMMANDS;
    return table;
}

enum command_id command_of(int argc, char *const *argv, bool *named) {
    *named = true;
    for (int i = 0; argc > 1 && i < COMMANDS; i++)
        if (strcmp(argv[1], table[i].name) == 0)
            return (enum command_id)i;
    *named = false;
    return COMMAND_PARSE;
}

void commands_print_help(const struct command *command, bool named, FILE *to) {
    options_print_help((enum command_id)(command - table), to);
    if (named)
        return;
    fputs("\nCommands (a file with such a name is ./NAME):\n", to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-8s%s\n", table[i].name, table[i].summary);
}

void commands_print_completion(FILE *to) {
    struct buf names = {0};
    for (int i = 0; i < COMMANDS; i++)
        buf_addf(&names, "%s%s", i ? " " : "", table[i].name);
    buf_add_byte(&names, '\0');
    options_print_completion(names.ptr, to);
    buf_free(&names);
}
