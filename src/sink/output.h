/* output.h - files that are still to be written, of one block.
 *
 * The fold says which files a block's records make; a worker renders and writes them, together. What an output points at is
 * in the block, in its arena, or frozen in the model, and lives until outputs_write() has returned. */
#ifndef TLPARSE_SINK_OUTPUT_H
#define TLPARSE_SINK_OUTPUT_H

#include "base/arena.h"
#include "sink/files.h"

/* Makes the file's content out of the text and what else it was given. Pure. */
typedef void output_render(struct buf *out, struct slice text, const void *data);

struct output {
    struct output *next;
    struct files *files; /* below which folder */
    struct slice path;
    struct slice text;
    output_render *render; /* NULL: the text itself */
    const void *data;
};

struct outputs {
    struct output *first, **last;
};

void outputs_init(struct outputs *outputs);
/* The output is the arena's, which is the block's. Nothing is added for files that nobody wants. */
void outputs_add(struct outputs *outputs, struct arena *arena, const struct output *output);
void outputs_write(const struct outputs *outputs);

#endif
