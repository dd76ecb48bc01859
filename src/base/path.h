/* path.h - names of a log become paths of the report here, and nowhere else.
 *
 * A name may hold anything. What comes out is a relative path without "..", without empty, hidden-by-dots-only or overlong
 * parts, without control characters and marks that turn the direction of text, and valid UTF-8. Ordinary names come out
 * as they are, with their folders ("a/b" stays "a/b"), since programs look for them. Pure; any thread. */
#ifndef TLPARSE_BASE_PATH_H
#define TLPARSE_BASE_PATH_H

#include "base/buf.h"

/* Adds name as a path to which a suffix of up to 64 bytes may be added. */
void path_add_name(struct buf *out, struct slice name);
/* Adds a path of the report as a URL: all but unreserved characters and '/' percent-encoded. */
void path_add_url(struct buf *out, struct slice path);
/* What stands behind the last '/'. */
struct slice path_last(struct slice path);

#endif
