/* provenance.h - provenance_tracking_<folder>.html: which lines of the pre-grad graph, the post-grad graph and the
 * generated code belong together.
 *
 * The texts are those that were kept for it (report/json/texts.h), of one graph at a time, so memory does not grow with the
 * report. A page shows them escaped, readable without scripts; line maps stand in two blocks of JSON (doc/report-data.md):
 * "lineMappings" is the reference's, "provenance" has each graph's.
 *
 * To be called when all texts are there (texts_finish()), by the thread that finishes the report. */
#ifndef TLPARSE_REPORT_HTML_PROVENANCE_H
#define TLPARSE_REPORT_HTML_PROVENANCE_H

#include "model/model.h"
#include "report/json/texts.h"
#include "sink/files.h"

/* Writes the pages and notes them in the entries. all: a page for each compile id that is listed, as the reference does
 * with -i; else only where a node mapping says anything. */
void provenance_write(struct model *model, struct files *files, struct texts *texts, bool all);

#endif
