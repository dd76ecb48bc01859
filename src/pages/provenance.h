/* provenance.h - provenance_tracking_<folder>.html: maps lines of the pre-grad graph, the post-grad graph and the
 * generated code to each other.
 *
 * The texts are those that pages/texts.h kept, loaded for one graph at a time, so memory does not grow with the
 * report. A page contains them escaped, readable without JavaScript. Two blocks of JSON contain the line maps
 * (doc/report-data.md): "lineMappings" is the reference's format, "provenance" has the maps of each graph.
 *
 * Call it after texts_finish(), on the thread that finishes the report. */
#ifndef TLPARSE_PAGES_PROVENANCE_H
#define TLPARSE_PAGES_PROVENANCE_H

#include "model/model.h"
#include "pages/texts.h"
#include "sink/files.h"

/* Writes the pages and notes them in the entries. all: write a page for each listed compile id, as the reference does
 * with -i; otherwise only for those with a non-empty node mapping. */
void provenance_write(struct model *model, struct files *files, struct texts *texts, bool all);

#endif
