/* cutter.h - cuts a log that grows into whole records.
 *
 * Bytes may be added in any pieces: a piece may end inside a record, a line or a character. A record is complete when
 * the next one starts. The last record is also complete if the log proves it: its line has ended and announces no
 * payload, or the payload has the MD5 that the line announces. Otherwise it waits, so an unfinished record is never
 * taken for a malformed one. The same bytes yield the same records as trace/block.h, whatever the pieces, unless a
 * payload continues after a part that already has the announced MD5.
 *
 * If a line outside of records is longer than BLOCK_JUNK_BYTES, or an envelope longer than BLOCK_HEAD_MAX, only the
 * start is kept, as in trace/block.h. The rest up to the line's end is skipped.
 *
 * Work is proportional to the added bytes, not to the waiting ones. {0} is an empty cutter; one thread. */
#pragma once

#include "base/base.h"

struct cutter {
    struct buf waiting; /* starts with a record, or with text outside of records */
    size_t judged;      /* start of the first line about which it is not yet known whether it starts a record */
    size_t searched;    /* there is no newline between judged and here */
    size_t junk;        /* size at which text without records is examined next */
    bool proven;        /* cutter_prove() has examined these bytes */
    bool skipping;      /* the rest of the waiting line is skipped */
    uint64_t left_out;  /* number of skipped bytes; the caller takes it and resets it to 0 */
};

/* Returns room for `bytes` more bytes. The caller fills it and calls cutter_added(). */
char *cutter_room(struct cutter *cutter, size_t bytes);
/* Reports that this number of bytes was put into the room. Appends the records that are now complete to *records. */
void cutter_added(struct cutter *cutter, size_t bytes, struct buf *records);
/* Appends the waiting bytes if they are provably a complete record. Reads all of them, but only once: call it when the
 * log is quiet. */
void cutter_prove(struct cutter *cutter, struct buf *records);
/* Appends the waiting bytes, because the log has ended. */
void cutter_flush(struct cutter *cutter, struct buf *records);
void cutter_free(struct cutter *cutter);
