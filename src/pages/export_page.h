/* export_page.h - symbolic_guard_information_N.html: an expression, where it was evaluated and to which value, and how
 * it was derived.
 *
 * export_page_render is an output_render: pure, any worker. */
#pragma once

#include "model/export.h"
#include "sink/output.h"

#define EXPORT_PAGE SLICE("symbolic_guard_information")

struct export_page {
    struct export_failure failure; /* a copy: the report's own may be extended later */
    struct slice key;              /* key of the compile, for the link back */
};

void export_page_render(struct buf *out, struct slice text, const void *data);

/* Writes the pages of records that the reference drops (a local that is not a text). They come last, with the highest
 * numbers, so the files that the reference writes keep their numbers. */
void export_pages_write(struct model *model, struct files *files);

/* Adds the failures as a table, and the programs, to index.html. Needs the complete model. */
void export_list_add(struct buf *out, const struct model *model);
