
#include "cmd/options.h"

#include <getopt.h>

#include "base/compat.h"

enum {
    HELP_COLUMNS = 80,
    HELP_INDENT = 10,
    MAX_ROWS = 128,
    TOP_DEFAULT = 10,
    SLOW_DEFAULT = 10,
    ROW_BASE = 256, /* getopt returns ROW_BASE + i for row i, unless the row has a letter */
};

/* The table in getopt's form. The leading '+' makes getopt stop at each path, because C libraries permute arguments
 * differently. ':' suppresses getopt's messages, and distinguishes a missing argument from an unknown option. */
static void fill_getopt(enum command_id command, char *letters, struct option *longs) {
    size_t count;
    const struct option_row *rows = options_table(&count);
    struct option *next = longs;
    *letters++ = '+';
    *letters++ = ':';
    for (size_t i = 0; i < count; i++) {
        if (!option_is_of(&rows[i], command))
            continue;
        *next++ = (struct option){.name = rows[i].name,
                                  .has_arg = rows[i].argument ? required_argument : no_argument,
                                  .val = ROW_BASE + (int)i};
        if (!rows[i].letter)
            continue;
        *letters++ = rows[i].letter;
        if (rows[i].argument)
            *letters++ = ':';
    }
    *letters = '\0';
    *next = (struct option){0};
}

/* The row for getopt's return value; NULL: none. */
static const struct option_row *row_of(enum command_id command, int code) {
    size_t count;
    const struct option_row *rows = options_table(&count);
    if (code >= ROW_BASE && (size_t)code - ROW_BASE < count)
        return &rows[code - ROW_BASE];
    for (size_t i = 0; i < count; i++)
        if (rows[i].letter && rows[i].letter == code && option_is_of(&rows[i], command))
            return &rows[i];
    return NULL;
}

/* "text, json or markdown" */
static void add_choices(struct buf *out, const char *const *names) {
    for (size_t i = 0; names[i]; i++)
        buf_addf(out, "%s%s", !i ? "" : names[i + 1] ? ", " : " or ", names[i]);
}

static bool parse_choice(const struct option_row *row, const char *text, unsigned *choice, struct err *err) {
    AUTO_BUF choices = {0};
    for (unsigned i = 0; row->values[i]; i++)
        if (strcmp(text, row->values[i]) == 0) {
            *choice = i;
            return true;
        }
    add_choices(&choices, row->values);
    err_set(err, ERR_USAGE, "invalid value '%s' for --%s: expected %.*s", text, row->name, (int)choices.len,
            choices.ptr);
    return false;
}

static bool parse_number(const struct option_row *row, const char *text, struct option_number *number,
                         struct err *err) {
    number->given = true;
    if (slice_to_u64(slice_str(text), &number->value) && number->value <= row->max)
        return true;
    return err_set(err, ERR_USAGE, "invalid value '%s' for --%s: expected a number from 0 to %" PRIu64, text, row->name,
                   row->max);
}

static bool parse_size(const struct option_row *row, const char *text, struct option_number *size, struct err *err) {
    static const char units[] = "KMG";
    struct slice digits = slice_str(text);
    const char *unit = digits.len ? strchr(units, digits.ptr[digits.len - 1]) : NULL;
    unsigned shift = unit && *unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (shift)
        digits.len--;
    size->given = true;
    if (slice_to_u64(digits, &size->value) && size->value && size->value <= row->max >> shift) {
        size->value <<= shift;
        return true;
    }
    return err_set(err, ERR_USAGE, "invalid value '%s' for --%s: expected a number of bytes, such as 18M", text,
                   row->name);
}

static void list_add(struct option_list *list, const char *item) {
    list->items = mem_realloc(list->items, list->count + 2, sizeof *list->items);
    list->items[list->count++] = item;
    list->items[list->count] = NULL;
}

