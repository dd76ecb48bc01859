/* verdict.h - determines whether a folder is nothing but a report. Read-only.
 *
 * A report of this program is what its manifest lists. One of the reference has no manifest: all of its names are among those
 * that the reference gives. */
#pragma once

#include "base/base.h"

enum verdict {
    VERDICT_UNREADABLE, /* errno is why */
    VERDICT_FOREIGN,    /* something in it is not part of a report */
    VERDICT_PART,       /* all of it may be part of a report, but other folders have such names, too */
    VERDICT_REPORT,
};

/* `name` is that of the place: its staging folders are ignored. With VERDICT_FOREIGN, adds the path of the first foreign entry to
 * `foreign`, or nothing if it is unknown. */
enum verdict verdict_on(int fd, const char *name, struct buf *foreign);
