/* verdict.h - determines whether a folder is nothing but a report of this program or of the reference. Read-only. */
#ifndef TLPARSE_SINK_VERDICT_H
#define TLPARSE_SINK_VERDICT_H

#include "base/slice.h"

enum verdict {
    VERDICT_FOREIGN, /* something in it is not part of a report, or it cannot be read */
    VERDICT_PART,    /* all of it may be part of a report, but other folders have such names, too */
    VERDICT_REPORT,
};

/* If the result is VERDICT_FOREIGN, `foreign` gets the path of the first foreign entry, or "" if it is unknown. `size`
 * must be enough for two names. */
enum verdict verdict_on(int fd, char *foreign, size_t size);

#endif
