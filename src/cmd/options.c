#define _GNU_SOURCE /* getopt_long */
#include "cmd/options.h"

#include <getopt.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/slice.h"

enum { COLUMNS = 80, HELP_INDENT = 10, MAX_THREADS = 1024 };

enum option_id {
    OPT_ALL_RANKS_HTML,
    OPT_BLOCK_BYTES,
    OPT_COMPARE,
    OPT_COMPLETION,
    OPT_CUSTOM_HEADER_HTML,
    OPT_EXPORT,
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
    OPT_STRICT,
    OPT_STRICT_COMPILE_ID,
    OPT_THREADS,
    OPT_VERBOSE,
    OPT_VERSION,
    OPTION_COUNT,
    OPT_BASE = 256, /* what getopt returns for row i is OPT_BASE + i, unless it has a letter */
};

/* clang-format off */
static const struct option_row rows[OPTION_COUNT] = {
    [OPT_ALL_RANKS_HTML] = {"all-ranks-html", 0, NULL,
        "PATH is a folder: read the logs of all ranks in it, each into a folder of its own, and say where they differ. "
        "A folder with several ranks is read like this without the option, too."},
    [OPT_BLOCK_BYTES] = {"block-bytes", 0, "N",
        "Read the log in blocks of N bytes. For tests: the report is the same for any N."},
    [OPT_COMPARE] = {"compare", 0, NULL,
        "Compare the PATHs as runs: each gets a report of its own, and the first page says what changed. Two PATHs are "
        "compared without the option, too, unless they are folders with different ranks of one job; more than two are read "
        "as processes of one run. Of a single folder, each log is a run, or each folder in it that has logs of ranks."},
    [OPT_COMPLETION] = {"completion", 0, "SHELL",
        "Print a completion script for SHELL, which is bash, and exit."},
    [OPT_CUSTOM_HEADER_HTML] = {"custom-header-html", 0, "HTML",
        "Put HTML, as it is, at the top of the report's first page."},
    [OPT_EXPORT] = {"export", 'e', NULL,
        "The log is of torch.export: write what failed and why, and the exported program."},
    [OPT_HELP] = {"help", 'h', NULL,
        "Print this help and exit."},
    [OPT_HOST] = {"host", 0, "ADDR",
        "With --serve: listen on ADDR, so that other machines can read the report; 0.0.0.0 is all networks "
        "(default: 127.0.0.1, this machine only)."},
    [OPT_INDUCTOR_PROVENANCE] = {"inductor-provenance", 'i', NULL,
        "Write pages that show which lines of graphs and code belong together. Where the log holds the mappings they are "
        "written without the option, too."},
    [OPT_LATEST] = {"latest", 0, NULL,
        "PATH is a folder: read only the file in it that was written last."},
    [OPT_NO_BROWSER] = {"no-browser", 0, NULL,
        "Do not open the report in a browser."},
    [OPT_OUT] = {"out", 'o', "DIR",
        "Write the report to the folder DIR (default: tl_out)."},
    [OPT_OVERWRITE] = {"overwrite", 0, NULL,
        "Replace DIR when it is a report of an earlier run. Without this option only a missing or empty DIR is taken. "
        "A folder that holds anything else is never removed."},
    [OPT_PLAIN_TEXT] = {"plain-text", 'p', NULL,
        "Write code as plain text instead of highlighted pages, for easier comparing."},
    [OPT_PORT] = {"port", 0, "N",
        "With --serve: listen on port N; 0 takes any that is free (default: the first free one from 8000 to 8099)."},
    [OPT_RANK] = {"rank", 0, "N",
        "Take the records of rank N only."},
    [OPT_SERVE] = {"serve", 0, NULL,
        "Serve the report over HTTP when it is written, until Ctrl-C."},
    [OPT_STRICT] = {"strict", 0, NULL,
        "Exit with status 1 when records or lines could not be understood. The report is written all the same."},
    [OPT_STRICT_COMPILE_ID] = {"strict-compile-id", 0, NULL,
        "Exit with status 1 when a record that carries a stack has no compile id. The report is written all the same."},
    [OPT_THREADS] = {"threads", 0, "N",
        "Use N worker threads; 0 does all in one thread (default: one for each core). The report is the same for "
        "any N."},
    [OPT_VERBOSE] = {"verbose", 'v', NULL,
        "Tell more: every file that was chosen, and what the report holds."},
    [OPT_VERSION] = {"version", 'V', NULL,
        "Print the version and exit."},
};
/* clang-format on */

const struct option_row *options_table(size_t *count) {
    *count = OPTION_COUNT;
    return rows;
}

/* The table in getopt's form. '-' in front: paths are reported in their place; ':' so that getopt stays silent and
 * tells a missing argument from an unknown option. */
