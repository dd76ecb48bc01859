/* stages.h - the stages of a compile from bytecode to kernels, from its artifacts, caches, failure and timers.
 *
 * Rows are in the order of the stages: the forward, then the backward. A stage that the compile did not reach has a
 * row, too, with the reason. STAGE_BYTECODE and the backward are left out if the log has nothing about them. Only the
 * last attempt counts: a new Dynamo graph, or an attempt with a higher number, starts again. Call it when the model is
 * complete; any thread. */
#ifndef TLPARSE_LOWERING_STAGES_H
#define TLPARSE_LOWERING_STAGES_H

#include "base/jsonw.h"
#include "model/model.h"

enum stage {
    STAGE_BYTECODE,
    STAGE_DYNAMO,
    STAGE_PRE_GRAD,
    STAGE_JOINT,
    STAGE_FORWARD,
    STAGE_POST_GRAD,
    STAGE_CODE,
    STAGE_KERNELS,
    STAGE_BACKWARD,
    STAGE_BACKWARD_POST_GRAD,
    STAGE_BACKWARD_CODE,
    STAGE_BACKWARD_KERNELS,
    STAGES,
};

enum stage_state {
    STAGE_DONE,
    STAGE_CACHED,  /* loaded from a cache, with or without artifacts */
    STAGE_FAILED,  /* the compile ended here with an error */
    STAGE_SKIPPED, /* nothing to do, or the backend does not have this stage */
    STAGE_UNKNOWN, /* not logged */
};

struct stage_row {
    bool shown;
    enum stage_state state;
    const char *why;          /* a constant, or of the model; NULL if the state is sufficient */
    int64_t time_us;          /* self time, without nested stages; -1: unknown */
    LIST(uint32_t) artifacts; /* indices into the compile's artifacts */
    uint32_t parts;           /* number of resulting graphs or codes: more than 1 if the graph was split */
    struct graph_size graph;  /* of all of these; graphs 0: unknown */
    uint32_t kernels;
};

struct stages {
    struct stage_row rows[STAGES];
};

void stages_of(struct stages *stages, const struct model *model, const struct compile *compile);
void stages_free(struct stages *stages);
/* The array `stages` of doc/report.schema.json. */
void stages_write(struct jsonw *w, const char *key, const struct model *model, const struct compile *compile);

#endif
