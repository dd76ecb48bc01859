/* spool.h - keeps bytes until they are needed again: lines whose year is still unknown, texts for a later page, metrics
 * of compiles, events of ranks that are joined at the end.
 *
 * A spool is in memory up to SPOOL_BYTES, and then in one unnamed file on the file system of the report, which is
 * removed with the spool. One spool serves many writers, so the number of open files is constant.
 *
 * Life cycle: spool_create; spool_add and spool_read from any thread; spool_destroy. Functions that return bool set
 * errno on failure. After the first failed write, all further writes fail with the same reason. */
#pragma once

#include "sink/files.h"

enum { SPOOL_BYTES = 256 * 1024 };

struct spool;

/* The sink must outlive the spool. */
struct spool *spool_create(struct sink *beside);
void spool_destroy(struct spool *spool);
/* Stores the bytes and sets *offset for spool_read(). */
bool spool_add(struct spool *spool, struct slice bytes, uint64_t *offset);
/* Adds len bytes from the offset to the buffer. Adds nothing if it fails. */
bool spool_read(struct spool *spool, uint64_t offset, size_t len, struct buf *out);
/* Returns false, with the reason, if any write or read failed. */
bool spool_good(struct spool *spool, struct err *err);

/* A sequence of bytes in pieces of a spool. One thread. {0} is an empty sequence that accepts no bytes and may be
 * freed. */
struct spooled {
    struct spool *spool;
    struct buf buf; /* bytes that are not yet in the spool; writers may append to it */
    LIST(struct spooled_piece {
        uint64_t offset;
        size_t len;
    })
    pieces;
    uint64_t bytes; /* in all pieces */
};

void spooled_start(struct spooled *spooled, struct spool *spool);
void spooled_add(struct spooled *spooled, struct slice content);
/* Moves the buffer to the spool if it is large. Pieces are only split at calls of this function, spooled_add() and
 * spooled_end(). */
void spooled_flush_if_full(struct spooled *spooled);
/* Ends the sequence: moves the rest to the spool and frees the buffer. */
void spooled_end(struct spooled *spooled);
/* Adds the i-th piece to the buffer. Returns false if it cannot be read or was not stored. */
bool spooled_read(const struct spooled *spooled, size_t i, struct buf *out);
/* Adds all pieces to a stream. A failure counts as one of the stream's file. */
void spooled_copy(const struct spooled *spooled, struct stream *to);
void spooled_free(struct spooled *spooled);
