/* follow_end.h - the end of tlparse follow: the report, if --out is given, and the totals. */
#pragma once

#include "answers/term.h"

struct options;

struct follow_end_request {
    const struct options *options;
    const char *path;  /* what was followed */
    bool any;          /* records were read */
    struct slice json; /* report.json of the logs read so far; ptr NULL: it is not in memory */
    struct term *term; /* receives the totals, even as JSON */
};

/* If nothing was read, there are no totals, and a requested report is an error. If the report cannot be written, the
 * totals are printed anyway. A signal ends the program at any time and removes the partial report. */
bool follow_end(const struct follow_end_request *request, bool *written, struct err *err);
