/* partners.h - which artifact is compared with which: the same of another compile or attempt, and the form before it.
 *
 * Artifacts of two compiles, of one log or of two, correspond where their slots are equal. The slot is the artifact's stem, the
 * attempt unless it is the last one of the compile, the subgraph, and a number from the second of these on: "aot_forward_graph",
 * "dynamo_output_graph (attempt 0)", "inductor_output_code #2". The earlier form is the graph before the pass that wrote this
 * one, else that of the stage before, where the graph was not split; of rewritten bytecode it is the original one.
 *
 * Called when nothing more is added to the model; any thread. */
#pragma once

#include "model/model.h"

#define PARTNER_NONE UINT32_MAX
enum { PARTNER_ATTEMPTS_MAX = 8 };

struct partner {
    struct slice stem; /* the name without its number and ending; lives as long as the model */
    struct slice slot; /* unique in a compile; ptr NULL: the artifact has no text */
    uint32_t earlier;  /* place in the compile's artifacts, as the next ones; PARTNER_NONE: none */
    uint32_t attempts[PARTNER_ATTEMPTS_MAX]; /* the same of other attempts, the latest first */
    uint32_t attempt_count;
};

/* One for each artifact of the compile. Owned by the caller; partners_free() makes it {0} again. */
struct partners {
    struct partner *items;
    size_t count;
    struct arena arena;
};

void partners_of(struct partners *partners, const struct model *model, const struct compile *compile);
void partners_free(struct partners *partners);
