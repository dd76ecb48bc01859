/* reports_page.h - a list of reports with links, for `tlparse serve`. Pure; any thread. */
#pragma once

#include "base/base.h"

enum { REPORTS_CELLS = 8 }; /* after the name */

struct reports_row {
    struct slice path; /* of the report's folder, without a slash at its end */
    struct slice
        cells[REPORTS_CELLS]; /* made, kind, compiles, compile time, recompiles, graph breaks, failures, issues */
    struct slice trouble;     /* instead of the cells after the first: why they are not known; ptr NULL: they are */
};

/* A page that says only its title, until there is a report. */
void waiting_page_add(struct buf *out, struct slice title);
/* title: what is served. `more`: reports that are not in the list. */
void reports_page_add(struct buf *out, struct slice title, const struct reports_row *rows, size_t count, size_t more);
