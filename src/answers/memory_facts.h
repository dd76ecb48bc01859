/* memory_facts.h - what compiled graphs allocate, in one sentence and as JSON. Pure; any thread. */
#pragma once

#include "base/jsonw.h"

/* "at least 204 MB at a time (1/0 backward), 177 MB saved for the backward of 2/0; 1 of 8 graphs not derived". Adds nothing if the report has no
 * graph. A peak that is a lower bound is "at least". */
void facts_add_memory(struct buf *out, yyjson_val *root);
/* Adds the member `memory`; nothing if the report has no graph. */
void memory_add_json(struct jsonw *w, yyjson_val *root);
