#define _GNU_SOURCE /* getopt_long */
#include "cmd/options.h"

#include <getopt.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/slice.h"

enum {
    PARSE = 1 << COMMAND_PARSE,
    DIFF = 1 << COMMAND_DIFF,
    SUMMARY = 1 << COMMAND_SUMMARY,
    ANSWERS = SUMMARY | DIFF, /* commands that print instead of writing a report */
    EVERY = (1 << COMMANDS) - 1,
};
enum { COLUMNS = 80, HELP_INDENT = 10, MAX_THREADS = 1024 };

enum option_id {
    OPT_ALL_RANKS_HTML,
    OPT_BLOCK_BYTES,
    OPT_COMPARE,
    OPT_COMPLETION,
    OPT_CUSTOM_HEADER_HTML,
    OPT_EXPORT,
    OPT_FAIL_ON,
    OPT_FORMAT,
    OPT_HELP,
    OPT_HOST,
    OPT_INDUCTOR_PROVENANCE,
    OPT_LATEST,
    OPT_NO_BROWSER,
    OPT_OUT,
    OPT_OVERWRITE,
    OPT_PLAIN_TEXT,
    OPT_PORT,
    OPT_RANK,
    OPT_SERVE,
    OPT_STAT,
    OPT_STRICT,
    OPT_STRICT_COMPILE_ID,
    OPT_THREADS,
    OPT_TOP,
    OPT_VERBOSE,
    OPT_VERSION,
    OPTION_COUNT,
    OPT_BASE = 256, /* what getopt returns for row i is OPT_BASE + i, unless it has a letter */
};

/* clang-format off */
static const struct option_row rows[OPTION_COUNT] = {
    [OPT_ALL_RANKS_HTML] = {"all-ranks-html", NULL,
        "Read the logs of all ranks in the folder PATH, write one report per rank, and show where the ranks diverge. "
        "This is the default for a folder with several ranks.", 0, PARSE},
    [OPT_BLOCK_BYTES] = {"block-bytes", "N",
        "Read logs in blocks of N bytes. For testing: the report does not depend on N.", 0, EVERY},
    [OPT_COMPARE] = {"compare", NULL,
        "Compare the PATHs as runs: write one report per run, and show what changed. This is the default for two PATHs, "
        "unless they are folders with different ranks of one job. Three or more PATHs are processes of one run by default. "
        "In a single folder, each log is a run, or each subfolder that contains logs of ranks.", 0, PARSE | SUMMARY},
    [OPT_COMPLETION] = {"completion", "SHELL",
        "Print a completion script for SHELL (only bash is supported) and exit.", 0, PARSE},
    [OPT_CUSTOM_HEADER_HTML] = {"custom-header-html", "HTML",
        "Insert HTML, unescaped, at the top of index.html.", 0, PARSE},
    [OPT_EXPORT] = {"export", NULL,
        "Treat the log as one of torch.export: report what failed and why, and save the exported program.", 'e', PARSE},
    [OPT_FAIL_ON] = {"fail-on", "LIMITS",
        "Exit with status 1 if a figure changed by more than a limit: 'time>+10%,breaks>0'. May be repeated.", 0, DIFF},
    [OPT_FORMAT] = {"format", "FORMAT",
        "Print FORMAT: text (default), json or markdown.", 0, ANSWERS},
    [OPT_HELP] = {"help", NULL,
        "Print this help and exit.", 'h', EVERY},
    [OPT_HOST] = {"host", "ADDR",
        "With --serve: listen on ADDR, so that other machines can read the report. 0.0.0.0 listens on all interfaces "
        "(default: 127.0.0.1, this machine only).", 0, PARSE},
    [OPT_INDUCTOR_PROVENANCE] = {"inductor-provenance", NULL,
        "Write pages that map lines of the graphs to lines of the generated code. This is the default if the log "
        "contains the mappings.", 'i', PARSE},
    [OPT_LATEST] = {"latest", NULL,
        "Read only the most recently modified log in the folder PATH.", 0, PARSE | SUMMARY},
    [OPT_NO_BROWSER] = {"no-browser", NULL,
        "Do not open the report in a browser.", 0, PARSE},
    [OPT_OUT] = {"out", "DIR",
        "Write the report to the folder DIR (default: tl_out).", 'o', PARSE},
    [OPT_OVERWRITE] = {"overwrite", NULL,
        "Replace DIR if it contains a report. Without this option, DIR must be missing or empty. A folder that contains "
        "anything else is never replaced.", 0, PARSE},
    [OPT_PLAIN_TEXT] = {"plain-text", NULL,
        "Write generated code as plain text instead of highlighted HTML, for easier diffing.", 'p', PARSE},
    [OPT_PORT] = {"port", "N",
        "With --serve: listen on port N. 0 picks any free port (default: the first free port from 8000 to 8099).", 0, PARSE},
    [OPT_RANK] = {"rank", "N",
        "Read only the records of rank N.", 0, EVERY},
    [OPT_SERVE] = {"serve", NULL,
        "Write the report, then serve it over HTTP until Ctrl-C.", 0, PARSE},
    [OPT_STAT] = {"stat", NULL,
        "Print the figures only, without functions and issues.", 0, DIFF},
    [OPT_STRICT] = {"strict", NULL,
        "Exit with status 1 if the log has unrecognized lines or malformed records. The report is still written.", 0, PARSE},
    [OPT_STRICT_COMPILE_ID] = {"strict-compile-id", NULL,
        "Exit with status 1 if a record with a stack has no compile id. The report is still written.", 0, PARSE},
    [OPT_THREADS] = {"threads", "N",
        "Use N worker threads; 0 does all work in the main thread (default: one per core). The report does not depend "
        "on N.", 0, EVERY},
    [OPT_TOP] = {"top", "N",
        "List at most N issues, functions and compiles (default: 10).", 0, ANSWERS},
    [OPT_VERBOSE] = {"verbose", NULL,
        "Print details: every file that was read or skipped, and a summary of the report.", 'v', PARSE},
    [OPT_VERSION] = {"version", NULL,
        "Print the version and exit.", 'V', EVERY},
};
/* clang-format on */

