/* options.h - the command line.
 *
 * One table of options, sorted by name, drives the parser, --help, the completion script and the test of the manual
 * page (tests/unit/test_options.c). Options may follow the path. Long options may be abbreviated as long as they stay
 * unique.
 *
 * argp is not used because it prints its own messages, exits on its own, and keeps the exit status in a global. */
#ifndef TLPARSE_CMD_OPTIONS_H
#define TLPARSE_CMD_OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

enum command_id { COMMAND_PARSE, COMMAND_SUMMARY, COMMAND_DIFF, COMMANDS };

enum answer_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_MARKDOWN };

enum options_action { ACTION_RUN, ACTION_HELP, ACTION_VERSION, ACTION_COMPLETION };

struct options {
    enum options_action action;
    const char **paths; /* the list is owned, the strings belong to argv */
    size_t path_count;
    const char *out;
    const char *custom_header;
    bool overwrite, latest, strict, strict_compile_id, no_browser, verbose, plain_text;
    bool all_ranks, compare, export, provenance, serve;
    const char *host; /* for --serve; NULL: 127.0.0.1 */
    bool has_port;
    uint16_t port; /* 0: any free port */
    bool has_rank;
    uint64_t rank;
    bool has_threads;
    unsigned threads;   /* workers; 0: do all work in the main thread */
    size_t block_bytes; /* 0: the default */
    enum answer_format format;
    size_t top;           /* issues to list */
    bool stat;            /* figures only */
    const char **fail_on; /* the list is owned, the strings belong to argv */
    size_t fail_on_count;
};

struct option_row {
    const char *name;     /* without "--" */
    const char *argument; /* its name in --help; NULL: the option is a flag */
    const char *help;     /* whole sentences, without line breaks */
    char letter;          /* '\0' if there is none */
    unsigned commands;    /* commands that accept it, as bits 1 << id */
};

const struct option_row *options_table(size_t *count);

/* Returns false with ERR_USAGE and a one-line error. Not thread-safe, because getopt is not. */
bool options_parse(enum command_id command, int argc, char *const *argv, struct options *options, struct err *err);
void options_finish(struct options *options);

/* Prints the options of the command with their help. */
void options_print_list(enum command_id command, FILE *to);
/* Prints a script for `eval "$(tlparse --completion bash)"`. `commands` are the names, by enum command_id. */
void options_print_completion(const char *const *commands, FILE *to);

#endif
