/* options.h - the command line.
 *
 * One table of options (option_table.c), sorted by name, drives the parser, --help, the completion scripts
 * (commands.h) and the test of the manual pages (tests/unit/test_options.c). A new option is a row of the table and a
 * member of struct options. Options may follow the path. Long options may be abbreviated as long as they stay unique.
 *
 * argp is not used because it prints its own messages, exits on its own, and keeps the exit status in a global. */
#pragma once

#include "base/base.h"

enum command_id {
    COMMAND_PARSE,
    COMMAND_SUMMARY,
    COMMAND_GRAPH,
    COMMAND_DIFF,
    COMMAND_CHECK,
    COMMAND_RUN,
    COMMAND_RUNS,
    COMMAND_SHARE,
    COMMAND_FOLLOW,
    COMMAND_SERVE,
    COMMAND_FACTS,
    COMMAND_MERGE,
    COMMAND_EXTRACT,
    COMMANDS
};

enum answer_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_MARKDOWN };
enum { SUMMARY_SARIF = FORMAT_MARKDOWN + 1 }; /* a further one of summary */

enum check_format { CHECK_TEXT, CHECK_GITHUB, CHECK_JSON, CHECK_JUNIT, CHECK_MARKDOWN, CHECK_SARIF };

enum summary_by { SUMMARY_BY_ISSUE, SUMMARY_BY_LINE, SUMMARY_BY_MODULE };

enum graph_format { GRAPH_TABLE, GRAPH_JSON, GRAPH_CSV, GRAPH_DOT };

enum options_shell { SHELL_BASH, SHELL_FISH, SHELL_ZSH };

enum options_action { ACTION_RUN, ACTION_HELP, ACTION_VERSION, ACTION_COMPLETION };

struct user_hooks;

/* The value of an option that takes a number. */
struct option_number {
    bool given;
    uint64_t value;
};

/* The values of a repeatable option. The list is owned; the strings belong to argv. */
struct option_list {
    const char **items; /* followed by a NULL; NULL if there is none */
    size_t count;
};

/* Grouped by type, with flags last, to avoid padding. */
struct options {
    const char *out; /* for run and follow: NULL if not given */
    const char *custom_header;
    const char *host;          /* for --serve; NULL: 127.0.0.1 */
    const char *source_commit; /* NULL: not given */
    const char *baseline;      /* of check */
    const char *older_than;    /* for runs rm; NULL: any age */
    const char *redact;        /* "paths,names"; NULL: nothing */
    const char *stage;         /* for graph: of the compile; NULL: Dynamo's graph */
    const char *other;         /* for graph: the graph to compare with; NULL: none */
    const char *full;          /* for merge: "representatives", "none" or ranks; NULL: not given */
    const char *ablate;        /* for extract: backends; NULL: not given */
    const char *kernel;        /* for extract: its name; NULL: the graph */
    struct option_list paths;
    struct option_list fail_on;
    struct option_list base, newer; /* further runs before and after the change */
    struct option_list parsers;     /* KIND=COMMAND */
    struct option_list profile;     /* traces of torch.profiler, or folders with them */
    struct option_list sources;     /* folders */
    struct option_list budgets, max;
    struct option_list logs;   /* for merge: folders with logs */
    struct option_number port; /* 0: any free port */
    struct option_number rank;
    struct option_number threads;     /* number of workers; 0: do all work in the main thread */
    struct option_number max_output;  /* bytes; 0: the default */
    struct option_number max_record;  /* bytes; 0: the default */
    struct option_number max_size;    /* size limit of one HTML file in bytes; 0: the default */
    struct option_number block_bytes; /* 0: the default */
    struct option_number top;         /* number of issues to list; the default if not given */
    struct option_number keep;        /* for run: number of runs that the store keeps */
    struct option_number steps;       /* for run: number of steps to profile; 0: only the program's own traces */
    struct option_number slow;        /* for follow: seconds after which a compile may be called unfinished */
    struct option_number part;        /* for extract: of several graphs, from 1 */
    struct option_number until_idle;  /* for follow: seconds without new records after which it ends */
    const char *unpack_data;          /* a path; NULL: none */
    /* Not options: set by main and the commands. */
    struct user_hooks *hooks; /* NULL: none */
    size_t base_count;        /* number of leading paths that are runs before the change; 0: not given */
    uint64_t live;            /* see pages/html.h */
    enum options_action action;
    unsigned format;     /* enum answer_format; for check, enum check_format; for graph, enum graph_format */
    unsigned by;         /* enum summary_by */
    unsigned shell;      /* for ACTION_COMPLETION: enum options_shell */
    bool one_run;        /* not an option: all logs of a folder belong to one run */
    bool is_diff;        /* not an option: the command itself reports what it cannot compare */
    bool no_profiles;    /* not an option: the paths are those of another run than that of the profiles */
    bool profile_by_run; /* not an option: the first --profile is of the first run, the second of the second */
    bool overwrite, latest, strict, strict_compile_id, no_browser, verbose, plain_text;
    bool all_ranks, compare, export, provenance, serve, upload;
    bool stat;      /* figures only */
    bool open, all; /* open: for run, in the browser; all: for runs rm */
    bool check;     /* for run: also compares with budgets; for extract: the program compares results */
    bool poll;      /* of follow: no inotify */
    /* For extract: what to write. */
    bool anonymous, backward, bench, issue, log_only, minify;
};

/* What an option does with its argument, given by the type of the member that it sets. */
enum option_type {
    OPTION_FLAG,   /* bool: true */
    OPTION_TEXT,   /* const char * */
    OPTION_NUMBER, /* struct option_number: from 0 to `max` */
    OPTION_SIZE,   /* struct option_number: bytes, from 1 to `max`; K, M and G are multiples of 1024 */
    OPTION_CHOICE, /* unsigned: the index of the argument in `values` */
    OPTION_LIST,   /* struct option_list: adds an item */
    OPTION_ACTION, /* sets `action`; with `values`, also like OPTION_CHOICE */
};

/* The sections of --help, in order. */
enum option_group { GROUP_INPUT, GROUP_OUTPUT, GROUP_VIEW, GROUP_STATUS, GROUP_GENERAL, OPTION_GROUPS };

struct option_row {
    const char *name;     /* without "--" */
    const char *argument; /* name of the argument in --help; NULL: the option is a flag */
    const char *help;     /* whole sentences, without line breaks */
    char letter;          /* '\0' if there is none */
    enum option_group group;
    bool hidden;       /* for tests: not in --help, manual pages and completion */
    unsigned commands; /* commands that accept it, as bits 1 << id; rows with the same name share no command */
    enum option_type type;
    enum options_action action;
    size_t member;             /* offset of the member in struct options */
    uint64_t max;              /* for OPTION_NUMBER and OPTION_SIZE */
    const char *const *values; /* possible arguments, up to a NULL; NULL: anything */
    const char *files;         /* how a shell completes the argument: "file", "directory"; NULL: no completion */
};

const struct option_row *options_table(size_t *count);
static inline bool option_is_of(const struct option_row *row, enum command_id command) {
    return row->commands >> command & 1;
}

/* Returns false with ERR_USAGE and a one-line error. Not thread-safe, because getopt is not. */
bool options_parse(enum command_id command, int argc, char *const *argv, struct options *options, struct err *err);
void options_finish(struct options *options);

/* Prints the options of the command with their help, by group. */
void options_print_list(enum command_id command, FILE *to);
