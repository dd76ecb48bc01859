/* partners.h - which artifacts are compared: an artifact with its counterpart in another compile or attempt, and with
 * its earlier form.
 *
 * Artifacts of two compiles, in one log or two, correspond if their slots are equal. The slot consists of the
 * artifact's stem, the attempt unless it is the last one of the compile, the subgraph, and a number for all but the
 * first artifact with these: "aot_forward_graph", "dynamo_output_graph (attempt 0)", "inductor_output_code #2". The
 * earlier form is the graph before the pass that wrote this one, or else the graph of the previous stage, unless the
 * graph was split. For rewritten bytecode, it is the original bytecode.
 *
 * The model must be complete; any thread. */
#pragma once

#include "model/model.h"

#define PARTNER_NONE UINT32_MAX
enum { PARTNER_ATTEMPTS_MAX = 8 };

struct partner {
    struct slice stem; /* the name without its number and extension; lives as long as the model */
    struct slice slot; /* unique in a compile; ptr NULL: the artifact has no text */
    uint32_t earlier;  /* index in the compile's artifacts, like the next members; PARTNER_NONE: none */
    uint32_t attempts[PARTNER_ATTEMPTS_MAX]; /* counterparts in other attempts, the latest first */
    uint32_t attempt_count;
};

/* One item for each artifact of the compile. Owned by the caller; partners_free() resets it to {0}. */
struct partners {
    struct partner *items;
    size_t count;
    struct arena arena;
};

void partners_of(struct partners *partners, const struct model *model, const struct compile *compile);
void partners_free(struct partners *partners);
