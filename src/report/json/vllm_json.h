/* vllm_json.h - vLLM's calls and pieces, for report.json and for the page.
 *
 * Written when the model is whole; one thread at a time for a writer. */
#ifndef TLPARSE_REPORT_JSON_VLLM_JSON_H
#define TLPARSE_REPORT_JSON_VLLM_JSON_H

#include "base/jsonw.h"
#include "model/model.h"

/* The member `key`; nothing where the log is not vLLM's. */
void vllm_json_add(struct jsonw *w, const char *key, const struct model *model);

#endif
