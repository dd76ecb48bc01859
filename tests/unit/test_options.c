/* cmd/options: the command line, its help, its completion and its manual page. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/commands.h"

enum { MAX_ARGUMENTS = 16 };

/* Splits the line at spaces. The words point into `line`. */
static bool parse(char *line, struct options *options, struct err *err) {
    char *argv[MAX_ARGUMENTS + 2] = {(char *)"tlparse"}, *rest = line;
    int argc = 1;
    for (char *word; argc <= MAX_ARGUMENTS && (word = strsep(&rest, " "));)
        argv[argc++] = word;
    return options_parse(COMMAND_PARSE, argc, argv, options, err);
}

static void must_parse(char *line, struct options *options) {
    struct err err = {0};
    if (!parse(line, options, &err))
        fail_msg("%s", err.text);
}

static void has_defaults(void **state) {
    struct options o;
    struct err err = {0};
    char *argv[] = {(char *)"tlparse", NULL};
    (void)state;
    assert_true(options_parse(COMMAND_PARSE, 1, argv, &o, &err));
    assert_int_equal(o.action, ACTION_RUN);
    assert_int_equal(o.paths.count, 0);
    assert_string_equal(o.out, "tl_out");
    assert_string_equal(o.custom_header, "");
    assert_false(o.overwrite || o.latest || o.strict || o.strict_compile_id || o.no_browser || o.verbose);
    assert_false(o.plain_text || o.threads.given);
    assert_false(o.block_bytes.given || o.port.given || o.rank.given || o.top.given);
    assert_int_equal(o.top.value, 10);
    options_finish(&o);
}

static void takes_all_options(void **state) {
    struct options o;
    (void)state;
    char line[] = "--overwrite --latest --strict --strict-compile-id --no-browser --verbose --plain-text --out d "
                  "--custom-header-html <b> --threads 0 --block-bytes 77 p";
    must_parse(line, &o);
    assert_true(o.overwrite && o.latest && o.strict && o.strict_compile_id && o.no_browser && o.verbose);
    assert_true(o.plain_text && o.threads.given);
    assert_string_equal(o.out, "d");
    assert_string_equal(o.custom_header, "<b>");
    assert_int_equal(o.threads.value, 0);
    assert_int_equal(o.block_bytes.value, 77);
    assert_int_equal(o.paths.count, 1);
    assert_string_equal(o.paths.items[0], "p");
    options_finish(&o);
}

static void parses_host_and_port(void **state) {
    struct options o;
    (void)state;
    char line[] = "--serve --port 0 --host ::1";
    must_parse(line, &o);
    assert_true(o.serve && o.port.given);
    assert_int_equal(o.port.value, 0);
    assert_string_equal(o.host, "::1");
    options_finish(&o);
    char plain[] = "log";
    must_parse(plain, &o);
    assert_false(o.serve || o.port.given);
    assert_null(o.host);
    options_finish(&o);
}

/* Each flag is independent of the others. */
static void distinguishes_options(void **state) {
    static const char *const flags[] = {"--overwrite",  "--latest",  "--strict",    "--strict-compile-id",
                                        "--no-browser", "--verbose", "--plain-text"};
    (void)state;
    for (size_t i = 0; i < 7; i++) {
        struct options o;
        struct err err = {0};
        char *argv[] = {(char *)"tlparse", (char *)flags[i], NULL};
        assert_true(options_parse(COMMAND_PARSE, 2, argv, &o, &err));
        const bool got[] = {o.overwrite,  o.latest,  o.strict,    o.strict_compile_id,
                            o.no_browser, o.verbose, o.plain_text};
        for (size_t j = 0; j < 7; j++)
            assert_int_equal(got[j], i == j);
        options_finish(&o);
    }
}

