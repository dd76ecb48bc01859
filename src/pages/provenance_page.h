/* provenance_page.h - a provenance page: the texts of its graphs and code, and their line maps.
 *
 * Only the texts of one set are in memory at a time. A text longer than TEXT_BYTES is only named and linked. One
 * thread. */
#pragma once

#include "base/jsonw.h"
#include "lowering/provenance_maps.h"
#include "pages/texts.h"
#include "sink/files.h"

enum { TEXT_BYTES = 16 << 20, PAGE_BYTES = 64 << 20 };

struct provenance_page {
    struct slice path;
    struct slice key; /* "[0/0_1]" */
    struct slice id;  /* the key of the compile */
    const struct provenance_sets *sets;
    const struct model *model; /* the model with the compiles of the sets */
    struct texts *texts;       /* the texts of this model */
};

void provenance_page_write(const struct provenance_page *page, struct files *files);

/* Returns the mapping as JSON. NULL: there is none, or it is not an object. The document lives as long as *text
 * and the arena. */
yyjson_val *provenance_mapping_read(struct texts *texts, const struct artifact *artifact, struct buf *text,
                                    struct arena *arena);

/* provenance_json.c - line maps as JSON. Pure; one thread. */
/* Writes {"line": [lines]}. Adds from and to to the line numbers, and leaves out results below 1. */
void maps_write(struct jsonw *w, const char *key, const struct relation *r, int64_t from, int64_t to);
/* Writes one row as [numbers], which may be empty. */
void maps_write_row(struct jsonw *w, const char *key, const struct relation *r, uint32_t from);
/* Writes the six maps in the reference's format, as one object. */
void line_mappings_write(struct jsonw *w, const struct loaded *loaded, const struct set_maps *maps);
