/* pages.h - the pages that show the whole report: index.html (a shell for the page's scripts, with a plain list for those
 * without) and failures_and_restarts.html. Written when the model is whole, by one thread. */
#ifndef TLPARSE_REPORT_HTML_PAGES_H
#define TLPARSE_REPORT_HTML_PAGES_H

#include "model/model.h"
#include "sink/files.h"

/* header is HTML of the caller's own; name is index.html or another at the top of the report. */
void index_page_write(const struct model *model, const uint32_t *order, struct slice header, const char *name,
                      struct files *files);
void failures_page_write(const struct model *model, struct files *files);

#endif
