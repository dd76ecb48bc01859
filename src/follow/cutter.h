/* cutter.h - cuts a log that grows into whole records.
 *
 * Bytes are added in any pieces: a piece may end inside a record, a line or a character. A record is complete when the next one starts.
 * The last record is complete without a next one if the log proves it: its line has ended and announces no payload, or the payload has the
 * MD5 that the line announces. Otherwise it waits, so an unfinished record is never taken for a malformed one. The same bytes give the same
 * records as trace/block.h, whatever the pieces, unless a payload goes on after a part of it that has the announced MD5.
 *
 * Of a line that is no record and longer than BLOCK_JUNK_BYTES, and of an envelope longer than BLOCK_HEAD_MAX, only the start is kept, as
 * trace/block.h does. The line still ends where it ends.
 *
 * Work is proportional to the bytes that were added, not to those that wait. {0} is an empty cutter; one thread. */
#pragma once

#include "base/base.h"

struct cutter {
    struct buf waiting; /* from a record start, or text outside of records */
    size_t judged;      /* start of the first line that is not known to start a record, or not to */
    size_t searched;    /* no newline between judged and here */
    size_t junk;        /* size at which text without records is looked at next */
    bool proven;        /* cutter_prove() has looked at these bytes */
    bool skipping;      /* the rest of the line that waits is left out */
    uint64_t left_out;  /* bytes; the caller takes them and sets this to 0 */
};

/* Room for `bytes` more; the caller sets cutter->waiting.len through cutter_added(). */
char *cutter_room(struct cutter *cutter, size_t bytes);
/* That many bytes were put into the room. Appends the records that are complete now to *records. */
void cutter_added(struct cutter *cutter, size_t bytes, struct buf *records);
/* Appends what waits if it is provably complete. Reads all of it, once: call it when the log is quiet. */
void cutter_prove(struct cutter *cutter, struct buf *records);
/* Appends what waits: the log has ended. */
void cutter_flush(struct cutter *cutter, struct buf *records);
void cutter_free(struct cutter *cutter);
