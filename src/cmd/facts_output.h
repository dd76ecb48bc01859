/* facts_output.h - where a facts file goes, and when it was made. */
#pragma once

#include "base/base.h"

/* The name of this host, which the caller frees. */
char *facts_host(void);
/* The path of the facts file: `out` if that is a file; <host>.facts in it if it is a folder; <host>.facts in the
 * current folder if it is NULL. "-": standard output. The caller frees it. */
char *facts_path(const char *out, const char *host);
/* Microseconds since the epoch. */
int64_t facts_now(void);
