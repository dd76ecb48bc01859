/* log_paths.h - the paths of a call that reads several logs or reports. A report.json alone does not have what a report of
 * several is made from, so its folder is read, which has a copy of the log.
 *
 * Life cycle: {0}, log_paths_add(), log_paths_finish(). One thread. */
#ifndef TLPARSE_CMD_LOG_PATHS_H
#define TLPARSE_CMD_LOG_PATHS_H

#include "base/err.h"
#include "cmd/options.h"

struct log_paths {
    const char **items; /* as given, or the folder of a report; followed by a NULL */
    char **owned;       /* NULL: as given */
    size_t count, cap;
};

/* The path must outlive the list. False with ERR_INPUT if it is a report.json without its report. */
bool log_paths_add(struct log_paths *paths, const char *path, struct err *err);
bool log_paths_add_all(struct log_paths *paths, const struct option_list *list, struct err *err);
void log_paths_finish(struct log_paths *paths);

#endif
