#include "cmd/commands.h"

/* Calls the function for each option of the command that users see. */
static void each_option(enum command_id command, FILE *to, void (*print)(const struct option_row *row, FILE *to)) {
    size_t count;
    const struct option_row *rows = options_table(&count);
    for (size_t i = 0; i < count; i++)
        if (option_is_of(&rows[i], command) && !rows[i].hidden)
            print(&rows[i], to);
}

static void print_names_of_commands(const char *between, FILE *to) {
    size_t count;
    const struct command *commands = commands_table(&count);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%s%s", i ? between : "", commands[i].name);
}

/* Prints the actions of a command, starting with number `from`. */
static void print_actions(const struct command *command, size_t first, FILE *to) {
    for (size_t i = first; command->action(i); i++)
        fprintf(to, "%s%s", i > first ? " " : "", command->action(i));
}

/* Prints a case for each command. The case for a call without a command comes last, because it matches every word. */
static void print_cases(void (*print)(enum command_id id, const struct command *command, FILE *to), FILE *to) {
    size_t count;
    const struct command *commands = commands_table(&count);
    for (size_t i = count; i-- > 0;) {
        fprintf(to, "    %s)\n", i == COMMAND_PARSE ? "*" : commands[i].name);
        print((enum command_id)i, &commands[i], to);
    }
}

static void print_values(const struct option_row *row, FILE *to) {
    for (size_t i = 0; row->values[i]; i++)
        fprintf(to, "%s%s", i ? " " : "", row->values[i]);
}

static bool completes(const struct option_row *row, const char *files) {
    return row->files && strcmp(row->files, files) == 0;
}

/* Prints the first sentence without its period, in single quotes for zsh or fish. In zsh, brackets end a
 * description, and ':' ends the name of a command. */
static void print_sentence(const char *text, bool zsh, FILE *to) {
    const char *end = strstr(text, ". ");
    size_t len = end ? (size_t)(end - text) : strlen(text);
    len -= !end && len && text[len - 1] == '.';
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\'')
            fputs(zsh ? "'\\'" : "\\", to);
        else if (zsh && strchr("[]:", text[i]))
            fputc('\\', to);
        fputc(text[i], to);
    }
}

/* ---- bash */

static void print_bash_name(const struct option_row *row, FILE *to) {
    fprintf(to, " --%s", row->name);
    if (row->letter)
        fprintf(to, " -%c", row->letter);
}

static void print_bash_argument(const struct option_row *row, FILE *to) {
    if (!row->argument)
        return;
    fputs("        ", to);
    if (row->letter)
        fprintf(to, "-%c|", row->letter);
    fprintf(to, "--%s) ", row->name);
    if (row->values) {
        fputs("COMPREPLY=($(compgen -W '", to);
        print_values(row, to);
        fputs("' -- \"$word\"))", to);
    } else if (completes(row, "directory")) {
        fputs("compopt -o nospace; COMPREPLY=($(compgen -d -S / -- \"$word\"))", to);
    } else if (completes(row, "file")) {
        fputs("compopt -o default; COMPREPLY=()", to);
    } else {
        fputs("COMPREPLY=()", to);
    }
    fputs("; return ;;\n", to);
}

static void print_bash_case(enum command_id id, const struct command *command, FILE *to) {
    fputs("        options='", to);
    each_option(id, to, print_bash_name);
    if (command->action) {
        fputs("'\n        actions='", to);
        print_actions(command, 0, to);
    }
    fputs("'\n        case $before in\n", to);
    each_option(id, to, print_bash_argument);
    fputs("        esac ;;\n", to);
}

static void print_bash(FILE *to) {
    fputs("_tlparse_runs() {\n"
          "    \"$1\" runs --format json 2>/dev/null | grep -o '\"id\":\"[0-9a-f]*' | cut -c 7-\n"
          "}\n"
          "_tlparse() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options actions\n"
          "    case ${COMP_WORDS[1]} in\n",
          to);
    print_cases(print_bash_case, to);
    fputs("    esac\n"
          "    case $actions/$word in\n"
          "    */-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
          "    ?*/*)\n"
          "        ((COMP_CWORD < 3)) || actions=\"last $(_tlparse_runs \"${COMP_WORDS[0]}\")\"\n"
          "        COMPREPLY=($(compgen -W \"$actions\" -- \"$word\")) ;;\n"
          "    /?*) COMPREPLY=()\n"
          "        ((COMP_CWORD > 1)) || COMPREPLY=($(compgen -f -W '",
          to);
    print_names_of_commands(" ", to);
    fputs("' -- \"$word\"))\n"
          "        compopt -o default -o filenames ;;\n"
          "    *) compopt -o default; COMPREPLY=() ;;\n"
          "    esac\n"
          "}\n"
          "complete -F _tlparse tlparse\n",
          to);
}

/* ---- zsh */

