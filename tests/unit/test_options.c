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
    assert_int_equal(o.path_count, 0);
    assert_string_equal(o.out, "tl_out");
    assert_string_equal(o.custom_header, "");
    assert_false(o.overwrite || o.latest || o.strict || o.strict_compile_id || o.no_browser || o.verbose);
    assert_false(o.plain_text || o.has_threads);
    assert_int_equal(o.block_bytes, 0);
    options_finish(&o);
}

static void takes_all_options(void **state) {
    struct options o;
    (void)state;
    char line[] = "--overwrite --latest --strict --strict-compile-id --no-browser --verbose --plain-text --out d "
                  "--custom-header-html <b> --threads 0 --block-bytes 77 p";
    must_parse(line, &o);
    assert_true(o.overwrite && o.latest && o.strict && o.strict_compile_id && o.no_browser && o.verbose);
    assert_true(o.plain_text && o.has_threads);
    assert_string_equal(o.out, "d");
    assert_string_equal(o.custom_header, "<b>");
    assert_int_equal(o.threads, 0);
    assert_int_equal(o.block_bytes, 77);
    assert_int_equal(o.path_count, 1);
    assert_string_equal(o.paths[0], "p");
    options_finish(&o);
}

static void parses_host_and_port(void **state) {
    struct options o;
    (void)state;
    char line[] = "--serve --port 0 --host ::1";
    must_parse(line, &o);
    assert_true(o.serve && o.has_port);
    assert_int_equal(o.port, 0);
    assert_string_equal(o.host, "::1");
    options_finish(&o);
    char plain[] = "log";
    must_parse(plain, &o);
    assert_false(o.serve || o.has_port);
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
    assert_int_equal(o.path_count, 5);
    static const char *const paths[] = {"a", "b", "-", "-x", "--strict"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(o.paths[i], paths[i]);
    options_finish(&o);
    setenv("POSIXLY_CORRECT", "1", 1); /* the documentation of PyTorch says `tlparse LOG -o DIR` */
    char again[] = "a -o e";
    must_parse(again, &o);
    unsetenv("POSIXLY_CORRECT");
    assert_string_equal(o.out, "e");
    assert_int_equal(o.path_count, 1);
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
        {"--server", "unknown option --server"},
        {"-o", "option -o requires an argument"},
        {"--out", "option --out requires an argument"},
        {"log --threads", "option --threads requires an argument"},
        {"--latest=yes", "option --latest=yes takes no argument"},
        {"--stri", "option --stri is ambiguous"},
        {"--threads x", "invalid value 'x' for --threads: expected a number from 0 to 1024"},
        {"--threads -1", "invalid value '-1'"},
        {"--threads 1025", "invalid value '1025'"},
        {"--block-bytes 1k", "invalid value '1k'"},
        {"--serve --port 65536", "invalid value '65536' for --port: expected a number from 0 to 65535"},
        {"--host", "option --host requires an argument"},
        {"--completion zsh", "zsh"},
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
            assert_true(strcmp(rows[i - 1].name, rows[i].name) < 0);
        for (size_t j = 0; j < i && rows[i].letter; j++)
            assert_true(rows[j].letter != rows[i].letter);
    }
}

/* What the function prints. */
static char *printed(void (*print)(FILE *to)) {
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    assert_non_null(to);
    print(to);
    fclose(to);
    return text;
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
            if ((strstr(help, expected) != NULL) != (rows[i].commands >> command & 1))
                fail_msg("command %d: %s", command, expected);
        }
        assert_non_null(strstr(help, "Usage: tlparse"));
        assert_non_null(strstr(help, "\nExit status: 0"));
        assert_null(strstr(help, "\nCommands"));
        for (char *line; (line = strsep(&rest, "\n"));)
            if (strlen(line) > 80)
                fail_msg("too long: %s", line);
        free(help);
    }
    char *help = help_of(COMMAND_PARSE, false);
    assert_non_null(strstr(help, "\n  parse   Make a report"));
    assert_non_null(strstr(help, "\n  diff    Print what changed"));
    free(help);
}

