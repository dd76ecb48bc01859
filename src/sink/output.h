/* output.h - the pending output files of a block.
 *
 * The fold determines which files a block's records produce. A worker renders and writes them. An output refers to
 * data in the block, in its arena, or in immutable parts of the model, which live until outputs_write() has returned.
 */
#pragma once

#include "sink/files.h"

/* Renders the file's content from the text and its data. Pure. */
typedef void output_render(struct buf *out, struct slice text, const void *data);

struct output {
    struct output *next;
    struct files *files; /* the folder to write to */
    struct slice path;
    struct slice text;
    output_render *render; /* NULL: write the text unchanged */
    const void *data;
};

struct outputs {
    struct output *first, **last;
};

void outputs_init(struct outputs *outputs);
/* Copies the output to the arena, which is that of the block. Nothing is added for files that the sink discards. */
void outputs_add(struct outputs *outputs, struct arena *arena, const struct output *output);
void outputs_write(const struct outputs *outputs);