static void fill_getopt(char *letters, struct option *longs) {
    *letters++ = '-';
    *letters++ = ':';
    for (int i = 0; i < OPTION_COUNT; i++) {
        longs[i] = (struct option){.name = rows[i].name,
                                   .has_arg = rows[i].argument ? required_argument : no_argument,
                                   .val = OPT_BASE + i};
        if (!rows[i].letter)
            continue;
        *letters++ = rows[i].letter;
        if (rows[i].argument)
            *letters++ = ':';
    }
    *letters = '\0';
    longs[OPTION_COUNT] = (struct option){0};
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
    return err_set(err, ERR_USAGE, "--%s takes a number from 0 to %llu, not '%s'", name, (unsigned long long)max, text);
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
            return err_set(err, ERR_USAGE, "no completion for '%s', only for bash", argument);
        options->action = ACTION_COMPLETION;
        break;
    case OPT_CUSTOM_HEADER_HTML:
        options->custom_header = argument;
        break;
    case OPT_EXPORT:
        options->export = true;
        break;
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
    case OPT_VERBOSE:
        options->verbose = true;
        break;
    case OPT_VERSION:
        options->action = ACTION_VERSION;
        break;
    }
    return true;
}

/* What getopt did not like: the text of the option as it was given, and why. */
static bool refuse(int code, int option, const char *given, struct err *err) {
    if (option > 0 && option < OPT_BASE && (code == ':' || id_of(option) < 0)) /* a letter */
        return err_set(err, ERR_USAGE, code == ':' ? "-%c needs an argument" : "unknown option -%c", option);
    if (option >= OPT_BASE)
        return err_set(err, ERR_USAGE, code == ':' ? "%s needs an argument" : "%s takes no argument", given);
    size_t len = strcspn(given, "="), found = 0;
    for (int i = 0; i < OPTION_COUNT && len > 2; i++)
        found += strncmp(rows[i].name, given + 2, len - 2) == 0;
    return err_set(err, ERR_USAGE, found > 1 ? "%.*s is short for several options" : "unknown option %.*s", (int)len,
                   given);
}

bool options_parse(int argc, char *const *argv, struct options *options, struct err *err) {
    char letters[2 * OPTION_COUNT + 3];
    struct option longs[OPTION_COUNT + 1];
    *options = (struct options){.out = "tl_out", .custom_header = ""};
    options->paths = mem_alloc((size_t)(argc + 1) * sizeof *options->paths);
    fill_getopt(letters, longs);
    bool ok = true;
    optind = 0; /* glibc: start anew */
    while (ok) {
        int code = getopt_long(argc, argv, letters, longs, NULL);
        if (code == -1)
            break;
        if (code == 1) {
            options->paths[options->path_count++] = optarg;
        } else if (code == '?' || code == ':') {
            ok = refuse(code, optopt, argv[optind - 1], err);
        } else {
            const char *argument = optarg;
            if (code < OPT_BASE && argument && argument != argv[optind - 1] && argument[0] == '=')
                argument++; /* -o=DIR, which the reference takes */
            ok = apply(options, id_of(code), argument ? argument : "", err);
        }
    }
    while (ok && optind < argc) /* behind "--" */
        options->paths[options->path_count++] = argv[optind++];
    if (!ok)
        options_finish(options);
    return ok;
}

void options_finish(struct options *options) {
    free(options->paths);
    options->paths = NULL;
}

/* Words of the text in lines that end before the last column. */
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

void options_print_help(FILE *to) {
    fputs("Makes a report of a log that PyTorch's torch.compile wrote.\n\n"
          "Usage: tlparse [OPTION]... [PATH]...\n\n"
          "PATH is a log, \"-\" for standard input, or a folder. Of a folder, the logs of all\n"
          "processes or ranks of the last run are read, also from the folders below it.\n"
          "Logs may be packed with gzip or zstd. Without a PATH the folder $TORCH_TRACE is\n"
          "read.\n\n"
          "  TORCH_TRACE=/tmp/trace python train.py    record logs\n"
          "  tlparse /tmp/trace                        report on the last run, in tl_out\n"
          "  tlparse before.log after.log              what changed between two runs\n"
          "  tlparse a.log b.log c.log                 one report on three processes\n\n"
          "Options:\n",
          to);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = &rows[i];
        if (row->letter)
            fprintf(to, "  -%c, --%s", row->letter, row->name);
        else
            fprintf(to, "      --%s", row->name);
        fprintf(to, "%s%s\n", row->argument ? " " : "", row->argument ? row->argument : "");
        print_wrapped(to, row->help);
    }
    fputs("\nExit status: 0 when the report was written, 1 when it was not or a --strict\n"
          "check failed, 2 when the call was wrong. See also: man tlparse\n",
          to);
}

void options_print_completion(FILE *to) {
    fputs("_tlparse() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    case $before in\n"
          "    -o|--out) compopt -o nospace; COMPREPLY=($(compgen -d -S / -- \"$word\")); return ;;\n"
          "    --completion) COMPREPLY=($(compgen -W bash -- \"$word\")); return ;;\n",
          to);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (rows[i].argument && i != OPT_OUT && i != OPT_COMPLETION)
            fprintf(to, "    --%s) COMPREPLY=(); return ;;\n", rows[i].name);
    fputs("    esac\n"
          "    case $word in\n"
          "    -*) COMPREPLY=($(compgen -W '",
          to);
    for (int i = 0; i < OPTION_COUNT; i++) {
        fprintf(to, "%s--%s", i ? " " : "", rows[i].name);
        if (rows[i].letter)
            fprintf(to, " -%c", rows[i].letter);
    }
    fputs("' -- \"$word\")) ;;\n"
          "    *) compopt -o default; COMPREPLY=() ;;\n"
          "    esac\n"
          "}\n"
          "complete -F _tlparse tlparse\n",
          to);
}
