/* export_page.h - symbolic_guard_information_N.html: an expression, where it was decided, with what, and what it is made of.
 *
 * export_page_render is an output_render: pure, any worker. */
#ifndef TLPARSE_REPORT_HTML_EXPORT_PAGE_H
#define TLPARSE_REPORT_HTML_EXPORT_PAGE_H

#include "model/export.h"
#include "sink/output.h"

#define EXPORT_PAGE SLICE("symbolic_guard_information")

struct export_page {
    struct export_failure failure; /* as it was when it was recorded; the report's own may learn more later */
    struct slice key;              /* of the compile, for the link back */
};

void export_page_render(struct buf *out, struct slice text, const void *data);

/* The pages of records that the reference loses (a local that is no text). They come when the model is whole, with numbers
 * behind all others, so that the reference's files keep theirs. */
void export_pages_write(struct model *model, struct files *files);

/* For index.html, when the model is whole: the failures as a table, and the programs. */
void export_list_add(struct buf *out, const struct model *model);

#endif
