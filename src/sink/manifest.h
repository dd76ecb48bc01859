/* manifest.h - the list of what a report consists of, so that nothing else is removed with it.
 *
 * data/manifest.txt has a line that names the format, and then a path per line, in the order of walk.h. Paths are relative to
 * the folder; that of a folder ends in '/'. A report inside a report (rank_3) has a manifest of its own: only its folder is listed in the
 * outer one, so it may be replaced by itself. */
#pragma once

#include "base/base.h"

#define MANIFEST_PATH "data/manifest.txt"

/* Lists everything in the folder, which must contain nothing but the report. Replaces an older manifest. Sets errno on failure. */
bool manifest_write(int fd);

enum manifest_verdict {
    MANIFEST_MISSING,
    MANIFEST_COVERS,     /* everything in the folder is listed */
    MANIFEST_FOREIGN,    /* something is not listed */
    MANIFEST_UNREADABLE, /* errno is why */
};

/* Compares the folder with its manifest. What is listed but missing does not matter. Ignores the folders at the top that are
 * staging folders of `name`. With MANIFEST_FOREIGN, adds the path of the first foreign entry to `foreign`, or nothing if it is
 * unknown. */
enum manifest_verdict manifest_check(int fd, const char *name, struct buf *foreign);
