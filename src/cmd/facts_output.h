/* facts_output.h - writes a facts file. */
#pragma once

#include "base/base.h"

/* The name of this host, which the caller frees. */
char *facts_host(void);
/* The path of the facts file: `out` if that is a file; <host>.facts in it if it is a folder; <host>.facts in the
 * current folder if it is NULL. "-": standard output. The caller frees it. */
char *facts_path(const char *out, const char *host);
/* Fails if the file exists and may not be replaced. */
bool facts_path_check(const char *path, bool overwrite, struct err *err);
/* Writes the file under a temporary name, and renames it when it is complete. */
bool facts_save(const char *path, bool overwrite, struct slice bytes, struct err *err);
/* Microseconds since the epoch. */
int64_t facts_now(void);
