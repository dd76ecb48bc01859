/* spool.h - bytes that are kept aside until they are needed again: lines whose year is not known yet, texts that a later page
 * shows, events of ranks that are joined in the end.
 *
 * A spool is in memory while it is small (SPOOL_BYTES), and beyond that in one file without a name beside the report, which ends with
 * the spool. One spool serves many writers, so the number of open files does not grow with them.
 *
 * Life cycle: spool_create, spool_add and spool_read from any thread, spool_destroy. Functions that return bool leave the reason
 * in errno when false; after the first failure to write, all further ones fail for the same reason. */
#ifndef TLPARSE_SINK_SPOOL_H
#define TLPARSE_SINK_SPOOL_H

#include "base/buf.h"
#include "base/mem.h"
#include "sink/files.h"

enum { SPOOL_BYTES = 256 * 1024 };

struct spool;

/* The sink must outlive the spool. */
struct spool *spool_create(struct sink *beside);
void spool_destroy(struct spool *spool);
/* Where the bytes are kept: *offset, for spool_read(). */
bool spool_add(struct spool *spool, struct slice bytes, uint64_t *offset);
/* Adds len bytes from the offset on to the buffer; nothing when false. */
bool spool_read(struct spool *spool, uint64_t offset, size_t len, struct buf *out);
/* False, with the reason, when anything could not be written so far. */
bool spool_good(struct spool *spool, struct err *err);

/* Bytes one after the other that lie in pieces of a spool. One thread. {0} is an empty one that takes nothing and can be freed. */
struct spooled {
    struct spool *spool;
    struct buf buf; /* what is not in the spool yet: writers may add to it, as to that of a stream */
    LIST(struct spooled_piece {
        uint64_t offset;
        size_t len;
    })
    pieces;
    uint64_t bytes; /* in pieces */
};

void spooled_start(struct spooled *spooled, struct spool *spool);
void spooled_add(struct spooled *spooled, struct slice content);
/* Passes the buffer on when it holds much. A piece begins and ends only where this, spooled_add() or spooled_end() was called. */
void spooled_flush_if_full(struct spooled *spooled);
/* No more is added: passes on what is left, and frees the buffer. */
void spooled_end(struct spooled *spooled);
/* Adds the i-th piece to the buffer; false where it cannot be read, or could not be kept. */
bool spooled_read(const struct spooled *spooled, size_t i, struct buf *out);
/* Adds all pieces to a stream. A failure is one of the stream's file. */
void spooled_copy(const struct spooled *spooled, struct stream *to);
void spooled_free(struct spooled *spooled);

#endif