static void takes_options_anywhere(void **state) {
    struct options o;
    (void)state;
    char line[] = "a -o d b -pv - --over -- -x --strict";
    must_parse(line, &o);
    assert_string_equal(o.out, "d");
    assert_true(o.plain_text && o.verbose && o.overwrite);
    assert_false(o.strict);
    assert_int_equal(o.paths.count, 5);
    static const char *const paths[] = {"a", "b", "-", "-x", "--strict"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(o.paths.items[i], paths[i]);
    options_finish(&o);
    setenv("POSIXLY_CORRECT", "1", 1); /* the documentation of PyTorch says `tlparse LOG -o DIR` */
    char again[] = "a -o e";
    must_parse(again, &o);
    unsetenv("POSIXLY_CORRECT");
    assert_string_equal(o.out, "e");
    assert_int_equal(o.paths.count, 1);
    options_finish(&o);
}

static void takes_every_form_of_an_argument(void **state) {
    static const char *const forms[] = {"-o d", "-od", "-o=d", "--out d", "--out=d", "--ou d", "-vod", "-o x -o d"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct options o;
        struct err err = {0};
        char *line = mem_strdup(forms[i]);
        assert_true(parse(line, &o, &err));
        assert_string_equal(o.out, "d");
        options_finish(&o);
        free(line);
    }
    struct options o;
    char own[] = "-o =d"; /* a separate argument is used as it is */
    must_parse(own, &o);
    assert_string_equal(o.out, "=d");
    options_finish(&o);
}

static void takes_actions(void **state) {
    static const struct {
        const char *line;
        enum options_action action;
    } calls[] = {{"-h", ACTION_HELP},           {"--help", ACTION_HELP},     {"-V", ACTION_VERSION},
                 {"--version", ACTION_VERSION}, {"log --help", ACTION_HELP}, {"--completion bash", ACTION_COMPLETION}};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct options o;
        struct err err = {0};
        char *line = mem_strdup(calls[i].line);
        assert_true(parse(line, &o, &err));
        assert_int_equal(o.action, calls[i].action);
        options_finish(&o);
        free(line);
    }
}

