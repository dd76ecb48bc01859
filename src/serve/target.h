/* target.h - what a request asks for: "/a/b%20c.txt?x=1" becomes the path "a/b c.txt" below the report.
 *
 * A path that comes out is valid UTF-8, holds no NUL, and has only parts that are not empty and do not begin with a dot:
 * neither ".." nor hidden files. Whatever else it holds is a name like any other.
 *
 * Life cycle: target_parse, target_finish (also when it was refused). Pure; any thread. */
#ifndef TLPARSE_SERVE_TARGET_H
#define TLPARSE_SERVE_TARGET_H

#include "base/buf.h"

enum target_kind {
    TARGET_PATH,
    TARGET_WRONG,  /* no target, or not properly encoded: 400 */
    TARGET_NOWHERE /* never in a report: 404 */
};

struct target {
    struct buf path;        /* ends with a NUL, which len does not count; "" is the report itself */
    bool folder;            /* there was a '/' at the end */
    struct slice query;     /* with its '?', as it was sent; empty where there is none. Lives in the text */
    struct slice authority; /* of "http://name:port/path", else ptr is NULL. Lives in the text */
};

enum target_kind target_parse(struct slice text, struct target *target);
void target_finish(struct target *target);

#endif
