/* config.h - the configuration files, described by doc/config.schema.json.
 *
 *     $XDG_CONFIG_HOME/tlparse/config.json   of the user (default: ~/.config): commands, and source links
 *     .tlparse.json                          of a project: budgets and source links
 *
 * The file of a project is the first one in the current directory or its parents up to the root of the git repository;
 * outside of a repository, only the current directory is searched. It never holds a command, because a cloned
 * repository must not run anything: commands in it are ignored with a warning. Its source links take precedence over
 * those of the user's file.
 *
 * Any other mistake is an error that names the file, the line, the key, and the nearest known key.
 *
 * Life cycle: config_read (config_read.c), config_finish, which is also needed after a failure. {0} is an empty configuration. All
 * texts belong to it. One thread while it is read; any thread afterwards. */
#pragma once

#include "base/base.h"
#include "base/json.h"

/* A command for a scheme or a kind of record. */
struct config_command {
    char *name;
    char **words; /* arguments, ending in NULL; see words.h */
};

struct config_commands {
    struct config_command *items;
    size_t count, cap;
};

/* A file that was read. path is NULL if there is none. */
struct config_file {
    char *path;
    char *folder; /* that contains it */
    struct buf text;
    struct buf parsed; /* the same bytes, into which yyjson's texts point */
    yyjson_doc *doc;
};

/* Limits on time, in milliseconds. */
struct config_timeouts {
    uint64_t fetch_ms;   /* longest time without output */
    uint64_t upload_ms;  /* in total */
    uint64_t notify_ms;  /* in total */
    uint64_t parsers_ms; /* in total for each parser and report */
};

struct user_config {
    struct config_file user, project;
    struct config_commands fetch, parsers; /* by scheme, by kind */
    char **upload, **notify;               /* NULL: not set */
    struct config_timeouts timeouts;
    char *source_link;   /* template of a URL; NULL: not set */
    char *source_commit; /* NULL: not set */
    LIST(char *) source_roots;
    bool roots_of_project; /* the project's file sets the roots */
    yyjson_val *budgets;   /* a list from the project's file; NULL: not set */
    LIST(char *) warnings; /* one line each, for the user */
};

void config_finish(struct user_config *config);

/* The line of a byte in this file, from 1. */
size_t config_line_at(const struct config_file *file, size_t offset);
/* The line of a key or a text in this file, from 1. */
size_t config_line(const struct config_file *file, yyjson_val *text);
/* Sets an error with the file, and the line of the key unless it is NULL: "FILE:LINE: REASON". Returns false. */
__attribute__((format(printf, 4, 5))) bool config_fail(const struct config_file *file, yyjson_val *key, struct err *err,
                                                       const char *format, ...);

/* The command for a name, or NULL. */
char *const *config_command_of(const struct config_commands *commands, const char *name);

/* config_keys.c - the meaning of the keys of a configuration file. For config_read.c. */
/* Reads the members of a parsed file. user: the file may contain commands. */
bool config_keys_read(struct user_config *config, const struct config_file *file, bool user, struct err *err);

/* config_read.c - finds and reads the configuration files. */
/* Reads both files, if they exist. `directory` is the current directory. Reads the environment: XDG_CONFIG_HOME, HOME.
 * Fails with ERR_USAGE; the configuration must be finished even then. */
bool config_read(struct user_config *config, const char *directory, struct err *err);
