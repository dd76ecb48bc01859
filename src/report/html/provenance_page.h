/* provenance_page.h - one provenance page: the texts of its graphs and code, and their line maps.
 *
 * Texts are read from the report's files, those of one set at a time, and each at most TEXT_BYTES; a larger one is
 * named and linked, but not shown. One thread. */
#ifndef TLPARSE_REPORT_HTML_PROVENANCE_PAGE_H
#define TLPARSE_REPORT_HTML_PROVENANCE_PAGE_H

#include "analysis/provenance_sets.h"
#include "sink/files.h"

enum { TEXT_BYTES = 16 << 20, PAGE_BYTES = 64 << 20 };

struct provenance_page {
    struct slice path;
    struct slice key; /* "[0/0_1]" */
    struct slice id;  /* the key of the compile */
    const struct provenance_sets *sets;
    const struct model *model; /* whose compiles the sets are of */
};

void provenance_page_write(const struct provenance_page *page, struct files *files);

/* The mapping as JSON, or NULL where there is none or it is no object. The document lives as long as *text and the arena. */
yyjson_val *provenance_mapping_read(struct files *files, const struct artifact *artifact, struct buf *text,
                                    struct arena *arena);

#endif
