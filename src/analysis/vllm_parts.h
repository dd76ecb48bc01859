/* vllm_parts.h - finds the artifacts of a call of vLLM's compiler, and of its subgraphs.
 *
 * Needs the complete model of a log with vllm_facts. Pure; any thread. */
#pragma once

#include "model/vllm.h"

struct vllm_places {
    LIST(uint32_t) list; /* indices into model->artifacts */
};

/* For each compile, the first call in it, which has its Dynamo artifacts; UINT32_MAX: none. The caller frees the list
 * with mem_free(). */
uint32_t *vllm_owners(const struct model *model);
/* The Dynamo artifacts of a call: those of its compile or, for a call outside of compiles, those between the start of
 * the previous subgraph and its own first subgraph. The caller frees the list. */
struct vllm_places vllm_dynamo(const struct model *model, size_t nth, const uint32_t *owner);
/* The end of a subgraph or call. SIZE_MAX means that nothing follows it. */
size_t vllm_end(const struct model *model, size_t end);
/* Whether the artifact at this index, within the range of a subgraph, belongs to it. Artifacts of other compiles in
 * between do not belong to it. */
bool vllm_in_piece(const struct model *model, const struct vllm_call *call, size_t place);
