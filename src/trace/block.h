/* block.h - splits a log into blocks at record starts.
 *
 * A block contains whole records: it begins at the first byte of a record (or of text outside of records), and the
 * previous record is complete. So blocks can be decoded in parallel, and the block size does not affect the records. A
 * record larger than a block grows it.
 *
 * The caller owns the reader and uses it on one thread. A block owns its bytes; the decoder may modify them. */
#ifndef TLPARSE_TRACE_BLOCK_H
#define TLPARSE_TRACE_BLOCK_H

#include "base/buf.h"
#include "trace/source.h"

/* The maximum size of a record. A longer line is cut, so that memory is bounded for any input. */
enum { BLOCK_RECORD_MAX = 1 << 30 };

struct block_reader {
    struct source *source;
    size_t block_bytes;
    struct buf carry; /* bytes read after the last cut */
    bool ended;
};

/* Replaces *bytes with the next block. *more is false if there is none. Returns false if reading failed. */
bool block_read(struct block_reader *reader, struct buf *bytes, bool *more, struct err *err);
void block_reader_finish(struct block_reader *reader);

#endif
