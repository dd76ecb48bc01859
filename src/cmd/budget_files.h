/* budget_files.h - finds and reads budgets: the files of --budget, else a .tlparse.json; then --max. One thread. */
#ifndef TLPARSE_CMD_BUDGET_FILES_H
#define TLPARSE_CMD_BUDGET_FILES_H

#include "answers/budget.h"
#include "cmd/options.h"

/* Reads all budgets of the call. Prints on stderr which .tlparse.json is used. The caller finishes the rules, also after a failure, which
 * includes that there are none. */
bool budget_files_read(struct check_rules *rules, const struct options *options, struct err *err);
/* The root of the git work tree of the current directory; without one, the current directory. NULL if that is not known. The caller
 * frees it. */
char *project_root(void);

#endif
