/* pages.h - the pages about the whole report: index.html (the page's scripts, and a plain list for readers without
 * JavaScript) and failures_and_restarts.html. They need the complete model. One thread. */
#pragma once

#include "base/base.h"
#include "model/model.h"
#include "sink/files.h"

/* header: trusted HTML from the caller. name: index.html, or another name at the top of the report. */
void index_page_write(const struct model *model, const uint32_t *order, struct slice header, uint64_t live,
                      const char *name, struct files *files);
void failures_page_write(const struct model *model, struct files *files);

/* vllm_list.c - vLLM's calls and subgraphs as plain markup: index.html for readers without JavaScript.
 *
 * Needs the complete model; any thread. */
/* Adds nothing if the log is not from vLLM. */
void vllm_list_add(struct buf *out, const struct model *model);

/* reports_page.c - a list of reports with links, for `tlparse serve`. Pure; any thread. */
enum { REPORTS_CELLS = 8 }; /* after the name */

struct reports_row {
    struct slice path; /* path of the report's folder, without a trailing slash */
    /* Made, kind, compiles, compile time, recompiles, graph breaks, failures, issues */
    struct slice cells[REPORTS_CELLS];
    struct slice trouble; /* replaces the cells after the first: why they are unknown; ptr NULL: they are known */
};

/* A page with only a title, shown until there is a report. */
void waiting_page_add(struct buf *out, struct slice title);
/* title: the name of what is served. more: number of reports that are not in the list. */
void reports_page_add(struct buf *out, struct slice title, const struct reports_row *rows, size_t count, size_t more);
