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
 * Call it after texts_finish(), on the thread that finishes the report. */
/* Writes the pages and notes them in the entries. all: write a page for each listed compile id, as the reference does
 * with -i; otherwise only for those with a non-empty node mapping. */
void provenance_write(struct model *model, struct files *files, struct texts *texts, bool all);
