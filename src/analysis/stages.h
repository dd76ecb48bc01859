/* stages.h - a compile's way from bytecode to kernels, worked out of its artifacts, caches, failure and timers.
 *
 * Rows stand in the order of the way: forward first, then what is done for the backward. A stage of the way that the compile
 * did not come to is there too, and says why; STAGE_BYTECODE and the backward are left out where the log has nothing of them.
 * What counts is the last attempt: a new Dynamo graph, or an attempt with a higher number, begins the way anew.
 * Called when nothing more is added to the model; any thread. */
#ifndef TLPARSE_ANALYSIS_STAGES_H
#define TLPARSE_ANALYSIS_STAGES_H

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
    STAGE_CACHED,  /* taken from a cache, with or without artifacts */
    STAGE_FAILED,  /* here the compile ended with an error */
    STAGE_SKIPPED, /* there was nothing to do, or the backend has no such stage */
    STAGE_UNKNOWN, /* the log does not say */
};

struct stage_row {
    bool shown;
    enum stage_state state;
    const char *why;          /* a constant; NULL where the state is enough */
    int64_t time_us;          /* its own, without the stages within; -1: not known */
    LIST(uint32_t) artifacts; /* places in the compile's artifacts */
    uint32_t parts;           /* graphs or codes that it ended with: more than 1 where the graph was split */
    struct graph_size graph;  /* of these together; graphs 0: not known */
    uint32_t kernels;
};

struct stages {
    struct stage_row rows[STAGES];
};

void stages_of(struct stages *stages, const struct model *model, const struct compile *compile);
void stages_free(struct stages *stages);
/* The array `stages` that doc/report.schema.json describes. */
void stages_write(struct jsonw *w, const char *key, const struct model *model, const struct compile *compile);

#endif