/* bash accepts the script, and it completes options. */
static void completion_completes(void **state) {
    size_t count;
    const struct option_row *rows = options_table(&count);
    char *script = printed(commands_print_completion), got[4096];
    struct buf command = {0};
    (void)state;
    for (size_t i = 0; i < count; i++) {
        snprintf(got, sizeof got, "--%s", rows[i].name);
        assert_non_null(strstr(script, got));
    }
    if (system("bash -c 'exit 0' 2>/dev/null") != 0)
        skip();
    buf_addf(&command,
             "bash <<'EOF'\n%s\ncompopt() { :; }\nCOMP_WORDS=(tlparse par); COMP_CWORD=1\ncd /\n_tlparse\n"
             "echo \"${COMPREPLY[*]}\"\nCOMP_WORDS=(tlparse --st)\n_tlparse\n"
             "echo \"${COMPREPLY[*]}\"\nCOMP_WORDS=(tlparse diff --st); COMP_CWORD=2\n_tlparse\n"
             "echo \"${COMPREPLY[*]}\"\nEOF\n",
             script);
    buf_add_byte(&command, '\0');
    FILE *bash = popen(command.ptr, "r");
    assert_non_null(bash);
    assert_non_null(fgets(got, sizeof got, bash));
    assert_string_equal(got, "parse\n");
    assert_non_null(fgets(got, sizeof got, bash));
    assert_string_equal(got, "--strict --strict-compile-id\n");
    assert_non_null(fgets(got, sizeof got, bash));
    assert_int_equal(pclose(bash), 0);
    assert_string_equal(got, "--stat\n");
    buf_free(&command);
    free(script);
}

/* doc/tlparse.1 has ".It Cm" for each command and ".It Fl" for each option, with its letter and argument, and no
 * others. */
static void manual_is_complete(void **state) {
    const char *data = getenv("TLPARSE_TEST_DATA");
    char *path = mem_printf("%s/../../doc/tlparse.1", data ? data : "tests/data"), line[256];
    FILE *page = fopen(path, "r");
    size_t count, command_count, found = 0, commands_found = 0, items = 0;
    const struct option_row *rows = options_table(&count);
    const struct command *commands = commands_table(&command_count);
    (void)state;
    assert_non_null(page);
    while (fgets(line, sizeof line, page)) {
        for (size_t i = 0; i < command_count && strncmp(line, ".It Cm ", 7) == 0; i++) {
            struct buf expected = {0};
            buf_addf(&expected, ".It Cm %s\n", commands[i].name);
            commands_found += slice_is(buf_slice(&expected), line);
            buf_free(&expected);
        }
        if (strncmp(line, ".It Fl ", 7) != 0)
            continue;
        items++;
        for (size_t i = 0; i < count; i++) {
            struct buf expected = {0};
            const char *argument = rows[i].argument;
            char lower[32] = "";
            for (size_t j = 0; argument && argument[j]; j++)
                lower[j] = (char)(argument[j] | 0x20);
            buf_add_lit(&expected, ".It ");
            if (rows[i].letter)
                buf_addf(&expected, "Fl %c%s%s , ", rows[i].letter, argument ? " Ar " : "", lower);
            buf_addf(&expected, "Fl -%s%s%s\n", rows[i].name, argument ? " Ar " : "", lower);
            found += slice_is(buf_slice(&expected), line);
            buf_free(&expected);
        }
    }
    fclose(page);
    free(path);
    assert_int_equal(found, count);
    assert_int_equal(items, count);
    assert_int_equal(commands_found, command_count);
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
        cmocka_unit_test(has_defaults),           cmocka_unit_test(takes_all_options),
        cmocka_unit_test(parses_host_and_port),   cmocka_unit_test(distinguishes_options),
        cmocka_unit_test(takes_options_anywhere), cmocka_unit_test(takes_every_form_of_an_argument),
        cmocka_unit_test(takes_actions),          cmocka_unit_test(refuses_wrong_use),
        cmocka_unit_test(table_is_sorted),        cmocka_unit_test(help_is_complete),
        cmocka_unit_test(completion_completes),   cmocka_unit_test(manual_is_complete),
        cmocka_unit_test(finds_the_command),      cmocka_unit_test(commands_are_complete),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