static bool apply(struct options *options, const struct option_row *row, const char *argument, struct err *err) {
    void *member = (char *)options + row->member;
    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)member = true;
        break;
    case OPTION_TEXT:
        *(const char **)member = argument;
        break;
    case OPTION_NUMBER:
        return parse_number(row, argument, member, err);
    case OPTION_SIZE:
        return parse_size(row, argument, member, err);
    case OPTION_CHOICE:
        return parse_choice(row, argument, member, err);
    case OPTION_LIST:
        list_add(member, argument);
        break;
    case OPTION_ACTION:
        options->action = row->action;
        return !row->values || parse_choice(row, argument, member, err);
    }
    return true;
}

/* The options that begin with the text, and their number: "--strict or --strict-compile-id". */
static size_t add_candidates(struct buf *out, enum command_id command, const char *text, size_t len) {
    const char *found[MAX_ROWS];
    size_t count, n = 0;
    const struct option_row *rows = options_table(&count);
    for (size_t i = 0; i < count && len; i++)
        if (option_is_of(&rows[i], command) && !rows[i].hidden && strncmp(rows[i].name, text, len) == 0)
            found[n++] = rows[i].name;
    for (size_t i = 0; i < n; i++)
        buf_addf(out, "%s--%s", !i ? "" : i + 1 < n ? ", " : " or ", found[i]);
    return n;
}

/* The likely intended option for a misspelled one, or NULL. */
static const char *nearest_option(enum command_id command, struct slice name) {
    const char *names[MAX_ROWS] = {NULL};
    size_t count;
    const struct option_row *rows = options_table(&count);
    for (size_t i = 0; i < count; i++)
        if (option_is_of(&rows[i], command) && !rows[i].hidden)
            names[i] = rows[i].name;
    return nearest_name(name, names, count);
}

/* Explains a long option that getopt does not know, or that is an ambiguous abbreviation. */
static bool refuse_name(enum command_id command, const char *given, struct err *err) {
    size_t len = strcspn(given, "=");
    struct slice name = {given + 2, len - 2};
    AUTO_BUF candidates = {0};
    if (add_candidates(&candidates, command, name.ptr, name.len) > 1) {
        err_set(err, ERR_USAGE, "option %.*s is ambiguous: %.*s", (int)len, given, (int)candidates.len, candidates.ptr);
    } else {
        const char *nearest = nearest_option(command, name);
        err_set(err, ERR_USAGE, nearest ? "unknown option %.*s: did you mean --%s?" : "unknown option %.*s", (int)len,
                given, nearest);
    }
    return false;
}

/* Explains what getopt rejected. `given` is the argument as the user wrote it. */
static bool refuse(enum command_id command, int code, int option, const char *given, struct err *err) {
    if (option > 0 && option < ROW_BASE && (code == ':' || !row_of(command, option))) /* a letter */
        return err_set(err, ERR_USAGE, code == ':' ? "option -%c requires an argument" : "unknown option -%c", option);
    if (option >= ROW_BASE)
        return err_set(err, ERR_USAGE, code == ':' ? "option %s requires an argument" : "option %s takes no argument",
                       given);
    return refuse_name(command, given, err);
}

/* Checks options that only have an effect together with another one. */
static bool check_together(enum command_id command, const struct options *options, struct err *err) {
    const char *alone = options->serve || command == COMMAND_SERVE ? NULL
                      : options->port.given                        ? "--port"
                      : options->host                              ? "--host"
                                                                   : NULL;
    const char *unchecked = command != COMMAND_RUN || options->check ? NULL
                          : options->budgets.count                   ? "--budget"
                          : options->max.count                       ? "--max"
                          : options->baseline                        ? "--baseline"
                                                                     : NULL;
    if (unchecked)
        return err_set(err, ERR_USAGE, "%s requires --check: without it, nothing is checked", unchecked);
    if (command == COMMAND_FOLLOW && options->overwrite && !options->out)
        return err_set(err, ERR_USAGE, "--overwrite requires --out: without it, no report is kept");
    return !alone || err_set(err, ERR_USAGE, "%s requires --serve: without it, the report is not served", alone);
}