const struct option_row *options_table(size_t *count) {
    *count = OPTION_COUNT;
    return rows;
}

static bool takes(enum command_id command, int option) {
    return rows[option].commands >> command & 1;
}

/* The table in getopt's form. The leading '-' makes getopt return paths in order. ':' keeps it from printing and lets
 * us distinguish a missing argument from an unknown option. */
static void fill_getopt(enum command_id command, char *letters, struct option *longs) {
    struct option *next = longs;
    *letters++ = '-';
    *letters++ = ':';
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!takes(command, i))
            continue;
        *next++ = (struct option){.name = rows[i].name,
                                  .has_arg = rows[i].argument ? required_argument : no_argument,
                                  .val = OPT_BASE + i};
        if (!rows[i].letter)
            continue;
        *letters++ = rows[i].letter;
        if (rows[i].argument)
            *letters++ = ':';
    }
    *letters = '\0';
    *next = (struct option){0};
}

static int id_of(int code) {
    if (code >= OPT_BASE && code < OPT_BASE + OPTION_COUNT)
        return code - OPT_BASE;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (rows[i].letter && rows[i].letter == code)
            return i;
    return -1;
}

static bool parse_number(const char *name, const char *text, uint64_t max, uint64_t *number, struct err *err) {
    if (slice_to_u64(slice_str(text), number) && *number <= max)
        return true;
    return err_set(err, ERR_USAGE, "invalid value '%s' for --%s: expected a number from 0 to %llu", text, name,
                   (unsigned long long)max);
}

static bool parse_format(const char *name, enum answer_format *format, struct err *err) {
    static const char *const names[] = {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_MARKDOWN] = "markdown"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *format = (enum answer_format)i;
            return true;
        }
    return err_set(err, ERR_USAGE, "invalid value '%s' for --format: expected text, json or markdown", name);
}

