/* user_hooks.h - the configuration of a call, and the user's programs that it runs (see hooks/), and
 * the profiles and folders with source that it was given.
 *
 * Life cycle: user_hooks_begin, after the options have been parsed; user_hooks_end, which is needed even after a
 * failure. */
#pragma once

#include "hooks/config.h"
#include "hooks/fetch.h"
#include "hooks/parsers.h"
#include "profile/profile.h"
#include "scan/source_folder.h"

struct options;

struct user_hooks {
    struct user_config config;
    struct fetcher fetcher;
    struct config_commands given; /* of --parser */
    struct parsers parsers;
    struct buf source_link;        /* as in struct reading_options */
    struct profiles profiles;      /* of --profile */
    struct source_folders sources; /* of --source */
    struct profiles newer;         /* the same for the second run, if options->profile_by_run */
    bool reporting;                /* a report is being written: parsers run, and source locations get links */
    bool reported;                 /* it is in options->out */
};

/* Reads the configuration, --parser and --profile. Prints warnings on stderr. */
bool user_hooks_begin(struct user_hooks *hooks, const struct options *options, struct err *err);
void user_hooks_end(struct user_hooks *hooks);

/* Call it before a report is written: finds the targets of source links. If it finds none, it prints why, and there are
 * no links. Fails only if --upload cannot work. */
bool user_hooks_report(struct user_hooks *hooks, const struct options *options, struct err *err);
/* Uploads a file or a folder with the user's command, and prints the address to stdout. */
bool user_hooks_upload(const struct user_hooks *hooks, const char *path, struct err *err);
/* Runs the user's command after a call; doc/notify.schema.json describes its input. Prints why it failed, if it did.
 * error: the error of the call, or "". */
void user_hooks_notify(const struct user_hooks *hooks, const char *command, const struct options *options, int status,
                       int64_t duration_ms, const char *error);
/* Reads these profiles, for the logs that are read until user_hooks_drop_profiles(). The paths must live until then.
 * If it fails, there are none. */
bool user_hooks_add_profiles(struct user_hooks *hooks, const struct options *options, const char *const *paths,
                             size_t count, struct err *err);
void user_hooks_drop_profiles(struct user_hooks *hooks);
/* The profiles of the first run, and of any if it is the only one, or of the second run; NULL: none. hooks: NULL: none. */
struct profiles *user_hooks_profiles(struct user_hooks *hooks, bool newer);
/* Prints why profiles were not used, if no log used them, and which files of --source were not. Call it after the logs have been read. */
void user_hooks_note_inputs(const struct user_hooks *hooks);
