/* metrics_page.h - compilation_metrics_N.html and its kin: the fields of one metrics record, and what belongs to it.
 *
 * metrics_page_render is an output_render: pure, any worker. All that it points at is in the block or frozen. */
#ifndef TLPARSE_REPORT_HTML_METRICS_PAGE_H
#define TLPARSE_REPORT_HTML_METRICS_PAGE_H

#include "model/model.h"
#include "sink/output.h"

struct metrics_page {
    struct slice title, key;
    const char *root;
    yyjson_val *metrics;
    bool whole; /* with the sections below, even empty ones */
    const struct stack_node *stack;
    struct {
        const struct shape_record *first;
        size_t count;
    } shapes[SHAPE_KINDS];
    const struct artifact_link *links; /* of the artifacts so far */
    size_t link_count;
};

void metrics_page_render(struct buf *out, struct slice text, const void *data);

#endif
