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
/* A region without a record start may be cut elsewhere from this size on: see block_junk_start(). */
enum { BLOCK_JUNK_BYTES = 4 << 20 };

struct block_reader {
    struct source *source;
    size_t block_bytes;
    struct buf carry; /* bytes read after the last cut */
    bool ended;
};

/* Replaces *bytes with the next block. *more is false if there is none. Returns false if reading failed. */
bool block_read(struct block_reader *reader, struct buf *bytes, bool *more, struct err *err);
void block_reader_finish(struct block_reader *reader);

/* Whether a record starts at this line. Payload lines begin with TAB, or with their record's lead and a TAB, and have
 * no prefix at their start. */
bool block_starts_record(struct slice line);
/* For a long region without a record start: the start of a line after the end of its last payload, or 0. It starts with a
 * record or with text outside of records. */
size_t block_junk_start(struct slice region);

#endif
