/* report_site.h - the reports that `tlparse serve` serves: the named reports, and those in named folders.
 *
 * A single named report needs no site: the server serves its folder. Otherwise, "/" is a list of the reports, newest
 * first. It is made for each request, so reports that appear, change or disappear need no restart. Only files of
 * reports are served, never other files of the folder.
 *
 * Life cycle: report_site_open, report_site_finish (even after a failure). One thread. */
#pragma once

#include "serve/site.h"

/* Limits on the search in a folder. */
enum { REPORT_SITE_DEPTH = 6, REPORT_SITE_FOLDERS = 20000, REPORT_SITE_LISTED = 1000 };

/* A path of the call. */
struct report_place {
    struct static_root root;
    char *name;  /* first part of its addresses; "" if there is only one place */
    bool report; /* it is a report; otherwise a folder that contains reports */
};

/* The data about a report in the list. */
struct report_facts {
    char *path;    /* in the site */
    char etag[64]; /* ETag of the report.json that was read */
    time_t made;
    size_t seen; /* number of the last list that had it */
    char *cells[7];
    char *trouble; /* why report.json cannot be read; NULL: it can */
};

struct report_site {
    struct site site;
    LIST(struct report_place) places;
    LIST(struct report_facts *) facts;
    size_t lists; /* lists made so far */
    char *title;
};

/* Answers with a file of the front end, for pages outside of reports. Returns false if the path is not one. */
bool report_site_add_asset(struct slice path, struct site_answer *answer);
/* Fails if a path is neither a report nor a folder with reports. Keeps pointers to the paths. */
bool report_site_open(struct report_site *site, const char *const *paths, size_t count, struct err *err);
void report_site_finish(struct report_site *site);