static void refuses_wrong_use(void **state) {
    static const struct {
        const char *line, *says;
    } calls[] = {
        {"--foo", "unknown option --foo"},
        {"--foo=bar", "unknown option --foo"},
        {"-x", "unknown option -x"},
        {"-vx", "unknown option -x"},
        {"--server", "unknown option --server: did you mean --serve?"},
        {"--overwirte=x", "unknown option --overwirte: did you mean --overwrite?"},
        {"--port 80 a.log", "--port requires --serve"},
        {"--host ::", "--host requires --serve"},
        {"-o", "option -o requires an argument"},
        {"--out", "option --out requires an argument"},
        {"log --threads", "option --threads requires an argument"},
        {"--latest=yes", "option --latest=yes takes no argument"},
        {"--stri", "option --stri is ambiguous: --strict or --strict-compile-id"},
        {"--threads x", "invalid value 'x' for --threads: expected a number from 0 to 1024"},
        {"--threads -1", "invalid value '-1'"},
        {"--threads 1025", "invalid value '1025'"},
        {"--block-bytes 1k", "invalid value '1k'"},
        {"--serve --port 65536", "invalid value '65536' for --port: expected a number from 0 to 65535"},
        {"--host", "option --host requires an argument"},
        {"--completion tcsh", "invalid value 'tcsh' for --completion: expected bash, fish or zsh"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct options o;
        struct err err = {0};
        char *line = mem_strdup(calls[i].line);
        assert_false(parse(line, &o, &err));
        assert_int_equal(err.code, ERR_USAGE);
        if (!strstr(err.text, calls[i].says))
            fail_msg("\"%s\" does not say \"%s\"", err.text, calls[i].says);
        assert_null(strchr(err.text, '\n'));
        free(line);
    }
}

static void table_is_sorted(void **state) {
    size_t count;
    const struct option_row *rows = options_table(&count);
    (void)state;
    assert_true(count > 10);
    for (size_t i = 0; i < count; i++) {
        assert_non_null(rows[i].name);
        assert_true(rows[i].help && rows[i].help[0] && rows[i].help[strlen(rows[i].help) - 1] == '.');
        if (i)
            assert_true(strcmp(rows[i - 1].name, rows[i].name) <= 0);
        for (size_t j = 0; j < i; j++)
            if (rows[i].commands & rows[j].commands) {
                assert_string_not_equal(rows[j].name, rows[i].name);
                assert_true(!rows[i].letter || rows[j].letter != rows[i].letter);
            }
        assert_true((rows[i].argument != NULL) ==
                    (rows[i].type != OPTION_FLAG && (rows[i].type != OPTION_ACTION || rows[i].values)));
        assert_true(rows[i].type != OPTION_CHOICE || rows[i].values);
        assert_true(rows[i].type != OPTION_NUMBER || rows[i].max);
    }
}

/* What --help of a command prints. */
static char *help_of(enum command_id command, bool named) {
    char *text = NULL;
    size_t len, count;
    FILE *to = open_memstream(&text, &len);
    assert_non_null(to);
    commands_print_help(&commands_table(&count)[command], named, to);
    fclose(to);
    return text;
}

/* Each command lists its options and no others. */
static void help_is_complete(void **state) {
    size_t count, commands;
    const struct option_row *rows = options_table(&count);
    char expected[64];
    (void)state;
    commands_table(&commands);
    assert_int_equal(commands, COMMANDS);
    for (int command = 0; command < COMMANDS; command++) {
        char *help = help_of((enum command_id)command, true), *rest = help;
        for (size_t i = 0; i < count; i++) {
            char letter[8] = "    ";
            if (rows[i].letter)
                snprintf(letter, sizeof letter, "-%c, ", rows[i].letter);
            snprintf(expected, sizeof expected, "\n  %s--%s%s%s\n", letter, rows[i].name, rows[i].argument ? " " : "",
                     rows[i].argument ? rows[i].argument : "");
            bool listed = false; /* commands may describe an option of the same name in their own way */
            for (size_t k = 0; k < count; k++)
                listed |= strcmp(rows[k].name, rows[i].name) == 0 && !rows[k].argument == !rows[i].argument &&
                          (!rows[k].argument || strcmp(rows[k].argument, rows[i].argument) == 0) && !rows[k].hidden &&
                          option_is_of(&rows[k], (enum command_id)command);
            if ((strstr(help, expected) != NULL) != listed)
                fail_msg("command %d: %s", command, expected);
        }
        assert_non_null(strstr(help, "Usage: tlparse"));
        const char *input = strstr(help, "\nInput:\n"), *general = strstr(help, "\nGeneral:\n");
        assert_non_null(general);
        assert_true(input ? input < general : command == COMMAND_SERVE); /* which reads no logs */
        assert_non_null(strstr(help, "\nExit status: 0"));
        assert_null(strstr(help, "\nCommands"));
        for (char *line; (line = strsep(&rest, "\n"));)
            if (strlen(line) > 80)
                fail_msg("too long: %s", line);
        free(help);
    }
    char *help = help_of(COMMAND_PARSE, false);
    assert_non_null(strstr(help, "\n  parse    Make a report"));
    assert_non_null(strstr(help, "\n  diff     Print what changed"));
    free(help);
}

/* The script of the shell. The caller frees it. */
static char *completion_of(enum options_shell shell) {
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    assert_non_null(to);
    completion_print(shell, to);
    fclose(to);
    return text;
}

/* What the shell prints that reads the first line, the script and then the lines. Skips the test if there is no such shell. */
static void run_in_shell(const char *shell, enum options_shell id, const char *first, const char *lines, char *got,
                         size_t size) {
    char *script = completion_of(id), *probe = mem_printf("%s -c 'exit 0' 2>/dev/null", shell);
    char *command = mem_printf("%s <<'TLPARSE_END'\n%s\n%s\n%s\nTLPARSE_END\n", shell, first, script, lines);
    bool absent = system(probe) != 0;
    free(script);
    free(probe);
    if (absent) {
        free(command);
        skip();
        return; /* skip() does not come back, which analyzers do not know */
    }
    FILE *from = popen(command, "r");
    assert_non_null(from);
    size_t len = fread(got, 1, size - 1, from);
    got[len] = '\0';
    assert_int_equal(pclose(from), 0);
    free(command);
}

static void completion_knows_every_option(void **state) {
    static const char *const before[] = {[SHELL_BASH] = "--", [SHELL_FISH] = " -l ", [SHELL_ZSH] = "--"};
    static const char *const after[] = {[SHELL_BASH] = "", [SHELL_FISH] = " ", [SHELL_ZSH] = "["};
    size_t count, command_count;
    const struct option_row *rows = options_table(&count);
    const struct command *commands = commands_table(&command_count);
    (void)state;
    for (unsigned shell = SHELL_BASH; shell <= SHELL_ZSH; shell++) {
        char *script = completion_of((enum options_shell)shell), expected[64];
        for (size_t i = 0; i < count; i++) {
            snprintf(expected, sizeof expected, "%s%s%s", before[shell], rows[i].name, after[shell]);
            bool known = strstr(script, expected) || (rows[i].letter && strstr(script, rows[i].name));
            if (known == rows[i].hidden)
                fail_msg("shell %u, --%s", shell, rows[i].name);
        }
        for (size_t i = 0; i < command_count; i++)
            assert_non_null(strstr(script, commands[i].name));
        free(script);
    }
}

/* A tlparse that lists two runs, for completion scripts that ask it. */
#define LISTED                                                                                                         \
    "'{\"runs\":[{\"id\":\"c0f971fe\",\"command\":[\"\\\\\"id\\\\\":\\\\\"dead\"],\"job\":{\"run_id\":\"4711\"}},{"    \
    "\"id\":\"beb75b1f\"}]}'"

static void bash_completes(void **state) {
    char got[4096];
    (void)state;
    run_in_shell(
        "bash", SHELL_BASH, "compopt() { :; }",
        "complete_words() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _tlparse; echo \"${COMPREPLY[*]}\"; }\n"
        "cd /\n"
        "complete_words tlparse par\n"
        "complete_words tlparse --st\n"
        "complete_words tlparse diff --st\n"
        "complete_words tlparse summary --format ma\n"
        "complete_words tlparse --completion ''\n"
        "tlparse() { printf %s " LISTED "; }\n"
        "complete_words tlparse runs ''\n"
        "complete_words tlparse runs s\n"
        "complete_words tlparse runs show ''\n"
        "complete_words tlparse runs rm last c\n"
        "complete_words tlparse runs --st\n",
        got, sizeof got);
    assert_string_equal(got, "parse\n--strict --strict-compile-id\n--stat\nmarkdown\nbash fish zsh\n"
                             "list show diff rm pin unpin\nshow\nlast c0f971fe beb75b1f\nc0f971fe\n--stat\n");
}

static void fish_completes(void **state) {
    char got[4096];
    (void)state;
    run_in_shell("fish", SHELL_FISH, "",
                 "function tlparse; printf %s " LISTED "; end\n"
                 "for line in 'tlparse summ' 'tlparse --strict' 'tlparse diff --st' 'tlparse summary --format ma' \\\n"
                 "            'tlparse runs ' 'tlparse runs show ' 'tlparse runs rm last c'\n"
                 "    complete -C $line | string split -f 1 \\t\n"
                 "end; true", /* of a line without a description, split says that it has nothing to do */
                 got, sizeof got);
    assert_string_equal(got, "summary\n--strict\n--strict-compile-id\n--stat\nmarkdown\n"
                             "diff\nlist\npin\nrm\nshow\nunpin\nbeb75b1f\nc0f971fe\nlast\nc0f971fe\n");
}

/* _arguments and _describe print what they are given. */
static void zsh_completes(void **state) {
    char got[8192];
    (void)state;
    run_in_shell("zsh -f", SHELL_ZSH, "compdef() { :; }",
                 "_arguments() { print -rl -- \"$@\" }\n"
                 "_describe() { print -rl -- $commands }\n"
                 "words=(tlparse diff --format x); CURRENT=4\n"
                 "_tlparse\n"
                 "compadd() { print -r -- compadd $@ }\n"
                 "tlparse() { print -r -- " LISTED " }\n"
                 "words=(tlparse runs show ''); CURRENT=4\n"
                 "_tlparse | tail -n 3\n"
                 "_tlparse_runs\n"
                 "words=(tlparse ''); CURRENT=2\n"
                 "_tlparse | head -n 2",
                 got, sizeof got);
    assert_non_null(strstr(got, "\n1:command: \n2:action:(list show diff rm pin unpin)\n*:run:_tlparse_runs\n"
                                "compadd last c0f971fe beb75b1f\n"));
    assert_non_null(strstr(got, "\n*:log or report:_files\n"));
    assert_non_null(
        strstr(got, "\n--format[Print FORMAT\\: text (default), json or markdown]:FORMAT:(text json markdown)\n"));
    assert_non_null(strstr(got, "\n*--fail-on["));
    assert_null(strstr(got, "--overwrite"));
    assert_non_null(strstr(got, "\nparse:Make a report of logs; the default without a command\n"));
}

/* ".It Fl e , Fl -export" as the manual has it. */
static void add_item(struct buf *out, const struct option_row *row) {
    char lower[32] = "";
    for (size_t j = 0; row->argument && row->argument[j]; j++)
        lower[j] = (char)(row->argument[j] | 0x20);
    const char *ar = row->argument ? " Ar " : "";
    buf_add_lit(out, ".It ");
    if (row->letter)
        buf_addf(out, "Fl %c%s%s , ", row->letter, ar, lower);
    buf_addf(out, "Fl -%s%s%s\n", row->name, ar, lower);
}

/* The page of a command: doc/tlparse.1 or doc/tlparse-NAME.1. */
static FILE *open_page(const struct command *command) {
    const char *data = getenv("TLPARSE_TEST_DATA");
    bool is_parse = strcmp(command->name, "parse") == 0;
    char *path = mem_printf("%s/../../doc/tlparse%s%s.1", data ? data : "tests/data", is_parse ? "" : "-",
                            is_parse ? "" : command->name);
    FILE *page = fopen(path, "r");
    if (!page)
        fail_msg("no manual page %s", path);
    free(path);
    return page;
}

/* The page of each command has ".It Fl" for each option that users see, with its letter and argument, and no others. */
static void manual_has_every_option(void **state) {
    size_t count, command_count;
    const struct option_row *rows = options_table(&count);
    const struct command *commands = commands_table(&command_count);
    char line[256];
    (void)state;
    for (size_t command = 0; command < command_count; command++) {
        FILE *page = open_page(&commands[command]);
        size_t found = 0, items = 0, expected = 0;
        for (size_t i = 0; i < count; i++)
            expected += option_is_of(&rows[i], (enum command_id)command) && !rows[i].hidden;
        while (fgets(line, sizeof line, page)) {
            items += strncmp(line, ".It Fl ", 7) == 0;
            for (size_t i = 0; i < count; i++) {
                struct buf item = {0};
                add_item(&item, &rows[i]);
                found += option_is_of(&rows[i], (enum command_id)command) && slice_is(buf_slice(&item), line);
                buf_free(&item);
            }
        }
        fclose(page);
        if (found != expected || items != expected)
            fail_msg("%s: %zu options, %zu of them in the manual, which has %zu", commands[command].name, expected,
                     found, items);
    }
}

/* doc/tlparse.1 has ".It Cm" for each command. */
static void manual_has_every_command(void **state) {
    size_t count, found = 0;
    const struct command *commands = commands_table(&count);
    FILE *page = open_page(&commands[COMMAND_PARSE]);
    char line[256], expected[64];
    (void)state;
    while (fgets(line, sizeof line, page))
        for (size_t i = 0; i < count; i++) {
            snprintf(expected, sizeof expected, ".It Cm %s\n", commands[i].name);
            found += strcmp(line, expected) == 0;
        }
    fclose(page);
    assert_int_equal(found, count);
}

static void finds_the_command(void **state) {
    static const struct {
        const char *word;
        bool named;
    } calls[] = {{"parse", true}, {"./parse", false}, {"parse.log", false}, {"--parse", false}, {"", false}};
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char *argv[] = {(char *)"tlparse", (char *)calls[i].word, (char *)"log", NULL};
        bool named;
        assert_int_equal(command_of(3, argv, &named), COMMAND_PARSE);
        assert_int_equal(named, calls[i].named);
        assert_int_equal(command_of(1, argv, &named), COMMAND_PARSE);
        assert_false(named);
    }
}

