/* vllm_parts.h - which artifacts belong to a call of vLLM's compiler, and which to a piece of it.
 *
 * Asked when the model is whole, of a report that has vllm_facts. Pure; any thread. */
#ifndef TLPARSE_ANALYSIS_VLLM_PARTS_H
#define TLPARSE_ANALYSIS_VLLM_PARTS_H

#include "model/vllm.h"

struct vllm_places {
    LIST(uint32_t) list; /* places in model->artifacts */
};

/* For each compile the first call in it, which has its Dynamo's artifacts; UINT32_MAX: none. The caller frees it (mem_free). */
uint32_t *vllm_owners(const struct model *model);
/* Dynamo's artifacts of a call are those of its compile. Those of a call in no compile have been written since the last piece
 * began, up to its own first one. The caller frees the list. */
struct vllm_places vllm_dynamo(const struct model *model, size_t nth, const uint32_t *owner);
/* Where a piece or a call ends, of which SIZE_MAX says that nothing came behind it. */
size_t vllm_end(const struct model *model, size_t end);
/* Is the artifact at this place, which lies between a piece's bounds, the piece's? What another compile writes in between is not. */
bool vllm_in_piece(const struct model *model, const struct vllm_call *call, size_t place);

#endif
