/* follow_end.h - the end of tlparse follow: the report, if --out is given, and the totals. */
#pragma once

#include "answers/term.h"

struct options;

struct follow_end_request {
    const struct options *options;
    const char *path;  /* what was followed */
    bool any;          /* records were read */
    struct slice json; /* report.json of what was read; ptr NULL: it is not in memory */
    struct term *term; /* gets the totals, also as JSON */
};

/* If nothing was read, there are no totals, and a report that is wanted is an error. If the report cannot be written, the
 * totals are there all the same. Signals end the program meanwhile, and the partial report is removed. */
bool follow_end(const struct follow_end_request *request, bool *written, struct err *err);
