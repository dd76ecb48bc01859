/* vllm.h - vLLM: its configuration, and the subgraphs that it compiled for each size.
 *
 * A part of the model (model.h), filled in log order by the fold's thread. A call has one configuration: Dynamo's
 * graph, the split graph, and its subgraphs, each compiled for ranges of sizes. A subgraph has the artifacts from its
 * start to the next start, as indices into model->artifacts. */
#pragma once

#include "model/model.h"

struct vllm_piece {
    struct slice name;
    uint32_t group;    /* index in the call's list of groups */
    size_t first, end; /* range of artifacts; end SIZE_MAX: to the end of the call */
    uint32_t next;     /* the group's next subgraph; UINT32_MAX: none */
};

struct vllm_group {
    struct slice label;  /* "range [1, 64]", "size 8" */
    uint32_t head, last; /* first and last subgraph */
    uint32_t count;
};

struct vllm_call {
    struct slice config; /* an object, as JSON; ptr NULL: none */
    uint32_t compile;    /* the compile during which it was written */
    size_t first, end;   /* range of artifacts, as in a subgraph */
    int64_t split_graph; /* artifact, or -1 */
    LIST(struct vllm_piece) pieces;
    LIST(struct vllm_group) groups;
    struct map group_map;
};

struct vllm {
    LIST(struct vllm_call) calls;
};

/* The call of the current record. If the log has none, a call without a configuration. The record's artifacts begin at
 * index `artifact` of the report. */
struct vllm_call *vllm_call_now(struct model *model, uint32_t compile, size_t artifact);
/* Starts a call with its configuration, unless the current call has neither a configuration nor subgraphs yet. */
struct vllm_call *vllm_call_start(struct model *model, uint32_t compile, size_t artifact);
void vllm_piece_start(struct model *model, struct vllm_call *call, struct slice name, struct slice label,
                      size_t artifact);
