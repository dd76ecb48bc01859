/* target.h - parses the target of a request: "/a/b%20c.txt?x=1" becomes the path "a/b c.txt" in the report.
 *
 * The resulting path is valid UTF-8 and contains no NUL. Its parts are not empty and do not begin with a dot, so there
 * are neither ".." nor hidden files. Other characters have no special meaning.
 *
 * Life cycle: target_parse, target_finish (also after a refusal). Pure; any thread. */
#pragma once

#include "base/base.h"

enum target_kind {
    TARGET_PATH,
    TARGET_WRONG,  /* not a target, or not properly encoded: 400 */
    TARGET_NOWHERE /* never part of a report: 404 */
};

struct target {
    struct buf path;        /* ends with a NUL that len does not include; "" is the report itself */
    bool folder;            /* the path ended with a '/' */
    struct slice query;     /* with its '?', as sent; empty if there is none. Points into the text */
    struct slice authority; /* of "http://name:port/path"; otherwise, ptr is NULL. Points into the text */
};

enum target_kind target_parse(struct slice text, struct target *target);
void target_finish(struct target *target);
