/* vllm_records.h - artifacts of vLLM. */
#ifndef TLPARSE_KINDS_VLLM_RECORDS_H
#define TLPARSE_KINDS_VLLM_RECORDS_H

#include "kinds/kind.h"

/* Returns false if the name is not one of vLLM. The record's artifacts begin at index `artifact` of the report. */
bool vllm_artifact(struct fold *fold, const struct node *node, struct slice name, size_t artifact);
bool vllm_graph(struct fold *fold, struct slice name, size_t artifact);

#endif