static bool apply(struct options *options, int id, const char *argument, struct err *err) {
    uint64_t number = 0;
    switch (id) {
    case OPT_ALL_RANKS_HTML:
        options->all_ranks = true;
        break;
    case OPT_BLOCK_BYTES:
        if (!parse_number(rows[id].name, argument, SIZE_MAX / 4, &number, err))
            return false;
        options->block_bytes = (size_t)number;
        break;
    case OPT_COMPARE:
        options->compare = true;
        break;
    case OPT_COMPLETION:
        if (strcmp(argument, "bash") != 0)
            return err_set(err, ERR_USAGE, "unsupported shell '%s': --completion supports bash only", argument);
        options->action = ACTION_COMPLETION;
        break;
    case OPT_CUSTOM_HEADER_HTML:
        options->custom_header = argument;
        break;
    case OPT_EXPORT:
        options->export = true;
        break;
    case OPT_FAIL_ON:
        options->fail_on[options->fail_on_count++] = argument;
        break;
    case OPT_FORMAT:
        return parse_format(argument, &options->format, err);
    case OPT_HELP:
        options->action = ACTION_HELP;
        break;
    case OPT_HOST:
        options->host = argument;
        break;
    case OPT_INDUCTOR_PROVENANCE:
        options->provenance = true;
        break;
    case OPT_LATEST:
        options->latest = true;
        break;
    case OPT_NO_BROWSER:
        options->no_browser = true;
        break;
    case OPT_OUT:
        options->out = argument;
        break;
    case OPT_OVERWRITE:
        options->overwrite = true;
        break;
    case OPT_PLAIN_TEXT:
        options->plain_text = true;
        break;
    case OPT_PORT:
        if (!parse_number(rows[id].name, argument, UINT16_MAX, &number, err))
            return false;
        options->has_port = true;
        options->port = (uint16_t)number;
        break;
    case OPT_RANK:
        if (!parse_number(rows[id].name, argument, UINT32_MAX, &options->rank, err))
            return false;
        options->has_rank = true;
        break;
    case OPT_SERVE:
        options->serve = true;
        break;
    case OPT_STAT:
        options->stat = true;
        break;
    case OPT_STRICT:
        options->strict = true;
        break;
    case OPT_STRICT_COMPILE_ID:
        options->strict_compile_id = true;
        break;
    case OPT_THREADS:
        if (!parse_number(rows[id].name, argument, MAX_THREADS, &number, err))
            return false;
        options->has_threads = true;
        options->threads = (unsigned)number;
        break;
    case OPT_TOP:
        if (!parse_number(rows[id].name, argument, UINT32_MAX, &number, err))
            return false;
        options->top = (size_t)number;
        break;
    case OPT_VERBOSE:
        options->verbose = true;
        break;
    case OPT_VERSION:
        options->action = ACTION_VERSION;
        break;
    }
    return true;
}

/* Explains what getopt rejected. `given` is the argument as the user wrote it. */
static bool refuse(enum command_id command, int code, int option, const char *given, struct err *err) {
    if (option > 0 && option < OPT_BASE && (code == ':' || id_of(option) < 0)) /* a letter */
        return err_set(err, ERR_USAGE, code == ':' ? "option -%c requires an argument" : "unknown option -%c", option);
    if (option >= OPT_BASE)
        return err_set(err, ERR_USAGE, code == ':' ? "option %s requires an argument" : "option %s takes no argument",
                       given);
    size_t len = strcspn(given, "="), found = 0;
    for (int i = 0; i < OPTION_COUNT && len > 2; i++)
        found += takes(command, i) && strncmp(rows[i].name, given + 2, len - 2) == 0;
    return err_set(err, ERR_USAGE, found > 1 ? "option %.*s is ambiguous" : "unknown option %.*s", (int)len, given);
}

