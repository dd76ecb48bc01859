/* pages.h - the pages about the whole report: index.html (the page's scripts, and a plain list for readers without
 * JavaScript) and failures_and_restarts.html. They need the complete model. One thread. */
#pragma once

#include "model/model.h"
#include "sink/files.h"

/* header is trusted HTML of the caller. name is index.html or another name at the top of the report. */
void index_page_write(const struct model *model, const uint32_t *order, struct slice header, uint64_t live,
                      const char *name, struct files *files);
void failures_page_write(const struct model *model, struct files *files);

/* vllm_list.c - vLLM's calls and subgraphs as plain markup: index.html for readers without JavaScript.
 *
 * Needs the complete model; any thread. */
/* Adds nothing if the log is not from vLLM. */
void vllm_list_add(struct buf *out, const struct model *model);
