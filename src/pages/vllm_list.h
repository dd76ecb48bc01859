/* vllm_list.h - vLLM's calls and subgraphs as plain markup: index.html for readers without JavaScript.
 *
 * Needs the complete model; any thread. */
#ifndef TLPARSE_PAGES_VLLM_LIST_H
#define TLPARSE_PAGES_VLLM_LIST_H

#include "base/buf.h"
#include "model/model.h"

/* Adds nothing if the log is not from vLLM. */
void vllm_list_add(struct buf *out, const struct model *model);

#endif
