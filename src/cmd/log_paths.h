/* log_paths.h - the paths of a call that reads several logs or reports. A report.json alone is not enough to make a
 * report on several logs, so its folder is read, which has a copy of the log.
 *
 * Life cycle: {0}, log_paths_add(), log_paths_finish(). One thread. */
#pragma once

#include "answers/budget.h"
#include "cmd/options.h"
#include "trace/choose.h"

struct log_paths {
    const char **items; /* as given, or the folder of a report; followed by a NULL */
    char **owned;       /* NULL: as given */
    size_t count, cap;
};

/* The path must outlive the list. False with ERR_INPUT if it is a report.json outside of its report. */
bool log_paths_add(struct log_paths *paths, const char *path, struct err *err);
bool log_paths_add_all(struct log_paths *paths, const struct option_list *list, struct err *err);
void log_paths_finish(struct log_paths *paths);

/* input.c - the logs that a call reads: those that its paths name, those in $TORCH_TRACE, or those in PyTorch's default
 * folder. */
/* The path that a call without paths reads: $TORCH_TRACE, or else torch_compile_debug/tlparse in the current folder or
 * in $TORCH_COMPILE_DEBUG_DIR, if it exists; PyTorch writes there with TORCH_COMPILE_DEBUG=1. NULL: none. The caller
 * frees the path. Sets *variable to the environment variable that it comes from, or NULL. */
char *input_fallback(const char **variable);

/* Finds the logs, and prints to stderr which ones were chosen. The caller finishes the choice after success. */
bool input_choose(const struct options *options, struct choice *choice, struct err *err);

/* budget_files.c - finds and reads budgets: the files of --budget, or else a .tlparse.json; then --max. One thread. */
/* Reads all budgets of the call. Prints to stderr which .tlparse.json is used. Fails if there are no rules. The caller
 * finishes the rules, even after a failure. */
bool budget_files_read(struct check_rules *rules, const struct options *options, struct err *err);
/* The root of the git work tree of the current directory; without one, the current directory. NULL: unknown. The caller
 * frees it. */
char *project_root(void);
