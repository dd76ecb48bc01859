/* log_paths.h - the paths of a call that reads several logs or reports. A report.json alone does not have what a report of
 * several is made from, so its folder is read, which has a copy of the log.
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

/* The path must outlive the list. False with ERR_INPUT if it is a report.json without its report. */
bool log_paths_add(struct log_paths *paths, const char *path, struct err *err);
bool log_paths_add_all(struct log_paths *paths, const struct option_list *list, struct err *err);
void log_paths_finish(struct log_paths *paths);

/* input.c - which logs a call reads: what its paths name, or $TORCH_TRACE, or where PyTorch puts logs without it. */
/* What a call without a path reads: $TORCH_TRACE; else torch_compile_debug/tlparse, where PyTorch writes with
 * TORCH_COMPILE_DEBUG=1, in the current folder or in $TORCH_COMPILE_DEBUG_DIR, if it exists. NULL: nothing. The caller frees
 * it. *variable gets the name of the environment variable that it is from, or NULL. */
char *input_fallback(const char **variable);

/* Finds the logs and prints on stderr what was decided. The caller finishes the choice after success. */
bool input_choose(const struct options *options, struct choice *choice, struct err *err);

/* budget_files.c - finds and reads budgets: the files of --budget, else a .tlparse.json; then --max. One thread. */
/* Reads all budgets of the call. Prints on stderr which .tlparse.json is used. The caller finishes the rules, also after a failure, which
 * includes that there are none. */
bool budget_files_read(struct check_rules *rules, const struct options *options, struct err *err);
/* The root of the git work tree of the current directory; without one, the current directory. NULL if that is not known. The caller
 * frees it. */
char *project_root(void);
