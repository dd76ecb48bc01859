/* page_parts.h - parts of pages. */
#pragma once

#include "base/jsonw.h"
#include "model/model.h"
#include "pages/texts.h"
#include "sink/files.h"

struct buf;
struct stack_node;

/* place_json.c - a source location as JSON. */
/* {"file", "line", "function"}, or null if neither file nor function is known. */
void place_json_write(struct jsonw *w, const char *key, const struct place *place);
/* The frame of a compile: its place, and its label if it has one. */
void frame_json_write(struct jsonw *w, const char *key, const struct place *place, struct slice label);

/* stack_html.c - a stack as the text of a <pre>: one line per frame, outermost first, each followed by its source
 * line. */
/* Adds nothing for NULL. */
void stack_html_add(struct buf *out, const struct stack_node *stack);

/* provenance.c - provenance_tracking_<folder>.html: line maps between the pre-grad graph, the post-grad graph and the
 * generated code.
 *
 * The texts come from pages/texts.h, loaded for one graph at a time, so memory does not grow with the report. A page
 * contains them escaped, readable without JavaScript. Two blocks of JSON contain the line maps (doc/report-data.md):
 * "lineMappings" is the reference's format, "provenance" has the maps of each graph.
 *
 * The thread that finishes the report calls both functions, after texts_finish(). Between them, workers of the pool of
 * the texts write the pages: they only read the model, so that the thread may add to it what no page has (analyses), but
 * no compile, folder, artifact or kernel. */
struct provenance_pages;
/* Notes the pages in the entries, and starts to write them. all: write a page for each listed compile id, as the
 * reference does with -i; otherwise only for those with a non-empty node mapping. */
struct provenance_pages *provenance_start(struct model *model, struct files *files, struct texts *texts, bool all);
/* Helps to write the pages, waits for the last one, and frees. */
void provenance_finish(struct provenance_pages *pages);