static void print_zsh_option(const struct option_row *row, FILE *to) {
    const char *repeated = row->type == OPTION_LIST ? "*" : "";
    if (row->letter)
        fprintf(to, "            '(-%c --%s)'{-%c,--%s}'", row->letter, row->name, row->letter, row->name);
    else
        fprintf(to, "            '%s--%s", repeated, row->name);
    fputc('[', to);
    print_sentence(row->help, true, to);
    fputc(']', to);
    if (row->argument) {
        fprintf(to, ":%s:", row->argument);
        if (row->values) {
            fputc('(', to);
            print_values(row, to);
            fputc(')', to);
        } else if (row->files) {
            fputs(completes(row, "directory") ? "_directories" : "_files", to);
        } else {
            fputc(' ', to);
        }
    }
    fputs("'\n", to);
}

static void print_zsh_case(enum command_id id, const struct command *command, FILE *to) {
    fputs("        options=(\n", to);
    each_option(id, to, print_zsh_option);
    fputs("        )\n", to);
    if (command->action) {
        fputs("        paths=('1:command: ' '2:action:(", to);
        print_actions(command, 0, to);
        fputs(")' '*:run:_tlparse_runs')\n", to);
    }
    fputs("        ;;\n", to);
}

static void print_zsh(FILE *to) {
    size_t count;
    const struct command *commands = commands_table(&count);
    fputs("#compdef tlparse\n"
          "_tlparse_runs() {\n"
          "    compadd last $($words[1] runs --format json 2>/dev/null | grep -o '\"id\":\"[0-9a-f]*' | cut -c 7-)\n"
          "}\n"
          "_tlparse() {\n"
          "    local -a commands options paths=('*:log or report:_files')\n"
          "    commands=(\n",
          to);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "        '%s:", commands[i].name);
        print_sentence(commands[i].summary, true, to);
        fputs("'\n", to);
    }
    fputs("    )\n"
          "    case $words[2] in\n",
          to);
    print_cases(print_zsh_case, to);
    fputs("    esac\n"
          "    ((CURRENT == 2)) && _describe -t commands command commands\n"
          "    _arguments -s : $options $paths\n"
          "}\n"
          "if [ \"$funcstack[1]\" = _tlparse ]; then _tlparse \"$@\"; else compdef _tlparse tlparse; fi\n",
          to);
}

/* ---- fish */

static void print_fish_option(const struct option_row *row, FILE *to) {
    fprintf(to, " -l %s", row->name);
    if (row->letter)
        fprintf(to, " -s %c", row->letter);
    if (row->values) {
        fputs(" -x -a '", to);
        print_values(row, to);
        fputc('\'', to);
    } else if (row->argument) {
        fputs(completes(row, "file")        ? " -r"
              : completes(row, "directory") ? " -x -a '(__fish_complete_directories)'"
                                            : " -x",
              to);
    }
    fputs(" -d '", to);
    print_sentence(row->help, false, to);
    fputs("'\n", to);
}

/* Prints the condition of a command: its name, or no command's name, is among the words. */
static void print_fish_condition(enum command_id id, const struct command *commands, size_t count, FILE *to) {
    fputs("complete -c tlparse -n '", to);
    if (id != COMMAND_PARSE) {
        fprintf(to, "__fish_seen_subcommand_from %s", commands[id].name);
        return;
    }
    fputs("not __fish_seen_subcommand_from", to);
    for (size_t i = 0; i < count; i++)
        if (i != COMMAND_PARSE)
            fprintf(to, " %s", commands[i].name);
}

static void print_fish_actions(const struct command *command, FILE *to) {
    fprintf(to, "complete -c tlparse -f -n '__fish_seen_subcommand_from %s; and not __fish_seen_subcommand_from ",
            command->name);
    print_actions(command, 0, to);
    fputs("' -a '", to);
    print_actions(command, 0, to);
    fprintf(to, "'\ncomplete -c tlparse -f -n '__fish_seen_subcommand_from %s; and __fish_seen_subcommand_from ",
            command->name);
    print_actions(command, 1, to); /* the first action lists the runs */
    fputs("' -a '(tlparse runs --format json 2>/dev/null | string match -arg \\'\"id\":\"([0-9a-f]+)\\') last'\n", to);
}

static void print_fish(FILE *to) {
    size_t count, option_count;
    const struct command *commands = commands_table(&count);
    const struct option_row *rows = options_table(&option_count);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "complete -c tlparse -n __fish_use_subcommand -a %s -d '", commands[i].name);
        print_sentence(commands[i].summary, false, to);
        fputs("'\n", to);
    }
    for (size_t i = 0; i < count; i++) {
        if (commands[i].action)
            print_fish_actions(&commands[i], to);
        for (size_t j = 0; j < option_count; j++) {
            if (!option_is_of(&rows[j], (enum command_id)i) || rows[j].hidden)
                continue;
            print_fish_condition((enum command_id)i, commands, count, to);
            fputc('\'', to);
            print_fish_option(&rows[j], to);
        }
    }
}

void completion_print(enum options_shell shell, FILE *to) {
    static void (*const print[])(
        FILE *) = {[SHELL_BASH] = print_bash, [SHELL_FISH] = print_fish, [SHELL_ZSH] = print_zsh};
    print[shell](to);
}
