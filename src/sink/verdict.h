/* verdict.h - is a folder a report, of this program or of the reference, and nothing else? Looks, changes nothing. */
#ifndef TLPARSE_SINK_VERDICT_H
#define TLPARSE_SINK_VERDICT_H

#include "base/slice.h"

enum verdict {
    VERDICT_FOREIGN, /* something in it is no part of a report, or it cannot be read */
    VERDICT_PART,    /* all of it may be of a report, but others have such names too */
    VERDICT_REPORT,
};

/* When it is VERDICT_FOREIGN the first foreign entry's name is in `foreign`, empty if none can be told; `size` is enough for two
 * names. */
enum verdict verdict_on(int fd, char *foreign, size_t size);

#endif
