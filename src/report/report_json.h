/* report_json.h - report.json: the model, for programs (doc/report-data.md, doc/report.schema.json).
 *
 * Needs the complete model. One thread. */
#pragma once

#include "base/jsonw.h"
#include "model/model.h"
#include "report/view.h"
#include "sink/files.h"

/* For a log that several ranks wrote: the member about all ranks, in a report.json that is otherwise about the first
 * rank. view->sums has their sums. */
void report_json_add_together(struct jsonw *w, const char *key, const struct report_view *view);
void report_json_write(const struct report_view *view, struct files *files);
/* The member source_link, after a comma, for report_view.extra. Adds nothing if the value, which is JSON, is NULL. */
void source_link_member_add(struct buf *extra, struct slice value);

/* report_json_head() opens the object and writes everything before the compiles. Without `whole`, these functions leave
 * out members that the page loads on demand. */
void report_json_head(struct jsonw *w, const struct report_view *view, bool whole);
/* Writes everything after the compiles, but does not close the object. */
void report_json_rest(struct jsonw *w, const struct report_view *view, bool whole);

/* page_data.c - the data of the page: data/report.js, and parts that are loaded on demand.
 *
 * Needs the complete model. One thread. doc/report-data.md describes the files. */
/* Writes data/report.js, data/compiles.<k>.js, data/shapes.<k>.js, data/kernels.<k>.js, data/log.js, data/configs.js,
 * data/export.js, data/sources.<k>.js. */
void page_data_write(const struct report_view *view, struct files *files);

/* directory.c - compile_directory.json: the files of each compile id, for other programs.
 *
 * Equal to the reference's file: anything that the reference lacks is only in report.json. Needs the complete
 * model. One thread. */
void directory_write(const struct model *model, struct files *files);