static void finds_the_nearest_command(void **state) {
    (void)state;
    assert_string_equal(commands_nearest("sumary"), "summary");
    assert_string_equal(commands_nearest("dif"), "diff");
    assert_null(commands_nearest("trace.log"));
    assert_null(commands_nearest(""));
}

/* A command has a name that is not an option, and a summary. Each option belongs to a command. */
static void commands_are_complete(void **state) {
    size_t count, option_count;
    const struct command *commands = commands_table(&count);
    const struct option_row *rows = options_table(&option_count);
    (void)state;
    assert_int_equal(count, COMMANDS);
    for (size_t i = 0; i < count; i++) {
        assert_true(commands[i].name[0] && commands[i].name[0] != '-' && commands[i].run);
        assert_true(commands[i].summary[strlen(commands[i].summary) - 1] == '.');
    }
    for (size_t i = 0; i < option_count; i++)
        assert_true(rows[i].commands && rows[i].commands < 1U << COMMANDS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_defaults),
        cmocka_unit_test(takes_all_options),
        cmocka_unit_test(parses_host_and_port),
        cmocka_unit_test(distinguishes_options),
        cmocka_unit_test(takes_options_anywhere),
        cmocka_unit_test(takes_every_form_of_an_argument),
        cmocka_unit_test(takes_actions),
        cmocka_unit_test(refuses_wrong_use),
        cmocka_unit_test(table_is_sorted),
        cmocka_unit_test(help_is_complete),
        cmocka_unit_test(completion_knows_every_option),
        cmocka_unit_test(bash_completes),
        cmocka_unit_test(fish_completes),
        cmocka_unit_test(zsh_completes),
        cmocka_unit_test(manual_has_every_option),
        cmocka_unit_test(manual_has_every_command),
        cmocka_unit_test(finds_the_command),
        cmocka_unit_test(finds_the_nearest_command),
        cmocka_unit_test(commands_are_complete),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
