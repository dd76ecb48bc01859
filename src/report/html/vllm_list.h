/* vllm_list.h - vLLM's calls and pieces as plain markup: index.html for readers without scripts.
 *
 * Written when the model is whole; any thread. */
#ifndef TLPARSE_REPORT_HTML_VLLM_LIST_H
#define TLPARSE_REPORT_HTML_VLLM_LIST_H

#include "base/buf.h"
#include "model/model.h"

/* Nothing where the log is not vLLM's. */
void vllm_list_add(struct buf *out, const struct model *model);

#endif
