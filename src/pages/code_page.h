/* code_page.h - standalone pages that show one text: code, guards, stack traces of kernels.
 *
 * The functions are of type output_render: pure, any worker. */
#pragma once

#include "base/json.h"
#include "model/model.h"
#include "sink/output.h"

struct code_page {
    struct slice title;
    struct slice key; /* key of the compile, for the link back */
    const char *root; /* as in html_page */
    enum lang lang;
    yyjson_val *json; /* the payload of guards and traces */
};

/* The text with line numbers and anchors. data: struct code_page. */
void code_page_render(struct buf *out, struct slice text, const void *data);
/* [{code, stack?, user_stack?}] as a list of the guards' code. */
void guards_page_render(struct buf *out, struct slice text, const void *data);
/* {kernel: [trace, …]} as headings and <pre>. */
void traces_page_render(struct buf *out, struct slice text, const void *data);
