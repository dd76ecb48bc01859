/* path.h - converts names from a log to paths in the report. No other module does.
 *
 * A name may contain anything. The result is a relative path in valid UTF-8, without "..", empty parts, parts that
 * consist of dots, overlong parts, control characters or direction marks. Ordinary names are unchanged, including their
 * folders ("a/b"), because programs look for them. Pure; any thread. */
#pragma once

#include "base/buf.h"

/* Adds name as a path that leaves room for a suffix of up to 64 bytes. */
void path_add_name(struct buf *out, struct slice name);
/* Adds a path of the report as a URL: everything except unreserved characters and '/' is percent-encoded. */
void path_add_url(struct buf *out, struct slice path);
/* The part after the last '/'. */
struct slice path_last(struct slice path);

/* Identifies the program `tlparse` of a wheel, which only runs `tlp` (packaging/launcher.c). */
#define LAUNCHER_MARK "tlparse: runs the program tlp of the package tlparse-c"
enum { LAUNCHER_MAX_BYTES = 256 * 1024 };
