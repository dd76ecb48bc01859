/* facts_output.h - writes a facts file. */
#pragma once

#include "base/base.h"

/* The name of this host, which the caller frees. */
char *facts_host(void);
/* Where the file goes: `out` if it is a file, or <host>.facts in it if it is a folder; <host>.facts in the current folder
 * for NULL. "-": standard output. The caller frees it. */
char *facts_path(const char *out, const char *host);
/* Fails if the file exists and may not be replaced. */
bool facts_path_check(const char *path, bool overwrite, struct err *err);
/* Writes the file under another name, and gives it its name when it is complete. */
bool facts_save(const char *path, bool overwrite, struct slice bytes, struct err *err);
/* Microseconds since the epoch. */
int64_t facts_now(void);
