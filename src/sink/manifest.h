/* manifest.h - lists the files of a report, so that replacing the report removes no other files.
 *
 * data/manifest.txt has a line that names the format, then one path per line, in the order of walk.h. Paths are
 * relative to the folder; the path of a folder ends in '/'. A report inside a report (rank_3) has a manifest of its
 * own: the outer one lists only its folder, so it can be replaced on its own. */
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

/* Compares the folder with its manifest. Listed files that are missing do not matter. Ignores the folders at the top
 * that are staging folders of `name`. With MANIFEST_FOREIGN, adds the path of the first foreign entry to `foreign`, or
 * nothing if the path is unknown. */
enum manifest_verdict manifest_check(int fd, const char *name, struct buf *foreign);
