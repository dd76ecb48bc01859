/* provenance_page.h - one provenance page: the texts of its graphs and code, and their line maps.
 *
 * The texts of one set are in memory at a time, and each is at most TEXT_BYTES long; a larger one is named and linked, but not
 * shown. One thread. */
#ifndef TLPARSE_REPORT_HTML_PROVENANCE_PAGE_H
#define TLPARSE_REPORT_HTML_PROVENANCE_PAGE_H

#include "analysis/provenance_sets.h"
#include "report/json/texts.h"
#include "sink/files.h"

enum { TEXT_BYTES = 16 << 20, PAGE_BYTES = 64 << 20 };

struct provenance_page {
    struct slice path;
    struct slice key; /* "[0/0_1]" */
    struct slice id;  /* the key of the compile */
    const struct provenance_sets *sets;
    const struct model *model; /* whose compiles the sets are of */
    struct texts *texts;       /* of that model */
};

void provenance_page_write(const struct provenance_page *page, struct files *files);

/* The mapping as JSON, or NULL where there is none or it is no object. The document lives as long as *text and the arena. */
yyjson_val *provenance_mapping_read(struct texts *texts, const struct artifact *artifact, struct buf *text,
                                    struct arena *arena);

#endif
