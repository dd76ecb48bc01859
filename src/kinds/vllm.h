/* vllm.h - artifacts of vLLM. */
#ifndef TLPARSE_KINDS_VLLM_H
#define TLPARSE_KINDS_VLLM_H

#include "kinds/kind.h"

/* False where the name is none of vLLM's. The record's artifacts begin at the report's place `artifact`. */
bool vllm_artifact(struct fold *fold, const struct node *node, struct slice name, size_t artifact);
bool vllm_graph(struct fold *fold, struct slice name, size_t artifact);

#endif
