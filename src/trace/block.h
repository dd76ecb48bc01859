/* block.h - splits a log into blocks at record starts.
 *
 * A block contains whole records: it begins at the first byte of a record (or of text outside of records), and the
 * previous record is complete. So blocks can be decoded in parallel, and the block size does not affect the records. A
 * block grows to hold a larger record, up to a limit.
 *
 * Oversized content is read but not kept: a record whose head line exceeds BLOCK_HEAD_MAX bytes or which exceeds
 * record_max bytes in all, and the rest of a line outside of records after BLOCK_JUNK_BYTES. The block then contains at
 * most the start of the first line.
 *
 * The caller owns the reader and uses it on one thread. A block owns its bytes; the decoder may modify them. */
#pragma once

#include "trace/held.h"
#include "trace/source.h"

/* The default of record_max. */
enum { BLOCK_RECORD_MAX = 256 << 20 };
/* The maximum size of the line with the prefix and the envelope of a record. */
enum { BLOCK_HEAD_MAX = 16 << 20 };
/* A region without a record start may be cut elsewhere from this size on: see block_junk_start(). */
enum { BLOCK_JUNK_BYTES = 4 << 20 };
/* The default of held_from. */
enum { BLOCK_HELD_FROM = 32 << 20 };

#define BLOCK_RECORD_TOO_LARGE "record larger than --max-record left out"
#define BLOCK_HEAD_TOO_LARGE "record with an envelope larger than 16 MiB left out"

/* State while the reader skips oversized content, or holds a record until its size is known. */
struct block_skip {
    bool on;
    bool payload;    /* true: the lines of a payload; false: the rest of one line */
    bool in_line;    /* in the middle of a line, whose rest is skipped */
    struct buf lead; /* of the record */
    uint64_t lines;  /* left out so far */
};

struct block_reader {
    struct source *source;
    size_t block_bytes;
    size_t record_max; /* 0: BLOCK_RECORD_MAX */
    /* Receives all bytes of the log in order, including skipped ones. Returns false to end the log there. May be NULL.
     */
    bool (*tee)(void *context, struct slice bytes);
    void *context;
    struct held held; /* bytes of the block beyond held_from, while the end of its record is searched for */
    size_t held_from; /* 0: BLOCK_HELD_FROM */

    struct buf carry; /* bytes read after the last cut */
    struct block_skip skip;
    bool ended;
    /* Of the latest block: */
    uint64_t lines_before; /* number of skipped lines before it */
    const char *too_large; /* if the block is the start of a skipped record: why; NULL: it is not */
};

/* Replaces *bytes with the next block. *more is false if there is none. Returns false if reading failed. */
bool block_read(struct block_reader *reader, struct buf *bytes, bool *more, struct err *err);
void block_reader_finish(struct block_reader *reader);

/* Whether this line starts a record. Payload lines begin with a TAB, or with their record's lead and a TAB, and have no
 * prefix at their start. */
bool block_starts_record(struct slice line);
/* For a long region without a record start: the start of a line after the end of its last payload, or 0. A record, or
 * text outside of records, begins there. */
size_t block_junk_start(struct slice region);
