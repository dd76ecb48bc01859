/* vllm.h - what a log says of vLLM: how it was configured, and which piece it compiled for which sizes.
 *
 * A part of the model (model.h), filled in log order by the fold's thread. A call is what one configuration governs: Dynamo's
 * graph, that graph split, and its pieces, each compiled for ranges of sizes. A piece has the artifacts that were written from
 * its start to the next start, told as places in model->artifacts. */
#ifndef TLPARSE_MODEL_VLLM_H
#define TLPARSE_MODEL_VLLM_H

#include "model/model.h"

struct vllm_piece {
    struct slice name;
    uint32_t group;    /* in the call's list */
    size_t first, end; /* artifacts; end SIZE_MAX: up to the call's end */
    uint32_t next;     /* of the group; UINT32_MAX: none */
};

struct vllm_group {
    struct slice label;  /* "range [1, 64]", "size 8" */
    uint32_t head, last; /* pieces */
    uint32_t count;
};

struct vllm_call {
    struct slice config; /* an object, as JSON; ptr NULL: none */
    uint32_t compile;    /* in which it was written */
    size_t first, end;   /* artifacts, as of a piece */
    int64_t split_graph; /* artifact, or -1 */
    LIST(struct vllm_piece) pieces;
    LIST(struct vllm_group) groups;
    struct map group_map;
};

struct vllm {
    LIST(struct vllm_call) calls;
};

/* The call to which the record belongs that is being folded; one without a configuration where the log has none. Its artifacts
 * begin at the report's place `artifact`. */
struct vllm_call *vllm_call_now(struct model *model, uint32_t compile, size_t artifact);
/* A configuration begins a call, unless the one under way has none yet and no pieces. */
struct vllm_call *vllm_call_start(struct model *model, uint32_t compile, size_t artifact);
void vllm_piece_start(struct model *model, struct vllm_call *call, struct slice name, struct slice label,
                      size_t artifact);

#endif