bool options_parse(enum command_id command, int argc, char *const *argv, struct options *options, struct err *err) {
    char letters[2 * MAX_ROWS + 3];
    struct option longs[MAX_ROWS + 1];
    bool no_out =
        command == COMMAND_RUN || command == COMMAND_FOLLOW || command == COMMAND_FACTS || command == COMMAND_EXTRACT;
    *options = (struct options){.out = no_out                   ? NULL
                                     : command == COMMAND_SHARE ? "report.html"
                                                                : "tl_out",
                                .custom_header = "",
                                .top = {.value = TOP_DEFAULT},
                                .slow = {.value = SLOW_DEFAULT}};
    fill_getopt(command, letters, longs);
    bool ok = true;
    compat_getopt_reset();
    while (ok) {
        int before = optind > 1 ? optind : 1, code = getopt_long(argc, argv, letters, longs, NULL);
        if (code == -1) {
            /* After "--", there are only paths; after the first word of run, there is a command with its own options.
             */
            if (optind >= argc || optind != before || command == COMMAND_RUN)
                break;
            list_add(&options->paths, argv[optind++]);
        } else if (code == '?' || code == ':') {
            ok = refuse(command, code, optopt, argv[optind - 1], err);
        } else {
            const struct option_row *row = row_of(command, code);
            const char *argument = optarg;
            assert(row); /* getopt returns nothing else */
            if (code < ROW_BASE && argument && argument != argv[optind - 1] && argument[0] == '=')
                argument++; /* -o=DIR, which the reference accepts */
            ok = apply(options, row, argument ? argument : "", err);
        }
    }
    while (ok && optind < argc)
        list_add(&options->paths, argv[optind++]);
    ok = ok && (options->action != ACTION_RUN || check_together(command, options, err));
    if (!ok)
        options_finish(options);
    return ok;
}

void options_finish(struct options *options) {
    size_t count;
    const struct option_row *rows = options_table(&count);
    mem_free(options->paths.items);
    options->paths = (struct option_list){0};
    for (size_t i = 0; i < count; i++)
        if (rows[i].type == OPTION_LIST) {
            struct option_list *list = (struct option_list *)((char *)options + rows[i].member);
            mem_free(list->items);
            *list = (struct option_list){0};
        }
}

/* Prints the text indented and wrapped at HELP_COLUMNS. */
static void print_wrapped(FILE *to, const char *text) {
    int column = 0;
    while (*text) {
        int len = (int)strcspn(text, " ");
        if (column && column + 1 + len > HELP_COLUMNS) {
            fputc('\n', to);
            column = 0;
        }
        column += fprintf(to, "%*s%.*s", column ? 1 : HELP_INDENT, "", len, text);
        text += len;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

static void print_option(const struct option_row *row, FILE *to) {
    if (row->letter)
        fprintf(to, "  -%c, --%s", row->letter, row->name);
    else
        fprintf(to, "      --%s", row->name);
    fprintf(to, "%s%s\n", row->argument ? " " : "", row->argument ? row->argument : "");
    print_wrapped(to, row->help);
}

void options_print_list(enum command_id command, FILE *to) {
    static const char *const titles[OPTION_GROUPS] = {[GROUP_INPUT] = "Input",
                                                      [GROUP_OUTPUT] = "Output",
                                                      [GROUP_VIEW] = "Browser and server",
                                                      [GROUP_STATUS] = "Checks",
                                                      [GROUP_GENERAL] = "General"};
    size_t count;
    const struct option_row *rows = options_table(&count);
    for (int group = 0; group < OPTION_GROUPS; group++) {
        bool any = false;
        for (size_t i = 0; i < count; i++) {
            if (rows[i].group != (enum option_group)group || rows[i].hidden || !option_is_of(&rows[i], command))
                continue;
            if (!any)
                fprintf(to, "\n%s:\n", titles[group]);
            any = true;
            print_option(&rows[i], to);
        }
    }
}
