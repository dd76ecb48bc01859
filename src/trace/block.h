/* block.h - pieces of a log, cut where a record starts.
 *
 * A block holds whole records: it begins at the first byte of a record (or of text that belongs to none) and what was
 * open before it has ended. So blocks can be decoded side by side, and records are the same for any size of block. A
 * record larger than a block grows it.
 *
 * The reader is the caller's, one thread. A block's bytes are its own; who decodes may change them. */
#ifndef TLPARSE_TRACE_BLOCK_H
#define TLPARSE_TRACE_BLOCK_H

#include "base/buf.h"
#include "trace/source.h"

/* No record is larger; a line that is gets cut there, so that memory stays bounded whatever the input is. */
enum { BLOCK_RECORD_MAX = 1 << 30 };

struct block_reader {
    struct source *source;
    size_t block_bytes;
    struct buf carry; /* what was read behind the last cut */
    bool ended;
};

/* Fills *bytes (its old content is dropped) with the next block; *more is false when there is none.
 * Returns false when reading failed. */
bool block_read(struct block_reader *reader, struct buf *bytes, bool *more, struct err *err);
void block_reader_finish(struct block_reader *reader);

#endif
