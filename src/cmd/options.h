/* options.h - the command line.
 *
 * One table of options, sorted by name, feeds the parser, --help, the completion script and the check of the manual
 * page (tests/unit/test_options.c). Options may stand behind the path; long ones may be shortened while they are
 * unique.
 *
 * (Why not argp: it writes its messages itself, ends the program itself, and keeps the exit status in a global
 * variable.) */
#ifndef TLPARSE_CMD_OPTIONS_H
#define TLPARSE_CMD_OPTIONS_H

#include <stdint.h>
#include <stdio.h>

#include "base/err.h"

enum options_action { ACTION_REPORT, ACTION_HELP, ACTION_VERSION, ACTION_COMPLETION };

struct options {
    enum options_action action;
    const char **paths; /* point into argv; the list is owned */
    size_t path_count;
    const char *out;
    const char *custom_header;
    bool overwrite, latest, strict, strict_compile_id, no_browser, verbose, plain_text;
    bool all_ranks, compare, export, provenance, serve;
    const char *host; /* to serve at; NULL: 127.0.0.1 */
    bool has_port;
    uint16_t port; /* 0: any free one */
    bool has_rank;
    uint64_t rank;
    bool has_threads;
    unsigned threads;   /* workers; 0: all in one thread */
    size_t block_bytes; /* 0: the usual size */
};

struct option_row {
    const char *name;     /* without "--" */
    char letter;          /* '\0': none */
    const char *argument; /* NULL: takes none */
    const char *help;     /* one sentence or two, without line breaks */
};

/* The table. */
const struct option_row *options_table(size_t *count);

/* False with ERR_USAGE and one line that tells what is wrong. Not for two threads at once (getopt). */
bool options_parse(int argc, char *const *argv, struct options *options, struct err *err);
void options_finish(struct options *options);

void options_print_help(FILE *to);
/* A script for the shell: `eval "$(tlparse --completion bash)"`. */
void options_print_completion(FILE *to);

#endif
