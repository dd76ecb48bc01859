/* provenance_page.h - a provenance page: the texts of its graphs and code, and their line maps.
 *
 * The texts of one set at a time are in memory. A text longer than TEXT_BYTES is only named and linked. One thread. */
#pragma once

#include "lowering/provenance_sets.h"
#include "pages/texts.h"
#include "sink/files.h"

enum { TEXT_BYTES = 16 << 20, PAGE_BYTES = 64 << 20 };

struct provenance_page {
    struct slice path;
    struct slice key; /* "[0/0_1]" */
    struct slice id;  /* the key of the compile */
    const struct provenance_sets *sets;
    const struct model *model; /* the model that has the compiles of the sets */
    struct texts *texts;       /* the texts of this model */
};

void provenance_page_write(const struct provenance_page *page, struct files *files);

/* Returns the mapping as JSON, or NULL if there is none or it is not an object. The document lives as long as *text
 * and the arena. */
yyjson_val *provenance_mapping_read(struct texts *texts, const struct artifact *artifact, struct buf *text,
                                    struct arena *arena);
