/* metrics_page.h - compilation_metrics_N.html and similar pages: the fields of a metrics record and related data.
 *
 * metrics_page_render is an output_render: pure, any worker. Everything that it refers to is in the block or
 * immutable. */
#pragma once

#include "model/model.h"
#include "sink/output.h"

struct metrics_page {
    struct slice title, key;
    const char *root;
    yyjson_val *metrics;
    bool whole; /* include the sections below even if they are empty */
    const struct stack_node *stack;
    struct {
        const struct shape_record *first;
        size_t count;
    } shapes[SHAPE_KINDS];
    const struct artifact_link *links; /* of the artifacts so far */
    size_t link_count;
};

void metrics_page_render(struct buf *out, struct slice text, const void *data);