bool options_parse(enum command_id command, int argc, char *const *argv, struct options *options, struct err *err) {
    char letters[2 * OPTION_COUNT + 3];
    struct option longs[OPTION_COUNT + 1];
    *options = (struct options){.out = "tl_out", .custom_header = "", .top = 10};
    options->paths = mem_alloc((size_t)(argc + 1) * sizeof *options->paths);
    options->fail_on = mem_alloc((size_t)(argc + 1) * sizeof *options->fail_on);
    fill_getopt(command, letters, longs);
    bool ok = true;
    optind = 0; /* glibc: reset the scan */
    while (ok) {
        int code = getopt_long(argc, argv, letters, longs, NULL);
        if (code == -1)
            break;
        if (code == 1) {
            options->paths[options->path_count++] = optarg;
        } else if (code == '?' || code == ':') {
            ok = refuse(command, code, optopt, argv[optind - 1], err);
        } else {
            const char *argument = optarg;
            if (code < OPT_BASE && argument && argument != argv[optind - 1] && argument[0] == '=')
                argument++; /* -o=DIR, which the reference accepts */
            ok = apply(options, id_of(code), argument ? argument : "", err);
        }
    }
    while (ok && optind < argc) /* after "--" */
        options->paths[options->path_count++] = argv[optind++];
    if (!ok)
        options_finish(options);
    return ok;
}

void options_finish(struct options *options) {
    free(options->paths);
    free(options->fail_on);
    options->paths = options->fail_on = NULL;
}

/* Prints the text indented and wrapped at COLUMNS. */
static void print_wrapped(FILE *to, const char *text) {
    int column = 0;
    while (*text) {
        int len = (int)strcspn(text, " ");
        if (column && column + 1 + len > COLUMNS) {
            fputc('\n', to);
            column = 0;
        }
        column += fprintf(to, "%*s%.*s", column ? 1 : HELP_INDENT, "", len, text);
        text += len;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

void options_print_list(enum command_id command, FILE *to) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &rows[i];
        if (!takes(command, i))
            continue;
        if (row->letter)
            fprintf(to, "  -%c, --%s", row->letter, row->name);
        else
            fprintf(to, "      --%s", row->name);
        fprintf(to, "%s%s\n", row->argument ? " " : "", row->argument ? row->argument : "");
        print_wrapped(to, row->help);
    }
}

static void print_names(enum command_id command, FILE *to) {
    const char *between = "";
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!takes(command, i))
            continue;
        fprintf(to, "%s--%s", between, rows[i].name);
        if (rows[i].letter)
            fprintf(to, " -%c", rows[i].letter);
        between = " ";
    }
}

void options_print_completion(const char *const *commands, FILE *to) {
    fputs("_tlparse() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options\n"
          "    case $before in\n"
          "    -o|--out) compopt -o nospace; COMPREPLY=($(compgen -d -S / -- \"$word\")); return ;;\n"
          "    --completion) COMPREPLY=($(compgen -W bash -- \"$word\")); return ;;\n"
          "    --format) COMPREPLY=($(compgen -W 'text json markdown' -- \"$word\")); return ;;\n",
          to);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (rows[i].argument && i != OPT_OUT && i != OPT_COMPLETION && i != OPT_FORMAT)
            fprintf(to, "    --%s) COMPREPLY=(); return ;;\n", rows[i].name);
    fputs("    esac\n"
          "    case ${COMP_WORDS[1]} in\n",
          to);
    for (int command = COMMANDS - 1; command >= 0; command--) {
        fprintf(to, "    %s) options='", command == COMMAND_PARSE ? "*" : commands[command]);
        print_names((enum command_id)command, to);
        fputs("' ;;\n", to);
    }
    fputs("    esac\n"
          "    case $word in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
          "    ?*) COMPREPLY=()\n"
          "        ((COMP_CWORD > 1)) || COMPREPLY=($(compgen -f -W '",
          to);
    for (int command = 0; command < COMMANDS; command++)
        fprintf(to, "%s%s", command ? " " : "", commands[command]);
    fputs("' -- \"$word\"))\n"
          "        compopt -o default -o filenames ;;\n"
          "    *) compopt -o default; COMPREPLY=() ;;\n"
          "    esac\n"
          "}\n"
          "complete -F _tlparse tlparse\n",
          to);
}
