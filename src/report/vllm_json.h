/* vllm_json.h - vLLM's calls and subgraphs, for report.json and for the page.
 *
 * Needs the complete model. One thread at a time per writer. */
#ifndef TLPARSE_REPORT_VLLM_JSON_H
#define TLPARSE_REPORT_VLLM_JSON_H

#include "base/jsonw.h"
#include "model/model.h"

/* Writes the member `key`, or nothing if the log is not from vLLM. */
void vllm_json_add(struct jsonw *w, const char *key, const struct model *model);

#endif
